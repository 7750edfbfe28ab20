"""The recipe that each item of an entry really submits, with the origin of every changed value beside it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from configlint.cli.errors import Exit, UsageError
from configlint.cli.options import add_repository, request
from configlint.cli.request import open_project
from configlint.cli.tables import brief, full, known_entries
from configlint.report.jsontext import dumped
from configlint.report.plain import one_line, stripped

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener
    from configlint.cli.views import EffectiveView, JobView

COLUMN = 60  # at most, before the origin of a value starts


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``effective``."""
    parser.add_argument("entry", metavar="ENTRY", help="key of an entry")
    parser.add_argument("--diff", action="store_true", help="as a diff from the recipe as checked in")
    parser.add_argument("--compare", metavar="ENTRY2", help="as a diff to the effective recipes of another entry")
    parser.add_argument("--commands", action="store_true", help="what the recipe starts: each flag with its origin")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_repository(parser)


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the documents, or what differs."""
    if args.diff and args.compare:
        raise UsageError("--diff and --compare are two different comparisons: choose one")
    if args.commands and (args.diff or args.compare):
        raise UsageError("--commands shows command lines, and --diff and --compare compare recipes: choose one")
    project = (opener or open_project)(request(args, console.environment))
    names = known_entries(project, [args.entry, *([args.compare] if args.compare else [])])
    if args.commands:
        return _commands(args, console, project.jobs(args.entry))
    views = [project.effective(name) for name in names]
    if args.format == "json":
        console.write(dumped({"effective": [_as_dict(view) for one in views for view in one]}))
    elif args.compare:
        console.fenced(_compared(views[0], views[1]))
    elif args.diff:
        console.fenced(line for view in views[0] for line in _changed(view))
    else:
        console.fenced(line for view in views[0] for line in document(view))
    return Exit.CLEAN


def _commands(args: Namespace, console: Console, jobs: Sequence[JobView]) -> int:
    from configlint.cli.effective_commands import as_dict, job

    if args.format == "json":
        console.write(dumped({"effective": [as_dict(one) for one in jobs]}))
    else:
        console.fenced(line for one in jobs for line in job(one, heading(one)))
    return Exit.CLEAN


def heading(view: EffectiveView | JobView) -> str:
    """``ENTRY, item 1 (matrix.yaml:9571): conc 1 2 4``."""
    mode = "" if view.mode == "throughput" else f", {view.mode}"
    return one_line(f"{view.entry}, item {view.item}{mode} ({full(view.place)}): {view.points}") + "\n"


def document(view: EffectiveView) -> Iterator[str]:
    """The facts, then the document; behind each changed value what it was and who changed it."""
    yield heading(view)
    wide = max((len(label) for label, _ in view.facts), default=0)
    for label, text in view.facts:
        yield f"  {label:<{wide}}  {one_line(text)}\n"
    if view.missing:
        yield f"  {one_line(view.missing)}\n"
    texts = [stripped(line.text) for line in view.lines]
    remarks = [f"was {one_line(line.was)}" if line.was else "" for line in view.lines]
    changed = [index for index, line in enumerate(view.lines) if line.was or line.at]
    first = min(COLUMN, max((len(texts[index]) for index in changed), default=0))
    second = min(COLUMN, max((len(remarks[index]) for index in changed), default=0))
    for text, remark, line in zip(texts, remarks, view.lines, strict=True):
        where = brief(line.at) if line.at else ""
        yield f"  {text:<{first}}   {remark:<{second}}   {where}".rstrip() + "\n"
    yield "\n"


def _changed(view: EffectiveView) -> Iterator[str]:
    yield heading(view)
    if view.declared is None or view.effective is None:
        yield f"  {one_line(view.missing or 'the text is not known')}\n\n"
        return
    yield from _diff(view.declared, view.effective, "declared", "effective")
    yield "\n"


def _compared(left: Sequence[EffectiveView], right: Sequence[EffectiveView]) -> Iterator[str]:
    """Items of two entries side by side, in their order."""
    for one, two in zip_longest(left, right):
        yield from (heading(view) for view in (one, two) if view)
        if not one or not two:
            yield "  has no counterpart\n\n"
        elif one.effective is None or two.effective is None:
            yield "  the text of one of them is not known\n\n"
        else:
            yield from _diff(one.effective, two.effective, one.entry, two.entry)
            yield "\n"


def _diff(before: str, after: str, name_before: str, name_after: str) -> Iterator[str]:
    from difflib import unified_diff

    left, right = ([stripped(line) for line in text.removesuffix("\n").split("\n")] for text in (before, after))
    same = True
    for line in unified_diff(left, right, name_before, name_after, lineterm="", n=2):
        same = False
        yield f"  {line}\n"
    if same:
        yield "  no difference\n"


def _as_dict(view: EffectiveView) -> dict[str, Any]:
    return {
        "entry": view.entry,
        "item": view.item,
        "path": view.place.path,
        "line": view.place.line,
        "mode": view.mode,
        "points": view.points,
        "facts": dict(view.facts),
        "changes": [
            {"text": line.text.strip(), "was": line.was, "at": full(line.at) if line.at else None}
            for line in view.lines
            if line.was or line.at
        ],
        "declared": view.declared,
        "effective": view.effective,
        "missing": view.missing or None,
    }
