"""Builtins that change the shell itself, and commands that run other commands."""

from __future__ import annotations

from configlint.launch.calls import Call, Handler, States
from configlint.launch.conditions import Conditions, absolute
from configlint.launch.files import Status
from configlint.launch.outcome import ArrayCell, Cell, End, FileUse
from configlint.launch.redirections import note_read
from configlint.launch.state import Ending, Flow, Options
from configlint.launch.values import UNKNOWN, unknown
from configlint.syntax.bash.nodes import Script

_SET_LETTERS = {"e": "errexit", "u": "nounset"}
_SET_NAMES = {"errexit": "errexit", "nounset": "nounset", "pipefail": "pipefail"}
_OPTIONS_WITH_VALUE = {
    "sudo": {"-u", "-g", "-C", "-h", "-p", "-r", "-t"},
    "env": {"-u", "-C", "-S"},
    "timeout": {"-k", "-s", "--signal", "--kill-after"},
    "nice": {"-n"},
    "stdbuf": {"-i", "-o", "-e"},
    "exec": {"-a"},
    "command": set(),
    "nohup": set(),
    "time": set(),
    "builtin": set(),
    "ionice": {"-c", "-n"},
    "numactl": set(),
}


def _cd(call: Call) -> None:
    target = call.text(1) if len(call.words) > 1 else unknown("HOME")
    if target is None or target == "-" or (target.startswith(UNKNOWN) and target == unknown("a value")):
        call.state.cwd = unknown("directory")
        call.assumed()
        return
    path = absolute(target, call.state)
    found = call.state.files.lookup(path)
    if found.status in (Status.ABSENT, Status.FILE):
        call.fail(f"cd: no such directory: {target}")
        return
    call.state.cwd = path
    if found.status is Status.DIRECTORY:
        call.ok()
    else:
        call.assumed(f"{target} is a directory")
        call.state.status = 0


def _set(call: Call) -> None:
    options = {name: getattr(call.state.options, name) for name in ("errexit", "nounset", "pipefail", "nullglob")}
    arguments = call.texts() or []
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word == "--" or word[:1] not in ("-", "+") or word in ("-", "+"):
            start = index + 1 + (word == "--")
            call.state.positional = tuple(call.cell(i) for i in range(start, len(call.words)))
            break
        on = word[0] == "-"
        for letter in word[1:]:
            if letter == "o" and index + 1 < len(arguments):
                index += 1
                name = _SET_NAMES.get(arguments[index])
                if name:
                    options[name] = on
            elif letter in _SET_LETTERS:
                options[_SET_LETTERS[letter]] = on
        index += 1
    call.state.options = Options(**options)
    call.ok()


def _shopt(call: Call) -> None:
    arguments = call.texts() or []
    if "nullglob" in arguments:
        old = call.state.options
        call.state.options = Options(old.errexit, old.nounset, old.pipefail, "-s" in arguments)
    call.ok()


def _shift(call: Call) -> None:
    text = call.text(1) if len(call.words) > 1 else "1"
    count = int(text) if text and text.isdigit() else 1
    if count > len(call.state.positional):
        call.fail("shift: more than there are parameters")
        return
    call.state.positional = call.state.positional[count:]
    call.ok()


def _unset(call: Call) -> None:
    function_only = "-f" in call.arguments
    for text in call.texts() or []:
        if text.startswith("-"):
            continue
        if function_only:
            call.state.functions.pop(text, None)
        else:
            call.machine.unset(call.state, text.split("[", 1)[0])
    call.ok()


def _export(call: Call) -> None:
    for index in range(1, len(call.words)):
        text = call.text(index) or ""
        name, equals, value = text.partition("=")
        if name.isidentifier():
            if equals:
                call.machine.set(call.state, name, Cell(value, name, call.place, "exported", (call.cell(index),)))
            call.state.exported |= {name}
    call.ok()


def _status(call: Call) -> int | None:
    if len(call.words) < 2:
        return call.state.status
    text = call.text(1) or ""
    return int(text) % 256 if text.isdigit() else None


def _exit(call: Call) -> None:
    call.state.status = _status(call)
    call.state.flow = Flow.EXIT
    call.state.ending = Ending(End.EXIT, call.place, "the launcher exits")


def _return(call: Call) -> None:
    call.state.status = _status(call)
    call.state.flow = Flow.RETURN if call.state.frames else Flow.EXIT


def _leave(flow: Flow) -> Handler:
    def handler(call: Call) -> None:
        text = call.text(1) if len(call.words) > 1 else "1"
        call.state.levels = int(text) if text and text.isdigit() else 1
        call.state.flow = flow
        call.state.status = 0

    return handler


