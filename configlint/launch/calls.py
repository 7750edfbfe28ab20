"""A call of a command: its expanded words with their origins, and who handles it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from configlint.launch.outcome import Cell
from configlint.launch.state import ASSUMED, State
from configlint.launch.texts import VirtualText
from configlint.launch.values import UNKNOWN, Value, options, shown, unknown
from configlint.source.text import Place
from configlint.syntax.bash import nodes

if TYPE_CHECKING:
    from configlint.launch.interpret import Interpreter
    from configlint.launch.machine import Machine

States = list[State]
Handler = Callable[["Call"], States | None]
"""A command's summary: changes the call's state, or gives back the paths it became."""

_SILENT = frozenset({"echo", "printf", "sleep", "wait", "true", ":", "date"})


class Call:
    """One call of a simple command in a state."""

    def __init__(self, interpreter: Interpreter, state: State, node: nodes.Simple) -> None:
        self.interpreter = interpreter
        self.machine = interpreter.machine
        self.state = state
        self.node = node
        self.words: list[Value] = []
        self._origins: list[tuple[nodes.Word, tuple[Cell, ...]]] = []
        self._expand()

    def _expand(self) -> None:
        words, origins, state = self.words, self._origins, self.state
        world = self.machine.world
        plan = world.plan(self.node)
        first = plan[0].text
        silent = first in _SILENT and state.captured is None and first not in state.functions
        if silent and not state.options.nounset and world.is_inert(self.node):
            words.append(first or "")
            origins.append((self.node.words[0], ()))
            return
        expander = self.machine.expander
        for word, text, scalar in plan:
            if text is not None:
                words.append(text)
                origins.append((word, ()))
            elif scalar:
                words.append(self.machine.with_settings(expander.scalar(word, state)))
                origins.append((word, expander.take_used()))
            else:
                fields = map(self.machine.with_settings, expander.word_fields(word, state))
                used = expander.take_used()
                words.extend(fields)
                origins.extend([(word, used)] * (len(words) - len(origins)))
        self.machine.spend(len(words) >> 3)

    @classmethod
    def again(cls, call: Call, start: int) -> Call:
        """The same call without its first words (``sudo cp a b`` is a call of ``cp``)."""
        return cls.of(call, call.words[start:], call._origins[start:])

    @classmethod
    def of(cls, call: Call, words: list[Value], origins: list[tuple[nodes.Word, tuple[Cell, ...]]]) -> Call:
        other = cls.__new__(cls)
        other.interpreter, other.machine, other.state, other.node = (
            call.interpreter,
            call.machine,
            call.state,
            call.node,
        )
        other.words, other._origins = words, origins
        return other

    def with_words(self, words: list[Value]) -> Call:
        """A call of the same place with other words (``find -exec``, ``xargs``)."""
        return Call.of(self, words, [(self.node.words[0], ())] * len(words))

    @property
    def name(self) -> str:
        """The command's name, its directory dropped; empty where it is not known."""
        first = self.words[0] if self.words else ""
        if not isinstance(first, str):
            return ""
        if first.isidentifier():
            return first
        text = self.machine.force(first)
        return "" if UNKNOWN in text else text.rsplit("/", 1)[-1]

    @property
    def arguments(self) -> list[Value]:
        return self.words[1:]

    @property
    def place(self) -> Place:
        return self.machine.place(self.state, self.node)

    def cell(self, index: int) -> Cell:
        """Word ``index`` (0 is the command) with its origin."""
        word, used = self._origins[index]
        return Cell(self.words[index], "", self.machine.place(self.state, word), "argument", used)

    def text(self, index: int) -> str | None:
        """Word ``index`` with inputs looked up; None where it has alternatives. Unknown holes stay."""
        value = self.words[index]
        return self.machine.force(value) if isinstance(value, str) else None

    def texts(self) -> list[str] | None:
        """All arguments as texts; None where one has alternatives."""
        found = [self.text(index) for index in range(1, len(self.words))]
        return None if any(one is None for one in found) else [one for one in found if one is not None]

    # --- results ------------------------------------------------------------------------------

    def ok(self) -> None:
        self.state.status = 0

    def fail(self, reason: str, status: int = 1) -> None:
        """The command is known to fail."""
        self.state.status, self.state.failure = status, reason
        if self.state.merged and self.state.captured is not None:
            self.state.captured.append(unknown(f"error message of {self.name}"))

    def undecided(self) -> None:
        """Success cannot be told."""
        self.state.status = None

    def assumed(self, note: str = "") -> None:
        """Success is taken for granted."""
        self.state.status = ASSUMED
        self.machine.assume(self.state, self.node, note or f"{self.name or shown(self.words[0])} succeeds")

    def emit(self, output: VirtualText | Value) -> None:
        """Standard output."""
        if self.state.captured is not None:
            self.state.captured.append(output)

    def emit_unknown(self) -> None:
        """Output that depends on what is not modelled."""
        if self.state.captured is not None:
            line = self.machine.place(self.state, self.node).line  # so that two unknown outputs are not the same one
            self.state.captured.append(unknown(f"output of {self.name or 'a command'} at line {line}"))

    def input(self) -> Value | None:
        """Standard input as one value, None where nothing is known of it."""
        stdin = self.state.stdin
        return stdin.text if isinstance(stdin, VirtualText) else stdin


def known_texts(value: Value | None, machine: Machine, *, holes: bool = False) -> tuple[str, ...] | None:
    """The alternatives of a value, inputs looked up; None where one has an unknown hole (unless those may be)."""
    if value is None:
        return None
    found = tuple(machine.force(option) for option in options(value))
    return None if not holes and any(UNKNOWN in one for one in found) else found
