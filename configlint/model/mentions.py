"""Which items of the matrix name a document: a glance at the matrix, without running a launcher."""

from __future__ import annotations

import re
from collections import defaultdict

from configlint.model.matrix import Item, Matrix
from configlint.source.text import Span

_DOCUMENT = re.compile(r"[\w./-]+\.ya?ml", re.ASCII)


class Mentions:
    """Documents named in the items of a matrix.

    Launchers lay the tree's folders over a clone, so that the name in the matrix and the path in the tree begin
    differently; they agree but for the first folder of the name.
    """

    def __init__(self, matrix: Matrix) -> None:
        self._items: dict[str, list[Item]] = defaultdict(list)
        for item in matrix.items:
            text, span = item.node.file.text, item.node.span
            for name in dict.fromkeys(_DOCUMENT.findall(text.slice(Span(span.start, span.end)))):
                self._items[name.partition("/")[2] or name].append(item)

    def of(self, path: str) -> tuple[Item, ...]:
        """The items that name the document at a path of the tree."""
        parts = path.split("/")
        return tuple(item for depth in range(len(parts)) for item in self._items.get("/".join(parts[depth:]), ()))
