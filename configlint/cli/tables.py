"""Small shared means of the commands that print rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from typing import TYPE_CHECKING

from configlint.cli.errors import Exit, UsageError
from configlint.cli.views import Views
from configlint.lint.suggest import did_you_mean
from configlint.report.plain import one_line
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.cli.console import Console


def table(head: Sequence[str], rows: Sequence[Sequence[str]], limit: int = 72) -> Iterator[str]:
    """Lines of a table with aligned columns; a column is at most ``limit`` wide before the next starts."""
    cleaned = [[one_line(cell) for cell in row] for row in rows]
    if not cleaned:
        return
    widths = [min(limit, max(len(row[column]) for row in [list(head), *cleaned])) for column in range(len(head))]
    for row in [list(head), *cleaned]:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"


def absent(views: Views, rows: Sized, console: Console, otherwise: str = "") -> Exit:
    """Say on standard error why there are no rows; empty output alone looks like a fault."""
    if not rows and (why := views.absence() or otherwise):
        console.fenced([f"configlint: {one_line(why)}\n"], error=True)
    return Exit.CLEAN


def brief(place: Place) -> str:
    """``file:line`` without folders, for the margin."""
    return f"{one_line(place.text.path.rpartition('/')[2])}:{place.line}"


def full(place: Place) -> str:
    """``path:line``."""
    return f"{one_line(place.path)}:{place.line}"


def known_entries(views: Views, names: Sequence[str]) -> tuple[str, ...]:
    """The names, each of which an entry has. Raises :class:`UsageError` with a suggestion."""
    known = set(views.entry_keys()) if names else set()
    for name in names:
        if not known:
            raise UsageError(f"there is no entry {name!r}: {views.absence() or 'the matrix has no entries'}")
        if name not in known:
            raise UsageError(f"no entry is called {name!r}{did_you_mean(name, known)}")
    return tuple(names)
