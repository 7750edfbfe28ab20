"""Commands without a summary: assumed to succeed; what they were given to write is unknown afterwards."""

from __future__ import annotations

from configlint.launch.calls import Call, States
from configlint.launch.commands.sinks import find_script, submit
from configlint.launch.conditions import absolute
from configlint.launch.files import Status, Tainted
from configlint.launch.outcome import Edit
from configlint.launch.redirections import note_read
from configlint.launch.settings import OpaqueProgram
from configlint.launch.values import UNKNOWN, options

_INTERPRETERS = frozenset({"python", "python3", "perl", "ruby", "node"})


def opaque(call: Call) -> States | None:
    """Any command that no summary covers."""
    stopped = submit(call) or find_script(call)
    if stopped is not None:
        return stopped
    declared = _declared(call)
    if declared is not None:
        _declared_effect(call, *declared)
    else:
        _taint_operands(call)
        _make_default(call)
    call.emit_unknown()
    call.assumed()
    return None


def _declared(call: Call) -> tuple[OpaqueProgram, int] | None:
    """The declared program this call runs, and the index of its word."""
    programs = call.machine.world.settings.opaque
    for index in range(min(len(call.words), 3)):
        word = call.words[index]
        if not isinstance(word, str) or not word.endswith(tuple(one.path.rsplit("/", 1)[-1] for one in programs)):
            continue  # without looking at any input
        text = call.machine.force(word)
        inside = call.machine.world.tree_path(absolute(text, call.state))
        for program in programs:
            if program.path == inside:
                note_read(call.machine, absolute(text, call.state))
                return program, index
    return None


def _declared_effect(call: Call, program: OpaqueProgram, index: int) -> None:
    position = index + 1 + program.argument
    if position >= len(call.words):
        return
    for name, wanted in program.when.items():
        cell = call.machine.variable(call.state, name)
        value = getattr(cell, "value", "")
        if all(call.machine.force(option) != wanted and UNKNOWN not in option for option in options(value)):
            return
    _opaque_edit(
        call, position, "declared", program.touches, f"{program.path} may rewrite {', '.join(program.touches)}"
    )


def _opaque_edit(call: Call, index: int, kind: str, touches: tuple[str, ...], why: str) -> None:
    for option in options(call.words[index]):
        path = absolute(call.machine.force(option), call.state)
        found = call.state.files.lookup(path)
        if found.status is not Status.FILE:
            continue
        before = call.machine.world.content(found)
        command = call.place.text.slice(call.node.span)
        edit = Edit(kind, path, call.place, command, before, None, touches=touches, why=why, operand=call.cell(index))
        call.machine.record(call.state, edit)
        call.state.files = call.state.files.with_layer(Tainted(path))


def _taint_operands(call: Call) -> None:
    """Files it was given may have changed; paths that did not exist may exist now."""
    for index in range(1, len(call.words)):
        for option in options(call.words[index]):
            text = option.partition("=")[2] if option.startswith("-") else option
            if not text or text.startswith("-") or "\n" in text:
                continue
            path = absolute(call.machine.force(text) if "/" in text or "." in text else text, call.state)
            status = call.state.files.lookup(path).status
            if status is Status.FILE:
                if call.name in _INTERPRETERS and index == 1:
                    continue  # the program itself
                _opaque_edit(call, index, "opaque", ("**",), f"{call.name} is not modelled")
            elif status is Status.ABSENT:
                call.state.files = call.state.files.with_layer(Tainted(path))


def _make_default(call: Call) -> None:
    """Well-known programs create a path that they were not given (``uv venv`` makes ``.venv``)."""
    for words, made in call.machine.world.settings.creates.items():
        if tuple(call.words[: len(words)]) == words:
            call.state.files = call.state.files.with_layer(Tainted(absolute(made, call.state)))
