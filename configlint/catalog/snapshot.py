"""What one version of a program says in one table, as its sources were read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

Json: TypeAlias = Union[bool, int, float, str, "list[Json]", "dict[str, Json]", None]
Facts: TypeAlias = Mapping[str, Json]

_KEY = re.compile(r"[A-Za-z0-9_@*][A-Za-z0-9_.$:/@*\[\]-]{0,199}")
_MAX_DEPTH = 20
_MAX_FACTS = 20_000  # characters of one fact as JSON, roughly


@dataclass(frozen=True)
class Unresolved:
    """Something in the sources that could not be read off: what, where, and why."""

    what: str
    path: str = ""
    line: int = 0
    why: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.line else f"{self.path}: " if self.path else ""
        return f"{place}{self.what}{f' ({self.why})' if self.why else ''}"


@dataclass(frozen=True)
class Snapshot:
    """One version of one table. ``seen`` counts the declarations met, those that stayed unresolved included."""

    facts: Mapping[str, Facts] = field(default_factory=dict)
    unresolved: tuple[Unresolved, ...] = ()
    seen: int = 0

    def sound(self) -> Snapshot:
        """The same without what no data file can hold: a stranger's sources may call a flag anything."""
        facts = {key: says for key, says in self.facts.items() if is_key(key) and is_plain(dict(says))}
        bad = tuple(
            Unresolved(f"{key[:80]!r}", why="not a name, or facts that cannot be written down")
            for key in self.facts
            if key not in facts
        )
        return Snapshot(facts, (*self.unresolved, *bad), self.seen) if bad else self


def is_key(key: str) -> bool:
    """Whether a name can be a key of a table."""
    return _KEY.fullmatch(key) is not None


def is_plain(value: object) -> bool:
    """Whether a value is JSON that every reader understands alike: no infinities, not deep, not long."""
    left = _MAX_FACTS
    pending: list[tuple[object, int]] = [(value, 0)]
    while pending:
        one, depth = pending.pop()
        left -= 4
        if isinstance(one, str):
            left -= len(one)
            if any("\ud800" <= letter <= "\udfff" for letter in one):
                return False
        elif isinstance(one, dict):
            pending += [(inner, depth + 1) for pair in one.items() for inner in pair]
            if not all(isinstance(key, str) for key in one):
                return False
        elif isinstance(one, list):
            pending += [(inner, depth + 1) for inner in one]
        elif isinstance(one, float):
            if not math.isfinite(one):
                return False
        elif isinstance(one, int) and not isinstance(one, bool):
            if abs(one) >= 1 << 64:
                return False
        elif one is not None and not isinstance(one, bool):
            return False
        if left < 0 or depth > _MAX_DEPTH:
            return False
    return True
