"""Documents with variants: a base, overrides merged over it, zipped lists of overrides.

The result keeps the node that every value was written at, whichever part of the file it came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from configlint.profile.profile import Compose

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

Merged: TypeAlias = "dict[str, Merged] | Node"
"""A mapping after merging, or the node of anything else."""

MAX_VARIANTS = 200
"""Variants of one document that are looked at; what submits more says so (:attr:`Document.is_cut`)."""
_SHOWN = 20  # names in a message
_INDEXED = re.compile(r"(.+)\[([0-9]{1,9})\]")


class BadSelector(Exception):
    """The selector names no variant, or the document has none; the message says which there are.

    ``ignored``: the document is submitted all the same.
    """

    def __init__(self, reason: str, *, ignored: bool = False) -> None:
        super().__init__(reason)
        self.ignored = ignored


@dataclass(frozen=True, eq=False)
class Variant:
    """One document of a file: its name (empty for a plain file) and its values."""

    name: str
    values: dict[str, Merged]

    def at(self, path: str) -> Merged | None:
        """The value at a dotted path, None where there is none."""
        found: Merged | None = self.values
        for step in path.split("."):
            if isinstance(found, dict) or (found is not None and found.kind == "map"):
                found = found.get(step)
            else:
                return None
            if found is None:
                return None
        return found

    def node(self, path: str) -> Node | None:
        """The node at a dotted path; None for a merged mapping or where there is nothing."""
        found = self.at(path)
        return None if found is None or isinstance(found, dict) else found

    def value(self, path: str) -> object:
        """The scalar value at a dotted path, None where there is none."""
        node = self.node(path)
        return node.value if node is not None and node.kind == "scalar" else None

    def text(self, path: str) -> str | None:
        """The value at a path if it is a string."""
        value = self.value(path)
        return value if isinstance(value, str) else None

    def matching(self, pattern: str) -> Iterator[tuple[str, Node]]:
        """The nodes at a dotted path in which the step ``*`` stands for any key; merged mappings left out."""
        steps = pattern.split(".")
        pending: list[tuple[int, str, Merged]] = [(0, "", self.values)]
        while pending:
            depth, path, value = pending.pop()
            if depth == len(steps):
                if not isinstance(value, dict):
                    yield path, value
                continue
            below = _as_map(value) or {}
            keys = below if steps[depth] == "*" else [key for key in (steps[depth],) if key in below]
            pending += [(depth + 1, f"{path}.{key}" if path else key, below[key]) for key in keys]

    def scalars(self) -> Iterator[tuple[str, Node]]:
        """Every scalar with its dotted path (list elements by index)."""
        yield from _scalars("", self.values)


def _scalars(prefix: str, value: Merged) -> Iterator[tuple[str, Node]]:
    pending: list[tuple[str, Merged]] = [(prefix, value)]
    budget = 100_000
    while pending and budget:
        budget -= 1
        path, current = pending.pop()
        children: list[tuple[str, Merged]] = []
        if isinstance(current, dict):
            children = [(f"{path}.{key}" if path else key, below) for key, below in current.items()]
        elif current.kind == "map":
            children = [(f"{path}.{key}" if path else key, below) for key, below in current.pairs().items()]
        elif current.kind == "list":
            children = [(f"{path}.{index}", below) for index, below in enumerate(current.elements())]
        else:
            yield path, current
        pending.extend(reversed(children))


def is_composed(root: Node | None, compose: Compose) -> bool:
    """True if the document has variants."""
    return root is not None and root.kind == "map" and bool(compose.base) and root.get(compose.base) is not None


def variants(root: Node, compose: Compose, selector: str | None) -> tuple[Variant, ...]:
    """The documents that a file with a selector stands for. Raises :class:`BadSelector`."""
    if not is_composed(root, compose):
        if selector:
            raise BadSelector("the recipe has no variants, so the selector chooses nothing", ignored=True)
        return (Variant("", _shallow(root)),)
    parts = root.pairs()
    base = parts[compose.base]
    overrides = sorted(key for key in parts if compose.override and key.startswith(compose.override))
    zips = sorted(key for key in parts if compose.zip_override and key.startswith(compose.zip_override))
    overrides = [key for key in overrides if key not in zips]
    if not selector:
        chosen = [*overrides, *zips]
        if not chosen:
            raise BadSelector("the recipe has a base but no variant, and no selector says base")
    elif selector == compose.base:
        return (Variant(selector, _shallow(base)),)
    else:
        return _selected(parts, base, overrides, zips, selector)
    return _first(one for key in chosen for one in _of_key(parts, base, key, key in zips))


def _first(found: Iterable[Variant]) -> tuple[Variant, ...]:
    return tuple(islice(found, MAX_VARIANTS))


def _selected(
    parts: dict[str, Node], base: Node, overrides: list[str], zips: list[str], selector: str
) -> tuple[Variant, ...]:
    names = [*overrides, *(f"{key}[i]" for key in zips)]
    available = ", ".join([*names[:_SHOWN], *(["..."] if len(names) > _SHOWN else [])]) or "none"
    indexed = _INDEXED.fullmatch(selector)
    if indexed and indexed[1] in zips:
        override = parts[indexed[1]]
        count = _zip_length(override) if override.kind == "map" else 1
        if int(indexed[2]) >= count:
            raise BadSelector(f"index {indexed[2]} is out of range: {indexed[1]} has {count} variants")
        if override.kind != "map":
            return tuple(_of_key(parts, base, indexed[1], True))
        return (_zipped(base, override, indexed[1], int(indexed[2])),)
    if "*" in selector or "?" in selector:
        keys = [key for key in sorted([*overrides, *zips]) if fnmatchcase(key, selector)]
    else:
        keys = [key for key in [*overrides, *zips] if key == selector]
    if not keys:
        raise BadSelector(f"no variant {selector} (there are: {available})")
    return _first(one for key in keys for one in _of_key(parts, base, key, key in zips))


def _of_key(parts: dict[str, Node], base: Node, key: str, zipped: bool) -> Iterator[Variant]:
    override = parts[key]
    if override.kind != "map":
        yield Variant(key, _shallow(base))
    elif not zipped:
        yield Variant(key, _merge(_shallow(base), _shallow(override)))
    else:
        for index in range(_zip_length(override)):
            yield _zipped(base, override, key, index)


def _zipped(base: Node, override: Node, key: str, index: int) -> Variant:
    return Variant(f"{key}[{index}]", _merge(_shallow(base), _slice(override, index)))


def _shallow(node: Node) -> dict[str, Merged]:
    return dict(node.pairs()) if node.kind == "map" else {}


def _as_map(value: Merged) -> dict[str, Merged] | None:
    if isinstance(value, dict):
        return value
    return dict(value.pairs()) if value.kind == "map" else None


def _merge(base: dict[str, Merged], over: dict[str, Merged]) -> dict[str, Merged]:
    """Mappings merge, lists and scalars replace, null deletes."""
    result = dict(base)
    for key, value in over.items():
        if not isinstance(value, dict) and value.kind == "scalar" and value.value is None:
            result.pop(key, None)
            continue
        new, old = _as_map(value), result.get(key)
        below = _as_map(old) if old is not None else None
        result[key] = _merge(below, new) if new is not None and below is not None else value
    return result


def _zip_length(node: Node) -> int:
    """How many variants a zipped override has: its longest list (lists of one are the same for all)."""
    longest = 0
    pending = [node]
    while pending:
        for value in pending.pop().pairs().values():
            if value.kind == "list":
                longest = max(longest, len(value.elements()))
            elif value.kind == "map":
                pending.append(value)
    return longest


def _slice(node: Node, index: int) -> dict[str, Merged]:
    result: dict[str, Merged] = {}
    for key, value in node.pairs().items():
        if value.kind == "list":
            elements = value.elements()
            if elements:
                result[key] = elements[0 if len(elements) == 1 else min(index, len(elements) - 1)]
        elif value.kind == "map":
            result[key] = _slice(value, index)
        else:
            result[key] = value
    return result
