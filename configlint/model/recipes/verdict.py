"""A composed document against a recipe schema: what srtctl's loader would refuse, each with the node it is about.

The rules are marshmallow's: strings are strings, numbers may be given as text, a number is no bool, unknown keys are
refused, null only where the field takes it. A text with a placeholder of the document's sweep may become anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from configlint.catalog.recipes.schema import ROOT, Field, Json, Schema
from configlint.model.composition import Merged

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

UNKNOWN_FIELD, INVALID_VALUE = "unknown-field", "invalid-value"

MAX_PROBLEMS = 40
"""What is said of one document; each is looked up in every revision that is known, and nobody reads more."""
MAX_PLACEHOLDERS = 100
_SWEEP = "sweep"
_NAMES = {"str": "a string", "int": "an integer", "float": "a number", "bool": "true or false", "null": "null"}
_BOOLEANS = {
    *("t", "T", "true", "True", "TRUE", "on", "On", "ON", "y", "Y", "yes", "Yes", "YES", "1"),
    *("f", "F", "false", "False", "FALSE", "off", "Off", "OFF", "n", "N", "no", "No", "NO", "0"),
}
_INTEGER = re.compile(r"\s*[+-]?\d+(?:_\d+)*\s*", re.ASCII)
_DATE = "tag:yaml.org,2002:timestamp"


@dataclass(frozen=True, eq=False)
class Problem:
    """One thing that is refused. ``owner`` is the mapping that the last step of ``path`` is a key of."""

    kind: str
    path: tuple[str, ...]
    message: str
    owner: Merged
    value: Merged | None
    near: str = ""

    @property
    def dotted(self) -> str:
        return ".".join(self.path)


def problems(schema: Schema, values: dict[str, Merged]) -> tuple[Problem, ...]:
    """What is refused of a document."""
    sweep = values.get(_SWEEP)
    names = _keys(sweep)[:MAX_PLACEHOLDERS] if sweep is not None else ()
    judge = _Judge(schema, tuple(f"{{{name}}}" for name in names))
    return tuple(islice(judge.object(ROOT, values, ()), MAX_PROBLEMS))


def below(value: Merged) -> dict[str, Merged] | None:
    """The values of a mapping; None for anything else."""
    if isinstance(value, dict):
        return value
    return dict(value.pairs()) if value.kind == "map" else None


def _keys(value: Merged) -> tuple[str, ...]:
    return tuple(below(value) or ())


@dataclass(frozen=True, eq=False)
class _Judge:
    schema: Schema
    placeholders: tuple[str, ...]

    def object(self, name: str, value: Merged, path: tuple[str, ...]) -> Iterator[Problem]:
        """The keys of a mapping that becomes an object of a class."""
        fields, inside = self.schema.classes.get(name, {}), below(value) or {}
        for key, one in inside.items():
            field = fields.get(key)
            if field is None:
                near = self._near(key, fields, inside)
                yield Problem(UNKNOWN_FIELD, (*path, key), "is no field", value, one, near)
            elif not field.taken and (field.choices or not _is_plainly(field.type, one)):
                yield from self._field(field, one, (*path, key), value)
        for field in fields.values():
            if field.required and field.name not in inside:
                yield Problem(INVALID_VALUE, (*path, field.name), "is missing", value, None)

    def _field(self, field: Field, value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        if self._is_open(value) or (_is_null(value) and field.null):
            return
        wrong = list(self._typed(field.type, value, path, owner))
        yield from wrong
        if not wrong and field.choices and not isinstance(value, dict) and value.text not in field.choices:
            words = ", ".join(field.choices)
            yield Problem(INVALID_VALUE, path, f"{shown(value)} is not supported (there are: {words})", owner, value)

    def _typed(self, kind: Json, value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        """What is wrong with a value of which the type is known."""
        name, *inner = kind if isinstance(kind, list) else (kind,)
        if name == "any" or self._is_open(value):
            return
        if name == "class":
            yield from self._inside(str(inner[0]), value, path, owner)
        elif name == "by":
            yield from self._chosen(inner, value, path, owner)
        elif name == "list":
            yield from self._list(inner[0], value, path, owner)
        elif name == "map":
            yield from self._map(inner[0], inner[1], value, path, owner)
        elif not self._fits(kind, value):
            what = shown(value).replace("a list", "this list") if name == "union" else shown(value)
            yield Problem(INVALID_VALUE, path, f"{what} is not {words_of(kind)}", owner, value)

    def _inside(self, name: str, value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        if below(value) is None:
            yield Problem(INVALID_VALUE, path, f"{shown(value)} is not a mapping", owner, value)
        else:
            yield from self.object(name, value, path)

    def _chosen(self, how: list[Json], value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        key, default, table = how
        inside = below(value)
        if inside is None or not isinstance(table, dict):
            yield from self._inside(ROOT, value, path, owner)
            return
        given = inside.get(str(key))
        if given is not None and self._is_open(given):
            return
        choice = default if given is None else _scalar(given)
        name = table.get(choice) if isinstance(choice, str) else None
        if name is None:
            message = f"{shown(given)} is not supported (there are: {', '.join(table)})" if given is not None else ""
            yield Problem(INVALID_VALUE, (*path, str(key)), message, value, given)
        else:
            yield from self.object(str(name), value, path)

    def _list(self, element: Json, value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        if isinstance(value, dict) or value.kind != "list":
            yield Problem(INVALID_VALUE, path, f"{shown(value)} is not a list", owner, value)
            return
        for index, one in enumerate(value.elements()):
            yield from self._typed(element, one, (*path, str(index)), value)

    def _map(self, key: Json, element: Json, value: Merged, path: tuple[str, ...], owner: Merged) -> Iterator[Problem]:
        inside = below(value)
        if inside is None:
            yield Problem(INVALID_VALUE, path, f"{shown(value)} is not a mapping", owner, value)
            return
        for name, one in inside.items():
            node = key_of(value, name)
            if node is not None and not self._fits(key, node):
                message = f"the key {name} is not {words_of(key)}"
                yield Problem(INVALID_VALUE, (*path, name), message, value, one)
            elif not _is_plainly(element, one):
                yield from self._typed(element, one, (*path, name), value)

    def _fits(self, kind: Json, value: Merged) -> bool:
        """Whether a value is accepted as a scalar, a choice or one of several types."""
        name, *inner = kind if isinstance(kind, list) else (kind,)
        if name == "any":
            return True
        if name == "union":
            return any(self._fits(one, value) for one in inner)
        if name in ("list", "map"):
            return not list(self._typed(kind, value, (), value))
        if isinstance(value, dict) or value.kind != "scalar":
            return False
        found = value.value
        if name == "choice":
            return any(type(one) is type(found) and one == found for one in inner)
        return _SCALARS[str(name)](value, found)

    def _is_open(self, value: Merged) -> bool:
        """True if the value still holds a placeholder of the sweep."""
        if not self.placeholders or isinstance(value, dict) or value.kind != "scalar":
            return False
        return any(one in value.text for one in self.placeholders)

    @staticmethod
    def _near(key: str, fields: dict[str, Field], given: dict[str, Merged]) -> str:
        from difflib import get_close_matches

        free = [name for name in fields if name not in given]
        return next(iter(get_close_matches(key.replace("-", "_"), free, 1, 0.8)), "")


def _text(node: Node, value: object) -> bool:
    return isinstance(value, str) and node.tag != _DATE


def _integer(_: Node, value: object) -> bool:
    if isinstance(value, str):
        return len(value) < 400 and bool(_INTEGER.fullmatch(value))
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _float(_: Node, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        return len(str(value)) < 400 and math.isfinite(float(value))
    except (ValueError, OverflowError):
        return False


def _boolean(_: Node, value: object) -> bool:
    return isinstance(value, bool) or value in _BOOLEANS or (isinstance(value, int | float) and value in (0, 1))


def _null(_: Node, value: object) -> bool:
    return value is None


_SCALARS = {"str": _text, "int": _integer, "float": _float, "bool": _boolean, "null": _null}


def _is_plainly(kind: Json, value: Merged) -> bool:
    """True if a value is of a scalar type: the quick way out of nearly all that is asked."""
    if not isinstance(kind, str):
        return False
    if kind == "any":
        return True
    return not isinstance(value, dict) and value.kind == "scalar" and _SCALARS[kind](value, value.value)


def _scalar(value: Merged) -> object:
    return None if isinstance(value, dict) else value.value


def _is_null(value: Merged) -> bool:
    return not isinstance(value, dict) and value.kind == "scalar" and value.value is None


def key_of(owner: Merged, name: str) -> Node | None:
    """The node of a key; None in a mapping that was merged from several."""
    return None if isinstance(owner, dict) else owner.key(name)


def words_of(kind: Json) -> str:
    """A type for people."""
    name, *inner = kind if isinstance(kind, list) else (kind,)
    if name == "union":
        return " or ".join(dict.fromkeys(words_of(one) for one in inner))
    if name == "choice":
        return " or ".join(str(one) for one in inner)
    if name == "list":
        return "a list" if inner[0] == "any" else f"a list of {_PLURALS.get(str(inner[0]), 'such values')}"
    return "a mapping" if name in ("map", "class", "by") else _NAMES.get(str(name), str(name))


_PLURALS = {"str": "strings", "int": "integers", "float": "numbers"}


def shown(value: Merged | None) -> str:
    """A value for people, short."""
    if value is None or isinstance(value, dict) or value.kind == "map":
        return "a mapping"
    if value.kind == "list":
        return "a list"
    if value.value is None:
        return "null"
    text = value.text if len(value.text) <= 60 else value.text[:57] + "..."
    return repr(text) if isinstance(value.value, str) else f"{text} ({_KINDS.get(type(value.value), 'a value')})"


_KINDS = {bool: "a bool", int: "a number", float: "a number"}
