"""One quoted line of source with what is marked in it: cut to a width, tabs expanded, control characters removed."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.report.plain import stripped
from configlint.source.text import Place

TAB = 4
_LEAST = 16  # columns of the marked part that are kept whatever the width
_BYTES = 8  # of source per column looked at on each side: enough for any character, bounded on a megabyte line


@dataclass(frozen=True)
class Quote:
    """``text`` as printed; the mark starts after ``offset`` columns and is ``length`` columns long.

    ``more_lines`` is the number of the last line of a span that does not end on the quoted line, else 0.
    """

    line: int
    text: str
    offset: int
    length: int
    more_lines: int = 0


def quote(place: Place, width: int) -> Quote:
    """The first line of a place."""
    text, span = place.text, place.span
    line = text.position(span.start).line
    whole = text.line_span(line)
    start = min(max(span.start, whole.start), whole.end)
    end = min(max(span.end, start), whole.end)
    reach = width * _BYTES
    before, cut_before = _decoded(text.raw, max(whole.start, start - reach), start), start - reach > whole.start
    marked, cut_marked = _decoded(text.raw, start, min(end, start + reach)), end > start + reach
    after, cut_after = _decoded(text.raw, end, min(whole.end, end + reach)), whole.end > end + reach

    left = _shown(before, 0)
    middle = _shown(marked, _cells(left))
    right = "" if cut_marked else _shown(after, _cells(left) + _cells(middle)).rstrip()
    left, middle, right = _cut(left, middle, right, width, (cut_before, cut_marked, cut_after))
    last = text.position(max(span.end - 1, span.start)).line
    return Quote(line, left + middle + right, _cells(left), max(1, _cells(middle)), last if last > line else 0)


def _decoded(raw: bytes, start: int, end: int) -> str:
    return raw[start:end].decode("utf-8", errors="replace")


def _shown(text: str, column: int) -> str:
    """The text with tabs as blanks up to the next stop; ``column`` is where it starts."""
    if "\t" not in text:
        return stripped(text)
    parts = []
    for part in text.split("\t"):
        part = stripped(part)
        column += _cells(part)
        blanks = TAB - column % TAB
        column += blanks
        parts.append(part + " " * blanks)
    return "".join(parts)[:-blanks]


def _cells(text: str) -> int:
    """Columns a terminal needs for the text."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _cut(left: str, middle: str, right: str, width: int, missing: tuple[bool, bool, bool]) -> tuple[str, str, str]:
    """Shorten around the mark; an ellipsis stands where something is left out (``missing`` already was)."""
    width = max(width, _LEAST)
    lost_left, lost_middle, lost_right = missing
    if len(left) + len(middle) + len(right) <= width and not any(missing):
        return left, middle, right
    if lost_middle or len(middle) > width:
        middle, right, lost_right = middle[: width - 1] + "…", "", False
    room = max(0, width - len(middle))
    before = min(len(left), max(room - len(right), room // 2))
    after = room - before
    if before < len(left) or lost_left:
        left = "…" + left[len(left) - before + 1 :] if before else ""
    if after < len(right) or lost_right:
        right = right[: after - 1] + "…" if after else ""
    return left, middle, right
