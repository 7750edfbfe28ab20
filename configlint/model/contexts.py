"""GitHub's contexts as expressions see them: evaluated when asked for, and known only in part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from configlint.launch.values import unknown
from configlint.syntax.expressions import Holed, UnknownValue, to_text


class Lazy(dict[str, object]):
    """A mapping whose values are made when read."""

    __slots__ = ("_has", "_make")

    def __init__(self, has: Callable[[str], bool], make: Callable[[str], object]) -> None:
        super().__init__()
        self._has = has
        self._make = make

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._has(name)

    def __getitem__(self, name: str) -> object:
        return self._make(name)


class Partial(dict[str, object]):
    """A mapping of which some values are known; every other name is an unknown, not null."""

    __slots__ = ("_name",)

    def __init__(self, name: str, known: Mapping[str, object]) -> None:
        super().__init__(known)
        self._name = name

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __getitem__(self, name: str) -> object:
        value = self.get(name, self)
        if value is self:
            return UnknownValue(f"{self._name}.{name}")
        return Partial(f"{self._name}.{name}", value) if type(value) is dict else value


def nested(dotted: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """``{"a.b": 1}`` as ``{"a": {"b": 1}}``; the first step is a context's name."""
    result: dict[str, dict[str, object]] = {}
    for path, value in dotted.items():
        *above, last = path.split(".")
        at: dict[str, object] = result  # type: ignore[assignment]
        for step in above:
            below = at.setdefault(step, {})
            if not isinstance(below, dict):
                break
            at = below
        else:
            at[last] = value
    return result


def shown(value: object) -> str:
    """A value as text, with holes where it is not known."""
    text = to_text(value)
    if isinstance(text, str):
        return text
    parts = text.parts if isinstance(text, Holed) else (text,)
    return "".join(part if isinstance(part, str) else unknown(part.name) for part in parts)


def typed(value: object, kind: str) -> object:
    """A value as an input of a type takes it."""
    if isinstance(value, UnknownValue):
        return value
    if kind == "boolean":
        return value == "true" if isinstance(value, str) else value
    return value if kind == "number" else to_text(value)
