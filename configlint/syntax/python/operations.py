"""The operators, functions and methods that the evaluator knows. Each passes UNKNOWN on; no result can grow."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from configlint.syntax.python.modules import UNKNOWN, EnumMember

_LONGEST = 10_000  # of a text or a list that is made
_WIDEST = 256  # bits of a number that is made
_PLAIN = (str, int, float, type(None), EnumMember)


class Unsure(Exception):
    """The outcome cannot be told; the text says which form is to blame."""


def truth(value: object) -> bool:
    """Whether a value counts as true. Raises :class:`Unsure` for UNKNOWN."""
    if value is True or value is False:
        return value
    if value is UNKNOWN:
        raise Unsure("a condition that is not known")
    if isinstance(value, str | int | float | list | tuple | dict | frozenset | type(None)):
        return bool(value)
    return True


def text_of(value: object) -> str:
    """A value in a message."""
    if value is UNKNOWN:
        return "..."
    if isinstance(value, int) and value.bit_length() > _WIDEST:
        return "..."
    return str(value)[:_LONGEST] if isinstance(value, str | int | float | type(None)) else "..."


def compare(operator: type[ast.cmpop], left: object, right: object) -> object:
    """True, False, or UNKNOWN."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if operator in (ast.Is, ast.IsNot):
        same = left is right if left is None or right is None or isinstance(left, bool) else UNKNOWN
        return same if same is UNKNOWN or operator is ast.Is else not same
    if operator in (ast.Eq, ast.NotEq):
        equal = _equal(left, right)
        return equal if equal is UNKNOWN or operator is ast.Eq else not equal
    if operator in (ast.In, ast.NotIn):
        inside = _inside(left, right)
        return inside if inside is UNKNOWN or operator is ast.In else not inside
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers and not (isinstance(left, str) and isinstance(right, str)):
        raise Unsure("a comparison of what has no order")
    if operator is ast.Lt:
        return left < right  # type: ignore[operator]
    if operator is ast.LtE:
        return left <= right  # type: ignore[operator]
    if operator is ast.Gt:
        return left > right  # type: ignore[operator]
    return left >= right  # type: ignore[operator]


def _equal(left: object, right: object) -> object:
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    left, right = _mixed(left), _mixed(right)
    if isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
        return left == right
    if isinstance(left, list | tuple) and isinstance(right, list | tuple) and type(left) is type(right):
        return left == right if all(isinstance(one, _PLAIN) for one in (*left, *right)) else UNKNOWN
    return UNKNOWN if isinstance(left, frozenset | dict) or isinstance(right, frozenset | dict) else False


def _mixed(value: object) -> object:
    return value.value if isinstance(value, EnumMember) and value.mixes else value


def _inside(left: object, right: object) -> object:
    if isinstance(right, str):
        return left in right if isinstance(left, str) else UNKNOWN
    if not isinstance(right, list | tuple | dict | frozenset):
        raise Unsure("a look into what holds nothing")
    found = [_equal(left, one) for one in right]
    return True if any(one is True for one in found) else UNKNOWN if UNKNOWN in found else False


# --- operators ------------------------------------------------------------------------------------------------


def _number(operation: Callable[[int | float, int | float], int | float]) -> Callable[[object, object], object]:
    def run(left: object, right: object) -> object:
        if not isinstance(left, int | float) or not isinstance(right, int | float):
            return UNKNOWN
        try:
            result = operation(left, right)
        except (ZeroDivisionError, OverflowError):
            raise Unsure("arithmetic that fails") from None
        return UNKNOWN if isinstance(result, int) and result.bit_length() > _WIDEST else result

    return run


def _add(left: object, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str):
        return left + right if len(left) + len(right) < _LONGEST else UNKNOWN
    if isinstance(left, list) and isinstance(right, list):
        return left + right if len(left) + len(right) < _LONGEST else UNKNOWN
    return _plus(left, right)


def _sets(operation: Callable[[frozenset[object], frozenset[object]], frozenset[object]]) -> Callable[..., object]:
    def run(left: object, right: object) -> object:
        return operation(left, right) if isinstance(left, frozenset) and isinstance(right, frozenset) else UNKNOWN

    return run


def _subtract(left: object, right: object) -> object:
    return left - right if isinstance(left, frozenset) and isinstance(right, frozenset) else _minus(left, right)


_plus = _number(lambda left, right: left + right)
_minus = _number(lambda left, right: left - right)

