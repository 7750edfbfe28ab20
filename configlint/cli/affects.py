"""Which entries, and how many of their points, a file, a folder or a line reaches.

Where nothing is found although something may be reached, the answer is "not known" and says why.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from configlint.cli.errors import UsageError
from configlint.cli.options import add_repository, request
from configlint.cli.paths import line_of, tree_path
from configlint.cli.request import open_project
from configlint.cli.tables import absent, full, table
from configlint.report.jsontext import dumped
from configlint.report.plain import count, one_line
from configlint.source.trees import Kind, Unreadable

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import OpenedProject, Opener
    from configlint.cli.views import Affected, AffectedRow


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``affects``."""
    parser.add_argument("place", metavar="PATH[:LINE]", help="a file or folder of the tree, or a line of a file")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the entries."""
    word, line = line_of(args.place)
    project = (opener or open_project)(request(args, console.environment, [word]))
    path, line = _place(project, args.place)
    found = project.affected(path, line)
    rows = found.rows
    if args.format == "json":
        document = [
            {
                "entry": row.entry,
                "path": row.place.path,
                "line": row.place.line,
                "points": row.points,
                "affected": row.affected,
                "via": row.via,
            }
            for row in rows
        ]
        console.write(dumped({"path": path, "line": line, "affects": document, "unknown": found.unknown or None}))
    else:
        console.fenced([*table(("entry", "points", "of", "via", "defined at"), list(map(_cells, rows))), _total(found)])
    return absent(project, rows or found.unknown, console)


def _place(project: OpenedProject, word: str) -> tuple[str, int | None]:
    """The tree path and line that are meant; a file whose name ends in a colon and digits wins over a line."""
    path, line = line_of(word)
    if line is None or project.tree.kind(word) is Kind.FILE:
        return tree_path(project, word), None
    path = tree_path(project, path)
    if project.tree.kind(path) is not Kind.FILE:
        raise UsageError(f"{word}: only a file has lines")
    try:
        text = project.tree.read(path)
    except Unreadable as fault:
        raise UsageError(f"{path}: {fault.reason}") from fault
    lines = len(text.line_starts) - (text.raw[-1:] in (b"", b"\n"))
    if not 1 <= line <= lines:
        raise UsageError(
            f"{path} has {count(lines, 'line')}, counted from 1: there is no {word.rpartition(':')[2][:12]}"
        )
    return path, line


def _cells(row: AffectedRow) -> Sequence[str]:
    return (row.entry, str(row.affected), str(row.points), row.via, full(row.place))


def _total(found: Affected) -> str:
    rows = found.rows
    if not rows:
        return f"not known: {one_line(found.unknown)}\n" if found.unknown else "no entry\n"
    entries = len({row.entry for row in rows})
    return f"{count(entries, 'entry', 'entries')}, {count(sum(row.affected for row in rows), 'point')}\n"
