"""The benchmark script that an entry resolves to does not exist.

Launchers put its name together from the entry's model, precision, framework and speculation, and most start it without
looking: the job dies inside the container, after it has waited for its nodes. Where the launcher makes names that exist
for other entries, the entry is to blame; where it never does, the launcher is.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, MATRIX, OTHER, WRITER, Launch, Location, Verdict, rule


@rule(
    id="script-not-found",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: only the script with a drafter exists --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: false,
  scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{tp: 1, conc-list: [1]}]}]}}
== runners/launch_alpha.sh
bash "benchmarks/${EXP_NAME%%_*}_${PRECISION}.sh"  #! script-not-found
== benchmarks/tiny_fp8_mtp.sh
true
-- good: the fallback exists --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: false,
  scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{tp: 1, conc-list: [1]}]}]}}
== runners/launch_alpha.sh
SCRIPT="benchmarks/${EXP_NAME%%_*}_${PRECISION}_${FRAMEWORK}.sh"
[[ -f "$SCRIPT" ]] || SCRIPT="benchmarks/${EXP_NAME%%_*}_${PRECISION}.sh"
srun --container-image="$IMAGE" bash "$SCRIPT"
== benchmarks/tiny_fp8.sh
true
""",
)
def script_not_found(launch: Launch) -> Iterator[Verdict]:
    """One finding for an entry, or for a launcher that finds no script at all."""
    missing = launch.missing_script
    if missing is None:
        return
    names = " nor ".join(missing.tried)
    end = "the launcher gives up" if missing.refused else "the job dies when it is started"
    entry = Location(launch.entry.place if missing.whole_entry else launch.row_line, MATRIX, "has no script")
    role = CONSUMER if missing.works_for_others else WRITER
    launcher = Location(missing.made_at, role, "the name is made here")
    near = [Location(place, OTHER, "exists") for path in missing.near if (place := launch.file(path)) is not None]
    yield launch.instance(
        f"{launch.entry.key}: there is {'neither' if len(missing.tried) > 1 else 'no'} {names}; {end}",
        cause=entry if missing.works_for_others else launcher,
        victim=launcher if missing.works_for_others else entry,
        related=[Location(missing.at, CONSUMER, end), *launch.behind(missing.from_inputs), *near],
        key=missing.tried[-1],
        help=f"similar: {', '.join(missing.near)}" if near else "",
    )
