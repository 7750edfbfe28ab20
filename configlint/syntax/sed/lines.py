"""Pattern and hold space, and where their lines come from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Origins = tuple[int, ...]
CREATED = -1


class Space:
    """A text in work. ``origins``: for each of its lines the input line it comes from. ``whole``: a newline ends it."""

    __slots__ = ("origins", "text", "whole")

    def __init__(self, text: str = "", origins: Origins = (CREATED,), whole: bool = True) -> None:
        self.text = text
        self.origins = origins
        self.whole = whole

    def copy(self) -> Space:
        """An independent copy."""
        return Space(self.text, self.origins, self.whole)

    def append(self, other: Space) -> None:
        """Adds a newline and the other's lines; the end is the other's."""
        self.text = f"{self.text}\n{other.text}"
        self.origins += other.origins
        self.whole = other.whole


def after_edit(space: bytes, origins: Origins, fragments: Sequence[tuple[bytes, int]]) -> Origins:
    """The origin of each line of the new space, which is made of ``fragments``: (bytes, offset in ``space`` or -1).

    A new line comes from the old line of the first character it keeps. One that keeps nothing stands for the old line
    that began where it begins, unless another line already comes from there; else the program created it.
    """
    breaks: list[int] = []
    at = space.find(b"\n")
    while at >= 0:
        breaks.append(at)
        at = space.find(b"\n", at + 1)

    def old_line(offset: int) -> int:
        return origins[bisect_right(breaks, offset - 1)] if breaks else origins[0]

    kept = [CREATED]
    begun = [origins[0]]
    for text, offset in fragments:
        at = 0
        while True:
            end = text.find(b"\n", at)
            if (end if end >= 0 else len(text)) > at and offset >= 0 and kept[-1] == CREATED:
                kept[-1] = old_line(offset + at)
            if end < 0:
                break
            at = end + 1
            kept.append(CREATED)
            begun.append(old_line(offset + at) if offset >= 0 else CREATED)
    taken = set(kept)
    result = []
    for own, start in zip(kept, begun, strict=True):
        if own == CREATED and start not in taken:
            taken.add(start)
            own = start
        result.append(own)
    return tuple(result)
