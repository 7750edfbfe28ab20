"""Words: quotes, escapes and ``$`` expansions, read straight from the source.

tree-sitter's nodes for the inside of words lose text before expansions and differ from bash in
``${...}``; here one scanner, driven by a :class:`Mode`, reads every place where parts of a word occur.
"""

from __future__ import annotations

import re

from configlint.syntax.bash.ansi import decode
from configlint.syntax.bash.modes import DOUBLE, GLOB, WORD, Mode
from configlint.syntax.bash.nodes import Literal, Parameter, Part, ProcessSubstitution, Word
from configlint.syntax.bash.reader import Reader, SyntaxFault

_SIMPLE = re.compile(
    r"""([^ \t\r\n;&|<>()\\'"$`]+)|"([^"\\$`]*)"|"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})"|'([^']*)'""", re.ASCII
)
"""The words that occur most: plain, one pair of quotes, one parameter in quotes."""


def word(reader: Reader, start: int) -> tuple[Word, int]:
    """The word that starts at ``start`` and the offset behind it; a word without parts where there is none."""
    src, end = reader.src, reader.end
    match = _SIMPLE.match(src, start, end)
    if match:
        stop = match.end()
        if stop >= end or src[stop] in " \n;|&)":
            group = match.lastindex
            if group == 1:
                text = match[1]
                part: Part = Literal(start, stop, text if text.isascii() else reader.text(start, stop), False)
            elif group == 2:
                part = Literal(start + 1, stop - 1, reader.text(start + 1, stop - 1), True)
            elif group == 5:
                part = Literal(start, stop, reader.text(start + 1, stop - 1), True)
            else:
                part = Parameter(start + 1, stop - 1, match[group or 3], quoted=True)
            return Word(start, stop, (part,)), stop
    parts, stop = segment(reader, start, WORD)
    return Word(start, stop, tuple(parts)), stop


def region(reader: Reader, start: int, mode: Mode, opened: int) -> tuple[Word, int]:
    """The text from ``start`` up to a stop of ``mode`` as a word, and where that is; ``opened``: for the fault."""
    parts, stop = segment(reader, start, mode)
    if stop >= reader.end:
        raise unclosed(reader, opened)
    return Word(start, stop, tuple(parts)), stop


def unclosed(reader: Reader, opened: int) -> SyntaxFault:
    """The fault of a quote or bracket that nothing closes."""
    return SyntaxFault(f"nothing closes `{reader.src[opened : opened + 2].strip()}`", opened, reader.end)


def segment(reader: Reader, start: int, mode: Mode) -> tuple[list[Part], int]:
    """Parts from ``start`` to the first stop (or the reader's end), and where that is."""
    src, end = reader.src, reader.end
    run, stops, quoted = mode.run.match, mode.stops, mode.quoted
    is_word = mode.kind == "word"
    parts: list[Part] = []
    depth, i = 0, start
    shielded = start  # up to here, a pair of apostrophes hides a stop although they are ordinary characters
    while True:
        plain = run(src, i, end)
        if plain:
            stop = plain.end()
            literal(parts, i, stop, reader.text(i, stop), quoted)
            i = stop
        if i >= end:
            return parts, end
        c = src[i]
        if c == "$":
            i = reader.grammar.dollar(reader, i, quoted, mode.single or mode.dollar_quotes, parts)
        elif i < shielded and c in '"}':
            if c == "}":
                literal(parts, i, i + 1, c, quoted)
            i += 1
        elif c == "'" and mode.dollar_quotes:
            if i >= shielded:
                shielded = src.find("'", i + 1, end) + 1
                if not shielded:
                    raise unclosed(reader, i)
            literal(parts, i, i + 1, c, quoted)
            i += 1
        elif c == '"' and mode.double:
            i = double_quotes(reader, i, parts)
        elif c == "\\":
            i = _escape(reader, i, mode, parts)
        elif c == "`":
            i = reader.grammar.backticks(reader, i, quoted, parts)
        elif c == "'" and mode.single:
            i = _single_quotes(reader, i, parts)
        elif depth and c == mode.closing:
            depth -= 1
            literal(parts, i, i + 1, c, quoted)
            i += 1
        elif c == mode.opening:
            depth += 1
            literal(parts, i, i + 1, c, quoted)
            i += 1
        elif c in stops and (not depth or (c == "}" and mode.kind == "braced")):
            if not is_word:
                return parts, i
            if c in "<>" and src.startswith("(", i + 1, end):
                i = _process_substitution(reader, i, parts)
            elif c == "(" and i > start and src[i - 1] in "?*+@!" and _is_unquoted(parts):
                i = extended_glob(reader, i, parts)
            else:
                return parts, i
        elif c == "\r" and not depth and src.startswith("\n", i + 1):
            return parts, i
        else:
            literal(parts, i, i + 1, reader.text(i, i + 1), quoted)
            i += 1


