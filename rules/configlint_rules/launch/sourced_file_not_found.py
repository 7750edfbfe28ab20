"""A script sources, runs or copies a file of the repository that does not exist.

The usual reason is a script that moved one folder deeper and kept its ``$(dirname "$0")/..``. A missing library
leaves its functions undefined: the script dies at once, or later and less clearly. Only paths that are certain
count, and none that the script tests for, expects to fail, or makes itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, INFO, OTHER, WARNING, Location, Script, Verdict, rule

_VERBS = {"source": "sources", "run": "runs", "copy": "copies", "read": "reads"}


@rule(
    id="sourced-file-not-found",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: one folder too few, and a script that is elsewhere --
== benchmarks/single/fixed/run.sh
source "$(dirname "$0")/../lib.sh"  #! sourced-file-not-found
bash "$GITHUB_WORKSPACE/benchmarks/setup.sh"  #! sourced-file-not-found
== benchmarks/lib.sh
true
-- good: what exists, what is tested for, and what only the host knows --
== benchmarks/single/run.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/lib.sh"
[[ -f "$(dirname "$0")/local.sh" ]] && source "$(dirname "$0")/local.sh"
source "$GITHUB_WORKSPACE/benchmarks/extra.sh" || true
python3 -c 'print("export A=1")' > "$(dirname "$0")/made.sh"
source "$(dirname "$0")/made.sh"
source "$HOME/.bashrc"
source "$LIBRARY/x.sh"
== benchmarks/lib.sh
true
""",
)
def sourced_file_not_found(script: Script) -> Iterator[Verdict]:
    """Every script. What may never run is likely wrong at most; what is retired is worth a line only."""
    for one in script.missing_files:
        near = [Location(place, OTHER, "is here") for path in one.near if (place := script.file(path)) is not None]
        where = f" (there is {', '.join(one.near)})" if near else ""
        runs = script.running(one.at) if script.is_launcher else () if one.conditional else script.starting
        retired = script.profile.policy.is_retired(script.path)
        yield script.instance(
            f"{script.path} {_VERBS[one.how]} {one.path}, which does not exist{where}",
            cause=Location(one.at, CONSUMER, "no such file"),
            related=near,
            key=one.path,
            entries=runs,
            severity=INFO if retired else WARNING if one.conditional and not runs else None,
        )
