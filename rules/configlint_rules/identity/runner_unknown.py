"""An entry's runner label leads nowhere, or not far enough.

The runners file declares which machines carry a label, and the name of a machine selects its launcher. A label that is
not declared may still exist, so this is a warning; but no list of machines and no hardware facts stand behind it, and
its launcher can only be guessed. A launcher that no declared machine leads to is an info.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import DECLARED, HIGH, INFO, MATRIX, WARNING, Entry, Location, Repository, Verdict, rule


@rule(
    id="runner-unknown",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: not declared --
== configs/x-master.yaml
tiny: { image: "a/b:v2", model: m, model-prefix: tiny, precision: fp8, framework: vllm,
  runner: alpah,  #! runner-unknown
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
bash benchmarks/run.sh
-- good: declared, with a launcher --
== configs/x-master.yaml
tiny: { runner: alpha }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
bash benchmarks/run.sh
""",
)
def runner_unknown(repository: Repository) -> Iterator[Verdict]:
    """Every entry's label, and every launcher."""
    runners = repository.runners
    if not runners.labels:
        return
    for entry in repository.entries():
        yield from label_problems(entry, repository)
    reached = {launcher.path for entry in repository.entries() for launcher in entry.launchers}
    for path in runners.unreached:
        at = repository.top(path)
        if at and path not in reached:
            message = f"no runner of {runners.path} leads to {path}"
            yield repository.instance(message, cause=Location(at, DECLARED), severity=INFO)


def label_problems(entry: Entry, repository: Repository) -> Iterator[Verdict]:
    """A label that is not declared, runners without a launcher, missing hardware facts."""
    runners, used, key = repository.runners, Location(entry.runner_place, MATRIX), Location(entry.place, MATRIX)
    missing = [launcher for launcher in entry.launchers if not launcher.exists]
    if entry.runner and not runners.is_declared(entry.runner):
        guess = "no launcher" if missing else f"only a guess at its launcher ({entry.launchers[0].path})"
        message = f"{runners.path} declares no runner {entry.runner}: no machines, no hardware facts, {guess}"
        top = repository.top(runners.path)
        yield entry.instance(message, cause=used, related=[key, *([top] if top else [])])
    for launcher in missing:
        if launcher.place:
            message = f"the runner {launcher.runner} would start {launcher.path}, which does not exist"
            at = Location(launcher.place, DECLARED)
            yield entry.instance(message, cause=at, victim=used, related=[key], key=entry.key)
    label = runners.labels.get(entry.runner)
    for fault in entry.faults:
        if fault.lacks and label and fault.place:
            cause, victim = Location(label.place, DECLARED), Location(fault.place, MATRIX)
            yield entry.instance(f"{runners.path}: {fault.message}", cause=cause, victim=victim, related=[used, key])
