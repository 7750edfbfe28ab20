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
    runners, reached = repository.runners, set()
    for entry in repository.entries() if runners.labels else ():
        reached |= {launcher.path for launcher in entry.launchers}
        yield from label_problems(entry, runners.path, repository)
    for path in runners.unreached if runners.labels else ():
        if path not in reached and (at := repository.top(path)):
            message = f"no runner of {runners.path} leads to {path}"
            yield repository.instance(message, cause=Location(at, DECLARED), severity=INFO)


def label_problems(entry: Entry, file: str, repository: Repository) -> Iterator[Verdict]:
    """A label that is not declared, runners without a launcher, missing hardware facts."""
    used, key, top = Location(entry.runner_place, MATRIX), Location(entry.place, MATRIX), repository.top(file)
    related = [key, Location(top, DECLARED)] if top else [key]
    if entry.runner and not repository.runners.is_declared(entry.runner):
        near = f" (did you mean {meant}?)" if (meant := repository.runners.near(entry.runner)) else ""
        what = f"{file} declares no label {entry.runner}{near}"
        message, summary = (
            f"{what}: no machines, no hardware facts, a launcher by guess only",
            f"{what}, and no launcher fits its name",
        )
        yield entry.instance(message, cause=used, related=related, summary=summary)
        for guess in entry.launchers:
            if not guess.exists:
                message = f"no launcher fits the label {entry.runner}: {guess.path} does not exist"
                yield entry.instance(message, cause=used, related=related, key="launcher", summary=summary)
    for launcher in entry.launchers:
        if launcher.place and not launcher.exists:
            message = f"the runner {launcher.runner} would start {launcher.path}, which does not exist"
            cause = Location(launcher.place, DECLARED)
            yield entry.instance(message, cause=cause, victim=used, related=[key], summary=message)
    label = repository.runners.labels.get(entry.runner)
    for fault in entry.faults:
        if fault.lacks and fault.place and label:
            cause, victim = Location(label.place, DECLARED), Location(fault.place, MATRIX)
            message = f"{file}: {fault.message}"
            yield entry.instance(message, cause=cause, victim=victim, related=[used, key], summary=message)
