"""Builtins that change the shell itself, and commands that run other commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.arrays import without_element
from configlint.launch.calls import Call, Handler, States
from configlint.launch.conditions import Conditions, absolute
from configlint.launch.files import Status
from configlint.launch.machine import NotAnalysed
from configlint.launch.outcome import ArrayCell, Cell, End, FileUse
from configlint.launch.redirections import note_read
from configlint.launch.simple import function_frame
from configlint.launch.state import Ending, Flow
from configlint.launch.testgrammar import BadTest
from configlint.launch.values import UNKNOWN, unknown, whole
from configlint.launch.world import WRITTEN
from configlint.syntax.bash.nodes import Script

_SET_LETTERS = {"e": "errexit", "u": "nounset", "f": "noglob", "a": "allexport"}
_SET_NAMES = {name: name for name in ("errexit", "nounset", "pipefail", "noglob", "allexport")}
BUILTINS = frozenset(
    """
    . : [ alias bg break builtin cd command compgen continue declare dirs disown echo eval exec exit export false fc fg
    getopts hash help jobs kill let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt
    source test times trap true type typeset ulimit umask unalias unset wait
    """.split()
)
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


def _set(call: Call) -> None:
    state, index = call.state, 1
    while index < len(call.words):
        word = call.text(index)
        if word is None or word == "--" or word[:1] not in ("-", "+") or word in ("-", "+"):
            start = index + (word in ("--", "-"))
            if word != "-" or start < len(call.words):
                state.positional = tuple(call.cell(i) for i in range(start, len(call.words)))
                _keep_in_source(call)
            break
        for letter in word[1:]:
            if letter == "o" and index + 1 < len(call.words):
                index += 1
                name = _SET_NAMES.get(call.text(index) or "")
            else:
                name = _SET_LETTERS.get(letter)
            if name is not None:
                changed: dict[str, Any] = {name: word[0] == "-"}
                state.options = replace(state.options, **changed)
        index += 1
    call.ok()


def _keep_in_source(call: Call) -> None:
    """Parameters that ``set`` makes in a sourced file, outside of functions, are those of the shell from now on."""
    if function_frame(call.state) is None:
        for frame in reversed(call.state.frames):
            if frame.name == "bash":
                break
            frame.replaced = True


def _shopt(call: Call) -> None:
    arguments = call.texts() or []
    names = {one for one in arguments if one[:1] != "-"}
    options = call.state.options
    if "-s" in arguments or "-u" in arguments:
        on = "-s" in arguments
        changed = options.extended | names if on else options.extended - names
        nullglob = on if "nullglob" in names else options.nullglob
        call.state.options = replace(options, nullglob=nullglob, extended=changed)
        call.ok()
    else:
        call.undecided()
        call.emit_unknown()


def _shift(call: Call) -> None:
    text = call.text(1) if len(call.words) > 1 else "1"
    count = whole(text) if text is not None else None
    if count is None or count < 0:
        if call.state.positional:
            raise NotAnalysed(call.place, "a shift by a number that is not known")
        call.undecided()
    elif count > len(call.state.positional):
        call.fail("shift: more than there are parameters")
    else:
        call.state.positional = call.state.positional[count:]
        call.ok()


def _unset(call: Call) -> None:
    state, machine = call.state, call.machine
    functions = "-f" in call.arguments
    for text in call.texts() or []:
        name, bracket, key = text.partition("[")
        if text.startswith("-"):
            continue
        if functions or (not bracket and machine.variable(state, name) is None and name in state.functions):
            state.functions.pop(text, None)
        elif bracket and name.isidentifier():
            _unset_element(call, name, key.removesuffix("]"))
        elif name.isidentifier():
            machine.unset(state, name)
    call.ok()


def _unset_element(call: Call, name: str, key: str) -> None:
    state, machine = call.state, call.machine
    old = machine.variable(state, name)
    if key in ("@", "*"):
        machine.unset(state, name)
        return
    try:
        associative = isinstance(old, ArrayCell) and old.associative
        key = key if associative else str(machine.expander.evaluate(key, state))
    except (Undecided, NotArithmetic):
        machine.set(state, name, Cell(unknown(name), name, call.place, "assigned"))
        return
    left = without_element(old, key)
    if left is None:
        machine.unset(state, name)
    else:
        machine.set(state, name, left)


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
    text = call.text(1) or UNKNOWN
    if UNKNOWN in text:
        return None
    number = whole(text)
    if number is None:
        return None if text.strip(" \t+-").isdecimal() else 2
    return number % 256


def _exit(call: Call) -> None:
    call.state.status = _status(call)
    call.state.flow = Flow.EXIT
    call.state.ending = Ending(End.EXIT, call.place, "the launcher exits")


def _return(call: Call) -> None:
    if any(frame.name not in ("bash", "eval") for frame in call.state.frames):
        call.state.status = _status(call)
        call.state.flow = Flow.RETURN
    else:
        call.fail("return: not in a function or a sourced file", 2)


def _leave(flow: Flow) -> Handler:
    def handler(call: Call) -> None:
        text = call.text(1) if len(call.words) > 1 else "1"
        call.ok()
        if call.state.loops:  # elsewhere bash says that it means nothing here, and goes on
            call.state.levels = min(max(whole(text or "") or 1, 1), call.state.loops)
            call.state.flow = flow

    return handler


def _test(call: Call) -> None:
    words = call.words[1:]
    if call.words[0] == "[":
        if not words or words[-1] != "]":
            call.fail("[: missing ]", 2)
            return
        words = words[:-1]
    try:
        verdict = Conditions(call.machine).test(words, call.state, call.node)
    except BadTest:
        call.fail("the test has no meaning", 2)
        return
    call.state.status = None if verdict is None else int(not verdict)
    call.state.failure = "the test is false"
    call.machine.decide(call.state, call.node, {True: "true", False: "false", None: "both"}[verdict])


def _source(call: Call) -> States | None:
    found = script_at(call, 1, "source")
    if found is None:
        return None
    arguments = tuple(call.cell(index) for index in range(2, len(call.words)))
    call.ok()
    return call.interpreter.shells.run_source(found, call.state, call.node, arguments or None, call.words[1])


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
    elif found.text is not None:
        written = call.machine.force(found.text.text)
        if UNKNOWN not in written:
            return world.fragment(written, WRITTEN)
    inside = world.tree_path(path)
    if inside is not None and state.script is call.machine.prelude and (reason := world.blocked(inside)):
        raise NotAnalysed(None, f"{inside} cannot be read ({reason})")
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
    call.ok()
    return call.interpreter.shells.run_source(script, call.state, call.node, None, None)


def _wrapper(call: Call) -> States | None:
    """``sudo``, ``env``, ``timeout``, ``exec``...: the command behind the options and assignments."""
    name = call.name
    with_value = _OPTIONS_WITH_VALUE[name]
    brought: dict[str, int] = {}  # variable -> index of the word that sets it
    index = 1
    while index < len(call.words):
        word = call.words[index]
        text = word if isinstance(word, str) else ""
        variable, equals, _ = text.partition("=")
        if text in with_value:
            index += 2
        elif text.startswith("-") and len(text) > 1:
            if name == "command" and text in ("-v", "-V"):
                _which(call, index + 1)
                return None
            index += 1
            if text == "--":
                break
        elif name in ("env", "sudo") and equals and variable.isidentifier():
            brought[variable] = index
            index += 1
        else:
            break
    if name == "timeout":
        index += 1
    if index >= len(call.words):
        call.ok()
        return None
    inner = Call.again(call, index)

    def bring() -> None:
        for variable, at in brought.items():
            cell = call.cell(at)
            value = str(cell.value).partition("=")[2]
            call.machine.set(call.state, variable, Cell(value, variable, cell.at, "exported", cell.via))

    run = call.interpreter.dispatch
    if brought:
        states = call.interpreter.with_environment(call.state, brought, bring, lambda: run(inner, functions=False))
    else:
        states = run(inner, functions=False)
    if name == "exec":
        for after in states:
            if after.running:
                after.flow = Flow.EXIT
                after.ending = Ending(End.EXIT, call.place, "exec replaces the launcher")
    return states


def _which(call: Call, index: int) -> None:
    """``command -v name``: known for functions and builtins, a question to the host for the rest."""
    text = call.text(index) if index < len(call.words) else None
    if text in call.state.functions or text in BUILTINS:
        call.emit(f"{text}\n")
        call.ok()
    else:
        call.emit_unknown()
        call.undecided()


def _type(call: Call) -> None:
    text = call.text(len(call.words) - 1)
    call.emit_unknown()
    if text in call.state.functions or text in BUILTINS:
        call.ok()
    else:
        call.undecided()


def _hash(call: Call) -> None:
    """``hash name`` fails where there is no such command, which the host knows."""
    call.ok()
    if any(isinstance(word, str) and not word.startswith("-") and word not in BUILTINS for word in call.words[1:]):
        call.undecided()


def _nothing(call: Call) -> None:
    call.ok()


def _false(call: Call) -> None:
    call.fail("false")


HANDLERS: dict[str, Handler] = {
    "set": _set, "shopt": _shopt, "shift": _shift, "unset": _unset, "export": _export,
    "exit": _exit, "return": _return, "break": _leave(Flow.BREAK), "continue": _leave(Flow.CONTINUE),
    "[": _test, "test": _test,
    "source": _source, ".": _source, "eval": _eval, "type": _type,
    "true": _nothing, ":": _nothing, "wait": _nothing, "sleep": _nothing, "trap": _nothing, "ulimit": _nothing,
    "umask": _nothing, "hash": _hash, "false": _false,
    **dict.fromkeys(_OPTIONS_WITH_VALUE, _wrapper),
}  # fmt: skip