def _test(call: Call) -> None:
    words = call.words[1:]
    if call.words[0] == "[":
        if not words or words[-1] != "]":
            call.fail("[: missing ]", 2)
            return
        words = words[:-1]
    verdict = Conditions(call.machine).test(words, call.state, call.node)
    call.state.status = None if verdict is None else int(not verdict)
    call.state.failure = "the test is false"
    call.machine.decide(call.state, call.node, {True: "true", False: "false", None: "both"}[verdict])


def _read(call: Call) -> None:
    names = [text for text in call.texts() or [] if text.isidentifier()] or ["REPLY"]
    for name in names:
        call.machine.set(call.state, name, Cell(unknown(f"{name} as read"), name, call.place, "read"))
    call.undecided()


def _mapfile(call: Call) -> None:
    names = [text for text in call.texts() or [] if text.isidentifier()] or ["MAPFILE"]
    cell = Cell(unknown(f"{names[-1]} as read"), names[-1], call.place, "read")
    call.machine.set(call.state, names[-1], ArrayCell((("0", cell),), names[-1], call.place))
    call.assumed()


def _source(call: Call) -> States | None:
    found = script_at(call, 1, "source")
    if found is None:
        return None
    arguments = tuple(call.cell(index) for index in range(2, len(call.words)))
    return call.interpreter.shells.run_source(found, call.state, call.node, arguments)


def script_at(call: Call, index: int, how: str) -> Script | None:
    """The script that word ``index`` names, or None with the call's status set. The use is recorded."""
    state, operand = call.state, call.cell(index) if index < len(call.words) else None
    text = call.text(index) if operand is not None else None
    if operand is None or text is None:
        call.assumed()
        return None
    path = absolute(text, state)
    found = state.files.lookup(path)
    exists = None if found.status is Status.UNKNOWN else found.status is Status.FILE
    call.machine.use(state, FileUse(how, call.name, call.place, operand, path, exists))
    note_read(call.machine, path)
    if exists is False:
        call.fail(f"{call.name}: no such file: {text}", 127 if how == "run" else 1)
        return None
    world = call.machine.world
    if exists and found.tree is world.tree:
        script = world.script(found.path)
        if isinstance(script, Script):
            return script
    call.assumed(f"{text} succeeds")
    call.emit_unknown()
    return None


def _eval(call: Call) -> States | None:
    texts = call.texts()
    joined = " ".join(texts) if texts is not None else UNKNOWN
    if UNKNOWN in joined:
        call.assumed("a command that is not known succeeds")
        call.emit_unknown()
        return None
    script = call.machine.world.fragment(joined)
    return call.interpreter.shells.run_source(script, call.state, call.node, ())


def _wrapper(call: Call) -> States | None:
    """``sudo``, ``env``, ``timeout``, ``exec``...: the command behind the options and assignments."""
    name = call.name
    with_value = _OPTIONS_WITH_VALUE[name]
    index = 1
    while index < len(call.words):
        word = call.words[index]
        text = word if isinstance(word, str) else ""
        if text in with_value:
            index += 2
        elif text.startswith("-") and len(text) > 1:
            if name == "command" and text in ("-v", "-V"):
                call.undecided()
                call.emit_unknown()
                return None
            index += 1
        elif name in ("env", "sudo") and text.partition("=")[0].isidentifier() and "=" in text:
            index += 1
        else:
            break
    if name == "timeout":
        index += 1
    if index >= len(call.words):
        call.ok()
        return None
    states = call.interpreter.dispatch(Call.again(call, index))
    if name == "exec":
        for after in states:
            if after.running:
                after.flow = Flow.EXIT
                after.ending = Ending(End.EXIT, call.place, "exec replaces the launcher")
    return states


def _nothing(call: Call) -> None:
    call.ok()


def _false(call: Call) -> None:
    call.fail("false")


HANDLERS: dict[str, Handler] = {
    "cd": _cd, "pushd": _cd, "set": _set, "shopt": _shopt, "shift": _shift, "unset": _unset, "export": _export,
    "exit": _exit, "return": _return, "break": _leave(Flow.BREAK), "continue": _leave(Flow.CONTINUE),
    "[": _test, "test": _test, "read": _read, "mapfile": _mapfile, "readarray": _mapfile,
    "source": _source, ".": _source, "eval": _eval,
    "true": _nothing, ":": _nothing, "wait": _nothing, "sleep": _nothing, "trap": _nothing, "ulimit": _nothing,
    "umask": _nothing, "hash": _nothing, "false": _false,
    **dict.fromkeys(_OPTIONS_WITH_VALUE, _wrapper),
}  # fmt: skip
