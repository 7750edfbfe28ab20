"""The script of a launch step, with expressions substituted and a way back to where each byte is written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.model.workflows import MAX_EXPRESSION, RunStep
from configlint.profile.rows import Path
from configlint.source.text import Place, Span
from configlint.syntax.expressions import Template

if TYPE_CHECKING:
    from configlint.model.matrix import Point


@dataclass(frozen=True, slots=True)
class Piece:
    """The text that an expression came to, and the paths of the row it was made of."""

    text: str
    reads: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """An expression in the script: its source, the bytes of :attr:`RunScript.text` it became, what it read."""

    source: str
    span: Span
    place: Place
    piece: Piece


@dataclass(frozen=True, eq=False)
class RunScript:
    """What the launch step runs. ``text`` may have holes; ``options`` are the shell's (``-e``).

    Offsets into ``text`` count the bytes of its UTF-8 encoding.
    """

    text: str
    place: Place
    shell: str
    options: tuple[str, ...]
    substitutions: tuple[Substitution, ...]
    _step: RunStep
    _point: Point

    @cached_property
    def _lines(self) -> _Lines:
        return _Lines(self._step)

    def place_at(self, offset: int) -> Place:
        """Where the byte at an offset is written: in the workflow file, or in the matrix for a substituted value.

        A substituted list (``join(...)``) leads to the element.
        """
        moved = 0
        for one in self.substitutions:
            if offset < one.span.start:
                break
            if offset < one.span.end:
                return self._behind(one, offset - one.span.start) or one.place
            moved += len(one.source.encode()) - (one.span.end - one.span.start)
        return self._lines.place(offset + moved)

    def _behind(self, one: Substitution, offset: int) -> Place | None:
        text = one.piece.text.encode()
        for path in one.piece.reads:
            value: object = self._point.get(str(path[0]), "throughput")
            for step in path[1:]:
                value = value.get(step) if isinstance(value, dict) else None
            if isinstance(value, list):
                at = 0
                for index, element in enumerate(value):
                    part = str(element).encode()
                    start = text.find(part, at)
                    if start < 0:
                        break
                    at = start + len(part)
                    if start <= offset < at:
                        places = self._point.places(*path, index)
                        return places[0] if places else None
            places = self._point.places(*path)
            if places:
                return places[0]
        return None


class _Lines:
    """The way from offsets of a block scalar's value to the file."""

    def __init__(self, step: RunStep) -> None:
        self._step = step
        self._starts = [0]
        for line in step.text.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    @cached_property
    def _raw(self) -> list[int] | None:
        """Per line of the value, the offset in the file; None where the scalar is no literal block."""
        node = self._step.node
        if node is None:
            return None
        text = node.file.text
        start = node.span.start
        head = text.raw.find(b"|", start, text.raw.find(b"\n", start) + 1)
        if head < 0:
            return None
        at = text.raw.find(b"\n", head) + 1
        offsets = []
        for line in self._step.text.encode().split(b"\n"):
            end = text.raw.find(b"\n", at)
            end = len(text.raw) if end < 0 else end
            raw = text.raw[at:end].removesuffix(b"\r")
            if not raw.endswith(line):
                return None
            offsets.append(at + len(raw) - len(line))
            at = end + 1
        return offsets

    def place(self, offset: int) -> Place:
        """The rest of the line from an offset of the value on."""
        if self._raw is None:
            return self._step.place
        line = max(0, min(bisect_right(self._starts, offset) - 1, len(self._raw) - 1))
        length = self._starts[line + 1] - 1 - self._starts[line]
        column = min(max(offset - self._starts[line], 0), length)
        start = self._raw[line]
        return Place(self._step.place.text, Span(start + column, start + length))


def build(step: RunStep, evaluate: Callable[[Template], Piece], point: Point) -> RunScript:
    """The script of a step for a point."""
    lines = _Lines(step)
    pieces: list[str] = []
    substitutions = []
    written = moved = at = 0  # bytes of the result, bytes it is longer than the source, characters of the source
    for start, end in _expressions(step.text):
        before, source = step.text[at:start], step.text[start:end]
        piece = evaluate(Template.parse(source))
        pieces += [before, piece.text]
        begin = written + len(before.encode())
        width = len(source.encode())
        span = Span(begin, begin + len(piece.text.encode()))
        place = lines.place(begin - moved)
        place = Place(place.text, Span(place.span.start, min(place.span.start + width, place.span.end)))
        substitutions.append(Substitution(source, span, place, piece))
        written, moved, at = span.end, moved + span.end - span.start - width, end
    pieces.append(step.text[at:])
    return RunScript("".join(pieces), step.place, step.shell, step.options, tuple(substitutions), step, point)


# One expression, its strings included. Every character can be read in one way only: linear time.
_EXPRESSION = re.compile(r"\$\{\{(?>(?:[^'}]|'[^']*'|\}(?!\}))*)\}\}")


def _expressions(text: str) -> Iterator[tuple[int, int]]:
    """Where the expressions of a text are. What follows one that is not closed is text: GitHub refuses the file."""
    at = text.find("${{")
    while at >= 0:
        found = _EXPRESSION.match(text, at)
        if found is None:
            return
        if found.end() - at <= MAX_EXPRESSION:
            yield at, found.end()
        at = text.find("${{", found.end())
