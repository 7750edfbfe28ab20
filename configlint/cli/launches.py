"""What every launch clones, submits or starts: one row for each entry, item, launcher and mode."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from configlint.cli.options import add_repository, request
from configlint.cli.request import open_project
from configlint.cli.tables import absent, known_entries, table
from configlint.report.jsontext import dumped

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener
    from configlint.cli.views import LaunchRow


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``launches``."""
    parser.add_argument("entries", metavar="ENTRY", nargs="*", help="keys of entries (default: all)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the rows."""
    project = (opener or open_project)(request(args, console.environment))
    rows = list(project.launch_rows(known_entries(project, args.entries)))
    if args.format == "json":
        console.write(dumped({"launches": [as_dict(row) for row in rows]}))
    else:
        console.fenced(table(HEAD, [_cells(row) for row in rows]))
    return absent(project, rows, console)


HEAD = ("entry", "line", "mode", "launcher", "runner", "sink", "submits or starts", "clones", "unknown")


def _cells(row: LaunchRow) -> Sequence[str]:
    clone = f"{row.clone} @ {row.revision or row.ref}" if row.clone else ""
    what = row.config or row.script or row.reason
    unknown = ", ".join(row.unknown)
    return (row.entry, str(row.line), row.mode, row.launcher, row.runner, row.sink, what, clone, unknown)


def as_dict(row: LaunchRow) -> dict[str, Any]:
    """The row as it stands in JSON: the names and their order are a contract."""
    return {
        "mode": row.mode,
        "entry": row.entry,
        "line": row.line,
        "launcher": row.launcher,
        "runner": row.runner,
        "clone": row.clone,
        "ref": row.ref,
        "sink": row.sink,
        "config": row.config,
        "script": row.script,
        "effective_sha256": row.effective_sha256,
        "unknown": list(row.unknown),
        "reason": row.reason or None,
    }
