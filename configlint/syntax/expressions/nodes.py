"""The syntax tree of an expression. Every node knows its source text, which names what is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number, boolean or null as written."""

    source: str
    value: str | float | bool | None


@dataclass(frozen=True, slots=True)
class Star:
    """The step ``.*`` or ``[*]``: all elements."""


STAR = Star()


@dataclass(frozen=True, slots=True)
class Path:
    """A context, call or group followed by steps: ``a.b['c'][0].*``. A step that is computed is a node."""

    source: str
    base: Expression | str  # a string names a context
    steps: tuple[Expression | str | Star, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``!operand``."""

    source: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Operands joined by ``&&``."""

    source: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Operands joined by ``||``."""

    source: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Two operands and a comparison."""

    source: str
    operator: str  # == != < <= > >=
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    source: str
    function: str  # lower case
    arguments: tuple[Expression, ...]


Expression: TypeAlias = Literal | Path | Not | And | Or | Compare | Call
