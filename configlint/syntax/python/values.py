"""What evaluations work on and end in: records with attributes, exceptions, and the fuel that bounds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from configlint.syntax.python.modules import UNKNOWN, EnumMember
from configlint.syntax.python.operations import Unsure

Frame: TypeAlias = dict[str, object]
Compiled: TypeAlias = Callable[[Frame], object]


class Raised(Exception):
    """The function raises: the name of the exception's class, and its message where that can be told."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


@dataclass(frozen=True, slots=True)
class Record:
    """An object with attributes. ``given`` are the attributes that were not left to their defaults."""

    owner: str
    values: Mapping[str, object]
    given: frozenset[str] = frozenset()


@dataclass
class Fuel:
    """How many nodes may still be visited, over all evaluations that share it."""

    left: int = 10_000_000

    def burn(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise Unsure("it takes too long")


def attribute(owner: object, name: str, missing: object = UNKNOWN) -> object:
    """An attribute of a value; ``missing`` where a record has none of the name."""
    if isinstance(owner, Record):
        if name == "model_fields_set":
            return owner.given
        return owner.values.get(name, missing)
    if isinstance(owner, EnumMember) and name in ("value", "name"):
        return owner.value if name == "value" else owner.name
    if owner is None or isinstance(owner, str | int | float | list | tuple | dict):
        if missing is not UNKNOWN:
            return missing
        raise Unsure(f"{type(owner).__name__} has no attribute {name}")
    return UNKNOWN


def items(value: object) -> list[object] | tuple[object, ...]:
    """What a loop over a value goes through."""
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, dict | frozenset):
        return list(value)
    raise Unsure("a loop over what is not known")
