"""``$'...'``: the backslash escapes of ANSI C quoting."""

from __future__ import annotations

import re

from configlint.syntax.bash.reader import RESERVED_MARKS

_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.))",
    re.DOTALL,
)
_SINGLE = {"a": "\a", "b": "\b", "e": "\033", "E": "\033", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def decode(text: str) -> str:
    """The characters that the inside of ``$'...'`` stands for; bytes from ``\\x`` and octal are read as UTF-8.

    As in bash, a NUL ends the string.
    """
    if "\\" not in text:
        return text
    raw = _ESCAPE.sub(_replace, text)
    if any("\udc80" <= c <= "\udcff" for c in raw):
        raw = raw.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    return RESERVED_MARKS.sub("\ufffd", raw.partition("\0")[0])


def _replace(match: re.Match[str]) -> str:
    simple, octal, hexadecimal, short, long, control = match.groups()
    if simple is not None:
        return _SINGLE.get(simple, simple)
    if octal is not None or hexadecimal is not None:
        byte = (int(octal, 8) if octal is not None else int(hexadecimal, 16)) & 0xFF
        return chr(byte) if byte < 0x80 else chr(0xDC00 + byte)
    if control is not None:
        return chr(ord(control.upper()) & 0x1F) if ord(control) < 0x80 else control
    code = int(short or long, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
