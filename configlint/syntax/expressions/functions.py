"""The functions of expressions, on values that are not unknown as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from configlint.syntax.expressions.values import (
    Holed,
    UnknownValue,
    equal,
    fold,
    joined,
    number_text,
    to_text,
    unknown_boolean,
)

_MAX_NESTING = 100
_encode = json.JSONEncoder(ensure_ascii=False).encode


class Unmodelled(Exception):
    """A signal: the call has no value that we know: wrong arguments, or GitHub would stop with an error."""


def contains(search: object, item: object) -> bool | None:
    """Whether a list has an element, or a string another one, without regard to case."""
    if isinstance(search, (list, tuple)):
        unsure = False
        for element in search:
            same = None if isinstance(element, UnknownValue) else equal(element, item)
            if same:
                return True
            unsure |= same is None
        return None if unsure else False
    if isinstance(search, dict) or isinstance(item, (list, tuple, dict)):
        return False
    whole, part = to_text(search), to_text(item)
    if not isinstance(part, str):
        return None
    if isinstance(whole, str):
        return fold(part) in fold(whole)
    pieces = whole.parts if isinstance(whole, Holed) else ()
    return True if any(isinstance(piece, str) and fold(part) in fold(piece) for piece in pieces) else None


def starts_with(search: object, item: object) -> bool | None:
    """Whether a string starts with another one, without regard to case."""
    return _at_edge(search, item, at_end=False)


def ends_with(search: object, item: object) -> bool | None:
    """Whether a string ends with another one, without regard to case."""
    return _at_edge(search, item, at_end=True)


def _at_edge(search: object, item: object, *, at_end: bool) -> bool | None:
    if isinstance(search, (list, tuple, dict)) or isinstance(item, (list, tuple, dict)):
        return False
    whole, part = to_text(search), to_text(item)
    if not isinstance(part, str) or isinstance(whole, UnknownValue):
        return None
    edge = fold(whole if isinstance(whole, str) else whole.suffix if at_end else whole.prefix)
    wanted = fold(part)
    if edge.endswith(wanted) if at_end else edge.startswith(wanted):
        return True
    if isinstance(whole, str):
        return False
    could = wanted.endswith(edge) if at_end else wanted.startswith(edge)
    return None if could and len(edge) < len(wanted) else False


def join(items: object, separator: object = ",") -> str | Holed:
    """The elements of a list with a separator between them; a single value as it is."""
    if isinstance(items, (list, tuple)):
        glue = to_text(separator)
        pieces: list[str | UnknownValue | Holed] = []
        for element in items:
            pieces += [glue, to_text(element)]
        return joined(pieces[1:])
    return "" if isinstance(items, dict) else joined([to_text(items)])


_FIELD = re.compile(r"\{\{|\}\}|\{(\d{1,3})\}|[{}]", re.ASCII)


def format_(pattern: object, *arguments: object) -> str | Holed:
    """``{0}``, ``{1}``, ... replaced by the arguments; ``{{`` and ``}}`` are braces."""
    if not isinstance(pattern, str):
        raise Unmodelled
    pieces: list[str | UnknownValue | Holed] = []
    at = 0
    for field in _FIELD.finditer(pattern):
        pieces.append(pattern[at : field.start()])
        at = field.end()
        if field[0] in ("{{", "}}"):
            pieces.append(field[0][0])
        elif field[1] is not None and int(field[1]) < len(arguments):
            pieces.append(to_text(arguments[int(field[1])]))
        else:
            raise Unmodelled
    pieces.append(pattern[at:])
    return joined(pieces)


def from_json(text: object) -> object:
    """The value of a JSON text."""
    if not isinstance(text, str):
        raise Unmodelled
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unmodelled from None


def to_json(value: object) -> str | Holed:
    """The value as JSON, indented by two spaces."""
    pieces: list[str | UnknownValue | Holed] = []
    _write(value, "\n", pieces)
    return joined(pieces)


def _write(value: object, newline: str, pieces: list[str | UnknownValue | Holed]) -> None:
    if len(newline) > 2 * _MAX_NESTING:
        raise Unmodelled
    inner = newline + "  "
    if isinstance(value, dict) and value:
        for separator, (key, each) in zip(("{", *"," * (len(value) - 1)), value.items(), strict=True):
            pieces.append(f"{separator}{inner}{_quoted(str(key))}: ")
            _write(each, inner, pieces)
        pieces.append(newline + "}")
    elif isinstance(value, (list, tuple)) and value:
        for separator, each in zip(("[", *"," * (len(value) - 1)), value, strict=True):
            pieces.append(separator + inner)
            _write(each, inner, pieces)
        pieces.append(newline + "]")
    elif isinstance(value, Holed):
        pieces.append('"')
        pieces += [_quoted(part)[1:-1] if isinstance(part, str) else part for part in value.parts]
        pieces.append('"')
    elif isinstance(value, str):
        pieces.append(_quoted(value))
    elif isinstance(value, UnknownValue):
        pieces.append(UnknownValue(f"toJson({value.name})"))
    elif value is None or isinstance(value, bool):
        pieces.append(json.dumps(value))
    elif isinstance(value, (int, float)):
        pieces.append(number_text(value))
    else:
        pieces.append("{}" if isinstance(value, dict) else "[]")


def _quoted(text: str) -> str:
    quoted = _encode(text)
    for character in "" if quoted.isascii() else "\x85\u2028\u2029":  # as the JSON writer of the runner does
        if character in quoted:
            quoted = quoted.replace(character, f"\\u{ord(character):04x}")
    return quoted


def call(name: str, source: str, arguments: Sequence[object]) -> object:
    """The value of a call with known arguments. Raises :class:`Unmodelled` where there is none."""
    known, least, most = FUNCTIONS[name]
    if not least <= len(arguments) <= most:
        raise Unmodelled
    result = known(*arguments)
    return unknown_boolean(source) if result is None and name in BOOLEAN else result


BOOLEAN = frozenset({"contains", "startswith", "endswith"})
# name in lower case -> function, least and most arguments
FUNCTIONS: dict[str, tuple[Callable[..., object], int, int]] = {
    "contains": (contains, 2, 2),
    "startswith": (starts_with, 2, 2),
    "endswith": (ends_with, 2, 2),
    "join": (join, 1, 2),
    "format": (format_, 1, 255),
    "fromjson": (from_json, 1, 1),
    "tojson": (to_json, 1, 1),
}
