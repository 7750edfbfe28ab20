"""Which outside revisions the launchers name and which can be read here; ``sync`` fetches those that are missing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from configlint.cli.errors import Exit
from configlint.cli.options import add_repository, request
from configlint.cli.request import open_project
from configlint.cli.tables import absent, full, table
from configlint.launch.outcome import revision_text
from configlint.report.jsontext import dumped
from configlint.report.plain import one_line

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import OpenedProject, Opener
    from configlint.cli.views import RefRow


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``refs``."""
    parser.add_argument(
        "action",
        metavar="list|sync",
        choices=("list", "sync"),
        help="sync clones into your cache: it uses the network",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """List, or fetch."""
    project = (opener or open_project)(request(args, console.environment))
    return _sync(args, console, project) if args.action == "sync" else _list(args, console, project)


def _list(args: Namespace, console: Console, project: OpenedProject) -> int:
    rows = project.ref_rows()
    if args.format == "json":
        document = [
            {
                "url": row.url,
                "ref": row.ref,
                "readable": row.readable,
                "kind": row.kind,
                "commit": row.commit,
                "source": row.source or None,
                "reason": row.reason or None,
                "named_at": [{"path": place.path, "line": place.line} for place in row.named_at],
            }
            for row in rows
        ]
        console.write(dumped({"refs": document}))
        return absent(project, rows, console, "no launcher clones another repository")
    console.fenced(table(("repository", "ref", "is", "commit", "read from", "named at"), list(map(_cells, rows))))
    missing = sum(not row.readable for row in rows)
    if missing:
        console.note(f"{missing} of {len(rows)} cannot be read; --ref-source names where, `refs sync` fetches them")
    return absent(project, rows, console, "no launcher clones another repository")


def _cells(row: RefRow) -> Sequence[str]:
    where = full(row.named_at[0]) if row.named_at else ""
    more = f" and {len(row.named_at) - 1} more" if len(row.named_at) > 1 else ""
    source = row.source if row.readable else f"not readable: {row.reason}"
    revision = revision_text(row.ref or row.name, is_default=row.ref is None)
    return (row.url, revision, row.kind, (row.commit or "")[:9], source, where + more)


def _sync(args: Namespace, console: Console, project: OpenedProject) -> int:
    rows = project.sync_refs(lambda line: console.fenced([f"{one_line(line)}\n"], error=True))
    if args.format == "json":
        document = [{"url": row.url, "state": row.state, "detail": row.detail or None} for row in rows]
        console.write(dumped({"repositories": document}))
    else:
        console.fenced(table(("repository", "state", "detail"), [(row.url, row.state, row.detail) for row in rows]))
    if any(row.state == "failed" for row in rows):
        return Exit.USAGE
    return absent(project, rows, console, "no launcher clones another repository")
