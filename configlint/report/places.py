"""Where a format that can only point into the checkout may point to."""

from __future__ import annotations

from configlint.api.finding import Finding, Location, Role
from configlint.report.plain import one_line
from configlint.source.text import Place, Span


def in_tree(location: Location) -> bool:
    """True if the file is part of the tree under review; files of outside repositories have no path in it."""
    return not location.place.text.origin


def annotated(finding: Finding) -> tuple[Location | None, tuple[Location, ...]]:
    """The place to annotate, and all the others.

    The first location inside the tree; where there is none, the first affected entry; None where that is not in the
    tree either.
    """
    for index, location in enumerate(finding.locations):
        if in_tree(location):
            return location, finding.locations[:index] + finding.locations[index + 1 :]
    entries = (Location(entry.place, Role.MATRIX, entry.key) for entry in finding.entries)
    return next((location for location in entries if in_tree(location)), None), finding.locations


def first_line(place: Place) -> Span:
    """The span, cut to its first line."""
    line = place.text.line_span(place.line)
    start = min(max(place.span.start, line.start), line.end)
    return Span(start, min(max(place.span.end, start), line.end))


def utf16_column(place: Place, offset: int) -> int:
    """The 1-based column of a byte offset on the place's first line, in UTF-16 code units."""
    start = place.text.line_span(place.line).start
    return len(place.text.slice(Span(start, offset)).encode("utf-16-le", errors="replace")) // 2 + 1


def mentioned(location: Location) -> str:
    """A location in a sentence: ``path:line:column (role): note``."""
    place = location.place
    start = place.start
    note = f": {one_line(location.note)}" if location.note else ""
    return f"{one_line(place.path)}:{start.line}:{start.column} ({location.role.value}){note}"
