"""Redirections: where a command reads from, and what its output becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from configlint.launch.conditions import absolute
from configlint.launch.files import Status, Tainted, Written
from configlint.launch.machine import Machine
from configlint.launch.outcome import Cell, Edit, FileUse
from configlint.launch.state import State, flat
from configlint.launch.texts import MAX_VIRTUAL, VirtualText, appended, joined, written
from configlint.launch.values import Value, options, unknown
from configlint.source.text import Place, Span
from configlint.syntax.bash.nodes import HereDocument, Literal, Redirect, Word

States = list[State]
_OUTPUTS = {">", ">>", ">|", "&>", "&>>"}
_NOWHERE = ("/dev/",)


class Redirections:
    """Applies the redirections of one command."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def run(self, node: Any, state: State, run: Callable[[State], States]) -> States:
        """Run a command with its redirections in place."""
        target: tuple[Redirect, str, Cell] | None = None
        silenced = False
        stdin = state.stdin
        for redirect in node.redirects:
            if redirect.operator in _OUTPUTS and redirect.fd in (None, "1"):
                target, silenced = self._output(redirect, state)
            elif redirect.operator in ("<", "<<", "<<-", "<<<") and redirect.fd in (None, "0"):
                state.stdin = self._input(redirect, state)
            elif redirect.operator == ">&" and redirect.fd == "1":
                silenced = True
        captured = state.captured
        if target is None and not silenced:
            states = run(state)
            for after in states:
                after.stdin = stdin
            return states
        state.captured = []
        states = run(state)
        for after in states:
            pieces, after.captured, after.stdin = (
                after.captured or [],
                list(captured) if captured is not None else None,
                stdin,
            )
            if target is not None and after.script is not None:
                self._write(after, *target, pieces)
        return states

    def _output(self, redirect: Redirect, state: State) -> tuple[tuple[Redirect, str, Cell] | None, bool]:
        assert isinstance(redirect.target, Word)
        value = self._machine.expander.scalar(redirect.target, state)
        via = self._machine.expander.take_used()
        if not isinstance(value, str):
            return None, True
        text = self._machine.force(value)
        if text.startswith(_NOWHERE) or not text or (text.isdigit() and redirect.operator.startswith("&")):
            return None, True
        operand = Cell(value, "", self._machine.place(state, redirect.target), "operand", via)
        return (redirect, absolute(text, state), operand), True

    def _write(
        self, state: State, redirect: Redirect, path: str, operand: Cell, pieces: list[VirtualText | Value]
    ) -> None:
        place = self._machine.place(state, redirect)
        write_file(
            self._machine, state, path, operand, place, stream(pieces, place), append=redirect.operator in (">>", "&>>")
        )

    def _input(self, redirect: Redirect, state: State) -> VirtualText | Value:
        target = redirect.target
        if isinstance(target, HereDocument):
            return self._here(target, state)
        value = self._machine.expander.scalar(target, state)
        via = self._machine.expander.take_used()
        if redirect.operator == "<<<":
            return value + "\n" if isinstance(value, str) else unknown("a here-string")
        if not isinstance(value, str):
            return unknown("a file")
        text = self._machine.force(value)
        place = self._machine.place(state, target)
        content = read_file(self._machine, state, text, Cell(value, "", place, "operand", via), "<", place)
        return content if content is not None else unknown(f"contents of {text}")

    def _here(self, document: HereDocument, state: State) -> VirtualText | Value:
        """The expanded body, every line with the place in the launcher it was written at."""
        assert state.script is not None
        source = state.script.text
        texts: list[str] = []
        places: list[Place | None] = []
        for part, value in self._machine.expander.pieces(document.body, state):
            if not isinstance(value, str):
                alternatives = options(value)
                value = alternatives[0] if len(alternatives) == 1 else unknown(" or ".join(alternatives))
            value = self._machine.force(value)
            line = source.position(part.start).line
            for index, text in enumerate(value.split("\n")):
                if index:
                    texts.append("\n")
                if index or not places:
                    step = index if isinstance(part, Literal) else 0
                    places.append(Place(source, _line_span(source, line + step)))
                texts.append(text)
        return VirtualText("".join(texts), places=tuple(places))


def _line_span(source: Any, line: int) -> Span:
    span: Span = source.line_span(min(line, len(source.line_starts)))
    return span


def stream(pieces: list[VirtualText | Value], place: Place) -> VirtualText | None:
    """Captured output as one text with line origins; None where its alternatives differ."""
    if not pieces:
        return written("", place)
    if all(isinstance(piece, VirtualText) for piece in pieces):
        return joined([piece for piece in pieces if isinstance(piece, VirtualText)])
    value = flat(pieces)
    return written(value, place) if isinstance(value, str) else None


def read_file(
    machine: Machine, state: State, operand_text: str, operand: Cell, command: str, place: Place
) -> VirtualText | None:
    """The text of a file operand; None where it is absent or not known. The use is recorded."""
    path = absolute(operand_text, state)
    found = state.files.lookup(path)
    exists = None if found.status is Status.UNKNOWN else found.status is not Status.ABSENT
    machine.use(state, FileUse("read", command, place, operand, path, exists))
    note_read(machine, path)
    return machine.world.content(found) if found.status is Status.FILE else None


def note_read(machine: Machine, path: str) -> None:
    """Remember that the run depends on a path of the reviewed tree."""
    inside = machine.world.tree_path(path)
    if inside is not None:
        machine.reads.add(inside)


def write_file(
    machine: Machine, state: State, path: str, operand: Cell, place: Place, new: VirtualText | None, *, append: bool
) -> None:
    """Write or append to a virtual file and record the edit; host files are recorded too."""
    found = state.files.lookup(path)
    before = machine.world.content(found) if found.status is Status.FILE else None
    after = new
    if append and new is not None:
        if before is not None:
            after = appended(before, new, place)
        elif found.status is not Status.ABSENT:
            after = None
    if after is not None and len(after.text) > MAX_VIRTUAL:
        after = None
    kind = "append" if append else "write"
    command = place.text.slice(place.span)
    state.edits = (*state.edits, Edit(kind, path, place, command, before, after, operand=operand))
    state.files = state.files.with_layer(Written(path, after) if after is not None else Tainted(path))
