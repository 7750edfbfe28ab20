"""A launcher turns an entry away: every way through it ends before anything is submitted or started.

Usually no branch takes the entry's model, precision or framework, so that the last ``else`` exits. The job takes its
place in the queue, fails at once, and the entry has no results. Missing recipes and scripts have their own rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, MATRIX, MEDIUM, Launch, Location, Verdict, rule


@rule(
    id="launcher-rejects-entry",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: no branch for the precision --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: false,
  scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{tp: 1, conc-list: [1]}]}]}}
== runners/launch_alpha.sh
if [[ $MODEL_PREFIX == tiny && $PRECISION == fp4 ]]; then
    MODEL_PATH=/models/tiny
else
    exit 1  #! launcher-rejects-entry
fi
bash benchmarks/run.sh
-- good: the exit hangs on the host --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: false,
  scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{tp: 1, conc-list: [1]}]}]}}
== runners/launch_alpha.sh
[[ -d /models/tiny ]] || exit 1
bash benchmarks/run.sh
""",
)
def launcher_rejects_entry(launch: Launch) -> Iterator[Verdict]:
    """A launcher that just ends is less sure: it may start something in a way that is not known here."""
    rejection = launch.rejection
    if rejection is None or not (rejection.fails or rejection.starts_others):
        return
    values = ", ".join(f"{name}={value}" if value else f"{name} is empty" for name, value in rejection.deciding[:6])
    how = f"exits with status {rejection.status}" if rejection.fails else "ends without starting anything"
    why = f" ({rejection.reason})" if rejection.reason else ""
    at = rejection.at or launch.file(launch.launcher.path)
    if at is not None:
        yield launch.instance(
            f"the launcher {how} for {launch.entry.key}{why}{f': {values}' if values else ''}",
            cause=Location(at, CONSUMER, "every way ends here"),
            victim=Location(launch.entry.place, MATRIX, "is turned away"),
            related=launch.behind(rejection.from_inputs),
            key=values,
            precision=None if rejection.fails else MEDIUM,
        )
