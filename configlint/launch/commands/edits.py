"""Edits of files by a program whose meaning is known: ``sed``."""

from __future__ import annotations

from configlint.launch.calls import Call, Handler
from configlint.launch.conditions import absolute
from configlint.launch.files import Status, Tainted, Written
from configlint.launch.machine import NotAnalysed
from configlint.launch.outcome import Edit, FileUse
from configlint.launch.redirections import note_read
from configlint.launch.texts import VirtualText
from configlint.launch.values import HOLE, UNKNOWN, choice, options
from configlint.syntax import sed


def _sed(call: Call) -> None:
    texts = call.texts()
    invocation = call.machine.world.sed_call(tuple(texts)) if texts is not None else None
    if invocation is None:
        _unmodelled(call)
        return
    call.ok()
    if invocation.in_place:
        for index in _operands(invocation):
            _edit(call, invocation, index)
    elif invocation.files:
        _print_files(call, invocation)
    else:
        _filter(call, invocation)


def _operands(invocation: sed.Invocation) -> list[int]:
    """The words of the call that are files: options may stand behind them."""
    return [index + 1 for index in invocation.file_indexes]


def _unmodelled(call: Call) -> None:
    """A program that is refused: files it edits in place are unknown afterwards."""
    in_place = any(isinstance(w, str) and w.startswith("-") and not w.startswith("-e") and "i" in w for w in call.words)
    if in_place:
        for index in range(1, len(call.words)):
            for option in options(call.words[index]):
                path = absolute(call.machine.force(option), call.state)
                if call.state.files.lookup(path).status is Status.FILE:
                    _record(call, index, path, None, None, "this sed program is not modelled")
    call.emit_unknown()
    call.assumed("sed succeeds")


def _edit(call: Call, invocation: sed.Invocation, index: int) -> None:
    """``sed -i`` on one file."""
    state, operand = call.state, call.cell(index)
    text = call.text(index)
    if text is None:
        raise NotAnalysed(call.place, "sed edits a file whose path has alternatives")
    path = absolute(text, state)
    found = state.files.lookup(path)
    exists = None if found.status is Status.UNKNOWN else found.status is Status.FILE
    call.machine.use(state, FileUse("edit", "sed", call.place, operand, path, exists))
    note_read(call.machine, path)
    if exists is False:
        call.fail(f"sed: can't read {text}: no such file", 2)
        return
    before = call.machine.world.content(found) if exists else None
    if before is None:
        _record(call, index, path, None, None, "the file cannot be read here" if exists is None else "unreadable file")
        if exists is None and call.state.status == 0:
            call.assumed(f"{text} exists")
        return
    result = _run(call, invocation, before.text)
    if isinstance(result, str):
        _record(call, index, path, before, None, f"this sed program is not modelled: {result}")
        return
    after = VirtualText(result.text, base=before, mapping=result.lines, rewritten=result.written, at=call.place)
    _record(call, index, path, before, after, "", invocation, result)


def _run(call: Call, invocation: sed.Invocation, text: str) -> sed.Result | str:
    """The program's result, paid for; or why it is not modelled."""
    result, cost = call.machine.world.sed(invocation.scripts, invocation.extended, invocation.quiet, text)
    call.machine.spend(cost)
    return result


def _record(
    call: Call,
    index: int,
    path: str,
    before: VirtualText | None,
    after: VirtualText | None,
    why: str,
    invocation: sed.Invocation | None = None,
    result: sed.Result | None = None,
) -> None:
    state = call.state
    edit = Edit(
        kind="sed",
        path=path,
        at=call.place,
        command=call.place.text.slice(call.node.span),
        before=before,
        after=after,
        matched=result.matched if result is not None else None,
        touches=() if after is not None else ("**",),
        why=why,
        operand=call.cell(index),
        program=invocation.scripts if invocation is not None else (),
        extended=invocation is not None and invocation.extended,
        hits=result.hits if result is not None else (),
    )
    call.machine.record(state, edit)
    if after is None:
        state.files = state.files.with_layer(Tainted(path))
    elif before is not None and after.text != before.text:
        state.files = state.files.with_layer(Written(path, after))


def _print_files(call: Call, invocation: sed.Invocation) -> None:
    pieces: list[str] = []
    for index in _operands(invocation):
        text = call.text(index)
        found = call.state.files.lookup(absolute(text, call.state)) if text else None
        content = call.machine.world.content(found) if found and found.status is Status.FILE else None
        if found is not None and found.status is Status.ABSENT and len(invocation.files) == 1:
            call.fail(f"sed: can't read {text}: no such file", 2)
            return
        if content is None:
            call.emit_unknown()
            return
        pieces.append(content.text)
    _emit_result(call, invocation, ["".join(pieces)])


def _filter(call: Call, invocation: sed.Invocation) -> None:
    value = call.input()
    if value is None:
        call.emit_unknown()
        return
    _emit_result(call, invocation, [call.machine.force(option) for option in options(value)])


def _emit_result(call: Call, invocation: sed.Invocation, texts: list[str]) -> None:
    results = []
    for text in texts:
        result = _run(call, invocation, text)
        # A pattern may match inside what is not known, so nothing sure comes out of a text with holes.
        if isinstance(result, str) or (UNKNOWN in text and HOLE.findall(result.text) != HOLE.findall(text)):
            call.emit_unknown()
            return
        if UNKNOWN in text and result.text != text:
            call.emit_unknown()
            return
        results.append(result.text)
    call.emit(choice(results, "output of sed"))


HANDLERS: dict[str, Handler] = {"sed": _sed}
