"""What changes in a table from one version to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from configlint.catalog.snapshot import Facts


@dataclass(frozen=True)
class Difference:
    """A key that two versions do not tell alike; None where one of them has no such key."""

    key: str
    before: Facts | None
    after: Facts | None

    @property
    def sign(self) -> str:
        """``+`` added, ``-`` removed, ``~`` changed."""
        return "+" if self.before is None else "-" if self.after is None else "~"

    def changed(self) -> tuple[str, ...]:
        """The facts that differ, of a key that both have."""
        before, after = self.before or {}, self.after or {}
        return tuple(sorted(name for name in {*before, *after} if _told(before, name) != _told(after, name)))


def _told(facts: Facts, name: str) -> tuple[bool, str]:
    """A fact so that 1, 1.0 and true differ."""
    return (name in facts, repr(facts.get(name)))


def differences(before: Mapping[str, Facts], after: Mapping[str, Facts]) -> Iterator[Difference]:
    """Every key that differs, sorted."""
    for key in sorted({*before, *after}):
        one = Difference(key, before.get(key), after.get(key))
        if one.before is None or one.after is None or one.changed():
            yield one
