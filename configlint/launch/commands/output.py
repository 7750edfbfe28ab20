"""Commands that print, and filters over text that is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from configlint.launch.calls import Call, Handler
from configlint.launch.commands import formats
from configlint.launch.conditions import absolute
from configlint.launch.fields import join_values
from configlint.launch.files import Status
from configlint.launch.outcome import Cell
from configlint.launch.redirections import read_file, stream, write_file
from configlint.launch.values import HOLE, MAX_ALTERNATIVES, UNKNOWN, Value, choice, options, shown, unknown

_SCREENED = re.compile(r"-[neE]+")


def _echo(call: Call) -> None:
    call.ok()
    if call.state.captured is None:
        return
    words = call.words[1:]
    newline, escapes = "\n", False
    while words and isinstance(words[0], str) and _SCREENED.fullmatch(words[0]):
        option = str(words.pop(0))
        newline = "" if "n" in option else newline
        for letter in option[1:]:
            escapes = letter == "e" or (escapes and letter != "E")
    text: list[Value] = []
    for index, word in enumerate(words):
        if index:
            text.append(" ")
        text.append(word)
    joined = join_values(text, "output of echo") if text else ""
    if not escapes:
        call.emit(join_values([joined, newline], "output of echo"))
        return
    results = []
    for option in options(joined):
        forced = call.machine.force(option)
        if UNKNOWN in forced:  # what is not known may hold escapes, or the rest of one
            results.append(unknown("output of echo -e") + newline)
            continue
        plain, stop = formats.echo(forced)
        results.append(plain if stop else plain + newline)
    call.emit(choice(results, "output of echo"))


def _printf(call: Call) -> None:
    call.ok()
    words = call.words[1:]
    if not words:
        return
    if words[0] == "-v":
        value = _format(call, words[2:])
        name, subscript, _ = (call.text(2) or "").partition("[")
        if name.isidentifier():
            cell = Cell(unknown(name) if subscript else value, name, call.place, "assigned", (call.cell(len(words)),))
            call.machine.set(call.state, name, cell)
    elif call.state.captured is not None:
        call.emit(_format(call, words[1:] if words[0] == "--" else words))


def _format(call: Call, words: list[Value]) -> Value:
    """What ``printf`` prints; ``%s`` alone passes on what it is given without looking at it."""
    template = call.machine.force(words[0]) if words and isinstance(words[0], str) else UNKNOWN
    if template in ("%s", "%s\n") and len(words) <= 2:
        return join_values([words[1] if len(words) == 2 else "", template[2:].replace("\\n", "\n")], "output of printf")
    results: list[str] = []
    if UNKNOWN in template or _product(words[1:]) > MAX_ALTERNATIVES:
        return unknown("output of printf")
    plain = re.sub(r"%%|%s", "", template)
    opaque = "%" in plain  # a directive that looks at its argument
    for arguments in product(*(options(word) for word in words[1:])):
        forced = [call.machine.force(one) for one in arguments]
        if opaque and any(UNKNOWN in one for one in forced):
            return unknown("output of printf")
        try:
            results.append(formats.printf(template, forced))
        except formats.NotFormatted:
            call.undecided()
            return unknown("output of printf")
    return choice(results, "output of printf")


def _product(words: list[Value]) -> int:
    count = 1
    for word in words:
        count *= len(options(word))
    return count


def _cat(call: Call) -> None:
    words = call.words
    operands = [at for at in range(1, len(words)) if words[at] == "-" or not str(words[at]).startswith("-")]
    call.ok()
    for index in operands or [0]:
        if not index or call.words[index] == "-":
            call.emit(call.state.stdin) if call.state.stdin is not None else call.emit_unknown()
            continue
        text = call.text(index)
        content = read_file(call.machine, call.state, text, call.cell(index), "cat", call.place) if text else None
        if content is not None:
            call.emit(content)
        elif text and call.state.files.lookup(absolute(text, call.state)).status is Status.ABSENT:
            call.fail(f"cat: no such file: {text}")
        else:
            call.emit_unknown()


def _tee(call: Call) -> None:
    append = "-a" in call.arguments or "--append" in call.arguments
    new = stream([call.state.stdin if call.state.stdin is not None else unknown("standard input")], call.place)
    for index in range(1, len(call.words)):
        text = call.text(index)
        if text and not text.startswith(("-", "/dev/")):
            path = absolute(text, call.state)
            write_file(call.machine, call.state, path, call.cell(index), call.place, new, append=append)
    if call.state.stdin is not None:
        call.emit(call.state.stdin)
    call.ok()


def _basename(call: Call) -> None:
    arguments = call.words[1:]
    several = False
    suffix: Value = ""
    while arguments and isinstance(arguments[0], str) and arguments[0].startswith("-"):
        option = str(arguments.pop(0))
        if option == "--":
            break
        if option in ("-a", "--multiple"):
            several = True
        elif option == "-s" and arguments:
            several, suffix = True, arguments.pop(0)
        else:
            call.emit_unknown()
            return
    if not several and len(arguments) == 2:
        suffix = arguments.pop()
    if not arguments or (len(arguments) > 1 and not several) or not isinstance(suffix, str):
        call.fail("basename: wrong number of operands")
        return
    ending = call.machine.force(suffix)

    def base(text: str) -> str:
        name = text.rstrip("/").rsplit("/", 1)[-1] if text.strip("/") else text[:1]
        return name[: -len(ending)] if ending and name.endswith(ending) and name != ending else name

    _path_function(call, arguments, base)


def _dirname(call: Call) -> None:
    def parent(text: str) -> str:
        if not text.strip("/"):
            return text[:1] or "."
        head, slash, _ = text.rstrip("/").rpartition("/")
        return (head.rstrip("/") or "/") if slash else "."

    arguments = call.words[1:]
    if arguments[:1] == ["--"]:
        del arguments[0]
    elif arguments and str(arguments[0]).startswith("-"):
        call.emit_unknown()
        return
    _path_function(call, arguments, parent)


def _path_function(call: Call, arguments: list[Value], function: Callable[[str], str]) -> None:
    call.ok()
    for argument in arguments:
        results = []
        for option in options(argument):
            text = call.machine.force(option)
            tail = HOLE.split(text)[-1]
            if UNKNOWN in text and "/" not in tail.rstrip("/"):  # it is not known where the last name begins
                results.append(unknown(f"{call.name} of {shown(text)}") + "\n")
            else:
                results.append(function(text) + "\n")
        call.emit(choice(results, f"output of {call.name}"))


def _pwd(call: Call) -> None:
    call.emit(call.state.cwd + "\n")
    call.ok()


def _realpath(call: Call) -> None:
    text = call.text(len(call.words) - 1) if len(call.words) > 1 else None
    if text is None or text.startswith("-"):
        call.emit_unknown()
    else:
        call.emit(absolute(text, call.state) + "\n")
    call.ok()


HANDLERS: dict[str, Handler] = {
    "echo": _echo, "printf": _printf, "cat": _cat, "tee": _tee, "basename": _basename, "dirname": _dirname,
    "pwd": _pwd, "realpath": _realpath,
}  # fmt: skip
