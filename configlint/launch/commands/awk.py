"""``awk PROGRAM [FILE]`` where program and text are known; else an opaque filter and an undecided predicate."""

from __future__ import annotations

from configlint.launch import awk
from configlint.launch.calls import Call, Handler, known_texts
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.outcome import FileUse
from configlint.launch.redirections import note_read
from configlint.launch.texts import VirtualText
from configlint.launch.values import UNKNOWN


def _awk(call: Call) -> None:
    result = _result(call)
    if result is None:
        call.emit_unknown()
        call.undecided()
        return
    call.emit(result.output)
    call.state.status, call.state.failure = result.status, "awk exits with a status other than 0"


def _result(call: Call) -> awk.Result | None:
    texts = call.texts()
    if texts is None:
        return None
    separator: str | None = None
    variables: dict[str, str] = {}
    index = 0
    while index < len(texts) and texts[index].startswith("-") and len(texts[index]) > 1:
        word = texts[index]
        value = word[2:] or (texts[index + 1] if index + 1 < len(texts) else "")
        if word.startswith("-F") and len(value) == 1:
            separator = value
        elif word.startswith("-v") and "=" in value:
            name, _, given = value.partition("=")
            variables[name] = given
        else:
            return None
        index += 1 if word[2:] else 2
    if index >= len(texts) or len(texts) - index > 2 or UNKNOWN in "".join([*variables.values(), texts[index]]):
        return None
    source = _file(call, index + 2) if len(texts) - index == 2 else _standard_input(call)
    if source is None or UNKNOWN in source:
        return None
    result, cost = call.machine.world.awk(texts[index], source, separator, tuple(sorted(variables.items())))
    call.machine.spend(cost)
    return result


def _standard_input(call: Call) -> str | None:
    if isinstance(call.state.stdin, VirtualText):
        return call.state.stdin.text
    known = known_texts(call.state.stdin, call.machine)
    return known[0] if known is not None and len(known) == 1 else None


def _file(call: Call, index: int) -> str | None:
    operand = call.text(index) or ""
    path = absolute(operand, call.state)
    found = call.state.files.lookup(path)
    exists = None if found.status is Status.UNKNOWN else found.status is not Status.ABSENT
    call.machine.use(call.state, FileUse("read", "awk", call.place, call.cell(index), path, exists))
    note_read(call.machine, path)
    content = call.machine.world.content(found) if found.status is Status.FILE else None
    return content.text if content is not None else None


HANDLERS: dict[str, Handler] = {"awk": _awk, "gawk": _awk, "mawk": _awk}
