"""The setup script that a job runs before its server exists nowhere.

It is looked for in the clone that submits the recipe, after everything that the launcher copies into it. A renderer may
do no more than warn about a missing one: the server then starts without what the script was to install or patch.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, OTHER, VALUE, WRITER, Document, Location, Verdict, rule


@rule(
    id="setup-script-not-found",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: only another revision has it --
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone  #! setup-script-not-found
cd clone
srtctl apply -f "$CONFIG_FILE"
== https://git.example.com/a/b@v1:recipes/a.yaml
setup_script: deps.sh
== https://git.example.com/a/b@v2:configs/deps.sh
true
-- good: copied into the clone --
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone
cd clone
mkdir -p configs && cp "$GITHUB_WORKSPACE/deps.sh" configs/deps.sh
srtctl apply -f "$CONFIG_FILE"
== deps.sh
true
== https://git.example.com/a/b@v1:recipes/a.yaml
setup_script: deps.sh
""",
)
def setup_script_not_found(document: Document) -> Iterator[Verdict]:
    """The cause is the pin that does not bring it, or the launcher that names it; the victim is the recipe."""
    for script in document.setup_scripts:
        clone = script.clone
        pin = Location(clone.named_at, CONSUMER, "the revision that is submitted from")
        named = Location(script.at, WRITER if script.by_launcher else VALUE, "is nowhere")
        if script.exists is None:
            yield document.unknown(f"{clone.url} at {clone.ref} cannot be read here", script.at)
        elif not script.exists:
            here = f"; {script.uncopied[0].path} is here, but not copied" if script.uncopied else ""
            yield document.instance(
                f"the setup script {script.name} is not in {clone.url} at {clone.ref}, nor copied into it "
                f"(looked for: {', '.join(script.searched)}){here}",
                cause=named if script.by_launcher else pin,
                victim=pin if script.by_launcher else named,
                related=[Location(place, OTHER, "not copied") for place in script.uncopied],
                key=script.name,
                summary=f"{{count}} recipes name {script.name}, which is not in {clone.ref}, nor copied there",
            )
