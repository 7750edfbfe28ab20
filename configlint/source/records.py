"""Immutable records that are cheap to make.

A frozen dataclass assigns its fields through ``object.__setattr__``, which makes it five times as dear as a plain one;
a run makes half a million. Nobody may assign to these either, but it is the type checker that sees to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[C]) -> type[C]:
    """A dataclass that nobody may assign to, equal to others by value."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def entity(cls: type[C]) -> type[C]:
    """A dataclass that nobody may assign to, equal to itself only."""
    return dataclass(slots=True, eq=False)(cls)
