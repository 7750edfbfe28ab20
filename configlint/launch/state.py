"""The state of one path through a launcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from configlint.launch.files import Files, below
from configlint.launch.outcome import (
    ArrayCell,
    Assumption,
    Cell,
    Clone,
    Decision,
    Edit,
    End,
    FileUse,
    Sink,
    Variable,
)
from configlint.launch.texts import VirtualText
from configlint.launch.values import Choice, Value, choice
from configlint.source.text import Place
from configlint.syntax.bash.nodes import Command, Script

Status: TypeAlias = int | None
ASSUMED = -1  # an opaque command: success is assumed
"""Exit status: 0 success, positive failure, None undecided, :data:`ASSUMED`."""


class Flow(Enum):
    """Why the statements that follow do not run."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()
    EXIT = auto()
    STOP = auto()  # the launch has ended: a sink, or not analysed


@dataclass(frozen=True, slots=True)
class Options:
    """Shell options that change what runs."""

    errexit: bool = False
    nounset: bool = False
    pipefail: bool = False
    nullglob: bool = False
    noglob: bool = False
    allexport: bool = False
    extended: frozenset[str] = frozenset()  # what shopt -s has switched on


DEFAULT_OPTIONS = Options()


class Hidden(NamedTuple):
    """What a local variable hides: the variable as it was, and whether it had been unset."""

    variable: Variable | None
    unset: bool


@dataclass(slots=True)
class Frame:
    """A call of a function, a sourced file or a started script: what its locals hide, and who called."""

    hidden: dict[str, Hidden] = field(default_factory=dict)
    positional: tuple[Cell, ...] = ()
    name: str = ""
    caller: Script | None = None
    loops: int = 0  # loops around the call, which it cannot leave


@dataclass(slots=True)
class Ending:
    """How the path ended, once its flow is EXIT or STOP."""

    end: End
    at: Place | None
    reason: str = ""
    sink: Sink | None = None


@dataclass(slots=True)
class State:
    """Everything one path knows. Mutable within its path; :meth:`fork` copies it."""

    files: Files
    cwd: str
    variables: dict[str, Variable] = field(default_factory=dict)
    unset: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    inherited: Mapping[str, Variable] = field(default_factory=dict)  # of the outer shell: seen if in the environment
    shapes: Mapping[str, str] = field(default_factory=dict)  # names with the letters of declare -i, -u, -l
    functions: dict[str, tuple[Command, Script]] = field(default_factory=dict)
    options: Options = Options()
    positional: tuple[Cell, ...] = ()
    frames: tuple[Frame, ...] = ()
    script: Script | None = None
    status: Status = 0
    failure: str = ""  # why the last failing command fails, for people
    flow: Flow = Flow.NEXT
    loops: int = 0  # loops around
    levels: int = 0  # loops left to leave, for break N and continue N
    directories: tuple[str, ...] = ()  # of pushd
    pipestatus: tuple[Status, ...] | None = None  # of the last command, where that was a pipeline
    ending: Ending | None = None
    guarded: int = 0  # inside a condition: errexit does not apply
    captured: list[VirtualText | Value] | None = None
    merged: bool = False  # error messages go where the output goes
    stdin: VirtualText | Value | None = None
    outputs: dict[int, Cell] = field(default_factory=dict)  # of command substitutions, by node identity
    clones: tuple[Clone, ...] = ()
    edits: tuple[Edit, ...] = ()
    uses: tuple[FileUse, ...] = ()
    decisions: tuple[Decision, ...] = ()
    assumptions: tuple[Assumption, ...] = ()

    def fork(self) -> State:
        """An independent copy."""
        return State(
            self.files, self.cwd, dict(self.variables), self.unset, self.exported, self.inherited, self.shapes,
            dict(self.functions), self.options, self.positional,
            tuple(Frame(dict(f.hidden), f.positional, f.name, f.caller, f.loops) for f in self.frames), self.script,
            self.status, self.failure, self.flow, self.loops, self.levels, self.directories, self.pipestatus,
            self.ending, self.guarded,
            None if self.captured is None else list(self.captured), self.merged, self.stdin, dict(self.outputs),
            self.clones, self.edits, self.uses, self.decisions, self.assumptions,
        )  # fmt: skip

    @property
    def running(self) -> bool:
        return self.flow is Flow.NEXT

    def restore(self, hidden: Mapping[str, Hidden]) -> None:
        """Variables that were hidden for a while come back."""
        for name, (variable, unset) in hidden.items():
            if variable is None:
                self.variables.pop(name, None)
            else:
                self.variables[name] = variable
            if unset:
                self.unset |= {name}
            elif name in self.unset:
                self.unset -= {name}

    def keep_effects(self, sub: State) -> None:
        """Take over what a subshell did to the world; its variables and directory stay behind."""
        self.files, self.clones, self.edits, self.uses = sub.files, sub.clones, sub.edits, sub.uses
        self.decisions, self.assumptions = sub.decisions, sub.assumptions
        self.status, self.failure = sub.status, sub.failure
        if sub.flow is Flow.STOP:  # the launch is over: what the inner shell knew last is what is known
            self.flow, self.ending = sub.flow, sub.ending
            self.variables, self.cwd = sub.variables, sub.cwd


