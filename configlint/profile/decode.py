"""From plain data (TOML) to frozen dataclasses, with errors that name the key.

Keys are written kebab-case, fields are snake_case. A field without a default is required; an unknown key
is an error, because a misspelt key would otherwise silently turn a setting off.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


class ProfileError(Exception):
    """A profile cannot be used. ``key`` is the dotted path of the key at fault (``workflows.templates[0].path``)."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}" if key else message)
        self.key = key
        self.message = message


def decode(kind: type[T], data: object, key: str = "") -> T:
    """``data`` as an instance of the dataclass ``kind``. Raises :class:`ProfileError`."""
    return _record(kind, data, key)


def _name(field: str) -> str:
    return field.replace("_", "-")


def _join(key: str, name: str) -> str:
    shown = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
    return f"{key}.{shown}" if key else shown


@cache
def _fields(kind: type[Any]) -> dict[str, tuple[str, Any, bool]]:
    """Key -> (field, type, required)."""
    hints = get_type_hints(kind)
    return {
        _name(one.name): (
            one.name,
            hints[one.name],
            one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING,
        )
        for one in dataclasses.fields(kind)
    }


def _record(kind: type[T], data: object, key: str) -> T:
    if not isinstance(data, Mapping):
        raise ProfileError(key, f"expected a table, got {_shown(data)}")
    fields = _fields(cast(Any, kind))
    given: dict[str, Any] = {}
    for name, value in data.items():
        if name not in fields:
            near = difflib.get_close_matches(str(name), fields, n=1)
            raise ProfileError(_join(key, str(name)), "unknown key" + (f", did you mean {near[0]!r}?" if near else ""))
        field, hint, _ = fields[name]
        given[field] = _value(hint, value, _join(key, name))
    for name, (field, _, required) in fields.items():
        if required and field not in given:
            raise ProfileError(_join(key, name), "missing")
    try:
        return kind(**given)
    except ValueError as fault:  # a __post_init__ that checks what types cannot
        raise ProfileError(key, str(fault)) from None


def _value(hint: Any, data: object, key: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return data
    if origin in (Union, types.UnionType):
        return _union(arguments, data, key)
    if origin is tuple:
        if not isinstance(data, list):
            raise ProfileError(key, f"expected a list, got {_shown(data)}")
        return tuple(_value(arguments[0], one, f"{key}[{index}]") for index, one in enumerate(data))
    if origin is dict:
        if not isinstance(data, Mapping):
            raise ProfileError(key, f"expected a table, got {_shown(data)}")
        return {str(name): _value(arguments[1], one, _join(key, str(name))) for name, one in data.items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _record(hint, data, key)
    if isinstance(hint, type) and isinstance(data, hint) and (hint is bool or not isinstance(data, bool)):
        return data
    wanted = {str: "a string", int: "a whole number", bool: "true or false", float: "a number"}.get(hint, str(hint))
    raise ProfileError(key, f"expected {wanted}, got {_shown(data)}")


def _union(arguments: tuple[Any, ...], data: object, key: str) -> Any:
    fault: ProfileError | None = None
    for one in arguments:
        if one is types.NoneType:
            continue
        try:
            return _value(one, data, key)
        except ProfileError as error:
            fault = fault or error
    raise fault or ProfileError(key, f"unexpected {_shown(data)}")


def _shown(data: object) -> str:
    if isinstance(data, Mapping):
        return "a table"
    if isinstance(data, list):
        return "a list"
    return repr(data)
