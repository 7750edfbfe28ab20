"""How each launch of an entry went: branches with the values that decided them, clones, copies, edits, unknowns."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from configlint.cli.errors import Exit
from configlint.cli.options import add_repository, request
from configlint.cli.request import open_project
from configlint.cli.tables import full, known_entries
from configlint.report.jsontext import dumped
from configlint.report.plain import one_line

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener
    from configlint.cli.views import TraceView


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``trace``."""
    parser.add_argument("entry", metavar="ENTRY", help="key of an entry")
    parser.add_argument(
        "--variable", metavar="NAME", action="append", default=[], help="also how this variable got its value"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the traces."""
    project = (opener or open_project)(request(args, console.environment))
    (entry,) = known_entries(project, [args.entry])
    views = project.trace(entry, args.variable)
    if args.format == "json":
        console.write(dumped({"traces": [_as_dict(view) for view in views]}))
    else:
        console.fenced(line for view in views for line in story(view))
    return Exit.CLEAN


def story(view: TraceView) -> Iterator[str]:
    """One launch, one line an event, the values that decided it below."""
    head = f"{view.entry}, item {view.item} ({full(view.place)}), {view.mode}, through {view.launcher} on {view.runner}"
    yield one_line(head) + "\n"
    wide = max((len(step.kind) for step in view.steps), default=0)
    for step in view.steps:
        where = f"  ({full(step.at)})" if step.at else ""
        yield f"  {step.kind:<{wide}}  {one_line(step.text)}{where}\n"
        yield from (f"  {'':<{wide}}    {one_line(why)}\n" for why in step.why)
    for name, value, chain in view.variables:
        yield f"  {one_line(f'{name} = {value}')}\n"
        yield from (f"    <- {one_line(link)}\n" for link in chain)
    yield "\n"


def _as_dict(view: TraceView) -> dict[str, Any]:
    return {
        "entry": view.entry,
        "item": view.item,
        "path": view.place.path,
        "line": view.place.line,
        "launcher": view.launcher,
        "runner": view.runner,
        "mode": view.mode,
        "steps": [
            {
                "kind": step.kind,
                "text": step.text,
                "path": step.at.path if step.at else None,
                "line": step.at.line if step.at else None,
                "why": list(step.why),
            }
            for step in view.steps
        ],
        "variables": [{"name": name, "value": value, "origins": list(chain)} for name, value, chain in view.variables],
    }
