"""Reads the pieces a sed program is made of: numbers, delimited texts, labels, the texts of ``a``, ``i`` and ``c``."""

from __future__ import annotations

from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.escapes import ESCAPES, NUMBERED, numbered_escape

BLANK = " \t"
SPACE = " \t\n\r\v\f"
DIGITS = frozenset("0123456789")
MAX_NUMBER = 10**9
_PLAIN_LABEL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


class Scanner:
    """A place (``at``) in a program's text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def peek(self) -> str:
        """The next character, "" at the end."""
        return self.source[self.at : self.at + 1]

    def skip(self, characters: str) -> None:
        """Goes over any of these characters."""
        while self.at < len(self.source) and self.source[self.at] in characters:
            self.at += 1

    def number(self) -> int:
        """A decimal number."""
        start = self.at
        while self.peek() in DIGITS:
            self.at += 1
        digits = self.source[start : self.at]
        if not digits:
            raise BadProgram("number expected", start)
        if len(digits) > 10 or int(digits) > MAX_NUMBER:
            raise Unsupported("number too large", start)
        return int(digits)

    def comment(self) -> None:
        """The rest of the line."""
        end = self.source.find("\n", self.at)
        self.at = len(self.source) if end < 0 else end + 1

    def delimited(self, delimiter: str, *, regex: bool, what: str) -> str:
        """The text up to an unescaped ``delimiter``. An escaped one loses its backslash; bracket expressions are kept.

        ``what`` is the complaint where the end is missing.
        """
        source, start = self.source, self.at
        if delimiter in ("", "\n", "\\"):
            raise BadProgram(what, start)
        parts: list[str] = []
        while self.at < len(source):
            char = source[self.at]
            if char == delimiter:
                self.at += 1
                return "".join(parts)
            if char == "\n":
                raise BadProgram(what, start)
            self.at += 1
            if char == "[" and regex:
                end = _bracket_end(source, self.at)
                if end < 0:
                    raise BadProgram(what, start)
                parts.append(source[self.at - 1 : end])
                self.at = end
                continue
            if char == "\\" and self.at < len(source):
                following = source[self.at]
                self.at += 1
                if following != delimiter:
                    parts.append("\\" + following)
                    continue
                if delimiter.isalnum() or (not regex and delimiter == "&"):
                    raise Unsupported("escaped delimiter with a meaning of its own", self.at - 2)
                char = following
            parts.append(char)
        raise BadProgram(what, start)

    def label(self) -> str:
        """A label, or nothing."""
        self.skip(BLANK)
        start = self.at
        while self.peek() in _PLAIN_LABEL:
            self.at += 1
        if self.peek() not in ("", "\n", ";", "}", " ", "\t"):
            raise Unsupported("unusual label", start)
        return self.source[start : self.at]

    def text(self) -> str:
        """The text of ``a``, ``i`` or ``c``, in the one-line and in the traditional form."""
        source = self.source
        self.skip(BLANK)
        if self.at >= len(source):
            raise BadProgram("expected \\ after `a', `c' or `i'", self.at)
        if source[self.at] == "\n":
            raise Unsupported("command without a text", self.at)
        if source[self.at] != "\\":
            return self._text_lines()
        self.at += 1
        begin = self.at
        self.skip(BLANK)
        if self.peek() == "\n" and self.at == begin:
            self.at += 1
            return self._text_lines()
        if self.peek() in ("", "\n"):
            raise Unsupported("command without a text", self.at)
        # One line whose leading blanks are kept. The backslash is no part of an escape.
        self.at = begin
        if source[begin] == "\\":
            if source[begin + 1 : begin + 2] in ("", "\n", "\\"):
                raise Unsupported("a text that begins with backslashes", begin)
            return self._text_lines()
        self.at += 1
        return source[begin] + self._text_lines()

    def _text_lines(self) -> str:
        source = self.source
        parts: list[str] = []
        while self.at < len(source):
            char = source[self.at]
            self.at += 1
            if char == "\n":
                return "".join(parts)
            if char == "\\":
                if self.at == len(source):
                    raise Unsupported("a text that ends in a backslash", self.at - 1)
                char = source[self.at]
                self.at += 1
                if char in ESCAPES:
                    char = ESCAPES[char]
                elif char in NUMBERED:
                    char, self.at = numbered_escape(source, self.at, char)
            parts.append(char)
        return "".join(parts)


def _bracket_end(source: str, at: int) -> int:
    """Where the bracket expression whose inside begins at ``at`` ends, after its ``]``; -1 if it does not."""
    if source.startswith("^", at):
        at += 1
    if source.startswith("]", at):
        at += 1
    while at < len(source):
        char = source[at]
        if char == "]":
            return at + 1
        if char == "\n":
            return -1
        if char == "[" and source[at + 1 : at + 2] in (":", ".", "="):
            end = source.find(source[at + 1] + "]", at + 2)
            if end < 0:
                return -1
            at = end + 2
        else:
            at += 1
    return -1
