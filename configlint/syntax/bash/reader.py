"""What the scanners share: the characters, how far to read, how deep we are, and what went wrong.

Scanners work on the text decoded as Latin-1: one character a byte, so that every index is a byte offset
and a slice of an ASCII script is final. :meth:`Reader.text` turns a slice into real characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from configlint.syntax.bash.nodes import Fault, Part, Sequence

if TYPE_CHECKING:
    from tree_sitter import Parser

MAX_DEPTH = 100
"""Levels of expansions, substitutions and compound commands together. Ten frames a level stay below Python's limit."""

MAX_CHAIN = 2 * MAX_DEPTH
"""Commands joined by ``&&`` and ``||``: a chain is a tree that leans to the left, so its length is a depth."""

MAX_FAULTS = 20
"""Faults kept of one script."""

RESERVED_MARKS = re.compile("[\ue000-\ue002]")
"""Private-use characters that mark holes in values; source text must never contain them."""


class SyntaxFault(Exception):
    """The text from ``start`` on cannot be understood as bash (an unclosed quote, nesting beyond the cap)."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


class Grammar(NamedTuple):
    """The scanners that others call although they call them in turn: words hold commands, and commands words.

    ``commands(reader, start, closing)`` reads a command list up to ``closing`` (the reader's end for "") and gives the
    offset of that. ``dollar(reader, at, quoted, quotes, parts)`` and ``backticks(reader, at, quoted, parts)`` append
    the expansion at ``at`` and give the offset behind it; ``quotes``: ``$'`` and ``$"`` are quotes there.
    """

    commands: Callable[[Reader, int, str], tuple[Sequence, int]]
    dollar: Callable[[Reader, int, bool, bool, list[Part]], int]
    backticks: Callable[[Reader, int, bool, list[Part]], int]


class Reader:
    """The state of one parse. ``end`` is exclusive and moves inwards while an enclosed region is read.

    ``skips`` maps a line end to where reading goes on: here-documents of a substitution that was closed
    on the line of its operators have their bodies below that line, outside the substitution.
    """

    __slots__ = ("depth", "end", "faults", "grammar", "parser", "plain", "skips", "src")

    def __init__(self, raw: bytes, end: int, parser: Parser, grammar: Grammar) -> None:
        self.src = raw.decode("latin-1")
        self.plain = raw.isascii()
        self.end = end
        self.depth = 0
        self.faults: list[Fault] = []
        self.skips: dict[int, int] = {}
        self.parser = parser
        self.grammar = grammar

    def inner(self, text: str) -> Reader:
        """A reader of rewritten text (still one character a byte) as deep as this one."""
        reader = Reader(text.encode("latin-1"), len(text), self.parser, self.grammar)
        reader.depth = self.depth
        return reader

    def text(self, start: int, end: int) -> str:
        """The characters of a byte range, undecodable bytes and reserved marks replaced by U+FFFD."""
        chunk = self.src[start:end]
        if self.plain or chunk.isascii():
            return chunk
        return RESERVED_MARKS.sub("\ufffd", chunk.encode("latin-1").decode("utf-8", errors="replace"))

    def after(self, pattern: re.Pattern[str], at: int) -> int:
        """The offset behind what ``pattern`` matches at ``at``; ``at`` itself where it does not."""
        match = pattern.match(self.src, at, self.end)
        return match.end() if match else at

    def fault(self, start: int, end: int, message: str) -> None:
        """Note a fault; its place ends with its line. Beyond :data:`MAX_FAULTS` they say nothing new."""
        if len(self.faults) < MAX_FAULTS:
            start = max(0, min(start, self.end - 1))
            line_end = self.src.find("\n", start, self.end)
            end = min(end, self.end if line_end < 0 else line_end)
            self.faults.append(Fault(start, max(end, start + 1), message))

    def deeper(self, at: int) -> None:
        """Enter one level; the caller leaves it by lowering :attr:`depth` again."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxFault(f"nested more than {MAX_DEPTH} levels deep", at, self.end)
