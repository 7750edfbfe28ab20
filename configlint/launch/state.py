"""The state of one path through a launcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from configlint.launch.files import Files
from configlint.launch.outcome import (
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
from configlint.launch.values import Value, choice, options
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
    replaced: bool = False  # of a sourced file: ``set --`` has replaced the positional parameters it was given
    brought: frozenset[str] = (
        frozenset()
    )  # variables that stood in front of the call; a local one starts with the value


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
    called: Mapping[int, Value] = field(default_factory=dict)  # scripts, by identity, with the path their caller gave
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
    substituted: bool = False  # the statement has run a substitution, whose status is its own
    doubtful: bool = False  # a substitution of the statement that is expanded has changed the status
    pipestatus: tuple[Status, ...] = (0,)
    brought: frozenset[str] = frozenset()  # names that stand in front of the command that is running
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
            self.files, self.cwd, dict(self.variables), self.unset, self.exported, self.inherited, self.called,
            self.shapes, dict(self.functions), self.options, self.positional,
            tuple(
                Frame(dict(f.hidden), f.positional, f.name, f.caller, f.loops, f.replaced, f.brought)
                for f in self.frames
            ),
            self.script, self.status, self.failure, self.flow, self.loops, self.levels, self.directories,
            self.substituted, self.doubtful, self.pipestatus, self.brought, self.ending, self.guarded,
            None if self.captured is None else list(self.captured), self.merged, self.stdin, dict(self.outputs),
            self.clones, self.edits, self.uses, self.decisions, self.assumptions,
        )  # fmt: skip

    def size(self) -> int:
        """About how much a join has to look at."""
        return len(self.variables) + len(self.edits) + len(self.uses) + len(self.decisions) + len(self.assumptions)

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


def flat(pieces: list[VirtualText | Value]) -> Value:
    """Captured output as one value."""
    results: tuple[str, ...] = ("",)
    for piece in pieces:
        more = (piece.text,) if isinstance(piece, VirtualText) else options(piece)
        results = tuple(dict.fromkeys(head + tail for head in results for tail in more))
        if len(results) > 16:
            return choice(results, "output with many alternatives")
    return choice(results, "output")
