"""Filters: commands that turn the text they read into the text they print."""

from __future__ import annotations

import re
from collections.abc import Callable

from configlint.launch.calls import Call, Handler, known_texts
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.redirections import read_file
from configlint.launch.values import UNKNOWN, choice, whole

_MAX_RANGES = 20
_LIST = re.compile(r"(\d{0,18})(-?)(\d{0,18})")
_RANGES = {
    "upper": "A-Z", "lower": "a-z", "digit": "0-9", "alpha": "A-Za-z", "alnum": "A-Za-z0-9", "space": "\t-\r ",
    "blank": "\t ",
}  # fmt: skip
_MAX_NUMBERS = 10_000
Filter = Callable[[str], str | None]


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends a line."""
    pieces = text.split("\n")
    return [*(piece + "\n" for piece in pieces[:-1]), *([pieces[-1]] if pieces[-1] else [])]


def _apply(call: Call, function: Filter | None, files: list[int]) -> None:
    """Print what the function makes of standard input, or of files; unknown where that cannot be told."""
    absent = next((index for index in files if is_absent(call, index)), None)
    if absent is not None and len(files) == 1:
        call.fail(f"{call.name}: no such file: {call.text(absent)}")
        return
    texts = _read_files(call, files) if files else known_texts(call.input(), call.machine)
    call.machine.spend(sum(map(len, texts or ())) >> 6)
    results = [function(text) for text in texts] if texts is not None and function is not None else [None]
    if any(one is None for one in results):
        call.emit_unknown()
    else:
        call.emit(choice([one for one in results if one is not None], f"output of {call.name}"))
    call.ok()
    if absent is not None:
        call.fail(f"{call.name}: no such file: {call.text(absent)}")


def is_absent(call: Call, index: int) -> bool:
    """True if the file that a word names surely does not exist."""
    text = call.text(index)
    return bool(text) and call.state.files.lookup(absolute(text or "", call.state)).status is Status.ABSENT


def _read_files(call: Call, files: list[int]) -> tuple[str, ...] | None:
    texts = []
    for index in files:
        text = call.text(index)
        content = read_file(call.machine, call.state, text, call.cell(index), call.name, call.place) if text else None
        texts.append(call.machine.force(content.text) if content is not None else UNKNOWN)
    return None if UNKNOWN in "".join(texts) else ("".join(texts),)


class Arguments:
    """Options and file operands. ``known`` is False where a word has alternatives."""

    def __init__(self, call: Call, with_value: str, long: dict[str, str] | None = None) -> None:
        self.letters = ""
        self.values: dict[str, str] = {}
        self.operands: list[int] = []
        self.known = True
        index, words = 1, len(call.words)
        while index < words:
            text = call.text(index)
            if text is None:
                self.known = False
            elif text == "--":
                self.operands.extend(range(index + 1, words))
                return
            elif text.startswith("--"):
                name, _, value = text[2:].partition("=")
                letter = (long or {}).get(name, "?")
                self.letters += letter
                self.values[letter] = value
            elif text[:1] == "-" and len(text) > 1:
                index += self._cluster(call, index, text, with_value)
            else:
                self.operands.append(index)
            index += 1

    def _cluster(self, call: Call, index: int, text: str, with_value: str) -> int:
        for position, letter in enumerate(text[1:], 1):
            self.letters += letter
            if letter in with_value:
                rest = text[position + 1 :]
                following = call.text(index + 1) if index + 1 < len(call.words) else None
                self.values[letter] = rest or following or ""
                self.known &= bool(rest) or following is not None
                return int(not rest)
        return 0


# --- lines ----------------------------------------------------------------------------------------


def _count(given: Arguments) -> tuple[str, int] | None:
    """Sign and number of ``-n``, which may be written ``-3``."""
    short = whole(given.letters)
    if short is not None:
        return "", short
    text = given.values.get("n", "10")
    found = re.fullmatch(r"([-+]?)(\d{1,18})", text)
    return (found[1], int(found[2])) if found and set(given.letters) <= {"n"} else None


def _head(call: Call) -> None:
    given = Arguments(call, "nc", {"lines": "n", "bytes": "c"})
    wanted = _count(given)
    function: Filter | None = None
    size = whole(given.values.get("c", "")) if given.known and given.letters == "c" else None
    if size is not None and size >= 0:

        def function(text: str) -> str | None:
            return text[:size] if text.isascii() else None

    elif given.known and wanted is not None and wanted[0] != "+":
        sign, number = wanted

        def function(text: str) -> str | None:
            lines = _lines(text)
            return "".join(lines[: max(0, len(lines) - number)] if sign else lines[:number])

    _apply(call, function if len(given.operands) < 2 else None, given.operands)


def _tail(call: Call) -> None:
    given = Arguments(call, "nc", {"lines": "n", "bytes": "c"})
    wanted = _count(given)

    def function(text: str) -> str | None:
        assert wanted is not None
        sign, number = wanted
        lines = _lines(text)
        return "".join(lines[max(0, number - 1) :] if sign == "+" else lines[len(lines) - min(number, len(lines)) :])

    _apply(call, function if given.known and wanted and len(given.operands) < 2 else None, given.operands)


def _wc(call: Call) -> None:
    given = Arguments(call, "", {"lines": "l", "words": "w", "bytes": "c"})
    counts: dict[str, Callable[[str], int]] = {
        "w": lambda t: len(t.split()), "l": lambda t: t.count("\n"), "c": lambda t: len(t.encode("utf-8", "replace")),
    }  # fmt: skip
    count = counts.get(given.letters)
    _apply(call, (lambda text: f"{count(text)}\n") if count and not given.operands else None, [])


def _sort(call: Call) -> None:
    given = Arguments(call, "kto", {"unique": "u", "reverse": "r", "numeric-sort": "n"})
    flags = set(given.letters)

    def order(text: str) -> str | None:
        lines = [line.removesuffix("\n") for line in _lines(text)]
        if "n" in flags:
            numbers = [whole(line) for line in lines]
            if None in numbers or "+" in text or len(set(numbers)) < len(set(lines)):
                return None
            lines.sort(key=int)
        elif any(not re.fullmatch(r"[a-z0-9]*", line) for line in lines):
            return None  # the order of other characters depends on the locale
        else:
            lines.sort()
        if "u" in flags:
            lines = list(dict.fromkeys(lines))
        return "".join(line + "\n" for line in (reversed(lines) if "r" in flags else lines))

    _apply(call, order if given.known and flags <= set("nru") else None, given.operands)


def _uniq(call: Call) -> None:
    given = Arguments(call, "fsw", {"count": "c"})

    def function(text: str) -> str | None:
        out: list[str] = []
        counts: list[int] = []
        for line in _lines(text):
            line = line.removesuffix("\n")
            if out and out[-1] == line:
                counts[-1] += 1
            else:
                out.append(line)
                counts.append(1)
        if given.letters == "c":
            return "".join(f"{count:7d} {line}\n" for count, line in zip(counts, out, strict=True))
        return "".join(line + "\n" for line in out)

    known = given.known and given.letters in ("", "c") and len(given.operands) < 2
    _apply(call, function if known else None, given.operands)


# --- columns and characters -------------------------------------------------------------------------


def _cut(call: Call) -> None:
    given = Arguments(call, "dfc", {"delimiter": "d", "fields": "f", "characters": "c", "only-delimited": "s"})
    by_field = "f" in given.letters
    wanted = _positions(given.values.get("f" if by_field else "c", ""))
    delimiter = given.values.get("d", "\t")

    def cut(text: str) -> str | None:
        assert wanted is not None
        lines = []
        for line in _lines(text):
            line = line.removesuffix("\n")
            if not by_field:
                if not line.isascii():
                    return None
                lines.append("".join(one for at, one in enumerate(line, 1) if wanted(at)))
            elif delimiter in line:
                pieces = [piece for at, piece in enumerate(line.split(delimiter), 1) if wanted(at)]
                lines.append(delimiter.join(pieces))
            elif "s" not in given.letters:
                lines.append(line)
        return "".join(line + "\n" for line in lines)

    known = given.known and set(given.letters) <= set("dfcs") and wanted is not None and len(delimiter) == 1
    _apply(call, cut if known else None, given.operands)


def _positions(text: str) -> Callable[[int], bool] | None:
    """The positions that a list such as ``1,3-5,7-`` selects."""
    ranges: list[tuple[int, int]] = []
    for piece in text.split(","):
        found = _LIST.fullmatch(piece)
        if found is None or not (found[1] or found[3]) or (found[3] and not found[2]):
            return None
        first = int(found[1] or 1)
        ranges.append((first, (int(found[3]) if found[3] else 10**9) if found[2] else first))
    return (lambda at: any(low <= at <= high for low, high in ranges)) if len(ranges) <= _MAX_RANGES else None


def _tr(call: Call) -> None:
    given = Arguments(call, "")
    texts = [call.text(index) for index in given.operands]
    sets = [None if text is None else _characters(text) for text in texts]
    flags = set(given.letters)

    def translate(text: str) -> str | None:
        first, second = sets[0] or "", sets[-1] or ""
        if "d" in flags:
            return "".join(one for one in text if (one in first) is ("c" in flags))
        if flags == {"s"} and len(sets) == 1:
            return re.sub(f"([{re.escape(first)}])\\1+", r"\1", text) if first else text
        second = second.ljust(len(first), second[-1])[: len(first)]
        return text.translate(dict(zip(map(ord, first), second, strict=True)))

    plain = (flags == set() and len(sets) == 2 and sets[1]) or (flags in ({"d"}, {"d", "c"}, {"s"}) and len(sets) == 1)
    known = given.known and plain and all(one is not None and one.isascii() for one in sets)
    _apply(call, translate if known else None, [])


def _characters(text: str) -> str | None:
    """The characters of a set: ranges, classes and a few escapes."""
    out: list[str] = []
    at = 0
    while at < len(text):
        found = re.compile(r"\[:(\w+):\]").match(text, at)
        if found:
            name = found[1]
            if name not in _RANGES:
                return None
            out.append(_characters(_RANGES[name]) or "")
            at = found.end()
        elif text[at] == "[" or (text[at] == "\\" and text[at + 1 : at + 2] not in ("n", "t", "r", "\\")):
            return None
        elif text[at] == "\\":
            out.append({"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}[text[at + 1]])
            at += 2
        elif text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            low, high = ord(text[at]), ord(text[at + 2])
            if high < low or text[at + 2] in "\\[":
                return None
            out.append("".join(map(chr, range(low, high + 1))))
            at += 3
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _seq(call: Call) -> None:
    arguments = call.texts() or ["?"]
    separator = "\n"
    if arguments[0].startswith("-s"):
        separator = arguments[0][2:] or (arguments[1] if len(arguments) > 1 else "")
        arguments = arguments[1 if arguments[0] != "-s" else 2 :]
    if not 1 <= len(arguments) <= 3 or not all(re.fullmatch(r"-?(0|[1-9]\d{0,17})", one) for one in arguments):
        call.emit_unknown()
        call.undecided()
        return
    numbers = list(map(int, arguments))
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    span = range(first, numbers[-1] + (1 if step > 0 else -1), step) if step else range(_MAX_NUMBERS + 1)
    if len(span) > _MAX_NUMBERS:
        call.emit_unknown()
    else:
        call.emit(separator.join(map(str, span)) + ("\n" if span else ""))
    call.ok()


HANDLERS: dict[str, Handler] = {
    "head": _head, "tail": _tail, "wc": _wc, "sort": _sort, "uniq": _uniq, "cut": _cut, "tr": _tr, "seq": _seq,
}  # fmt: skip
