"""Moving a tree: what was read from rewritten text (backticks) gets the offsets of the original."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from configlint.syntax.bash.nodes import Node

N = TypeVar("N", bound=Node)


def relocate(node: N, move: Callable[[int], int]) -> N:
    """A copy of the tree whose offsets went through ``move``."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("start", "end"):
            changes[field.name] = move(value)
        elif isinstance(value, (Node, tuple)):
            changes[field.name] = _moved(value, move)
    return replace(node, **changes)


def _moved(value: Any, move: Callable[[int], int]) -> Any:
    if isinstance(value, Node):
        return relocate(value, move)
    if isinstance(value, tuple):
        return tuple(_moved(item, move) for item in value)
    return value