BINARY: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: _add,
    ast.Sub: _subtract,
    ast.Mult: _number(lambda left, right: left * right),
    ast.Div: _number(lambda left, right: left / right),
    ast.FloorDiv: _number(lambda left, right: left // right),
    ast.Mod: _number(lambda left, right: left % right),
    ast.BitAnd: _sets(lambda left, right: left & right),
    ast.BitOr: _sets(lambda left, right: left | right),
}


# --- functions ------------------------------------------------------------------------------------------------


def _any(values: object) -> object:
    return _some(values, True)


def _all(values: object) -> object:
    return _some(values, False)


def _some(values: object, wanted: bool) -> object:
    if not isinstance(values, list | tuple):
        return UNKNOWN
    if any(value is not UNKNOWN and truth(value) is wanted for value in values):
        return wanted
    return UNKNOWN if any(value is UNKNOWN for value in values) else not wanted


def _len(value: object) -> object:
    return len(value) if isinstance(value, str | list | tuple | dict | frozenset) else UNKNOWN


def _bool(value: object) -> object:
    return UNKNOWN if value is UNKNOWN else truth(value)


def _str(value: object) -> object:
    return text_of(value) if isinstance(value, str | int | float) else UNKNOWN


def _list(value: object) -> object:
    return list(value) if isinstance(value, list | tuple | dict) else UNKNOWN


def _sorted(value: object) -> object:
    items = list(value) if isinstance(value, list | tuple | dict | frozenset) else [UNKNOWN]
    texts = [one for one in items if isinstance(one, str)]
    return sorted(texts) if len(texts) == len(items) else UNKNOWN


def _set(value: object = ()) -> object:
    plain = isinstance(value, list | tuple) and all(isinstance(one, str | int | type(None)) for one in value)
    return frozenset(value) if plain and isinstance(value, list | tuple) else UNKNOWN


def _sum(values: object) -> object:
    total: object = 0
    for one in values if isinstance(values, list | tuple) else (UNKNOWN,):
        total = _plus(total, one)
    return total


BUILTINS: dict[str, Callable[..., object]] = {
    "any": _any,
    "all": _all,
    "len": _len,
    "bool": _bool,
    "str": _str,
    "list": _list,
    "tuple": _list,
    "sorted": _sorted,
    "set": _set,
    "sum": _sum,
}


# --- methods --------------------------------------------------------------------------------------------------


def _of_text(name: str, most: int) -> Callable[..., object]:
    def run(owner: object, *arguments: object) -> object:
        fits = len(arguments) <= most and all(
            isinstance(one, str) or (isinstance(one, tuple) and all(isinstance(below, str) for below in one))
            for one in arguments
        )
        if not isinstance(owner, str) or not fits:
            return UNKNOWN
        try:
            result: object = getattr(owner, name)(*arguments)
        except (TypeError, ValueError):
            raise Unsure(f"a call of .{name}") from None
        return result

    return run


def _replace(owner: object, *arguments: object) -> object:
    if not isinstance(owner, str) or len(arguments) != 2 or not all(isinstance(one, str) for one in arguments):
        return UNKNOWN
    old, new = str(arguments[0]), str(arguments[1])
    return owner.replace(old, new) if len(owner) * max(1, len(new)) < _LONGEST else UNKNOWN


def _get(owner: object, *arguments: object) -> object:
    if not isinstance(owner, dict) or not arguments or not isinstance(arguments[0], str):
        return UNKNOWN
    return owner.get(arguments[0], arguments[1] if len(arguments) > 1 else None)


def _join(owner: object, *arguments: object) -> object:
    items = arguments[0] if arguments else None
    if not isinstance(owner, str) or not isinstance(items, list | tuple):
        return UNKNOWN
    texts: Sequence[str] = [one for one in items if isinstance(one, str)]
    total = sum(map(len, texts)) + len(owner) * len(texts)
    return owner.join(texts) if len(texts) == len(items) and total < _LONGEST else UNKNOWN


METHODS: dict[str, Callable[..., object]] = {
    **{name: _of_text(name, 1) for name in ("startswith", "endswith", "strip", "lstrip", "rstrip", "split")},
    **{name: _of_text(name, 0) for name in ("lower", "upper", "isdigit")},
    "removeprefix": _of_text("removeprefix", 1),
    "removesuffix": _of_text("removesuffix", 1),
    "replace": _replace,
    "get": _get,
    "join": _join,
    "items": lambda owner: list(owner.items()) if isinstance(owner, dict) else UNKNOWN,
    "keys": lambda owner: list(owner) if isinstance(owner, dict) else UNKNOWN,
    "values": lambda owner: list(owner.values()) if isinstance(owner, dict) else UNKNOWN,
}
