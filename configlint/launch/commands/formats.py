"""``echo -e`` and ``printf`` on known text, as bash's builtins do it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from configlint.launch.values import clean

_SINGLE = {
    "a": "\a", "b": "\b", "e": "\033", "E": "\033", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
}  # fmt: skip
_HEXADECIMAL = r"x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})"
_IN_ECHO = re.compile(rf"\\(?:([abeEfnrtv\\])|(0[0-7]{{0,3}})|{_HEXADECIMAL}|(c))")
_IN_ARGUMENT = re.compile(rf"\\(?:([abeEfnrtv\\])|(0[0-7]{{1,3}}|[0-7]{{1,3}})|{_HEXADECIMAL}|(c))")
_IN_FORMAT = re.compile(rf"\\(?:([abeEfnrtv\\\"'?])|([0-7]{{1,3}})|{_HEXADECIMAL}|(\0))")
_DIRECTIVE = re.compile(r"%(?:%|([-0+ #]*)(\*|[0-9]*)(?:\.(\*|[0-9]*))?([a-zA-Z(]))")
_NUMBER = re.compile(r"[ \t\n]*([-+]?)(0[xX][0-9a-fA-F]+|\d+)")
_MAX_WIDTH = 10_000
_MAX_REPEATS = 10_000


class NotFormatted(Exception):
    """The format, or an argument, is not modelled or an error; the message says what."""


def _unescape(shape: re.Pattern[str], text: str) -> tuple[str, bool]:
    """The text with its escapes replaced, and whether ``\\c`` ended it."""
    if "\\" not in text:
        return text, False
    stop = next((found for found in shape.finditer(text) if found[6]), None)
    if stop is not None:
        text = text[: stop.start()]
    raw = shape.sub(_character, text)
    if any("\udc80" <= one <= "\udcff" for one in raw):  # bytes, which may spell characters together
        raw = raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return clean(raw), stop is not None


def _character(found: re.Match[str]) -> str:
    single, octal, byte, short, long, _ = found.groups()
    if single is not None:
        return _SINGLE.get(single, single)
    if octal is not None or byte is not None:
        code = (int(octal, 8) if octal is not None else int(byte, 16)) & 0xFF
        return chr(code) if code < 0x80 else chr(0xDC00 + code)
    code = int(short or long, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def echo(text: str) -> tuple[str, bool]:
    """``echo -e`` on its words, joined; and whether ``\\c`` ended the output."""
    return _unescape(_IN_ECHO, text)


def printf(template: str, arguments: Sequence[str]) -> str:
    """What ``printf`` prints. Raises :class:`NotFormatted`."""
    remaining = list(reversed(arguments))
    out: list[str] = []
    for _ in range(_MAX_REPEATS):
        before, at = len(remaining), 0
        for found in _DIRECTIVE.finditer(template):
            out.append(_unescape(_IN_FORMAT, _literal(template[at : found.start()]))[0])
            at = found.end()
            text, stop = _directive(found, remaining)
            out.append(text)
            if stop:
                return "".join(out)
        out.append(_unescape(_IN_FORMAT, _literal(template[at:]))[0])
        if not remaining or len(remaining) == before:
            return "".join(out)
    raise NotFormatted("too many arguments")


def _literal(text: str) -> str:
    if "%" in text:
        raise NotFormatted("a directive that is not modelled")
    return text


@dataclass(frozen=True)
class _Field:
    """One directive, its ``*`` replaced."""

    flags: str
    width: int
    precision: int | None
    kind: str

    def pad(self, text: str) -> str:
        if not text.isascii() and (self.width or self.precision is not None):
            raise NotFormatted("a width, which counts bytes or characters")
        cut = text if self.precision is None else text[: self.precision]
        return cut.ljust(self.width) if "-" in self.flags else cut.rjust(self.width)

    def python(self, flags: str, kind: str) -> str:
        """The same directive for Python's formatting."""
        precision = "" if self.precision is None else f".{self.precision}"
        return f"%{flags}{self.width or ''}{precision}{kind}"


def _directive(found: re.Match[str], remaining: list[str]) -> tuple[str, bool]:
    if found.group() == "%%":
        return "%", False
    flags, width, precision, kind = found[1], found[2], found[3], found[4]
    if width == "*":
        number = _integer(remaining.pop() if remaining else "")
        flags, width = (flags + "-" if number < 0 else flags), str(abs(number))
    if precision == "*":
        precision = str(max(0, _integer(remaining.pop() if remaining else "")))
    if len(width) > 18 or len(precision or "") > 18:
        raise NotFormatted("a wide field")
    one = _Field(flags, int(width or 0), None if precision is None else int(precision or 0), kind)
    if one.width > _MAX_WIDTH or (one.precision or 0) > _MAX_WIDTH:
        raise NotFormatted("a wide field")
    argument = remaining.pop() if remaining else ""
    formatter = _FORMATTERS.get(kind)
    if formatter is not None:
        return formatter(one, argument), False
    if kind == "b":
        text, stop = _unescape(_IN_ARGUMENT, argument)
        return one.pad(text), stop
    raise NotFormatted(f"%{kind}")


def _first(one: _Field, text: str) -> str:
    if not text or not text[:1].isascii():
        raise NotFormatted("a null byte, or the first byte of a character")
    return replace(one, precision=None).pad(text[:1])


def _quoted(one: _Field, text: str) -> str:
    if not text:
        return one.pad("''")
    if not text.isascii() or not text.isprintable() or text[:1] in "~#":
        raise NotFormatted("%q of special characters")
    return one.pad(re.sub(r"([^A-Za-z0-9_./:@%+=-])", r"\\\1", text))


def _integer(text: str) -> int:
    """The number that an argument stands for: decimal, octal, hexadecimal, or the code of a character."""
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    if not text:
        return 0
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise NotFormatted("an invalid number")
    digits = found[2]
    octal = digits.startswith("0") and len(digits) > 1 and digits[1] not in "xX"
    try:
        number = int(digits, 8 if octal else 16 if digits[:2].lower() == "0x" else 10)
    except ValueError:
        raise NotFormatted("an invalid number") from None
    if number >= 2**63:
        raise NotFormatted("a number out of range")
    return -number if found[1] == "-" else number


def _signed(one: _Field, text: str) -> str:
    return _numeral(one, one.flags, "d", _integer(text))


def _unsigned(one: _Field, text: str) -> str:
    number = _integer(text) % 2**64
    flags = one.flags.replace("+", "").replace(" ", "")
    if one.kind == "o" and "#" in flags:
        raise NotFormatted("%#o")
    if not number:
        flags = flags.replace("#", "")
    return _numeral(one, flags, "d" if one.kind == "u" else one.kind, number)


def _numeral(one: _Field, flags: str, kind: str, number: int) -> str:
    if one.precision is not None:
        flags = flags.replace("0", "")
        if not one.precision and not number:
            return "".rjust(one.width)
    return one.python(flags, kind) % number


def _real(one: _Field, text: str) -> str:
    if text and not re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", text):
        raise NotFormatted("an invalid number")
    if len(text) > 15:
        raise NotFormatted("more digits than a double holds")
    return one.python(one.flags, one.kind) % float(text or "0")


_FORMATTERS: dict[str, Callable[[_Field, str], str]] = {
    "s": _Field.pad, "c": _first, "q": _quoted, "d": _signed, "i": _signed,
    **dict.fromkeys("ouxX", _unsigned), **dict.fromkeys("fFeEgG", _real),
}  # fmt: skip
