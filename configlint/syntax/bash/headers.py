"""Headers of loops and ``case``: what stands between the reserved words."""

from __future__ import annotations

from configlint.syntax.bash import modes, words
from configlint.syntax.bash.nodes import Word
from configlint.syntax.bash.outline import Loop, Outline
from configlint.syntax.bash.reader import Reader, SyntaxFault
from configlint.syntax.bash.tokens import BLANK, NAME, SPACE


def loop(reader: Reader, outline: Outline, keyword: int, at: int) -> int:
    """The header of the ``for`` or ``select`` at ``keyword``, from ``at`` on; the offset behind it.

    The mask keeps a name, as in ``for xxx; do``.
    """
    src = reader.src
    at = reader.after(BLANK, at)
    if src.startswith("((", at, reader.end):
        return _arithmetic(reader, outline, keyword, at)
    name = NAME.match(src, at, reader.end)
    if name is None:
        raise SyntaxFault("expected a name behind `for`", at, reader.end)
    outline.cover(at, name.end())
    found = outline.loops[keyword] = Loop(name.group())
    at = reader.after(SPACE, name.end())
    if not (src.startswith("in", at, reader.end) and (at + 2 >= reader.end or src[at + 2] in " \t\r\n;\\#")):
        return name.end()
    values: list[Word] = []
    at += 2
    while True:
        at = reader.after(BLANK, at)
        value, stop = words.word(reader, at)
        if stop == at or src[at] == "#":
            break
        values.append(value)
        at = stop
    found.words = tuple(values)
    return at


def _arithmetic(reader: Reader, outline: Outline, keyword: int, start: int) -> int:
    parts: list[Word | None] = []
    close = start + 1
    for _ in range(3):
        part, close = words.region(reader, close + 1, modes.ARITHMETIC_PART, start)
        parts.append(part if part.parts else None)
        if reader.src[close] == ")":
            break
    if len(parts) != 3 or not reader.src.startswith("))", close, reader.end):
        raise SyntaxFault("expected `((a; b; c))` behind `for`", start, reader.end)
    outline.loops[keyword] = Loop("", arithmetic=(parts[0], parts[1], parts[2]))
    outline.cover(start, close + 2)
    return close + 2


def case(reader: Reader, outline: Outline, keyword: int, at: int) -> int:
    """``WORD in`` behind the ``case`` at ``keyword``; the offset behind ``in``."""
    at = reader.after(BLANK, at)
    subject, stop = words.word(reader, at)
    outline.subjects[keyword] = subject
    outline.cover(at, stop)
    at = reader.after(SPACE, stop)
    if stop == subject.start or not reader.src.startswith("in", at, reader.end):
        raise SyntaxFault("expected `in` behind `case`", keyword, reader.end)
    outline.emit(at, "in")
    return at + 2


def arm(reader: Reader, outline: Outline, start: int) -> int:
    """The patterns of the ``case`` arm at ``start``; the offset behind the closing parenthesis."""
    src = reader.src
    at = start + 1 if src[start] == "(" else start
    patterns: list[Word] = []
    while True:
        at = reader.after(BLANK, at)
        pattern, stop = words.word(reader, at)
        if stop == at:
            raise SyntaxFault("expected a pattern in `case`", at, reader.end)
        patterns.append(pattern)
        at = reader.after(BLANK, stop)
        if not src.startswith("|", at, reader.end):
            break
        at += 1
    if not src.startswith(")", at, reader.end):
        raise SyntaxFault("expected `)` behind a pattern of `case`", at, reader.end)
    outline.arms[start] = tuple(patterns)
    outline.cover(start, at)
    outline.emit(at, ")")
    return at + 1