def literal(parts: list[Part], start: int, end: int, text: str, quoted: bool) -> None:
    """Append characters, joined to a literal of the same kind in front."""
    if parts:
        last = parts[-1]
        if isinstance(last, Literal) and last.quoted == quoted and last.text and text:
            parts[-1] = Literal(last.start, end, last.text + text, quoted)
            return
    parts.append(Literal(start, end, text, quoted))


def _is_unquoted(parts: list[Part]) -> bool:
    return bool(parts) and isinstance(parts[-1], Literal) and not parts[-1].quoted


def _escape(reader: Reader, i: int, mode: Mode, parts: list[Part]) -> int:
    src = reader.src
    if i + 1 >= reader.end:
        literal(parts, i, i + 1, "\\", mode.quoted)
        return i + 1
    c = src[i + 1]
    if c == "\n":
        return i + 2
    if c == "\r" and src.startswith("\r\n", i + 1, reader.end):
        return i + 3
    stop = i + 2
    if ord(c) >= 0xC0:  # a multi-byte character is escaped as a whole
        while stop < reader.end and 0x80 <= ord(src[stop]) < 0xC0:
            stop += 1
    if mode.kind == "regex" and c.isalnum():
        literal(parts, i, stop, reader.text(i, stop), False)
    elif mode.escapes is None or c in mode.escapes:
        literal(parts, i, stop, reader.text(i + 1, stop), True)
    else:
        literal(parts, i, stop, reader.text(i, stop), mode.quoted)
    return stop


def _single_quotes(reader: Reader, i: int, parts: list[Part]) -> int:
    close = reader.src.find("'", i + 1, reader.end)
    if close < 0:
        raise unclosed(reader, i)
    literal(parts, i, close + 1, reader.text(i + 1, close), True)
    return close + 1


def double_quotes(reader: Reader, i: int, parts: list[Part]) -> int:
    """``"..."`` at ``i``; parts inside are quoted, and nothing at all is one empty quoted literal."""
    inner, close = segment(reader, i + 1, DOUBLE)
    if close >= reader.end:
        raise unclosed(reader, i)
    if not inner:
        parts.append(Literal(i, close + 1, "", True))
    for part in inner:
        if isinstance(part, Literal):
            literal(parts, part.start, part.end, part.text, True)
        else:
            parts.append(part)
    return close + 1


def ansi_quotes(reader: Reader, i: int, parts: list[Part]) -> int:
    """``$'...'`` at ``i``."""
    src, end = reader.src, reader.end
    close = i + 2
    while close < end and src[close] != "'":
        close += 2 if src[close] == "\\" else 1
    if close >= end:
        raise unclosed(reader, i)
    literal(parts, i, close + 1, decode(reader.text(i + 2, close)), True)
    return close + 1


def _process_substitution(reader: Reader, i: int, parts: list[Part]) -> int:
    reader.deeper(i)
    body, close = reader.grammar.commands(reader, i + 2, ")")
    reader.depth -= 1
    parts.append(ProcessSubstitution(i, close + 1, reader.src[i], body))
    return close + 1


def extended_glob(reader: Reader, i: int, parts: list[Part]) -> int:
    """``(a|b)`` behind one of ``?*+@!``: part of the word, blanks and bars included."""
    inner, close = segment(reader, i + 1, GLOB)
    if close >= reader.end:
        raise unclosed(reader, i)
    literal(parts, i, i + 1, "(", False)
    for part in inner:
        if isinstance(part, Literal):
            literal(parts, part.start, part.end, part.text, part.quoted)
        else:
            parts.append(part)
    literal(parts, close, close + 1, ")", False)
    return close + 1
