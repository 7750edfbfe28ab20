"""Redirections: where a command reads from, and what its output becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from configlint.launch.conditions import absolute
from configlint.launch.files import Files, Status, Written
from configlint.launch.machine import Machine
from configlint.launch.outcome import Cell, Edit, FileUse
from configlint.launch.parameters import UnsetRequired
from configlint.launch.state import State, flat
from configlint.launch.texts import MAX_VIRTUAL, VirtualText, appended, joined, written
from configlint.launch.values import Value, options, unknown
from configlint.source.text import Place
from configlint.syntax.bash.nodes import HereDocument, Literal, Redirect, Word

States = list[State]
_OUTPUTS = {">", ">>", ">|", "&>", "&>>"}
_NOWHERE = ("/dev/",)


@dataclass(frozen=True)
class _Target:
    """A file that output goes to."""

    redirect: Redirect
    path: str
    operand: Cell


@dataclass
class _Plan:
    """What the redirections of a command come to. ``silenced``: standard output is not that of the shell."""

    target: _Target | None = None
    silenced: bool = False
    failure: str = ""


def _duplicate(state: State, plan: _Plan, descriptor: str, to: str) -> None:
    """``2>&1`` and ``>&2``: error messages and output share a stream."""
    if descriptor == "2":
        state.merged = to == "1"
    elif descriptor == "1" and to != "1" and not (to == "2" and state.merged):
        plan.silenced, plan.target = True, None


def _truncate(state: State, target: _Target) -> None:
    """The shell makes or empties the file before the command runs: ``sed ... f > f`` reads nothing."""
    status = state.files.lookup(target.path).status
    appends = target.redirect.operator in (">>", "&>>")
    if status is Status.ABSENT or (status is Status.FILE and not appends):
        state.files = state.files.with_layer(Written(target.path, written("", None)))


def _cannot_be_made(state: State, path: str) -> bool:
    """True if a path is surely a directory, or in none."""
    status = state.files.lookup(path).status
    if status is Status.ABSENT:
        parent = path.rpartition("/")[0]
        return bool(parent) and state.files.lookup(parent).status in (Status.ABSENT, Status.FILE)
    return status is Status.DIRECTORY


def _create(state: State, target: _Target | None) -> None:
    """A file for error messages: it exists afterwards, what it holds is not known."""
    if target is not None and state.files.lookup(target.path).status is not Status.UNKNOWN:
        state.files = state.files.with_layer(Written(target.path, None))


class Redirections:
    """Applies the redirections of one command."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def run(
        self,
        node: Any,
        state: State,
        run: Callable[[State], States],
        fails: Callable[[State], object] | None = None,
        *,
        forks: bool = False,
    ) -> States:
        """Run a command with its redirections in place, or ``fails`` where one of them surely fails.

        ``forks``: the redirections are made in another process, so a variable that they miss does not end the shell.
        """
        stdin, captured, merged = state.stdin, state.captured, state.merged
        plan = _Plan()
        for redirect in node.redirects:
            try:
                applied = self._apply(redirect, state, plan)
            except UnsetRequired as fault:
                if not forks:
                    raise
                applied, plan.failure = False, str(fault)
            if not applied:
                state.stdin, state.captured, state.merged = stdin, captured, merged
                if fails is not None:
                    fails(state)
                state.status, state.failure = 1, plan.failure
                return [state]
        before = state.files
        if plan.silenced:
            state.captured = []
        if plan.target is not None:
            _truncate(state, plan.target)
        opened = state.files.lookup(plan.target.path).text if plan.target is not None else None
        states = run(state)
        for after in states:
            after.stdin, after.merged = stdin, merged
            if not plan.silenced:
                continue
            pieces, after.captured = after.captured or [], list(captured) if captured is not None else None
            if plan.target is None:
                continue
            if after.files.lookup(plan.target.path).text is opened:
                self._write(after, plan.target, pieces, before)
            elif pieces:  # the command has written the same file by itself: who wrote last is not known
                after.files = after.files.with_layer(Written(plan.target.path, None))
        return states

    def _apply(self, redirect: Redirect, state: State, plan: _Plan) -> bool:
        """Put one redirection in place; False where it fails."""
        operator, descriptor = redirect.operator, redirect.fd
        literal = redirect.target.literal if isinstance(redirect.target, Word) else None
        if operator == ">&" and literal is not None and (literal.isdigit() or literal == "-"):
            _duplicate(state, plan, descriptor or "1", literal)
        elif operator in _OUTPUTS or operator == ">&":
            target = self._output(redirect, state)
            if target is not None and _cannot_be_made(state, target.path):
                plan.failure = "a file to write cannot be made"
                return False
            if descriptor in (None, "1"):
                plan.silenced, plan.target = True, target
                state.merged = operator in ("&>", "&>>", ">&")
            elif descriptor == "2":
                state.merged = False
                _create(state, target)
        elif operator in ("<", "<<", "<<-", "<<<") and descriptor in (None, "0"):
            found = self._input(redirect, state)
            if found is None:
                plan.failure = "a file to read does not exist"
                return False
            state.stdin = found
        return True

    def _output(self, redirect: Redirect, state: State) -> _Target | None:
        """The file that output goes to; None for nowhere."""
        assert isinstance(redirect.target, Word)
        value = self._machine.expander.scalar(redirect.target, state)
        via = self._machine.expander.take_used()
        if not isinstance(value, str):
            return None
        text = self._machine.force(value)
        if text.startswith(_NOWHERE) or not text:
            return None
        place = self._machine.place(state, redirect.target)
        return _Target(redirect, absolute(text, state), Cell(value, "", place, "operand", via))

    def _write(self, state: State, target: _Target, pieces: list[VirtualText | Value], before: Files) -> None:
        place = self._machine.place(state, target.redirect)
        new = stream(pieces, place)
        append = target.redirect.operator in (">>", "&>>")
        old = before if not append or before.lookup(target.path).status is Status.ABSENT else state.files
        write_file(self._machine, state, target.path, target.operand, place, new, append=append, files=old)

    def contents(self, redirect: Redirect, state: State) -> VirtualText | Value:
        """What ``$(< file)`` reads; the status is that of opening the file."""
        found = self._input(redirect, state)
        state.status, state.failure = int(found is None), "a file to read does not exist"
        return found if found is not None else ""

    def _input(self, redirect: Redirect, state: State) -> VirtualText | Value | None:
        """What is read; None where the file surely does not exist."""
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
        if content is not None:
            return content
        if text.startswith(_NOWHERE):
            return "" if text == "/dev/null" else unknown(f"contents of {text}")
        absent = state.files.lookup(absolute(text, state)).status is Status.ABSENT
        return None if absent else unknown(f"contents of {text}")

    def _here(self, document: HereDocument, state: State) -> VirtualText | Value:
        """The expanded body, every line with the place in the launcher it was written at."""
        assert state.script is not None
        source = state.script.text
        texts: list[str] = []
        places: list[Place | None] = []
        size = 0
        for part, value in self._machine.expander.pieces(document.body, state):
            if not isinstance(value, str):
                alternatives = options(value)
                value = alternatives[0] if len(alternatives) == 1 else unknown(" or ".join(alternatives))
            value = self._machine.force(value)
            self._machine.spend_text(value)
            size += len(value)
            if size > MAX_VIRTUAL:
                return unknown(f"a here-document of more than {MAX_VIRTUAL:,} characters")
            line = source.position(part.start).line
            for index, text in enumerate(value.split("\n")):
                if index:
                    texts.append("\n")
                if index or not places:
                    step = index if isinstance(part, Literal) else 0
                    places.append(self._machine.world.line(source, line + step))
                texts.append(text)
        self._machine.expander.drop_used()  # its lines have their own places: no later decision rests on them
        return VirtualText("".join(texts), places=tuple(places))


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
    text = machine.world.content(found) if found.status is Status.FILE else None
    _pay(machine, text)
    return text


