"""Builtins that fill variables from standard input or from arguments: ``read``, ``mapfile``, ``getopts``, ``let``."""

from __future__ import annotations

from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.arrays import open_array
from configlint.launch.calls import Call, Handler, known_texts
from configlint.launch.fields import Builder
from configlint.launch.outcome import ArrayCell, Cell
from configlint.launch.settings import MAX_ROUNDS
from configlint.launch.texts import VirtualText
from configlint.launch.values import UNKNOWN, unknown

_PLAIN_READ = set("rsepa")  # -e, -p and -s say how to ask a person


def _lines(call: Call) -> list[str] | None:
    """The lines that are left of standard input, with their line ends; None where they are not known, or too many."""
    stdin = call.state.stdin
    known = (stdin.text,) if isinstance(stdin, VirtualText) else known_texts(stdin, call.machine)
    if known is None or len(known) != 1 or UNKNOWN in known[0]:
        return None
    lines = known[0].split("\n", MAX_ROUNDS)
    if len(lines) > MAX_ROUNDS:
        return None
    kept = [line + "\n" for line in lines[:-1]]
    return [*kept, lines[-1]] if lines[-1] else kept


def _options(call: Call, with_value: str) -> tuple[str, list[str], dict[str, str]] | None:
    """Letters, operands and values of options; None where a word has alternatives."""
    texts = call.texts()
    if texts is None:
        return None
    letters, values, index = "", {}, 0
    while index < len(texts) and texts[index][:1] == "-" and len(texts[index]) > 1:
        if texts[index] == "--":
            index += 1
            break
        for position, letter in enumerate(texts[index][1:], 1):
            letters += letter
            if letter in with_value:
                values[letter] = texts[index][position + 1 :] or (texts[index + 1] if index + 1 < len(texts) else "")
                index += not texts[index][position + 1 :]
                break
        index += 1
    return letters, texts[index:], values


def _read(call: Call) -> None:
    given = _options(call, "pdtnNiua")
    letters, names, values = given if given is not None else ("?", [], {})
    array = values.get("a")
    lines = _lines(call) if set(letters) <= _PLAIN_READ else None
    first = lines[0] if lines else ""
    separators = call.machine.expander.separators(call.state)
    if lines is None or separators is None or ("\\" in first and "r" not in letters):
        _forget(call, [array] if array else names or ["REPLY"], array is not None)
        call.undecided()
        return
    call.machine.spend(len(first) >> 5)
    call.state.stdin = "".join(lines[1:])
    line = first.removesuffix("\n")
    if array:
        _set_array(call, array, _split(line, separators))
    else:
        for name, text in zip(names, _assigned(line, len(names), separators), strict=True):
            _set(call, name, text)
        if not names:
            _set(call, "REPLY", line)
    if first.endswith("\n"):
        call.ok()
    else:
        call.fail("read: end of file")


def _split(line: str, separators: str) -> list[str]:
    builder = Builder()
    builder.split(line, separators)
    builder.finish()
    return ["".join(str(segment.text) for segment in field) for field in builder.done]


def _assigned(line: str, count: int, separators: str) -> list[str]:
    """One text for each name; the last one gets the rest of the line."""
    blanks = "".join(one for one in separators if one in " \t\n")
    rest, found = line.strip(blanks) if blanks else line, []
    for _ in range(count - 1):
        end = next((at for at, one in enumerate(rest) if one in separators), len(rest))
        found.append(rest[:end])
        after = rest[end:].lstrip(blanks) if blanks else rest[end:]
        if after and after[0] in separators:
            after = after[1:].lstrip(blanks) if blanks else after[1:]
        rest = after
    pieces = _split(rest, separators)
    if len(pieces) == 1 and rest:  # a separator behind the only field left is dropped
        rest = pieces[0]
    return [*found, rest] if count else []


def _set(call: Call, name: str, text: str) -> None:
    if name.isidentifier():
        call.machine.set(call.state, name, Cell(text, name, call.place, "read"))


def _set_array(call: Call, name: str, texts: list[str]) -> None:
    items = tuple((str(index), Cell(text, name, call.place, "read")) for index, text in enumerate(texts))
    call.machine.set(call.state, name, ArrayCell(items, name, call.place))


def _forget(call: Call, names: list[str], is_array: bool) -> None:
    for name in names:
        name = name.partition("[")[0]
        if not name.isidentifier():
            continue
        of = f"{name} as read"
        if is_array:
            call.machine.set(call.state, name, open_array(name, of, call.place, "read"))
        else:
            call.machine.set(call.state, name, Cell(unknown(of), name, call.place, "read"))


def _mapfile(call: Call) -> None:
    given = _options(call, "dnOsuCc")
    letters, names, _ = given if given is not None else ("?", [], {})
    lines = _lines(call) if set(letters) <= {"t"} else None
    name = names[0] if names else "MAPFILE"
    if lines is None:
        _forget(call, [name], True)
        call.assumed()
        return
    _set_array(call, name, [line.removesuffix("\n") if "t" in letters else line for line in lines])
    call.state.stdin = ""
    call.ok()


def _getopts(call: Call) -> None:
    name = call.text(2) if len(call.words) > 2 else None
    _forget(call, [name or "", "OPTARG"], False)
    call.undecided()


def _let(call: Call) -> None:
    result: int | None = None
    for index in range(1, len(call.words)):
        try:
            result = call.machine.expander.evaluate(call.text(index) or UNKNOWN, call.state)
        except (Undecided, NotArithmetic):
            result = None
    if result is None:
        call.undecided()
    elif result:
        call.ok()
    else:
        call.fail("the arithmetic value is 0")


HANDLERS: dict[str, Handler] = {
    "read": _read, "mapfile": _mapfile, "readarray": _mapfile, "getopts": _getopts, "let": _let,
}  # fmt: skip
