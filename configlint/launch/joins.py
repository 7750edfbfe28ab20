"""Joining paths: where two paths have done the same to the world, their variables become alternatives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from configlint.launch.arrays import open_array
from configlint.launch.files import below
from configlint.launch.outcome import ArrayCell, Assumption, Cell, Decision, Edit, FileUse, Variable
from configlint.launch.state import Flow, Frame, Hidden, State, flat
from configlint.launch.texts import VirtualText
from configlint.launch.values import Value, choice, options, unknown

Find = Callable[[State, str], Variable | None]
"""A variable of a state, wherever it is from; None where it is not set."""

T = TypeVar("T")


class Joiner:
    """Joins states. ``where`` names the place for values that have too many alternatives.

    ``loose``: arrays of different lengths become one of which little is known, instead of keeping paths apart.
    """

    def __init__(self, find: Find, where: str, *, loose: bool = False) -> None:
        self._find, self._where, self._loose = find, where, loose

    def merge(self, states: list[State]) -> list[State]:
        """The states, those joined that can be."""
        kept: list[State] = []
        for state in states:
            if not any(self._join(other, state) for other in kept):
                kept.append(state)
        return kept

    def _join(self, left: State, right: State) -> bool:
        """Make ``left`` stand for both. False, and nothing is changed, where that cannot be."""
        if not _same_effects(left, right):
            return False
        files = left.files.joined(right.files, _directories(left))
        if files is None:
            return False
        variables = self.variables(left, right)
        if variables is None:
            return False
        captured = self._captured(left.captured, right.captured)
        frames = tuple(self._frame(one, two, left) for one, two in zip(left.frames, right.frames, strict=True))
        outputs = self._outputs(left.outputs, right.outputs)
        left.variables, left.files, left.captured, left.frames, left.outputs = (
            variables, files, captured, frames, outputs,
        )  # fmt: skip
        left.unset = (left.unset | right.unset) - variables.keys()
        left.exported |= right.exported
        left.status = left.status if left.status == right.status else None
        left.failure = left.failure or right.failure
        if left.pipestatus != right.pipestatus:
            left.pipestatus = (None,)
        if left.stdin is not right.stdin and left.stdin != right.stdin:
            left.stdin = unknown("standard input")
        join_records(left, right)
        return True

    def variables(self, left: State, right: State) -> dict[str, Variable] | None:
        """The variables of either state; None where they cannot be joined."""
        found: dict[str, Variable] = {}
        for name in {**left.variables, **right.variables}:
            one, two = left.variables.get(name), right.variables.get(name)
            if one is two and one is not None:
                found[name] = one
                continue
            both = self._either(name, one or self._find(left, name), two or self._find(right, name))
            if both is None:
                return None
            found[name] = both
        for name in left.unset ^ right.unset:  # unset on one side only: on the other side it may be an input
            if name not in found:
                one, two = self._find(left, name), self._find(right, name)
                both = self._either(name, one, two) if one or two else None
                if both is not None:
                    found[name] = both
        return found

    def _either(self, name: str, one: Variable | None, two: Variable | None) -> Variable | None:
        """One variable that is either; None where that cannot be said (the paths then stay apart)."""
        if isinstance(one, ArrayCell) or isinstance(two, ArrayCell):
            return self._either_array(name, one, two)
        if one is None or two is None:
            only = one or two
            assert only is not None
            values = [*options(only.value), ""]
            return Cell(choice(values, f"{name} after {self._where}"), name, only.at, "either", (only,), perhaps=True)
        if one.value == two.value and one.perhaps == two.perhaps:
            return one
        value = choice([*options(one.value), *options(two.value)], f"{name} after {self._where}")
        return Cell(value, name, one.at, "either", (one, two), one.perhaps or two.perhaps)

    def _either_array(self, name: str, one: Variable | None, two: Variable | None) -> Variable | None:
        if isinstance(one, ArrayCell) and isinstance(two, ArrayCell) and _same_keys(one, two):
            items = []
            for (key, left), (_, right) in zip(one.items, two.items, strict=True):
                both = self._either(name, left, right)
                assert isinstance(both, Cell)
                items.append((key, both))
            return ArrayCell(tuple(items), name, one.at, one.associative, one.is_open or two.is_open)
        if not self._loose:
            return None
        array = one if isinstance(one, ArrayCell) else two
        assert isinstance(array, ArrayCell)
        return open_array(name, f"{name} after {self._where}", array.at, "either", associative=array.associative)

    def _captured(
        self, left: list[VirtualText | Value] | None, right: list[VirtualText | Value] | None
    ) -> list[VirtualText | Value] | None:
        if left is None or right is None or left == right:
            return left
        common = 0
        while common < min(len(left), len(right)) and left[common] == right[common]:
            common += 1
        texts = [flat(left[common:]), flat(right[common:])]
        both = choice([option for text in texts for option in options(text)], f"output at {self._where}")
        return [*left[:common], both]

    def _frame(self, left: Frame, right: Frame, state: State) -> Frame:
        """A call on both paths: what is local on one of them only comes back as either."""
        hidden = dict(left.hidden)
        for name, other in right.hidden.items():
            mine = hidden.get(name) or Hidden(self._find(state, name), name in state.unset)
            if mine.variable is other.variable:
                hidden[name] = other
                continue
            both = self._either(name, mine.variable, other.variable)
            hidden[name] = Hidden(both or other.variable, mine.unset and other.unset)
        return replace(left, hidden=hidden)

    def _outputs(self, left: dict[int, Cell], right: dict[int, Cell]) -> dict[int, Cell]:
        found = dict(left)
        for key, cell in right.items():
            mine = found.get(key)
            if mine is None:
                found[key] = cell
            elif mine is not cell and mine.value != cell.value:
                value = choice([*options(mine.value), *options(cell.value)], f"output at {self._where}")
                found[key] = Cell(value, "", cell.at, "output", (mine, cell))
        return found


def _same_effects(left: State, right: State) -> bool:
    return (
        left.flow is right.flow
        and left.flow is not Flow.STOP
        and left.cwd == right.cwd
        and left.levels == right.levels
        and left.options == right.options
        and left.positional == right.positional
        and left.directories == right.directories
        and left.shapes == right.shapes
        and len(left.frames) == len(right.frames)
        and left.functions == right.functions
        and _same_edits(left, right)
        and [(c.url, c.ref, c.directory) for c in left.clones] == [(c.url, c.ref, c.directory) for c in right.clones]
        and (left.flow is not Flow.EXIT or left.status == right.status)
    )


def _same_edits(left: State, right: State) -> bool:
    """True if both changed the same files of the clones in the same places."""
    if left.edits is right.edits:
        return True
    clones = _directories(left)
    ours, theirs = (
        [(edit.at, edit.path) for edit in state.edits if any(below(edit.path, one) for one in clones)]
        for state in (left, right)
    )
    return ours == theirs


def _directories(state: State) -> tuple[str, ...]:
    return tuple(clone.directory for clone in state.clones)


def _same_keys(one: ArrayCell, two: ArrayCell) -> bool:
    return one.associative == two.associative and [key for key, _ in one.items] == [key for key, _ in two.items]


# --- records --------------------------------------------------------------------------------------


def join_records(left: State, right: State) -> None:
    """What either path met on its way, each thing once."""
    left.edits = _united(left.edits, right.edits, _edit_key)
    left.uses = _united(left.uses, right.uses, _use_key)
    left.decisions = _united(left.decisions, right.decisions, _decision_key)
    left.assumptions = _united(left.assumptions, right.assumptions, _assumption_key)


def _edit_key(edit: Edit) -> Hashable:
    return edit.kind, edit.at, edit.path


def _use_key(use: FileUse) -> Hashable:
    return use.how, use.at, use.path, use.exists


def _decision_key(decision: Decision) -> Hashable:
    return decision.at, decision.taken


def _assumption_key(assumption: Assumption) -> Hashable:
    return assumption.at, assumption.text


def _united(left: tuple[T, ...], right: tuple[T, ...], key: Callable[[T], Hashable]) -> tuple[T, ...]:
    if left is right or not right:
        return left
    if not left:
        return right
    common, shorter = 0, min(len(left), len(right))
    while common < shorter and left[common] is right[common]:
        common += 1
    if common == len(right):
        return left
    known = {key(one) for one in left[common:]}
    return (*left, *(one for one in right[common:] if key(one) not in known))
