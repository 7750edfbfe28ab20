"""A table: what each version of a program says about each key, read when asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from configlint.catalog.snapshot import Facts
from configlint.catalog.versions import is_custom, order

BETWEEN = ".."


class TableError(Exception):
    """A data file says what it cannot mean. The message is meant for people."""


@dataclass(frozen=True)
class Version:
    """A version that a table knows. ``seen`` counts the declarations that its sources hold, the unreadable too."""

    name: str
    seen: int = 0
    unresolved: int = 0


@dataclass(frozen=True)
class Range:
    """Versions from ``first`` to ``last``, both known to the table, that say the same of a key."""

    first: str
    last: str
    facts: Facts


@dataclass(frozen=True)
class _Says:
    """One line of the file: facts, and the indices of the versions that hold them."""

    runs: tuple[tuple[int, int], ...]
    facts: Facts

    def holds(self, index: int) -> bool:
        return any(first <= index <= last for first, last in self.runs)


@dataclass(eq=False)
class Table:
    """Keys by version. Ordered versions come first in ``known``, oldest to newest, then the custom ones.

    ``lines`` holds the undecoded lines of each key; a line is decoded when somebody asks for its key.
    """

    name: str
    known: tuple[Version, ...]
    lines: Mapping[str, Sequence[str]] = field(repr=False)
    _decoded: dict[str, tuple[_Says, ...]] = field(default_factory=dict, repr=False)
    _at: dict[str, Mapping[str, Facts]] = field(default_factory=dict, repr=False)

    # --- versions ---------------------------------------------------------------------------------

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """The ordered versions, oldest first."""
        return tuple(one.name for one in self.known if not is_custom(one.name))

    @cached_property
    def customs(self) -> tuple[str, ...]:
        """The versions outside the order: each stands for itself only."""
        return tuple(one.name for one in self.known[len(self.versions) :])

    @property
    def newest(self) -> str | None:
        """The last ordered version."""
        return self.versions[-1] if self.versions else None

    def version(self, name: str) -> Version | None:
        """What is known of a version; a leading ``v`` and the spelling of a suffix do not matter."""
        index = self._index.get(name)
        if index is None:
            wanted = order(name)
            index = self._by_order.get(wanted) if wanted is not None else None
        return None if index is None else self.known[index]

    def neighbours(self, version: str) -> tuple[str | None, str | None]:
        """The nearest known versions not above and not below a version; the same one twice where it is known.

        (None, None) for a custom version: it has no place in the order.
        """
        wanted = order(version)
        if wanted is None:
            return None, None
        below = above = None
        for name in self.versions:
            here = order(name)
            assert here is not None
            if here <= wanted:
                below = name
            if here >= wanted and above is None:
                above = name
        return below, above

    @cached_property
    def _index(self) -> dict[str, int]:
        return {one.name: index for index, one in enumerate(self.known)}

    @cached_property
    def _by_order(self) -> dict[object, int]:
        return {order(name): self._index[name] for name in self.versions}

    # --- keys -------------------------------------------------------------------------------------

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key of any version, sorted."""
        return tuple(self.lines)

    def __contains__(self, key: str) -> bool:
        return key in self.lines

    def facts(self, key: str, version: str) -> Facts | None:
        """What a version says of a key; None where it has no such key. Raises KeyError for an unknown version."""
        index = self._position(version)
        return next((says.facts for says in self._says(key) if says.holds(index)), None)

    def at(self, version: str) -> Mapping[str, Facts]:
        """All keys of a version, sorted. Raises KeyError for an unknown version."""
        name = self.known[self._position(version)].name
        known = self._at.get(name)
        if known is None:
            found = ((key, self.facts(key, name)) for key in self.lines)
            known = self._at[name] = {key: facts for key, facts in found if facts is not None}
        return known

    def holders(self, key: str) -> tuple[str, ...]:
        """The versions that have a key, in the table's order."""
        says = self._says(key)
        return tuple(one.name for index, one in enumerate(self.known) if any(say.holds(index) for say in says))

    def ranges(self, key: str) -> tuple[Range, ...]:
        """The history of a key over the ordered versions, oldest first; gaps are versions without it."""
        count = len(self.versions)
        found = [
            (first, Range(self.versions[first], self.versions[min(last, count - 1)], says.facts))
            for says in self._says(key)
            for first, last in says.runs
            if first < count
        ]
        return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))

    def _position(self, version: str) -> int:
        found = self.version(version)
        if found is None:
            raise KeyError(f"{self.name} does not know version {version}")
        return self._index[found.name]

    def _says(self, key: str) -> tuple[_Says, ...]:
        decoded = self._decoded.get(key)
        if decoded is None:
            decoded = self._decoded[key] = tuple(self._decode(line) for line in self.lines.get(key, ()))
        return decoded

    def _decode(self, line: str) -> _Says:
        try:
            _, where, facts = json.loads(line)
            runs = tuple(self._run(part) for part in where.split(" "))
        except (ValueError, TypeError, AttributeError, KeyError, IndexError) as fault:
            raise TableError(f"{self.name}: {line[:120]!r} is no fact: {fault}") from None
        if not isinstance(facts, dict):
            raise TableError(f"{self.name}: {line[:120]!r} has no facts")
        return _Says(runs, facts)

    def _run(self, part: str) -> tuple[int, int]:
        """Indices of a range as written: ``A..B``, ``A..`` to the newest, ``..B`` from the oldest, or one version."""
        if BETWEEN not in part:
            return (self._index[part], self._index[part])
        first, _, last = part.partition(BETWEEN)
        low = self._index[first] if first else 0
        high = self._index[last] if last else len(self.versions) - 1
        if not low <= high < len(self.versions):
            raise ValueError(f"{part} is no range of the versions")
        return low, high

    def check(self) -> Iterator[str]:
        """What is wrong with the data: nothing is decoded lazily here."""
        for key in self.lines:
            taken: set[int] = set()
            for says in self._says(key):
                for first, last in says.runs:
                    both = taken & set(range(first, last + 1))
                    if both:
                        yield f"{key}: two facts for {self.known[min(both)].name}"
                    taken |= set(range(first, last + 1))


def joined(names: Sequence[bool], versions: Sequence[str]) -> list[str]:
    """Ranges as the file spells them, from a flag for every ordered version."""
    parts: list[str] = []
    start: int | None = None
    for index, inside in enumerate([*names, False]):
        if inside and start is None:
            start = index
        elif not inside and start is not None:
            first, last = start, index - 1
            left = "" if first == 0 else versions[first]
            right = "" if last == len(versions) - 1 else versions[last]
            parts.append(versions[first] if first == last and left and right else f"{left}{BETWEEN}{right}")
            start = None
    return parts
