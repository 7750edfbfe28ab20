"""Assignments: ``name=value``, ``name[index]+=value``, ``name=(...)``."""

from __future__ import annotations

import re

from configlint.syntax.bash import modes, words
from configlint.syntax.bash.nodes import ArrayValue, Assignment, Word
from configlint.syntax.bash.reader import Reader, SyntaxFault
from configlint.syntax.bash.tokens import SPACE

_NO_BLANK = re.compile(r"[^ \t\n]*\Z")


def assignment(reader: Reader, i: int, match: re.Match[str], *, argument: bool = False) -> Assignment | None:
    """The assignment at ``i``, or None where it only looks like one (``a[1]`` without ``=``).

    ``match`` holds the name and ``=``, ``+=`` or ``[``. In an ``argument`` of a declaration, a blank ends the
    word even within a subscript.
    """
    src, end = reader.src, reader.end
    index: Word | None = None
    at, operator = match.end(), match.group(2)
    if operator == "[":
        parts, close = words.segment(reader, at, modes.SUBSCRIPT)
        if argument and not _NO_BLANK.match(src, at, min(close, end)):
            return None
        if close >= end:
            raise words.unclosed(reader, at - 1)
        index = Word(at, close, tuple(parts))
        at = close + 1
        operator = "+=" if src.startswith("+=", at, end) else "="
        if not src.startswith(operator, at, end):
            return None
        at += len(operator)
    value: Word | ArrayValue
    if src.startswith("(", at, end):
        value = array(reader, at)
    else:
        value, _ = words.word(reader, at)
    return Assignment(i, value.end, match.group(1), value, operator == "+=", index)


def array(reader: Reader, start: int) -> ArrayValue:
    """``( ... )`` at ``start``; line ends and comments are blanks in it."""
    elements: list[tuple[Word | None, Word]] = []
    at = start + 1
    while True:
        at = reader.after(SPACE, at)
        if at >= reader.end:
            raise words.unclosed(reader, start)
        c = reader.src[at]
        if c == ")":
            return ArrayValue(start, at + 1, tuple(elements))
        key: Word | None = None
        if c == "[":
            parts, close = words.segment(reader, at + 1, modes.SUBSCRIPT)
            if reader.src.startswith("]=", close, reader.end):
                key = Word(at + 1, close, tuple(parts))
                at = close + 2
        value, stop = words.word(reader, at)
        if stop == at and key is None:
            raise SyntaxFault(f"syntax error near `{c}` in an array", at, reader.end)
        elements.append((key, value))
        at = stop
