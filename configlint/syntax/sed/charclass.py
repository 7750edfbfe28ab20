"""Sets of characters as RE2 writes them, with the members that GNU sed gives them in a UTF-8 locale.

Outside ASCII, glibc and RE2 draw the lines of ``[[:alpha:]]`` and friends differently. The sets below are equal for all
characters but the few kinds :func:`odd_characters` names (combining marks, modifier and title-case letters, digits of
other scripts, circled letters, unassigned code points); a text with one of those is refused where a class is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

LAST_CODE = 0x10FFFF
NEWLINE = 10

Ranges = tuple[tuple[int, int], ...]

_DIGIT: Ranges = ((0x30, 0x39),)
_UPPER: Ranges = ((0x41, 0x5A),)
_LOWER: Ranges = ((0x61, 0x7A),)
_BLANK: Ranges = (
    (9, 9),
    (32, 32),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_SPACE: Ranges = (*_BLANK, (10, 13), (0x2028, 0x2029))
_HARD_SPACE: Ranges = ((0xA0, 0xA0), (0x2007, 0x2007), (0x202F, 0x202F))  # graphic for glibc, hence punctuation
_MARKS: tuple[str, ...] = (r"\p{P}", r"\p{S}", r"\p{Co}", r"\p{No}", r"\p{Cf}")


@dataclass(frozen=True, slots=True)
class CharSet:
    """One character out of ``ranges`` (code points, inclusive) and Unicode ``properties``; ``negated``: any other.

    ``spans_lines``: the newline stays in a negated set even where such sets leave it out (``\\W`` under ``M``).
    """

    ranges: Ranges
    properties: tuple[str, ...] = ()
    negated: bool = False
    spans_lines: bool = False

    def without_newline(self) -> CharSet:
        if self.negated:
            return CharSet((*self.ranges, (NEWLINE, NEWLINE)), self.properties, True)
        return CharSet(tuple(_cut(self.ranges, NEWLINE)), self.properties)

    def only(self, ranges: Ranges, properties: Iterable[str]) -> bool:
        """True if every member is known to lie in the given set."""
        if self.negated or not set(self.properties) <= set(properties):
            return False
        return all(any(low <= a and b <= high for low, high in ranges) for a, b in self.ranges)

    def pattern(self) -> str:
        if not self.negated and not self.properties and len(self.ranges) == 1:
            low, high = self.ranges[0]
            if low == high:
                return literal(low)
        if not self.ranges and not self.properties:
            return ANY if self.negated else NOTHING
        body = "".join(_escape(a) if a == b else f"{_escape(a)}-{_escape(b)}" for a, b in self.ranges)
        return f"[{'^' if self.negated else ''}{body}{''.join(self.properties)}]"


ANY = r"(?s:.)"
NOTHING = r"[^\x00-\x{10FFFF}]"
ANYTHING = CharSet((), (), True)

CLASSES: dict[str, CharSet] = {
    "alpha": CharSet((*_UPPER, *_LOWER), (r"\p{L}",)),
    "digit": CharSet(_DIGIT),
    "alnum": CharSet((*_DIGIT, *_UPPER, *_LOWER), (r"\p{L}",)),
    "upper": CharSet(_UPPER, (r"\p{Lu}",)),
    "lower": CharSet(_LOWER, (r"\p{Ll}",)),
    "space": CharSet(_SPACE),
    "blank": CharSet(_BLANK),
    "punct": CharSet(((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), *_HARD_SPACE), _MARKS),
    "print": CharSet(((0x20, 0x7E), *_BLANK[2:], *_HARD_SPACE), (r"\p{L}", *_MARKS)),
    "graph": CharSet(((0x21, 0x7E), *_HARD_SPACE), (r"\p{L}", *_MARKS)),
    "cntrl": CharSet(((0, 31), (0x7F, 0x9F), (0x2028, 0x2029))),
    "xdigit": CharSet((*_DIGIT, (0x41, 0x46), (0x61, 0x66))),
}
WORD_RANGES: Ranges = (*_DIGIT, *_UPPER, (0x5F, 0x5F), *_LOWER)
WORD = CharSet(WORD_RANGES, (r"\p{L}",))
NON_WORD_RANGES: Ranges = ((0, 0x2F), (0x3A, 0x40), (0x5B, 0x5E), (0x60, 0x60), (0x7B, 0x7F))


def literal(code: int) -> str:
    """One character as an RE2 pattern."""
    return _escape(code)


def fold(chars: CharSet) -> CharSet:
    """The set without regard to the case of ASCII letters, as GNU sed's ``I`` flag sees it."""
    ranges = list(chars.ranges)
    for low, high in chars.ranges:
        for (start, end), shift in ((_UPPER[0], 32), (_LOWER[0], -32)):
            a, b = max(low, start), min(high, end)
            if a <= b:
                ranges.append((a + shift, b + shift))
    properties = tuple(r"\p{L}" if name in (r"\p{Lu}", r"\p{Ll}") else name for name in chars.properties)
    return CharSet(tuple(sorted(set(ranges))), properties, chars.negated, chars.spans_lines)


def odd_characters(text: str) -> str:
    """The non-ASCII characters of ``text`` on whose class glibc and RE2 may disagree, sorted."""
    if text.isascii():
        return ""
    return "".join(sorted(c for c in set(text) if c > "\x7f" and _is_odd(c)))


def has_letters_beyond_ascii(text: str) -> bool:
    """True if glibc may see a word character where RE2 does not."""
    return not text.isascii() and any(c > "\x7f" and unicodedata.category(c)[0] in "LMN" for c in set(text))


@lru_cache(maxsize=1024)
def _is_odd(char: str) -> bool:
    if "\u24b6" <= char <= "\u24e9" or "\U0001f130" <= char <= "\U0001f189" or char in "\u00aa\u00ba":
        return True
    return unicodedata.category(char) in ("Lt", "Lm", "Nl", "Nd", "Mn", "Mc", "Me", "Cn", "Cs")


def _escape(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\x{{{code:X}}}"


def _cut(ranges: Ranges, code: int) -> Iterable[tuple[int, int]]:
    for low, high in ranges:
        if low <= code <= high:
            if low < code:
                yield (low, code - 1)
            if code < high:
                yield (code + 1, high)
        else:
            yield (low, high)
