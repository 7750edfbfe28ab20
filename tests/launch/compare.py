"""Does what the interpreter says allow what bash did?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from configlint.launch.outcome import End
from configlint.launch.state import State
from configlint.launch.values import HOLE, Value, is_known, options, shown
from tests.launch.harness import Ended
from tests.oracles.bash_runner import Judged


@dataclass
class Comparison:
    """Disagreements (none: all is well), and how much was known."""

    disagreements: list[str] = field(default_factory=list)
    known: int = 0
    unknown: int = 0
    not_analysed: bool = False


def allows(value: Value, actual: str) -> bool:
    """True if a value with holes and alternatives may be the text."""
    return any(
        re.fullmatch(".*".join(map(re.escape, HOLE.split(option)[::2])), actual, re.DOTALL) for option in options(value)
    )


def compare(ended: Ended, judged: Judged, scalars: Sequence[str], arrays: Sequence[str]) -> Comparison:
    """One of the paths must allow all that bash did."""
    best: Comparison | None = None
    for state in ended.states:
        one = _compare_state(ended, state, judged, scalars, arrays)
        if best is None or len(one.disagreements) < len(best.disagreements):
            best = one
    assert best is not None
    if len(ended.states) > 1:  # not decided: nothing counts as known
        best.unknown, best.known = best.unknown + best.known, 0
    return best


def _compare_state(
    ended: Ended, state: State, judged: Judged, scalars: Sequence[str], arrays: Sequence[str]
) -> Comparison:
    found = Comparison()
    if state.ending is not None and state.ending.end is End.NOT_ANALYSED:
        found.not_analysed = True
        return found
    if state.status is not None and state.status >= 0 and state.status != judged.status:
        found.disagreements.append(f"status {state.status}, bash {judged.status}")
    for name in scalars:
        ours, theirs = ended.variable(state, name), judged.variables[name]
        if isinstance(ours, dict):
            ours = ours.get("0")
        if ours is None or theirs is None:
            perhaps = getattr(state.variables.get(name), "perhaps", False)
            same = ours is theirs or (theirs is None and (perhaps or (ours is not None and allows(ours, ""))))
        else:
            assert isinstance(theirs, str)
            same = allows(ours, theirs)
        _count(found, ours)
        if not same:
            mine = shown(ours) if ours is not None else "<unset>"
            found.disagreements.append(f"{name}: {mine!r}, bash {theirs!r}")
    for name in arrays:
        array, other = ended.variable(state, name), judged.variables[name]
        if not _same_array(state, name, array, other):
            found.disagreements.append(f"{name}: {array!r}, bash {other!r}")
        elif isinstance(array, dict):
            found.known += all(map(is_known, array.values()))
            found.unknown += not all(map(is_known, array.values()))
    return found


def _same_array(state: State, name: str, mine: object, other: object) -> bool:
    assert isinstance(other, dict)
    if getattr(state.variables.get(name), "is_open", False):
        return True
    if mine is None:
        return not other
    if not isinstance(mine, dict):
        return not is_known(mine) or other == {"0": mine}  # type: ignore[arg-type]
    return mine.keys() == other.keys() and all(allows(value, other[key]) for key, value in mine.items())


def _count(found: Comparison, value: Value | None) -> None:
    if value is None or is_known(value):
        found.known += 1
    else:
        found.unknown += 1
