"""What an awk program works on: values, the record, variables."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_STEPS = 200_000
_BLANKS = re.compile(r"[ \t\n]+")  # other white space, a carriage return for one, belongs to its field
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
class Runtime:
    """Variables and the current record."""

    variables: dict[str, Value] = field(default_factory=dict)
    record: str = ""
    separator: str | None = None
    output: list[str] = field(default_factory=list)
    status: int = 0
    steps: int = 0

    def fields(self) -> list[str]:
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
    match = re.match(r"\s*[-+]?\d+(\.\d+)?", value)
    return float(match.group()) if match else 0.0


def text_of(value: Value) -> str:
    """A value as text."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def _looks_numeric(value: Value) -> bool:
    return isinstance(value, float) or re.fullmatch(r"\s*[-+]?\d+(\.\d+)?\s*", value) is not None


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
