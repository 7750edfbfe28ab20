"""A program with the versions it may be, and why: never more precise than what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from configlint.catalog.versions import Order, order

_PATCHED = {"vllm": 2, "ai-dynamo": 2}
_PATCHED_ELSE = 3
"""How many parts of a version its patches have in common: X.Y of vLLM, X.Y.Z of those that patch with ``.postN``."""


class Confidence(Enum):
    """How sure it is which version runs."""

    EXACT = "exact"  # one release, or its nearest patch
    RANGE = "range"  # some build between two releases
    SUPERSET = "superset"  # any version


@dataclass(frozen=True)
class Match:
    """A program, and the versions of its table that it may be, oldest first; none where there is no table.

    ``told`` is the version, day or commit as it was said, empty where nothing was. ``is_newer``: newer than all that
    the table knows, so what the table lacks may be there.
    """

    program: str
    confidence: Confidence
    versions: tuple[str, ...]
    told: str
    reason: str
    is_newer: bool = False

    @property
    def is_exact(self) -> bool:
        return self.confidence is Confidence.EXACT

    @property
    def version(self) -> str | None:
        """The version, where it is exactly one."""
        return self.versions[0] if self.confidence is Confidence.EXACT and self.versions else None

    def __str__(self) -> str:
        if self.confidence is Confidence.SUPERSET:
            which = "any version"
        elif not self.versions:
            which = self.told
        elif self.confidence is Confidence.EXACT or len(self.versions) == 1:
            which = self.versions[-1]
        else:
            which = f"{self.versions[0]} to {self.versions[-1]}"
        return f"{self.program} {which}, {self.confidence.value}: {self.reason}"


def released(program: str, told: str, versions: Sequence[str], reason: str) -> Match:
    """A release: itself, its nearest patch, else what lies around it."""
    wanted = order(told)
    if wanted is None:
        return anything(program, versions, reason, told)
    if not versions:
        return Match(program, Confidence.EXACT, (), told, f"{reason} (no catalog of {program})")
    placed = _placed(versions)
    same = next((name for key, name in placed if key == wanted), None)
    if same is not None:
        return Match(program, Confidence.EXACT, (same,), told, reason)
    patch = _nearest_patch(program, wanted, placed) if _is_final(wanted) else None
    if patch is not None:
        return Match(program, Confidence.EXACT, (patch,), told, f"{reason}, of which the catalog has {patch}")
    return between(program, told, versions, reason)


def between(program: str, told: str, versions: Sequence[str], reason: str, ahead: int = 1) -> Match:
    """A build that is no release: what lies right below it, and as many as ``ahead`` above."""
    wanted = order(told)
    if wanted is None:
        return anything(program, versions, reason, told)
    placed = _placed(versions)
    below = [name for key, name in placed if key <= wanted][-1:]
    above = [name for key, name in placed if key > wanted][:ahead]
    newer = bool(placed) and not above and placed[-1][0] != wanted
    if newer:
        reason = f"{reason}, newer than the catalog's newest {placed[-1][1]}"
    return Match(program, Confidence.RANGE, (*below, *above), told, reason, newer)


def at_least(program: str, told: str, versions: Sequence[str], reason: str) -> Match:
    """Something on top of a version: that one and all later ones."""
    wanted = order(told)
    if wanted is None:
        return anything(program, versions, reason, told)
    placed = _placed(versions)
    below = [name for key, name in placed if key <= wanted][-1:]
    above = [name for key, name in placed if key > wanted]
    newer = bool(placed) and not above and placed[-1][0] != wanted
    return Match(program, Confidence.RANGE, (*below, *above), told, reason, newer)


def anything(program: str, versions: Sequence[str], reason: str, told: str = "") -> Match:
    """Any version at all."""
    return Match(program, Confidence.SUPERSET, tuple(versions), told, reason)


def _placed(versions: Sequence[str]) -> list[tuple[Order, str]]:
    return [(key, name) for name in versions if (key := order(name)) is not None]


def _is_final(key: Order) -> bool:
    """Whether a version is a release: no candidate, no development version."""
    release_phase = 3
    return key[1][0] == release_phase and key[3][0] == 1


def _nearest_patch(program: str, wanted: Order, placed: list[tuple[Order, str]]) -> str | None:
    """The release with the same leading parts that is closest; of two, the later one."""
    length = _PATCHED.get(program, _PATCHED_ELSE)

    def padded(key: Order) -> tuple[int, ...]:
        return (*key[0], 0, 0, 0, 0)[:4]

    def distance(key: Order) -> tuple[int, int, int]:
        there, here = padded(key), padded(wanted)
        return abs(there[2] - here[2]), abs(there[3] - here[3]), abs(key[2][1] - wanted[2][1])

    same = [one for one in placed if padded(one[0])[:length] == padded(wanted)[:length] and _is_final(one[0])]
    if not same:
        return None
    return min(reversed(same), key=lambda one: distance(one[0]))[1]
