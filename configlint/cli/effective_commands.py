"""``effective --commands``: the command line of every worker, each flag with where it comes from."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from configlint.cli.tables import brief, full
from configlint.report.plain import one_line

if TYPE_CHECKING:
    from configlint.cli.views import CommandView, FlagView, JobView

COLUMN = 72  # at most, before the origin of a flag starts
SRTCTL = "srtctl"
_HOLE = re.compile(r"\{\?[^}]*\}")
_WHY = {"omitted": "not on the command line", "taken": "taken out, srtctl decides itself"}


def job(view: JobView, heading: str) -> Iterator[str]:
    """The facts and versions, then each command, a flag a line."""
    yield heading
    facts = [*view.facts, *((one.program, one.text.removeprefix(f"{one.program} ")) for one in view.versions)]
    if view.variant:
        facts.append(("variant", view.variant))
    facts += [("unknown", one) for one in view.unknown]
    wide = max((len(label) for label, _ in facts), default=0)
    for label, text in facts:
        yield f"  {label:<{wide}}  {one_line(text)}\n"
    if view.missing:
        yield f"  {one_line(view.missing)}\n"
    for command in view.commands:
        yield "\n"
        yield from _command(command)
    if view.idle:
        yield "\n  read by nothing\n"
        yield from _rows([(f"{one.key}: {one.value}", _origin(one)) for one in view.idle])
    yield "\n"


def _command(command: CommandView) -> Iterator[str]:
    yield f"  {one_line(_title(command))}\n"
    yield f"    {one_line(' '.join(_quoted(word) for word in command.start))}\n"
    passed = [one for one in command.flags if one.words]
    yield from _rows([(" ".join(_quoted(word) for word in one.words), _origin(one)) for one in passed])
    silent = [one for one in command.flags if not one.words]
    yield from _rows([(f"({one.flag} {one.value}: {_WHY[one.fate]})", _origin(one)) for one in silent])
    if command.file:
        count = f"{command.options} option{'' if command.options == 1 else 's'}"
        origin = brief(command.file_at) if command.file_at is not None else SRTCTL
        yield from _rows([(f"({count} in {command.file}, a file that srtctl writes)", origin)])


def _title(command: CommandView) -> str:
    if command.role == "frontend":
        return "frontend"
    size = [f"{command.workers} worker{'' if command.workers == 1 else 's'}"]
    if command.gpus is not None:
        size.append(f"of {command.gpus} GPU{'' if command.gpus == 1 else 's'}")
    if command.nodes is not None and command.nodes > 1:
        size.append(f"on {command.nodes} nodes")
    return f"{command.role}, {' '.join(size)}" + (f" ({command.rank})" if command.rank else "")


def _rows(rows: list[tuple[str, str]]) -> Iterator[str]:
    texts = [one_line(text) for text, _ in rows]
    wide = min(COLUMN, max((len(text) for text in texts), default=0))
    for text, (_, origin) in zip(texts, rows, strict=True):
        yield f"    {text:<{wide}}   {origin}".rstrip() + "\n"


def _origin(flag: FlagView) -> str:
    if not flag.key:
        return SRTCTL
    unsure = ", perhaps changed by the launcher" if flag.fate == "unsure" else ""
    return (brief(flag.at) if flag.at is not None else flag.key) + unsure


def _quoted(word: str) -> str:
    """A word for a shell, unknown parts left readable."""
    return (
        word if _HOLE.search(word) and shlex.quote(_HOLE.sub("x", word)) == _HOLE.sub("x", word) else shlex.quote(word)
    )


def as_dict(view: JobView) -> dict[str, Any]:
    """A job for ``--format json``."""
    return {
        "entry": view.entry,
        "item": view.item,
        "path": view.place.path,
        "line": view.place.line,
        "mode": view.mode,
        "points": view.points,
        "facts": dict(view.facts),
        "variant": view.variant or None,
        "versions": [
            {
                "program": one.program,
                "confidence": one.confidence,
                "versions": list(one.versions),
                "told": one.told or None,
                "text": one.text,
            }
            for one in view.versions
        ],
        "commands": [_command_dict(one) for one in view.commands],
        "idle": [_flag_dict(one) for one in view.idle],
        "unknown": list(view.unknown),
        "missing": view.missing or None,
    }


def _command_dict(command: CommandView) -> dict[str, Any]:
    return {
        "role": command.role,
        "rank": command.rank or None,
        "program": command.program,
        "workers": command.workers,
        "gpus": command.gpus,
        "nodes": command.nodes,
        "argv": [*command.start, *(word for flag in command.flags for word in flag.words)],
        "flags": [_flag_dict(one) for one in command.flags],
        "file": command.file or None,
        "file_at": full(command.file_at) if command.file_at is not None else None,
    }


def _flag_dict(flag: FlagView) -> dict[str, Any]:
    return {
        "flag": flag.flag,
        "words": list(flag.words),
        "key": flag.key or None,
        "fate": flag.fate,
        "origin": full(flag.at) if flag.at is not None else SRTCTL if not flag.key else None,
    }
