"""A row names a recipe that is nowhere when the launcher needs it.

The launcher looks for it in a clone, after everything that it copies there. The job has been queued and has prepared
its host by then; it dies at an edit, at the launcher's own test, or when the recipe is submitted.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, MATRIX, OTHER, Launch, Location, Verdict, rule


@rule(
    id="recipe-not-found",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: only another folder has it --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: true,
  disagg: true, scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{conc-list: [1],
  prefill: {num-worker: 1, tp: 1, ep: 1, dp-attn: false,
    additional-settings: [CONFIG_FILE=recipes/a.yaml]},  #! recipe-not-found
  decode: {num-worker: 1, tp: 1, ep: 1, dp-attn: false}}]}]}}
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone
cd clone
cp -rT "$GITHUB_WORKSPACE/ours" recipes
srtctl apply -f "$CONFIG_FILE"
== ours/more/a.yaml
name: a
== https://git.example.com/a/b@v1:recipes/b.yaml
name: b
-- good: copied from the checkout --
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone
cd clone
cp -rT "$GITHUB_WORKSPACE/ours" recipes
srtctl apply -f "$CONFIG_FILE"
== ours/a.yaml
name: a
== https://git.example.com/a/b@v1:recipes/b.yaml
name: b
""",
)
def recipe_not_found(launch: Launch) -> Iterator[Verdict]:
    """The cause is the setting that names it, the victim the command that cannot do without it."""
    missing = launch.missing
    if missing is None:
        for use in launch.uses[-1:]:
            if use.how == "submit" and use.exists is None:
                yield launch.unknown("the clone that the recipe would be in cannot be read here", use.at)
        return
    related = [Location(one.at, OTHER, "looked for here, too") for one in missing.others]
    related += [Location(one.at, OTHER, "copies what is not there") for one in missing.failed]
    related += [Location(use.at, OTHER, "copied to where it should be") for _, use in missing.copies if use]
    if missing.clone is not None:
        related.append(Location(missing.clone.named_at, OTHER, "the revision it should be in"))
    hints = [f"did you mean {', '.join(missing.near)}?" if missing.near else ""]
    hints += [f"{path} has this name, but is not what the launcher looks for" for path in missing.here[:3]]
    yield launch.instance(
        f"{missing.name} {missing.where}: {missing.ends}",
        cause=Location(launch.named_at(missing.cell), MATRIX),
        victim=Location(missing.use.at, CONSUMER),
        related=related,
        key=missing.name,
        help="; ".join(filter(None, hints)),
        summary=f"{{count}} launchers look in vain for {missing.name}, which {missing.where}",
    )
