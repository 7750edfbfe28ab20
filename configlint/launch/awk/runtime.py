"""What an awk program works on: values, the record, variables."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_STEPS = 50_000
_BLANKS = re.compile(r"[ \t\n]+")  # other white space, a carriage return for one, belongs to its field
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?")
_NUMERIC = re.compile(r"\s*[-+]?\d++(?:\.\d++)?\s*+")
_LARGEST = 2.0**53
Value = str | float


class Unsupported(Exception):
    """A construct that is not modelled."""


@dataclass(frozen=True)
class Result:
    """What the program printed, and its exit status."""

    output: str
    status: int


class Next(Exception):
    """``next``: on to the next record."""


class Exit(Exception):
    """``exit``."""


@dataclass
class Meter:
    """The steps a program has taken: rules and statements, more of them for long records."""

    steps: int = 0

    def spend(self, steps: int) -> None:
        """Raises :class:`Unsupported` where there are too many."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise Unsupported("too many steps")


@dataclass
class Runtime:
    """Variables and the current record."""

    variables: dict[str, Value] = field(default_factory=dict)
    record: str = ""
    separator: str | None = None
    output: list[str] = field(default_factory=list)
    status: int = 0
    meter: Meter = field(default_factory=Meter)

    def fields(self) -> list[str]:
        self.meter.spend(len(self.record) >> 4)
        if self.separator is None:
            return [one for one in _BLANKS.split(self.record) if one]
        return self.record.split(self.separator) if self.record else []

    def field(self, index: int) -> str:
        if index == 0:
            return self.record
        fields = self.fields()
        return fields[index - 1] if 0 < index <= len(fields) else ""


Expression = Callable[[Runtime], Value]
Action = Callable[[Runtime], None]


@dataclass(frozen=True)
class Rule:
    """A pattern with its action."""

    when: str  # "", "BEGIN", "END"
    pattern: Expression | None
    action: Action


def truth(value: Value) -> bool:
    """What a value means as a condition."""
    return value != 0 if isinstance(value, float) else value != ""


def number_of(value: Value) -> float:
    """A value as a number: what a text begins with, else 0."""
    if isinstance(value, float):
        return value
    match = _NUMBER.match(value)
    number = float(match.group()) if match else 0.0
    if abs(number) >= _LARGEST:
        raise Unsupported("a number that awk rounds")
    return number


def text_of(value: Value) -> str:
    """A value as text."""
    if isinstance(value, str):
        return value
    if not abs(value) < _LARGEST:
        raise Unsupported("a number that awk rounds")
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def _looks_numeric(value: Value) -> bool:
    return isinstance(value, float) or _NUMERIC.fullmatch(value) is not None


def compare(operator: str, left: Value, right: Value) -> bool:
    """Numbers compare as numbers, all else as text."""
    a: float | str
    b: float | str
    if _looks_numeric(left) and _looks_numeric(right):
        a, b = number_of(left), number_of(right)
        order = (a > b) - (a < b)
    else:
        one, two = text_of(left), text_of(right)
        order = (one > two) - (one < two)
    return {"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[
        operator
    ]
