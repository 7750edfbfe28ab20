"""How much a run may cost."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.syntax.sed.errors import Unsupported


@dataclass(frozen=True, slots=True)
class Budget:
    """``steps``: commands, matches and what RE2 may need at worst; one is about a microsecond, most are less.
    ``size``: characters of the text read, of the text written, and of what is held meanwhile.
    """

    steps: int = 600_000
    size: int = 1 << 20


DEFAULT_BUDGET = Budget()


class Meter:
    """What is left of a budget."""

    __slots__ = ("_given", "size", "steps")

    def __init__(self, budget: Budget = DEFAULT_BUDGET) -> None:
        self._given = self.steps = budget.steps
        self.size = budget.size

    @property
    def spent(self) -> int:
        """The steps that were taken."""
        return self._given - self.steps

    def spend(self, steps: int) -> None:
        """Raises Unsupported when the steps are used up."""
        self.steps -= steps
        if self.steps < 0:
            raise Unsupported("the program runs too long")

    def hold(self, size: int) -> None:
        """Pays for a text of ``size`` characters that was put together. Raises Unsupported if it is too large."""
        if size > self.size:
            raise Unsupported("the text grows too large")
        self.spend(size >> 9)
