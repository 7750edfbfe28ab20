"""Text of virtual files: what it is, and where every line of it comes from.

Origins are lazy: a file copied as it is costs nothing, an edited one keeps its line map.
"""

from __future__ import annotations

from collections.abc import Sequence

from configlint.launch.values import clean
from configlint.source.records import entity, record
from configlint.source.text import Place, Text

MAX_VIRTUAL = 1_000_000  # characters of one virtual file


@record
class Line:
    """Where one line of a virtual file comes from. ``edited``: the line was written by an edit of this file."""

    place: Place
    edited: bool = False


@entity
class VirtualText:
    """The text of a virtual file; holes stand for what is not known.

    Exactly one of these says where its lines are from: ``source`` (a real file, verbatim), ``places`` (one
    per line, written by the launcher), or ``base`` with ``mapping`` (an edit: for each line the line of the base, or
    -1) and ``at`` (the edit's place), ``rewritten`` being the lines the edit changed in place.
    """

    text: str
    source: Text | None = None
    places: tuple[Place | None, ...] = ()
    base: VirtualText | None = None
    mapping: Sequence[int] = ()
    rewritten: frozenset[int] = frozenset()
    at: Place | None = None

    def line(self, index: int) -> Line | None:
        """The origin of the line with this 0-based index; None where it is not known."""
        node, edited = self, False
        while True:
            if node.source is not None:
                if index < len(node.source.line_starts):
                    return Line(Place(node.source, node.source.line_span(index + 1)), edited)
                return None
            if node.base is None:
                place = node.places[index] if index < len(node.places) else None
                return Line(place, edited) if place else None
            old = node.mapping[index] if index < len(node.mapping) else -1
            if old < 0 or index in node.rewritten:
                return Line(node.at, True) if node.at else None
            node, index = node.base, old

    def declared_line(self, index: int) -> Line | None:
        """Like :meth:`line`, but for a line rewritten in place the line as it was before all edits."""
        node = self
        while node.base is not None:
            old = node.mapping[index] if index < len(node.mapping) else -1
            if old < 0:
                return None
            node, index = node.base, old
        return node.line(index)

    @property
    def original(self) -> VirtualText:
        """The text before all edits."""
        node = self
        while node.base is not None:
            node = node.base
        return node


def verbatim(text: Text) -> VirtualText:
    """A real file as a virtual one."""
    return VirtualText(clean(text.string), source=text)


def written(text: str, place: Place | None) -> VirtualText:
    """Text that one command wrote."""
    return VirtualText(text, places=(place,) * (text.count("\n") + 1))


def joined(parts: Sequence[VirtualText]) -> VirtualText:
    """Texts one after the other, as a stream concatenates them."""
    if len(parts) == 1:
        return parts[0]
    places: list[Place | None] = []
    for part in parts:
        count = part.text.count("\n") + 1
        lines = [part.line(index) for index in range(count)]
        own = [line.place if line else None for line in lines]
        if places:
            own[0] = places.pop() or own[0]
        places.extend(own)
    return VirtualText("".join(part.text for part in parts), places=tuple(places))


def appended(base: VirtualText, extra: VirtualText, at: Place) -> VirtualText:
    """``base`` with text appended: an edit whose old lines keep their origin."""
    old = base.text.count("\n")
    new = extra.text.count("\n")
    mapping = [*range(old + (1 if not base.text.endswith("\n") and base.text else 0)), *([-1] * (new + 1))]
    return VirtualText(base.text + extra.text, base=base, mapping=mapping[: old + new + 1], at=at)
