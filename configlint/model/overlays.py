"""What a launcher puts in place for the document, and loses or misses before the document is submitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from configlint.launch.fields import pattern_of
from configlint.launch.files import Cleaned, Copied, Files, Layer, Placed, Removed, Status, Written, below
from configlint.launch.outcome import Cell, FileUse, Outcome
from configlint.launch.texts import VirtualText
from configlint.launch.values import options, shown
from configlint.source.text import Place, Span

if TYPE_CHECKING:
    from configlint.launch.world import World
    from configlint.model.documents import Document

_GLOB = "*?["


@dataclass(frozen=True, eq=False)
class Slip:
    """A step that undoes or misses what is meant for the document. ``lost`` is the earlier step that it undoes."""

    at: Place
    what: str
    lost: Place | None = None


def slips(document: Document) -> Iterator[Slip]:
    """What goes wrong between putting the document in place and submitting it."""
    if document.path is not None:
        yield from _overwritten(document.outcome, document.path, document.world)
        yield from _missed(document.outcome, document.path)


# --- overwritten ----------------------------------------------------------------------------------


def _overwritten(outcome: Outcome, path: str, world: World) -> Iterator[Slip]:
    """A copy over the document of which an earlier step's text does not survive."""
    earlier: tuple[Layer, VirtualText] | None = None
    for layer in reversed(outcome.files.layers()):
        if isinstance(layer, Removed | Cleaned) and earlier is not None and below(path, layer.prefix):
            yield from _removed(outcome, layer, path, earlier)
        if not isinstance(layer, Copied | Placed | Written) or not below(path, layer.prefix):
            continue
        found = Files(None, layer).lookup(path)
        text = world.content(found) if found.status is Status.FILE else None
        if text is None and isinstance(layer, Copied) and layer.at is not None and found.status is Status.ABSENT:
            continue  # git puts back what a revision holds, and this is nothing of it
        if text is None:
            earlier = None
            continue
        if earlier is not None and not isinstance(layer, Written) and earlier[1].text != text.text:
            now, then = _step(outcome, layer, path, text), _step(outcome, earlier[0], path, earlier[1])
            if now is not None and then is not None:
                how = "is copied" if getattr(layer, "at", None) is None else "is put back by git"
                yield Slip(now, f"{how} over {_what(earlier[0])} at line {then.line}, which is lost", then)
        by_git = isinstance(layer, Copied) and layer.at is not None
        earlier = None if by_git else (layer, text)  # what the revision holds is nobody's step


def _removed(
    outcome: Outcome, layer: Removed | Cleaned, path: str, earlier: tuple[Layer, VirtualText]
) -> Iterator[Slip]:
    """The document is removed, and nothing puts it back; what had been put in its place before is lost."""
    then = _step(outcome, earlier[0], path, earlier[1])
    gone = Files(Files(None, earlier[0]), layer).lookup(path).status is Status.ABSENT
    if gone and layer.at is not None and then is not None and outcome.files.lookup(path).status is Status.ABSENT:
        what = _what(earlier[0]).replace("another", "the")
        yield Slip(layer.at, f"is removed after {what} at line {then.line}, which is lost", then)


def _what(layer: Layer) -> str:
    return "the edit of it" if isinstance(layer, Written) else "another copy of it"


def _step(outcome: Outcome, layer: Layer, path: str, text: VirtualText) -> Place | None:
    """The command that made a layer."""
    if isinstance(layer, Copied) and layer.at is not None:
        return layer.at
    if isinstance(layer, Copied):
        uses = [use for use in outcome.uses if use.how == "copy" and use.path == layer.source]
        return uses[-1].at if uses else None
    edits = [edit for edit in outcome.edits if edit.path == path and edit.after is text]
    return edits[-1].at if edits else None


# --- missed ---------------------------------------------------------------------------------------


def _missed(outcome: Outcome, path: str) -> Iterator[Slip]:
    """A pattern for the documents of a directory that matches none, while the one submitted lies deeper."""
    directory, _, base = path.rpartition("/")
    seen: set[str] = set()
    for use in outcome.uses:
        for pattern in _patterns(use, outcome.cwd):
            if pattern in seen:
                continue
            seen.add(pattern)
            where, _, name = pattern.rpartition("/")
            top = _ancestor(directory, where)
            if top is None or not fnmatchcase(base, name):
                continue
            names, _ = outcome.files.children(top)
            if any(
                fnmatchcase(one, name) and outcome.files.lookup(f"{top}/{one}").status is Status.FILE for one in names
            ):
                continue
            at = _loop(use.operand, outcome)
            where = where.removeprefix(f"{shown(outcome.cwd)}/")
            inner = path[len(top) + 1 :].rpartition("/")[0]
            yield Slip(_first_line(at or use.at), f"lies deeper, in {inner}, where {where}/{name} does not look")


def _patterns(use: FileUse, cwd: str) -> Iterator[str]:
    """The patterns behind a file operand that matched nothing, or nothing that is known."""
    for option in options(use.operand.value):
        pattern = pattern_of(option)
        if pattern is None and use.exists is False and any(one in option.rpartition("/")[2] for one in _GLOB):
            pattern = shown(option)
        if pattern:
            yield pattern if pattern.startswith(("/", "{?")) else f"{shown(cwd)}/{pattern}"


def _ancestor(directory: str, wanted: str) -> str | None:
    """The directory above (not the same) that is shown as ``wanted``."""
    while directory:
        directory = directory.rpartition("/")[0]
        if shown(directory) == wanted:
            return directory
    return None


def _loop(operand: Cell, outcome: Outcome) -> Place | None:
    """The loop whose variable an operand holds."""
    pending = list(operand.via)
    while pending:
        cell = pending.pop(0)
        if cell.what == "loop":
            return cell.at
        pending.extend(cell.via)
    held = [one for one in outcome.variables.values() if isinstance(one, Cell) and one.value == operand.value]
    return next((one.at for one in held if one.what == "loop"), None)


def _first_line(place: Place) -> Place:
    end = place.text.line_span(place.line).end
    return Place(place.text, Span(place.span.start, min(place.span.end, end)))
