"""Moving a tree: what was read from rewritten text (backticks) gets the offsets of the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from configlint.syntax.bash.nodes import Node

N = TypeVar("N", bound=Node)


def relocate(node: N, origin: Sequence[int]) -> N:
    """A copy of the tree in which ``origin[i]`` stands for offset ``i``; an end stays behind its last character."""
    start, end = node.start, node.end
    changes: dict[str, Any] = {
        "start": origin[start],
        "end": origin[end - 1] + 1 if end > start else origin[start],
    }
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, (Node, tuple)):
            changes[field.name] = _moved(value, origin)
    return replace(node, **changes)


def _moved(value: Any, origin: Sequence[int]) -> Any:
    if isinstance(value, Node):
        return relocate(value, origin)
    if isinstance(value, tuple):
        return tuple(_moved(item, origin) for item in value)
    return value