def succeeded(status: Status) -> bool | None:
    """Whether a status is success; None where that is undecided (an assumed success is undecided too)."""
    if status is None or status == ASSUMED:
        return None
    return status == 0


def merge(states: list[State], where: str) -> list[State]:
    """Join the paths whose effects are the same; differing variables become alternatives.

    ``where`` names the place for values that have too many alternatives.
    """
    kept: list[State] = []
    for state in states:
        for index, other in enumerate(kept):
            joined = _join(other, state, where)
            if joined is not None:
                kept[index] = joined
                break
        else:
            kept.append(state)
    return kept


def _same_effects(left: State, right: State) -> bool:
    return (
        left.flow is right.flow
        and left.flow is not Flow.STOP
        and left.cwd == right.cwd
        and left.levels == right.levels
        and left.options == right.options
        and left.positional == right.positional
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


def _join(left: State, right: State, where: str) -> State | None:
    if not _same_effects(left, right):
        return None
    files = left.files.joined(right.files, _directories(left))
    if files is None:
        return None
    variables: dict[str, Variable] = {}
    for name in {**left.variables, **right.variables}:
        one, two = left.variables.get(name), right.variables.get(name)
        if one is two and one is not None:
            variables[name] = one
            continue
        both = _either(name, one, two, where)
        if both is None:
            return None
        variables[name] = both
    captured = _join_captured(left.captured, right.captured, where)
    if captured is None and left.captured is not None:
        return None
    left.variables = variables
    left.files = files
    left.edits = left.edits if len(left.edits) >= len(right.edits) else right.edits
    left.captured = captured
    left.status = left.status if left.status == right.status else None
    left.unset &= right.unset
    left.exported |= right.exported
    left.uses = left.uses if len(left.uses) >= len(right.uses) else right.uses
    left.assumptions = tuple(dict.fromkeys((*left.assumptions, *right.assumptions)))
    left.decisions = left.decisions if len(left.decisions) >= len(right.decisions) else right.decisions
    return left


def _either(name: str, one: Variable | None, two: Variable | None, where: str) -> Variable | None:
    """One variable that is either; None where that cannot be said (the paths then stay apart)."""
    if isinstance(one, ArrayCell) or isinstance(two, ArrayCell):
        if not isinstance(one, ArrayCell) or not isinstance(two, ArrayCell) or len(one.items) != len(two.items):
            return None
        items = []
        for (key, left), (other, right) in zip(one.items, two.items, strict=True):
            both = _either(name, left, right, where)
            if key != other or not isinstance(both, Cell):
                return None
            items.append((key, both))
        return ArrayCell(tuple(items), name, one.at, one.associative)
    cells = tuple(cell for cell in (one, two) if cell is not None)
    if len(cells) == 2 and cells[0].value == cells[1].value:
        return cells[0]
    values = [option for cell in cells for option in options_of(cell.value)]
    if len(cells) == 1:
        values.append("")
    return Cell(choice(values, f"{name} after {where}"), name, cells[0].at, "either", cells)


def options_of(value: Value) -> tuple[str, ...]:
    """The alternatives of a value."""
    return value.options if isinstance(value, Choice) else (value,)


def _join_captured(
    left: list[VirtualText | Value] | None, right: list[VirtualText | Value] | None, where: str
) -> list[VirtualText | Value] | None:
    if left is None or right is None or left == right:
        return left
    common = 0
    while common < min(len(left), len(right)) and left[common] == right[common]:
        common += 1
    texts = [flat(left[common:]), flat(right[common:])]
    return [*left[:common], choice([option for text in texts for option in options_of(text)], f"output at {where}")]


def flat(pieces: list[VirtualText | Value]) -> Value:
    """Captured output as one value."""
    results: tuple[str, ...] = ("",)
    for piece in pieces:
        more = (piece.text,) if isinstance(piece, VirtualText) else options_of(piece)
        results = tuple(dict.fromkeys(head + tail for head in results for tail in more))
        if len(results) > 16:
            return choice(results, "output with many alternatives")
    return choice(results, "output")
