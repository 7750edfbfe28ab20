"""The working directory: ``cd``, ``pushd``, ``popd``."""

from __future__ import annotations

from configlint.launch.calls import Call, Handler
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.outcome import Cell
from configlint.launch.values import unknown


def _operand(call: Call) -> int | None:
    """The index of the operand, None where there is none."""
    index = 1
    while index < len(call.words):
        word = call.words[index]
        if word == "--":
            index += 1
            break
        if not isinstance(word, str) or word in ("-", "") or word[:1] != "-":
            break
        index += 1
    return index if index < len(call.words) else None


def _cd(call: Call) -> None:
    index = _operand(call)
    name = "HOME" if index is None else "OLDPWD" if call.words[index] == "-" else ""
    if name and call.machine.variable(call.state, name) is None:
        call.fail(f"cd: {name} is not set")
    elif index is None:
        _enter(call, _variable(call, "HOME"))
    elif name:
        target = _variable(call, "OLDPWD")
        call.emit(target + "\n")
        _enter(call, target)
    else:
        _enter(call, call.text(index))


def _variable(call: Call, name: str) -> str:
    variable = call.machine.variable(call.state, name)
    value = variable.value if isinstance(variable, Cell) else None
    return call.machine.force(value) if isinstance(value, str) else unknown(name)


def _enter(call: Call, target: str | None) -> bool:
    """Change the directory; False where that surely fails."""
    state = call.state
    if target is None:
        path = unknown("directory")
        call.assumed()
    else:
        path = absolute(target, state) if target else state.cwd
        found = state.files.lookup(path)
        if found.status in (Status.ABSENT, Status.FILE):
            call.fail(f"{call.name}: no such directory: {target}")
            return False
        if found.status is Status.DIRECTORY:
            call.ok()
        else:
            call.assumed(f"{target} is a directory")
            call.ok()
    call.machine.set(state, "OLDPWD", Cell(state.cwd, "OLDPWD", call.place, "shell"))
    state.cwd = path
    return True


def _pushd(call: Call) -> None:
    state, index = call.state, _operand(call)
    text = call.text(index) if index is not None else None
    before = state.cwd
    if index is None and state.directories:
        call.ok()
        state.cwd, state.directories = state.directories[-1], (*state.directories[:-1], before)
    elif index is None:
        call.fail("pushd: no other directory")
    elif text is not None and text[:1] == "+":
        state.cwd, state.directories = unknown("directory"), (*state.directories[:-1], unknown("directory"))
        call.assumed()
    elif _enter(call, text):
        state.directories = (*state.directories, before)
    call.emit_unknown()


def _popd(call: Call) -> None:
    state = call.state
    if not state.directories:
        call.fail("popd: the directory stack is empty")
        return
    target, state.directories = state.directories[-1], state.directories[:-1]
    if _operand(call) is not None:
        target = unknown("directory")
    _enter(call, target)
    call.emit_unknown()


HANDLERS: dict[str, Handler] = {"cd": _cd, "pushd": _pushd, "popd": _popd}