def _pay(machine: Machine, text: VirtualText | None) -> None:
    """Take the handling of a text and its lines off the budget."""
    if text is not None and len(text.text) > 1024:
        machine.spend((len(text.text) >> 8) + (text.text.count("\n") >> 4))


def note_read(machine: Machine, path: str) -> None:
    """Remember that the run depends on a path of the reviewed tree."""
    inside = machine.world.tree_path(path)
    if inside is not None:
        machine.reads.add(inside)


def write_file(
    machine: Machine,
    state: State,
    path: str,
    operand: Cell,
    place: Place,
    new: VirtualText | None,
    *,
    append: bool,
    files: Files | None = None,
) -> None:
    """Write or append to a virtual file and record the edit; host files are recorded too. ``files``: as they were."""
    found = (files or state.files).lookup(path)
    before = machine.world.content(found) if found.status is Status.FILE else None
    after = new
    if append and new is not None:
        if before is not None:
            after = appended(before, new, place)
        elif found.status is not Status.ABSENT:
            after = None
    if after is not None and len(after.text) > MAX_VIRTUAL:
        after = None
    _pay(machine, after)
    kind = "append" if append else "write"
    command = place.text.slice(place.span)
    machine.record(state, Edit(kind, path, place, command, before, after, operand=operand))
    state.files = state.files.with_layer(Written(path, after))
