"""A YAML document as read: lazy views over PyYAML's nodes, every one with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from yaml.nodes import MappingNode, ScalarNode

from configlint.source.text import Place, Span
from configlint.syntax.yaml import scalars
from configlint.syntax.yaml.scalars import Scalar

if TYPE_CHECKING:
    from configlint.syntax.yaml.file import File

Kind = Literal["map", "list", "scalar"]
Pair = tuple["Node", "Node"]

_NOT_READ = object()
_ANCHOR = re.compile(r"(?:!\S*\s+)?&([\w-]+)", re.ASCII)


class Node:
    """One node of a document. One view per node of a file, so views compare by identity.

    Documents are finite trees (see :mod:`configlint.syntax.yaml.compose`): reading one recursively is
    safe. A node reached through an alias is the node that was anchored, with that place.
    """

    __slots__ = ("_children", "_index", "_tag", "_value", "file", "kind", "raw")

    def __init__(self, file: File, raw: Any) -> None:
        self.file = file
        self.raw = raw
        kind = type(raw)
        self.kind: Kind = "scalar" if kind is ScalarNode else "map" if kind is MappingNode else "list"
        self._children: tuple[Any, ...] | None = None
        self._index: dict[str, Pair] | None = None
        self._tag: str | None = None
        self._value: Any = _NOT_READ

    def __repr__(self) -> str:
        start = self.place.start
        return f"<{self.kind} {self.file.text.shown}:{start.line}:{start.column}>"

    # --- what it is -------------------------------------------------------------------------------

    @property
    def tag(self) -> str:
        """The full tag (``tag:yaml.org,2002:int``, ``!local``), found by PyYAML's rules if none is written."""
        if self._tag is None:
            if self.raw.tag is not None:
                self._tag = str(self.raw.tag)
            elif self.kind == "scalar":
                self._tag = scalars.plain_tag(self.raw.value)
            else:
                self._tag = scalars.MAP if self.kind == "map" else scalars.SEQ
        return self._tag

    @property
    def style(self) -> str:
        """Scalars: ``""`` plain, ``'``, ``"``, ``|`` or ``>``. Collections: ``flow`` or ``block``."""
        if type(self.raw) is ScalarNode:
            return self.raw.style or ""
        return "flow" if self.raw.flow_style else "block"

    @property
    def anchor(self) -> str | None:
        """The name of its anchor, None without."""
        start = self.file.offset(self.raw.start_mark.index)
        if self.file.text.raw[start : start + 1] not in (b"&", b"!"):
            return None
        found = _ANCHOR.match(self.file.text.slice(self.span))
        return found[1] if found else None

    @property
    def text(self) -> str:
        """A scalar's text after unquoting; empty for collections."""
        return self.raw.value if type(self.raw) is ScalarNode else ""

    @property
    def value(self) -> Scalar:
        """A scalar's value as PyYAML's SafeLoader types it; None for collections."""
        if self._value is _NOT_READ:
            self._value = scalars.value_of(self.tag, self.raw.value) if self.kind == "scalar" else None
        value: Scalar = self._value
        return value

    # --- where it is ------------------------------------------------------------------------------

    @property
    def span(self) -> Span:
        """Its bytes, anchor and tag included. Blank lines and comments after a block do not belong to it."""
        return self.file.span(self.raw)

    @property
    def place(self) -> Place:
        return Place(self.file.text, self.span)

    # --- what is in it ----------------------------------------------------------------------------

    def items(self) -> tuple[Pair, ...]:
        """The pairs of a mapping as written: duplicates kept, ``<<`` not merged."""
        if self._children is None:
            view = self.file.view
            pairs = self.raw.value if type(self.raw) is MappingNode else ()
            self._children = tuple([(view(key), view(value)) for key, value in pairs])
        return self._children if type(self.raw) is MappingNode else ()

    def elements(self) -> tuple[Node, ...]:
        """The elements of a list; empty for all else."""
        if type(self.raw) in (MappingNode, ScalarNode):
            return ()
        if self._children is None:
            view = self.file.view
            self._children = tuple([view(element) for element in self.raw.value])
        return self._children

    def _merged(self) -> dict[str, Pair]:
        """Pairs by key text, as a reader sees them: ``<<`` merged in first, the last of duplicates wins."""
        if self._index is None:
            index: dict[str, Pair] = {}
            own: list[Pair] = []
            for pair in self.items():
                key, value = pair
                if key.raw.value == "<<" and key.tag == scalars.MERGE:
                    # of a list of mappings the first wins
                    for source in (value,) if value.kind == "map" else reversed(value.elements()):
                        index.update(source._merged())
                else:
                    own.append(pair)
            for pair in own:
                index[pair[0].name] = pair
            self._index = index
        return self._index

    @property
    def name(self) -> str:
        """The node as a key: a scalar's text, the source of a collection."""
        return self.raw.value if type(self.raw) is ScalarNode else self.file.text.slice(self.span)

    def pairs(self) -> dict[str, Node]:
        """The values of a mapping by key text, ``<<`` merged, the last of duplicates; in order."""
        return {name: pair[1] for name, pair in self._merged().items()}

    def get(self, key: str) -> Node | None:
        """The value of a key (its text: ``"8"`` also finds ``8:``), merges honoured; None if absent."""
        pair = self._merged().get(key)
        return pair[1] if pair else None

    def key(self, key: str) -> Node | None:
        """The node of the key itself, merges honoured; None if absent."""
        pair = self._merged().get(key)
        return pair[0] if pair else None

    def at(self, *path: str | int) -> Node | None:
        """The node below, by keys and list indexes; None where the path leaves the document."""
        node: Node | None = self
        for step in path:
            if node is None:
                return None
            if node.kind == "list":
                elements = node.elements()
                inside = isinstance(step, int) and -len(elements) <= step < len(elements)
                node = elements[step] if inside else None  # type: ignore[index]
            else:
                node = node.get(str(step))
        return node

    def walk(self) -> Iterator[Node]:
        """This node and every node below, keys included, in source order; each once, aliases or not."""
        seen: set[int] | None = set() if self.file.aliased else None
        stack = [self.raw]
        while stack:
            raw = stack.pop()
            if seen is not None:
                if id(raw) in seen:
                    continue
                seen.add(id(raw))
            yield self.file.view(raw)
            if type(raw) is MappingNode:
                for key, value in reversed(raw.value):
                    stack.append(value)
                    stack.append(key)
            elif type(raw) is not ScalarNode:
                stack.extend(reversed(raw.value))

    def plain(self) -> Any:
        """The value as Python data (dict, list, scalars), merged, as ``yaml.safe_load`` would build it.

        Differs from it where it would stop (unknown tags are ignored, a collection as key becomes its
        source text), for timestamps and binary values (text), and in that aliases become copies.
        """
        return _plain(self.raw, self.file)

    def typed_items(self) -> Iterator[Pair]:
        """The pairs that survive, also those whose keys differ in type only (``1`` and ``"1"``)."""
        items = self.items()
        if self._index is None and not any(key.raw.value == "<<" for key, _ in items):
            yield from items
            return
        own: list[Pair] = []
        for key, value in items:
            if key.raw.value == "<<" and key.tag == scalars.MERGE:
                for source in (value,) if value.kind == "map" else reversed(value.elements()):
                    yield from source.typed_items()
            else:
                own.append((key, value))
        yield from own


def _plain(raw: Any, file: File) -> Any:
    """Works on PyYAML's nodes: a view for each of them would cost three times as much."""
    kind = type(raw)
    if kind is ScalarNode:
        return scalars.plain_value(raw.value) if raw.tag is None else scalars.value_of(raw.tag, raw.value)
    if kind is not MappingNode:
        return [_plain(element, file) for element in raw.value]
    plain: dict[Any, Any] = {}
    for key, _ in raw.value:
        if type(key) is not ScalarNode or key.value == "<<":
            for node, below in file.view(raw).typed_items():
                plain[node.value if node.kind == "scalar" else node.name] = _plain(below.raw, file)
            return plain
    for key, value in raw.value:
        name = scalars.plain_value(key.value) if key.tag is None else scalars.value_of(key.tag, key.value)
        plain[name] = _plain(value, file)
    return plain
