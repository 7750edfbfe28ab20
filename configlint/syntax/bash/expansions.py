"""``$`` expansions: parameters, ``${...}``, command substitutions and arithmetic."""

from __future__ import annotations

import re

from configlint.syntax.bash import modes, words
from configlint.syntax.bash.nodes import (
    Arithmetic,
    CommandSubstitution,
    Literal,
    Opaque,
    Parameter,
    Part,
    Sequence,
    Word,
)
from configlint.syntax.bash.reader import Reader, SyntaxFault
from configlint.syntax.bash.relocate import relocate

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_BRACED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_PLAIN = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_LENGTH = re.compile(r"#(?=(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(?:\}|\[))")
_INDIRECT = re.compile(r"!(?=[A-Za-z_0-9@*#])")
_OPERATOR = re.compile(r":[-=?+]|##|%%|//|/#|/%|\^\^|,,|@(?=[A-Za-z]\})|[-=?+#%/:^,]")
_TRANSFORM = re.compile(r"[A-Za-z]")
_DEFAULTS = frozenset((":-", "-", ":=", "=", ":?", "?", ":+", "+"))
_ARITHMETIC_LIMIT = 8_000
"""Characters looked at to tell ``((arithmetic))`` from ``( (subshell) )``; keeps hostile nesting linear."""
_PAIRS = re.compile(r"[()]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def dollar(reader: Reader, i: int, quoted: bool, quotes: bool, parts: list[Part]) -> int:
    """The expansion at ``i`` (a ``$``); ``quotes``: ``$'`` and ``$"`` are quotes here."""
    src, end = reader.src, reader.end
    name = _NAME.match(src, i + 1, end)
    if name:
        parts.append(Parameter(i, name.end(), name.group(), quoted=quoted))
        return name.end()
    c = src[i + 1] if i + 1 < end else ""
    if c == "{":
        return _braces(reader, i, quoted, parts)
    if c == "(":
        if not src.startswith("(", i + 2, end):
            return _substitution(reader, i, quoted, parts)
        if is_arithmetic(reader, i + 3):
            return _arithmetic(reader, i, i + 3, modes.ARITHMETIC, 2, quoted, parts)
        return _doubtful(reader, i, quoted, parts)
    if c == "[":
        return _arithmetic(reader, i, i + 2, modes.BRACKETS, 1, quoted, parts)
    if quotes and c == "'":
        return words.ansi_quotes(reader, i, parts)
    if quotes and c == '"':
        return words.double_quotes(reader, i + 1, parts)
    words.literal(parts, i, i + 1, "$", quoted)
    return i + 1


def _substitution(reader: Reader, i: int, quoted: bool, parts: list[Part]) -> int:
    """``$(...)`` at ``i``."""
    reader.deeper(i)
    body, close = reader.grammar.commands(reader, i + 2, ")")
    reader.depth -= 1
    parts.append(CommandSubstitution(i, close + 1, body, False, quoted))
    return close + 1


def _doubtful(reader: Reader, i: int, quoted: bool, parts: list[Part]) -> int:
    """``$((`` that is no arithmetic: a subshell inside a substitution, which bash parses when it runs it."""
    depth, faults, end = reader.depth, len(reader.faults), reader.end
    close = _close(reader, i + 2, 1)
    if close < 0:
        return _substitution(reader, i, quoted, parts)
    try:
        at = _substitution(reader, i, quoted, parts)
    except SyntaxFault:
        at = close + 1
        parts.append(Opaque(i, at, "command substitution", reader.text(i, at)))
    del reader.faults[faults:]
    reader.depth, reader.end = depth, end
    return at


def is_arithmetic(reader: Reader, start: int) -> bool:
    """Does the text behind ``((`` end in ``))``? Otherwise it is a subshell inside parentheses."""
    close = _close(reader, start, 1)
    return close >= 0 and reader.src.startswith(")", close + 1, reader.end)


def _close(reader: Reader, start: int, depth: int) -> int:
    """The parenthesis that closes the last of ``depth`` open ones; -1 where none does within the limit."""
    for match in _PAIRS.finditer(reader.src, start, min(reader.end, start + _ARITHMETIC_LIMIT)):
        c = match.group()
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if not depth:
                return match.start()
    return -1


def _arithmetic(
    reader: Reader, i: int, start: int, mode: modes.Mode, closing: int, quoted: bool, parts: list[Part]
) -> int:
    reader.deeper(i)
    expression, close = words.region(reader, start, mode, i)
    reader.depth -= 1
    parts.append(Arithmetic(i, close + closing, expression, quoted))
    return close + closing


def backticks(reader: Reader, i: int, quoted: bool, parts: list[Part]) -> int:
    """`` `...` `` at ``i``: backslashes before ``$``, ``\\`` and a backtick are removed first, then it is a command."""
    src, end = reader.src, reader.end
    close = i + 1
    while close < end and src[close] != "`":
        close += 2 if src[close] == "\\" else 1
    if close >= end:
        raise words.unclosed(reader, i)
    reader.deeper(i)
    depth, faults = reader.depth, len(reader.faults)
    removed = _backslashes(src, i + 1, close, '$`\\"' if quoted else "$`\\")
    try:
        if removed:
            body = _unescaped(reader, i + 1, close, removed)
        else:
            reader.end = close
            body, _ = reader.grammar.commands(reader, i + 1, "")
        parts.append(CommandSubstitution(i, close + 1, body, True, quoted))
    except SyntaxFault:
        parts.append(Opaque(i, close + 1, "command substitution", reader.text(i, close + 1)))
    del reader.faults[faults:]  # bash parses this text when it runs it, so it is no fault of the script
    reader.end, reader.depth = end, depth - 1
    return close + 1


def _backslashes(src: str, start: int, end: int, special: str) -> list[int]:
    """Offsets of the backslashes that are removed: each in front of a special character, itself not quoted."""
    found: list[int] = []
    at = src.find("\\", start, end)
    while 0 <= at < end - 1:
        if src[at + 1] in special:
            found.append(at)
        at = src.find("\\", at + 2, end)
    return found


def _unescaped(reader: Reader, start: int, close: int, removed: list[int]) -> Sequence:
    """The commands of backtick text once the backslashes at ``removed`` are gone, at their original offsets."""
    gone = set(removed)
    origin = [at for at in range(start, close) if at not in gone]
    text = "".join(reader.src[at] for at in origin)
    origin.append(close)
    inner = reader.inner(text)
    body, _ = inner.grammar.commands(inner, 0, "")
    return relocate(body, origin)


def _braces(reader: Reader, i: int, quoted: bool, parts: list[Part]) -> int:
    plain = _PLAIN.match(reader.src, i + 1, reader.end)
    if plain:
        parts.append(Parameter(i, plain.end(), plain.group(1), quoted=quoted))
        return plain.end()
    reader.deeper(i)
    part: Part | None = _parameter(reader, i, quoted)
    if part is None:
        _, close = words.region(reader, i + 2, modes.PATTERN, i)
        part = Opaque(i, close + 1, "expansion", reader.text(i, close + 1))
    reader.depth -= 1
    parts.append(part)
    return part.end


def _parameter(reader: Reader, i: int, quoted: bool) -> Parameter | None:
    """``${...}`` at ``i``; None where it is no form that bash knows."""
    src, end = reader.src, reader.end
    at = i + 2
    length = indirect = False
    if match := _LENGTH.match(src, at, end):
        length, at = True, match.end()
    elif match := _INDIRECT.match(src, at, end):
        indirect, at = True, match.end()
    match = _BRACED.match(src, at, end)
    if match is None:
        return None
    name, at = match.group(), match.end()
    if indirect and src.startswith(("*}", "@}"), at, end):
        suffix = Word(at, at + 1, (Literal(at, at + 1, src[at]),))
        return Parameter(i, at + 2, name, index=suffix, prefix=True, quoted=quoted)
    index: Word | None = None
    if src.startswith("[", at, end):
        index, at = words.region(reader, at + 1, modes.BRACED_SUBSCRIPT, at)
        if src[at] == "}":
            return None
        at += 1
    if src.startswith("}", at, end):
        return Parameter(i, at + 1, name, "", None, None, index, length, indirect, False, quoted)
    match = _OPERATOR.match(src, at, end)
    if match is None or length:
        return None
    operator, at = match.group(), match.end()
    replacement: Word | None = None
    if operator == "@":
        argument, at = Word(at, at + 1, (Literal(at, at + 1, src[at]),)), at + 1
    elif operator in _DEFAULTS:
        argument, at = words.region(reader, at, modes.ARGUMENT[quoted], i)
    elif operator == ":":
        argument, at = words.region(reader, at, modes.OFFSET, i)
        if src[at] == ":":
            replacement, at = words.region(reader, at + 1, modes.LENGTH, i)
    elif operator[0] == "/":
        argument, at = words.region(reader, at, modes.REPLACED, i)
        if src[at] == "/":
            replacement, at = words.region(reader, at + 1, modes.PATTERN, i)
    else:
        argument, at = words.region(reader, at, modes.PATTERN, i)
    return Parameter(i, at + 1, name, operator, argument, replacement, index, False, indirect, False, quoted)
