"""Choices of a generator."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Randomly:
    """Chooses with a source of random numbers."""

    def __init__(self, rnd: Random) -> None:
        self.rnd = rnd

    def choose(self, options: Sequence[T]) -> T:
        return self.rnd.choice(options)

    def number(self, low: int, high: int) -> int:
        return self.rnd.randint(low, high)

    def maybe(self, chance: int = 2) -> bool:
        """True once in so many times."""
        return self.number(1, chance) == 1
