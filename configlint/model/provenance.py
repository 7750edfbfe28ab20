"""What went into a line that a launcher wrote: the variables that its text expands there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from configlint.launch.outcome import ArrayCell, Cell, Outcome
from configlint.launch.values import input_hole
from configlint.launch.world import World
from configlint.source.text import Place, Span
from configlint.syntax.bash.nodes import Literal, Part, Script, Word
from configlint.syntax.bash.walk import commands, own_words, parameters

if TYPE_CHECKING:
    from configlint.model.launches import Launch

_KEY = re.compile(rb":(?=\s|$)")
Names = tuple[str, ...]


@dataclass(eq=False)
class Provenance:
    """Answers for one tree; what a line of a script expands is read off once."""

    world: World
    _parts: dict[str, tuple[Part, ...]] = field(default_factory=dict)
    _names: dict[tuple[str, int, bool], Names | None] = field(default_factory=dict)

    def behind(self, launch: Launch, outcome: Outcome, place: Place, *, value_only: bool) -> tuple[Cell, ...] | None:
        """The cells of the variables that a script expands on the line of a place.

        ``value_only``: only behind the first ``key: `` of the line. None where that is not known: the place is
        in no script, nothing there writes text, or a variable was changed later.
        """
        names = self._expanded(place, value_only)
        if names is None:
            return None
        found: list[Cell] = []
        for name in names:
            variable = outcome.variables.get(name)
            if variable is None:
                if launch.environment.value(name) is not None:
                    found.append(Cell(input_hole(name), name, None, "input"))
                continue
            cells = [cell for _, cell in variable.items] if isinstance(variable, ArrayCell) else [variable]
            if any(_is_later(cell, place) for cell in cells):
                return None
            found += cells
        return tuple(found)

    def _expanded(self, place: Place, value_only: bool) -> Names | None:
        script = self.world.script(place.text.path) if not place.text.origin else ""
        if isinstance(script, str):
            return None
        key = (place.text.path, place.line, value_only)
        if key not in self._names:
            self._names[key] = self._read(script, script.text.line_span(place.line), value_only)
        return self._names[key]

    def _read(self, script: Script, line: Span, value_only: bool) -> Names | None:
        path = script.text.path
        if path not in self._parts:
            words = (word for command in commands(script.body) for word in own_words(command))
            self._parts[path] = tuple(part for word in words for part in word.parts)
        parts = [part for part in self._parts[path] if part.start < line.end and part.end > line.start]
        if not parts:
            return None
        word = Word(line.start, line.end, tuple(_values(parts, script, line) if value_only else parts))
        return tuple(dict.fromkeys(parameters(word)))


def _is_later(cell: Cell, place: Place) -> bool:
    return cell.at is not None and cell.at.text is place.text and cell.at.span.start > place.span.end


def _values(parts: list[Part], script: Script, line: Span) -> list[Part]:
    """The parts behind the first ``key: `` of the line; all of them where a part brings its own keys."""
    for index, part in enumerate(parts):
        if isinstance(part, Literal):
            written = script.text.raw[max(part.start, line.start) : min(part.end, line.end)]
            if _KEY.search(written):
                return parts[index + 1 :]
    return parts
