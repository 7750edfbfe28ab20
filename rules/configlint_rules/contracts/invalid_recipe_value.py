"""A recipe has a value that the revision which the launcher checks out refuses.

Wrong type, wrong choice, a required field left out, a frontend that this revision cannot start. A number is no string:
environment variables and `concurrencies` want quotes. Where the revision cannot be told, a value is reported only if
every known revision refuses it, as a warning of medium precision.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, MEDIUM, VALUE, WARNING, Document, Location, Verdict, rule


@rule(
    id="invalid-recipe-value",
    severity=ERROR,
    precision=HIGH,
    since="0.2",
    examples="""
-- bad: a number where text is wanted --
== runners/launch_alpha.sh
git clone --branch v1.0.53 https://github.com/NVIDIA/srt-slurm.git clone
cd clone
cp -rT "$GITHUB_WORKSPACE/recipes" recipes
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
model: { path: m, container: c, precision: fp8 }
resources: { gpu_type: b200 }
environment:
  PORT: 8000  #! invalid-recipe-value
-- good: quoted --
== runners/launch_alpha.sh
git clone --branch v1.0.53 https://github.com/NVIDIA/srt-slurm.git clone
cd clone
cp -rT "$GITHUB_WORKSPACE/recipes" recipes
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
model: { path: m, container: c, precision: fp8 }
resources: { gpu_type: b200 }
environment: { PORT: "8000" }
""",
)
def invalid_recipe_value(document: Document) -> Iterator[Verdict]:
    """The cause is the value, the victim the pin of the revision that refuses it."""
    for one in document.refusals:
        if one.kind == "invalid-value":
            accepted = f" (accepted by {one.accepted})" if one.accepted else ""
            yield document.instance(
                f"{one.path}: {one.message} at {one.whose}{accepted}",
                cause=Location(one.at, VALUE),
                victim=Location(one.pin, CONSUMER, "the revision that is submitted from refuses the job"),
                key=one.path,
                severity=ERROR if one.by == "exact" else WARNING,
                precision=HIGH if one.by == "exact" else MEDIUM,
            )
