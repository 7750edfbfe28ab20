"""The launcher takes the recipe's name for a path, although a selector may stand behind it.

`recipes/a.yaml:override_b` is no file: only the program that renders recipes knows that form. An edit of it fails, and
a test of it is never true. Cut the selector off first, as in `"${CONFIG_FILE%%:*}"`. Where no row that comes through
the launcher has a selector yet this is a note; the first one that does will not run.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, INFO, MATRIX, Launch, Location, Verdict, rule


@rule(
    id="selector-not-stripped",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: sed is given the selector --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: true,
  disagg: true, scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{conc-list: [1],
  prefill: {num-worker: 1, tp: 1, ep: 1, dp-attn: false, additional-settings: ["CONFIG_FILE=r.yaml:override_b"]},
  decode: {num-worker: 1, tp: 1, ep: 1, dp-attn: false}}]}]}}
== runners/launch_alpha.sh
set -e
sed -i 's/^name:.*/name: b/' "$CONFIG_FILE"  #! selector-not-stripped
srtctl apply -f "$CONFIG_FILE"
== r.yaml
base: {name: a}
override_b: {nodes: 1}
-- good: only the program that submits is given it --
== runners/launch_alpha.sh
set -e
sed -i 's/^name:.*/name: b/' "${CONFIG_FILE%%:*}"
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
""",
)
def selector_not_stripped(launch: Launch) -> Iterator[Verdict]:
    """The cause is the command, the victim the setting with the selector."""
    for use in launch.unstripped_names:
        if use.selector:
            yield launch.instance(
                f"{use.command} is given {use.text}, which is no file, {use.effect}",
                cause=use.at,
                victim=Location(launch.named_at(use.cell), MATRIX),
                key=use.selector,
                summary=f"{use.command} takes the selectors of {{count}} rows for a part of the path, {use.effect}",
            )
        else:
            message = f"{use.command} would be given a selector behind the path, if a row had one"
            yield launch.instance(message, cause=use.at, severity=INFO)
