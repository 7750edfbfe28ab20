"""Commands that print, and filters over text that is known."""

from __future__ import annotations

import re
from collections.abc import Callable

from configlint.launch.calls import Call, Handler, filtered
from configlint.launch.conditions import absolute
from configlint.launch.fields import join_values
from configlint.launch.redirections import read_file, stream, write_file
from configlint.launch.values import INPUT, UNKNOWN, Value, choice, options, unknown

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_DIRECTIVE = re.compile(r"%(?:%|([-0+ #]*)(\d*)(?:\.(\d+))?([a-zA-Z]))")


def _unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 8) % 256)
        if found[2]:
            return chr(int(found[2], 16))
        return _ESCAPES.get(found[3], "\\" + found[3])

    return _ESCAPE.sub(one, text) if "\\" in text else text


def _echo(call: Call) -> None:
    if call.state.captured is not None:
        words = call.words[1:]
        newline, escapes = "\n", False
        while words and isinstance(words[0], str) and re.fullmatch(r"-[neE]+", words[0]):
            option = str(words.pop(0))
            newline = "" if "n" in option else newline
            escapes = "e" in option or (escapes and "E" not in option)
        text: list[Value] = []
        for index, word in enumerate(words):
            if index:
                text.append(" ")
            text.append(_map(word, _unescape) if escapes else word)
        call.emit(join_values([*text, newline], "output of echo"))
    call.ok()


def _map(value: Value, function: Callable[[str], str]) -> Value:
    return function(value) if isinstance(value, str) else choice([function(o) for o in value.options], "a value")


def _printf(call: Call) -> None:
    if len(call.words) < 2:
        call.ok()
        return
    words = call.words[1:]
    if words[0] == "-v":
        _assign_format(call, words[2:])
    elif call.state.captured is None:
        pass
    else:
        if words[0] == "--":
            words = words[1:]
        call.emit(_format(words))
    call.ok()


def _assign_format(call: Call, words: list[Value]) -> None:
    """``printf -v name``: the variable named, or what is known of it afterwards."""
    target = call.text(2) or ""
    name, subscript, _ = target.partition("[")
    if name.isidentifier():
        value = unknown("output of printf") if subscript else _format(words)
        call.machine.assign(call.state, name, value)


def _format(words: list[Value]) -> Value:
    if not words or not isinstance(words[0], str) or UNKNOWN in words[0] or INPUT in words[0]:
        return unknown("output of printf")
    template, arguments = words[0], words[1:]
    out: list[Value] = []
    for _ in range(1000):
        consumed = False
        at = 0
        for found in _DIRECTIVE.finditer(template):
            out.append(_unescape(template[at : found.start()]))
            at = found.end()
            if found.group() == "%%":
                out.append("%")
                continue
            argument = arguments.pop(0) if arguments else ""
            consumed = True
            out.append(_directive(found, argument))
        out.append(_unescape(template[at:]))
        if not arguments or not consumed:
            break
    return join_values(out, "output of printf")


def _directive(found: re.Match[str], argument: Value) -> Value:
    flags, width, precision, kind = found[1] or "", found[2], found[3], found[4]
    plain = not (flags or width or precision)
    if kind in "sb" and plain:
        return _map(argument, _unescape) if kind == "b" else argument
    if not isinstance(argument, str) or UNKNOWN in argument or INPUT in argument:
        return unknown("output of printf")
    try:
        if kind == "s":
            return f"%{flags}{width}{'.' + precision if precision else ''}s" % argument
        if kind in "dixXou":
            return f"%{flags}{width}{'d' if kind in 'iu' else kind}" % int(argument or "0", 0)
        if kind == "f":
            return f"%{flags}{width}{'.' + precision if precision else ''}f" % float(argument or "0")
    except (ValueError, OverflowError):
        pass
    return unknown("output of printf")


def _cat(call: Call) -> None:
    operands = [index for index in range(1, len(call.words)) if not str(call.words[index]).startswith("-")]
    if not operands or call.words[operands[0]] == "-":
        if call.state.stdin is not None:
            call.emit(call.state.stdin)
        else:
            call.emit_unknown()
        call.ok()
        return
    for index in operands:
        text = call.text(index)
        content = read_file(call.machine, call.state, text, call.cell(index), "cat", call.place) if text else None
        if content is None:
            call.emit_unknown()
        else:
            call.emit(content)
    call.ok()


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
    arguments = [word for word in call.words[1:] if word != "--"]
    suffix = arguments[1] if len(arguments) > 1 and isinstance(arguments[1], str) else ""

    def base(text: str) -> str:
        name = text.rstrip("/").rsplit("/", 1)[-1]
        return name[: -len(suffix)] if suffix and name.endswith(suffix) and name != suffix else name

    _path_function(call, arguments, base)


def _dirname(call: Call) -> None:
    def parent(text: str) -> str:
        head, slash, _ = text.rstrip("/").rpartition("/")
        return (head or "/") if slash else "."

    _path_function(call, call.words[1:2], parent)


