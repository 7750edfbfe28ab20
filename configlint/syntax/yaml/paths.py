"""Dotted paths into a document, as people write them."""

from __future__ import annotations

import re

from configlint.syntax.yaml.nodes import Node

_LONGEST = 64  # steps; more is not a path but an attack on the search for keys with dots


def locate(node: Node, path: str) -> Node | None:
    """The node at ``a.b[0].c`` or ``a.b.0.c``; None if there is none. The empty path is the node itself."""
    steps = [step for step in re.sub(r"\[(-?\d+)\]", r".\1", path).split(".") if step]
    return _descend(node, steps) if len(steps) <= _LONGEST else None


def _descend(node: Node, steps: list[str]) -> Node | None:
    if not steps:
        return node
    if node.kind == "list":
        if not re.fullmatch(r"-?\d{1,9}", steps[0]):
            return None
        element = node.at(int(steps[0]))
        return _descend(element, steps[1:]) if element is not None else None
    for taken in range(1, len(steps) + 1):
        value = node.get(".".join(steps[:taken]))
        found = _descend(value, steps[taken:]) if value is not None else None
        if found is not None:
            return found
    return None


def path_to(root: Node | None, target: Node) -> tuple[str, ...]:
    """The steps from ``root`` to a mapping or list inside it; empty where it is the root, or not found."""
    pending: list[tuple[Node, tuple[str, ...]]] = [(root, ())] if root is not None else []
    while pending:
        node, steps = pending.pop()
        if node.span == target.span and node.kind == target.kind:
            return steps
        if node.kind == "map":
            below = [(value, (*steps, key.text)) for key, value in node.items()]
        elif node.kind == "list":
            below = [(value, (*steps, str(index))) for index, value in enumerate(node.elements())]
        else:
            continue
        # Spans nest: only the last branch that begins before the target can hold it (aliases aside: they lie elsewhere)
        for one in reversed(below):
            if one[0].raw.start_mark.index <= target.raw.start_mark.index:
                if one[0].span.start <= target.span.start < one[0].span.end:
                    pending.append(one)
                if not node.file.aliased:
                    break
    return ()
