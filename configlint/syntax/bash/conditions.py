"""``[[ ... ]]``: the expression as a tree, with bash's precedence."""

from __future__ import annotations

import re
from dataclasses import replace

from configlint.syntax.bash import modes, words
from configlint.syntax.bash.nodes import BinaryTest, Condition, Literal, LogicalTest, NotTest, UnaryTest, Word
from configlint.syntax.bash.reader import MAX_CHAIN, Reader, SyntaxFault

_SPACE = re.compile(r"(?:[ \t\r\n]|\\\r?\n|(?<=[ \t\n])#[^\n]*)*")
_SKIPPED = (" ", "\n", "\t", "\r", "\\", "#")
_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = re.compile(r"(==|=~|=|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[ \t\r\n\\])|[<>](?!\()")


def condition(reader: Reader, start: int) -> tuple[Condition, int]:
    """The expression behind ``[[`` (which ends at ``start``) and the offset behind ``]]``."""
    depth = reader.depth
    parser = _Parser(reader, start)
    expression = parser.either()
    if not parser.takes("]]"):
        raise parser.fault("expected `]]`")
    reader.depth = depth
    return expression, parser.at


class _Parser:
    def __init__(self, reader: Reader, start: int) -> None:
        self.reader = reader
        self.at = start
        self.links = 0

    def fault(self, message: str) -> SyntaxFault:
        return SyntaxFault(f"{message} in [[ ]]", min(self.at, self.reader.end), self.reader.end)

    def link(self) -> None:
        """One more operator: chains lean to the left, so their length is a depth."""
        self.links += 1
        if self.links > MAX_CHAIN:
            raise SyntaxFault(f"more than {MAX_CHAIN} tests in one [[ ]]", self.at, self.reader.end)

    def skip(self) -> int:
        if self.reader.src.startswith(_SKIPPED, self.at, self.reader.end):
            self.at = self.reader.after(_SPACE, self.at)
        return self.at

    def takes(self, token: str) -> bool:
        at = self.skip()
        if not self.reader.src.startswith(token, at, self.reader.end):
            return False
        self.at = at + len(token)
        return True

    def either(self) -> Condition:
        left = self.both()
        while self.takes("||"):
            self.link()
            right = self.both()
            left = LogicalTest(left.start, right.end, left, "||", right)
        return left

    def both(self) -> Condition:
        left = self.negated()
        while self.takes("&&"):
            self.link()
            right = self.negated()
            left = LogicalTest(left.start, right.end, left, "&&", right)
        return left

    def negated(self) -> Condition:
        start = self.skip()
        src, end = self.reader.src, self.reader.end
        if src.startswith("!", start, end) and src[start + 1 : start + 2] in (" ", "\t", "\n", "(", "\\"):
            self.at = start + 1
            self.reader.deeper(start)
            operand = self.negated()
            self.reader.depth -= 1
            return NotTest(start, operand.end, operand)
        if src.startswith("(", start, end):
            self.at = start + 1
            self.reader.deeper(start)
            inner = self.either()
            self.reader.depth -= 1
            if not self.takes(")"):
                raise self.fault("expected `)`")
            return replace(inner, start=start, end=self.at)  # a place includes its parentheses
        return self.test()

    def word(self, mode: modes.Mode | None = None) -> Word:
        start = self.skip()
        if mode is None:
            found, self.at = words.word(self.reader, start)
        else:
            parts, self.at = words.segment(self.reader, start, mode)
            found = Word(start, self.at, tuple(parts))
        if not found.parts:
            raise self.fault("expected a word")
        return found

    def test(self) -> Condition:
        left = self.word()
        first = left.parts[0]
        if len(left.parts) == 1 and isinstance(first, Literal) and not first.quoted:
            if first.text == "]]":
                self.at = left.start
                raise self.fault("expected an expression")
            if first.text in _UNARY:
                operand = self.word()
                return UnaryTest(left.start, operand.end, first.text, operand)
        operator = _BINARY.match(self.reader.src, self.skip(), self.reader.end)
        if operator is None:
            return UnaryTest(left.start, left.end, "-n", left)
        self.at = operator.end()
        right = self.word(modes.REGEX if operator.group() == "=~" else None)
        return BinaryTest(left.start, right.end, left, operator.group(), right)