def _path_function(call: Call, arguments: list[Value], function: Callable[[str], str]) -> None:
    if call.state.captured is not None and arguments:
        results = [function(call.machine.force(option)) + "\n" for option in options(arguments[0])]
        call.emit(choice(results, f"output of {call.name}"))
    call.ok()


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


def _seq(call: Call) -> None:
    arguments = call.texts() or []
    separator = "\n"
    if arguments[:1] and arguments[0].startswith("-s"):
        separator = arguments[0][2:] or arguments[1]
        arguments = arguments[1 if arguments[0] != "-s" else 2 :]
    try:
        numbers = [int(one) for one in arguments]
        first, step, last = (1, 1, numbers[0]) if len(numbers) == 1 else (numbers[0], 1, numbers[1])
        if len(numbers) == 3:
            first, step, last = numbers[0], numbers[1], numbers[2]
        span = range(first, last + (1 if step > 0 else -1), step)
        if len(span) > 10_000:
            raise ValueError(len(span))
        call.emit(separator.join(map(str, span)) + ("\n" if span else ""))
    except (ValueError, IndexError):
        call.emit_unknown()
    call.ok()


def _head(call: Call) -> None:
    count = _line_count(call)
    filtered(call, lambda text: "".join(text.splitlines(True)[:count]) if count is not None else None)


def _tail(call: Call) -> None:
    count = _line_count(call)
    filtered(call, lambda text: "".join(text.splitlines(True)[-count:]) if count else None)


def _line_count(call: Call) -> int | None:
    text = " ".join(call.texts() or [])
    found = re.fullmatch(r"(?:-n\s*|-|--lines=)(\d+)", text)
    return int(found[1]) if found else (10 if not text else None)


def _cut(call: Call) -> None:
    arguments = call.texts() or []
    found = re.fullmatch(r"(?:-d\s*(.) )?-([fc])\s*(\d+)(-?)(\d*)", " ".join(arguments))

    def cut(text: str) -> str | None:
        if found is None or (found[2] == "f" and found[1] is None):
            return None
        first = int(found[3]) - 1
        last = int(found[5]) if found[5] else (None if found[4] else first + 1)
        lines = []
        for line in text.splitlines():
            if found[2] == "c":
                lines.append(line[first:last])
            else:
                pieces = line.split(found[1])
                lines.append(line if len(pieces) == 1 else found[1].join(pieces[first:last]))
        return "".join(line + "\n" for line in lines)

    filtered(call, cut)


def _tr(call: Call) -> None:
    arguments = call.texts() or []
    sets = {"A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a-z": "abcdefghijklmnopqrstuvwxyz",
            "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "[:lower:]": "abcdefghijklmnopqrstuvwxyz"}  # fmt: skip
    plain = re.compile(r"[^\\\[\]-]*")

    def expand(text: str) -> str | None:
        text = _unescape(text) if re.fullmatch(r"(\\[nt])+", text) else text
        return sets.get(text, text if plain.fullmatch(text) else None)

    def translate(text: str) -> str | None:
        if arguments[:1] == ["-d"] and len(arguments) == 2:
            gone = expand(arguments[1])
            return None if gone is None else "".join(c for c in text if c not in gone)
        if len(arguments) != 2:
            return None
        left, right = expand(arguments[0]), expand(arguments[1])
        if left is None or not right:
            return None
        right = right.ljust(len(left), right[-1])
        return text.translate({ord(a): b for a, b in zip(reversed(left), reversed(right[: len(left)]), strict=True)})

    filtered(call, translate)


def _wc(call: Call) -> None:
    arguments = call.texts() or []
    counts: dict[str, Callable[[str], int]] = {
        "-w": lambda t: len(t.split()), "-l": lambda t: t.count("\n"), "-c": lambda t: len(t.encode()),
    }  # fmt: skip
    count = counts.get(arguments[0]) if len(arguments) == 1 else None
    filtered(call, lambda text: f"{count(text)}\n" if count else None)


def _sort(call: Call) -> None:
    arguments = call.texts() or ["?"]
    flags = set("".join(one.lstrip("-") for one in arguments)) if call.words[1:] else set()

    def order(text: str) -> str | None:
        if flags - set("nru"):
            return None
        lines = text.splitlines()
        if "u" in flags:
            lines = list(dict.fromkeys(lines))
        if "n" in flags:
            if not all(re.fullmatch(r"-?\d+", line) for line in lines):
                return None
            lines.sort(key=int)
        else:
            if any(not re.fullmatch(r"[a-z0-9]*", line) for line in lines):
                return None  # the order of other characters depends on the locale
            lines.sort()
        return "".join(line + "\n" for line in (reversed(lines) if "r" in flags else lines))

    filtered(call, order)


def _uniq(call: Call) -> None:
    filtered(call, lambda _: None)


HANDLERS: dict[str, Handler] = {
    "echo": _echo, "printf": _printf, "cat": _cat, "tee": _tee, "basename": _basename, "dirname": _dirname,
    "pwd": _pwd, "realpath": _realpath, "seq": _seq, "head": _head, "tail": _tail, "cut": _cut, "tr": _tr,
    "wc": _wc, "sort": _sort, "uniq": _uniq,
}  # fmt: skip
