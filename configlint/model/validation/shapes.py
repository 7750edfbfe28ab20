"""What a pydantic annotation accepts of data that came from YAML, in pydantic's lax mode.

A check gives the value as the model would hold it, and says what is wrong with which part. An annotation that is not
known accepts anything and gives UNKNOWN: nothing is guessed.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from configlint.syntax.python import UNKNOWN, EnumMember

Path = tuple[str | int, ...]
_TRUE, _FALSE = {"true", "1", "yes", "on", "t", "y"}, {"false", "0", "no", "off", "f", "n"}
_INTEGER = re.compile(r"\s*[+-]?\d+(?:_\d+)*(?:\.0*)?\s*", re.ASCII)
_LONGEST_NUMBER = 400


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong: where (keys and indexes), and what. ``key``: the key itself is, not its value."""

    path: Path
    message: str
    key: bool = False


class Shape(Protocol):
    """What a value has to be."""

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        """The value as the model holds it; what is wrong with it goes into ``wrong``."""


@dataclass(frozen=True)
class Anything:
    """An annotation that is ``Any``, or not known."""

    known: bool = False

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        return value if self.known else UNKNOWN


@dataclass(frozen=True)
class Nothing:
    """``None``."""

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        if value is not None:
            wrong.append(Wrong(path, f"{shown(value)} is not null"))
        return None


@dataclass(frozen=True)
class Scalar:
    """``str``, ``int``, ``float`` or ``bool``."""

    kind: str
    strict: bool = False

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        read = {"str": _text, "int": _integer, "float": _float, "bool": _boolean}[self.kind]
        found = value if value is UNKNOWN else read(value, self.strict)
        if found is None:
            wrong.append(Wrong(path, f"{shown(value)} is not {_NAMES[self.kind]}"))
            return UNKNOWN
        return found


_NAMES = {"str": "a string", "int": "an integer", "float": "a number", "bool": "true or false"}


def _text(value: object, _: bool) -> object:
    return value if isinstance(value, str) else None


def _integer(value: object, strict: bool) -> object:
    if isinstance(value, bool):
        return None if strict else int(value)
    if isinstance(value, int):
        return value
    if strict:
        return None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value.is_integer() else None
    if isinstance(value, str) and len(value) < _LONGEST_NUMBER and _INTEGER.fullmatch(value):
        return int(value.strip().replace("_", "").partition(".")[0])
    return None


def _float(value: object, strict: bool) -> object:
    if isinstance(value, bool):
        return None if strict else float(value)
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else UNKNOWN
    if strict or not isinstance(value, str) or len(value) >= _LONGEST_NUMBER:
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _boolean(value: object, strict: bool) -> object:
    if isinstance(value, bool):
        return value
    if strict:
        return None
    if isinstance(value, int | float):
        return bool(value) if value in (0, 1) else None
    if isinstance(value, str) and value.lower() in _TRUE | _FALSE:
        return value.lower() in _TRUE
    return None


@dataclass(frozen=True)
class OneOf:
    """``Literal`` or an enumeration: a value that equals one of some, so that 0 stands for false."""

    values: tuple[object, ...]

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        for one in self.values:
            plain = one.value if isinstance(one, EnumMember) else one
            if value is UNKNOWN or plain == value:
                return value if value is UNKNOWN else one
        allowed = " or ".join(shown(one.value if isinstance(one, EnumMember) else one) for one in self.values)
        wrong.append(Wrong(path, f"{shown(value)} is not {allowed}"))
        return UNKNOWN


@dataclass(frozen=True)
class Bounds:
    """Limits of ``Field(...)``: of a number, or of a length."""

    gt: float | None = None
    ge: float | None = None
    lt: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    def problem(self, value: object) -> str:
        if isinstance(value, int | float):
            for limit, holds, words in (
                (self.gt, operator.gt, "greater than"),
                (self.ge, operator.ge, "at least"),
                (self.lt, operator.lt, "less than"),
                (self.le, operator.le, "at most"),
            ):
                if limit is not None and not holds(value, limit):
                    return f"{shown(value)} is not {words} {shown(limit)}"
        if isinstance(value, str | list | dict):
            what = "characters" if isinstance(value, str) else "elements"
            if self.min_length is not None and len(value) < self.min_length:
                return f"{shown(value)} has fewer than {self.min_length} {what}"
            if self.max_length is not None and len(value) > self.max_length:
                return f"{shown(value)} has more than {self.max_length} {what}"
        return ""


@dataclass(frozen=True)
class Bounded:
    """A shape with limits on what it accepts."""

    inner: Shape
    bounds: Bounds

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        before = len(wrong)
        found = self.inner.check(value, path, wrong)
        problem = self.bounds.problem(found) if len(wrong) == before else ""
        if problem:
            wrong.append(Wrong(path, problem))
        return found


@dataclass(frozen=True)
class ListOf:
    """A list of what fits one shape."""

    element: Shape

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        if value is UNKNOWN or not isinstance(value, list):
            if value is not UNKNOWN:
                wrong.append(Wrong(path, f"{shown(value)} is not a list"))
            return UNKNOWN
        return [self.element.check(one, (*path, index), wrong) for index, one in enumerate(value)]


@dataclass(frozen=True)
class TableOf:
    """A mapping whose keys and values each fit one shape."""

    key: Shape
    element: Shape

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        if value is UNKNOWN or not isinstance(value, dict):
            if value is not UNKNOWN:
                wrong.append(Wrong(path, f"{shown(value)} is not a mapping"))
            return UNKNOWN
        found: dict[object, object] = {}
        for key, one in value.items():
            about: list[Wrong] = []
            self.key.check(key, (*path, str(key)), about)
            wrong += [replace(one, key=True) for one in about]
            found[key] = self.element.check(one, (*path, str(key)), wrong)
        return found


@dataclass(frozen=True)
class AnyOf:
    """A union: any one of its members will do."""

    members: tuple[Shape, ...]

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        if value is None and any(isinstance(one, Nothing) for one in self.members):
            return None
        tries = []
        for member in self.members:
            about: list[Wrong] = []
            found = member.check(value, path, about)
            if not about:
                return found if len(self.members) - self._nulls == 1 or found == value else UNKNOWN
            tries.append(about)
        wrong += self._nearest(tries, path, value)
        return UNKNOWN

    @property
    def _nulls(self) -> int:
        return sum(isinstance(one, Nothing) for one in self.members)

    def _nearest(self, tries: Sequence[list[Wrong]], path: Path, value: object) -> Iterator[Wrong]:
        """What to say: of an optional what is wrong with it, of others what came furthest."""
        real = [about for about, member in zip(tries, self.members, strict=True) if not isinstance(member, Nothing)]
        if len(real) == 1:
            yield from real[0]
            return
        inside = [about for about in real if any(len(one.path) > len(path) for one in about)]
        if len(inside) == 1:
            yield from inside[0]
        else:
            yield Wrong(path, f"{shown(value)} fits none of the {len(real)} forms that are accepted here")


def shown(value: object) -> str:
    """A value as it may be written in YAML, short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "...")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
