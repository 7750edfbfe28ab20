"""How much a run may cost."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.syntax.sed.errors import Unsupported


@dataclass(frozen=True, slots=True)
class Budget:
    """``steps``: commands and matches, long lines counting more; one takes some 3 microseconds. ``size``: characters
    of the text read and of the text written.
    """

    steps: int = 200_000
    size: int = 1 << 20


DEFAULT_BUDGET = Budget()


class Meter:
    """What is left of a budget."""

    __slots__ = ("size", "steps")

    def __init__(self, budget: Budget) -> None:
        self.steps = budget.steps
        self.size = budget.size

    def spend(self, steps: int) -> None:
        """Raises Unsupported when the steps are used up."""
        self.steps -= steps
        if self.steps < 0:
            raise Unsupported("the program runs too long")

    def check(self, text: str) -> str:
        """``text``, unless it is too large."""
        if len(text) > self.size:
            raise Unsupported("the text grows too large")
        return text
