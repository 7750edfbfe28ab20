"""Which entries, and how many of their points, a file or one of its lines reaches."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from configlint.cli.errors import Exit
from configlint.cli.options import add_repository, request
from configlint.cli.paths import line_of, tree_path
from configlint.cli.request import open_project
from configlint.cli.tables import full, table
from configlint.report.jsontext import dumped
from configlint.report.plain import count
from configlint.source.trees import Kind

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import OpenedProject, Opener
    from configlint.cli.views import AffectedRow


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``affects``."""
    parser.add_argument("place", metavar="PATH[:LINE]", help="a file of the tree, or a line of it")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the entries."""
    word, line = line_of(args.place)
    project = (opener or open_project)(request(args, console.environment, [word]))
    path, line = _place(project, args.place)
    rows = project.affected(path, line)
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
        console.write(dumped({"path": path, "line": line, "affects": document}))
    else:
        console.fenced([*table(("entry", "points", "of", "via", "defined at"), list(map(_cells, rows))), _total(rows)])
    return Exit.CLEAN


def _place(project: OpenedProject, word: str) -> tuple[str, int | None]:
    """The tree path and line that are meant; a file whose name ends in a colon and digits wins over a line."""
    path, line = line_of(word)
    if line is not None and project.tree.kind(word) is Kind.FILE:
        return word, None
    return tree_path(project, path), line


def _cells(row: AffectedRow) -> Sequence[str]:
    return (row.entry, str(row.affected), str(row.points), row.via, full(row.place))


def _total(rows: Sequence[AffectedRow]) -> str:
    entries = len({row.entry for row in rows})
    if not rows:
        return "no entry\n"
    return f"{count(entries, 'entry', 'entries')}, {count(sum(row.affected for row in rows), 'point')}\n"
