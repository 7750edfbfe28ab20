"""Bracket expressions: ``[a-z_]``, ``[^[:space:]]``."""

from __future__ import annotations

from configlint.syntax.sed.charclass import CLASSES, LAST_CODE, CharSet, Ranges
from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.escapes import ESCAPES, NUMBERED


def parse(pattern: str, at: int, escapes: bool, ignore_case: bool) -> tuple[CharSet, int]:
    """The set whose ``[`` stands before ``at``, and where it ends. ``escapes``: sed's ``\\n`` and so on count.

    ``ignore_case`` changes ranges: glibc compares capitals only, so ``[A-z]`` is ``[A-Z]`` and ``[Z-a]`` is refused.

    Raises BadProgram or Unsupported, with offsets into ``pattern``.
    """
    reader = _Reader(pattern, at, escapes, ignore_case)
    return reader.read(), reader.at


class _Reader:
    def __init__(self, pattern: str, at: int, escapes: bool, ignore_case: bool) -> None:
        self.pattern = pattern
        self.start = at - 1
        self.at = at
        self.escapes = escapes
        self.ignore_case = ignore_case
        self.literal_at = -1  # a backslash that another one took the meaning from

    def read(self) -> CharSet:
        text = self.pattern
        negated = text.startswith("^", self.at)
        self.at += negated
        ranges: list[tuple[int, int]] = []
        properties: list[str] = []
        singles: list[str] | None = []
        first = True
        while first or self._ahead() != "]":
            if self._ahead() == "-" and not first and not self._closes_after_hyphen():
                raise BadProgram("invalid range end", self.at)
            first = False
            item = self._item()
            ranged = self._ahead() == "-" and not self._closes_after_hyphen()
            if isinstance(item, CharSet):
                if ranged:
                    raise BadProgram("invalid range end", self.at)
                ranges.extend(item.ranges)
                properties.extend(item.properties)
                singles = None
                continue
            ranges.extend(self._range(item) if ranged else [(ord(item), ord(item))])
            singles = None if ranged or singles is None else [*singles, item]
        self.at += 1
        if self.escapes and singles and singles[0] == singles[-1] == ":" and set(singles) != {":"}:
            raise BadProgram("character class syntax is [[:space:]], not [:space:]", self.start)
        return CharSet(_merged(ranges), tuple(dict.fromkeys(properties)), negated)

    def _ahead(self) -> str:
        if self.at >= len(self.pattern):
            raise BadProgram("unterminated [", self.start)
        return self.pattern[self.at]

    def _closes_after_hyphen(self) -> bool:
        return self.pattern[self.at + 1 : self.at + 2] in ("", "]")

    def _range(self, low: str) -> list[tuple[int, int]]:
        self.at += 1
        high = self._item()
        if isinstance(high, CharSet):
            raise BadProgram("invalid range end", self.at)
        if self.ignore_case:
            low, high = low.upper(), high.upper()
        if high < low:
            raise BadProgram("invalid range end", self.at)
        if high > "\x7f" and low != high:
            raise Unsupported("range beyond ASCII in a bracket expression", self.at)
        if not self.ignore_case:
            return [(ord(low), ord(high))]
        return [(ord(low), min(ord(high), ord("a") - 1)), (max(ord(low), ord("z") + 1), ord(high))]

    def _item(self) -> str | CharSet:
        """A character, or a class."""
        at, char = self.at, self._ahead()
        following = self.pattern[at + 1 : at + 2]
        self.at += 1
        if char == "[" and following in (":", "=", "."):
            return self._named(following)
        if char == "\\" and self.escapes and at != self.literal_at:
            if following == "\\":
                self.literal_at = at + 1
            elif following in ESCAPES:
                self.at += 1
                return ESCAPES[following]
            elif following in NUMBERED:
                raise Unsupported("numbered escape in a bracket expression", at)
        return char

    def _named(self, kind: str) -> CharSet:
        at = self.at
        end = self.pattern.find(kind + "]", at + 1)
        if end < 0:
            raise BadProgram("unterminated [", self.start)
        name = self.pattern[at + 1 : end]
        self.at = end + 2
        if kind != ":":
            raise Unsupported("collating element in a bracket expression", at)
        if name not in CLASSES:
            raise BadProgram(f"invalid character class name {name}", at)
        return CLASSES[name]


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    result: list[tuple[int, int]] = []
    for low, high in sorted(one for one in ranges if one[0] <= one[1]):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, min(high, LAST_CODE)))
    return tuple(result)
