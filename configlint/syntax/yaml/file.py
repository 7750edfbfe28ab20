"""A YAML file as read: its documents, what is wrong with it, its duplicate keys, its comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from configlint.source.text import Span, Text
from configlint.syntax.yaml import scalars
from configlint.syntax.yaml.comments import Comment, find_comments
from configlint.syntax.yaml.compose import Composed, Problem, compose
from configlint.syntax.yaml.nodes import Node
from configlint.syntax.yaml.offsets import Offsets
from configlint.syntax.yaml.paths import locate


@dataclass(frozen=True, slots=True)
class Fault:
    """A document that cannot be read: what is wrong, where, and where the construct around it began.

    ``limit``: it is not wrong, but costs more (nesting, aliases) than is spent here; other readers may read it.
    """

    message: str
    span: Span
    related: Span | None = None
    limit: bool = False


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key that stands twice in one mapping. The first value is lost.

    A key that stands three times gives two of these: first and second, second and third.
    """

    mapping: Node
    key: str
    first: Node
    first_value: Node
    second: Node
    second_value: Node


_TOP_LEVEL = re.compile(rb"(?m)^([\w\"'][^\n:#]*):(?:[ \t\r\n]|$)")
_BLOCK_SCALARS = frozenset("|>")


class File:
    """The documents of one text. Everything beyond parsing is computed when asked for, once."""

    def __init__(self, text: Text, composed: Composed) -> None:
        self.text = text
        self.aliased = composed.aliased
        self._graphs: tuple[Any, ...] | None = composed.documents
        self._problems = composed.problems
        self._views: dict[int, Node] = {}
        self._offsets = Offsets(text)
        self._ascii = text.raw.isascii()

    @cached_property
    def documents(self) -> tuple[Node | None, ...]:
        """One a document; None for one that cannot be read (it has a fault). No text, no documents."""
        return tuple([None if raw is None else self.view(raw) for raw in self._composed()])

    def _composed(self) -> tuple[Any, ...]:
        """PyYAML's nodes. They take a hundred times the memory of the text, so who is through lets go of them."""
        if self._graphs is None:
            self._graphs = compose(self.text.raw).documents
        return self._graphs

    @property
    def root(self) -> Node | None:
        """The first document; None if there is none or it cannot be read."""
        return self.documents[0] if self.documents else None

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps documents from being read."""
        return tuple([self._fault(problem) for problem in self._problems])

    def _fault(self, problem: Problem) -> Fault:
        related = None
        if problem.related >= 0:
            related = self._word(self.offset(problem.related))
        return Fault(problem.message, self._word(self.offset(problem.at)), related, problem.limit)

    def _word(self, start: int) -> Span:
        """A span worth underlining from an offset: the word there, or the last one before the end."""
        raw = self.text.raw
        if not raw[start:].strip():
            end = len(raw[:start].rstrip())
            start = max(0, end - 1)
            while start and raw[start] & 0xC0 == 0x80:  # inside a character
                start -= 1
            return Span(start, end)
        end = start + 1
        while end < len(raw) and end - start < 80 and raw[end : end + 1] not in b" \t\r\n":
            end += 1
        return Span(start, end)

    def top_level(self, offset: int) -> Span | None:
        """The last key at the left margin before an offset: what a fault is in, found in text that cannot be parsed."""
        keys = [found.span(1) for found in _TOP_LEVEL.finditer(self.text.raw, 0, offset)]
        return Span(*keys[-1]) if keys else None

    # --- for nodes --------------------------------------------------------------------------------

    def view(self, raw: Any) -> Node:
        """The one view of a PyYAML node of this file."""
        view = self._views.get(id(raw))
        if view is None:
            view = self._views[id(raw)] = Node(self, raw)
        return view

    def offset(self, index: int) -> int:
        """The byte offset of a mark's index."""
        return self._offsets.byte(index)

    def span(self, raw: Any) -> Span:
        """The byte span of a PyYAML node, without what follows a block collection or block scalar."""
        if type(raw) is not ScalarNode and not raw.flow_style:
            return self._block_span(raw)
        start, end = raw.start_mark.index, raw.end_mark.index
        if not self._ascii:
            start, end = self.offset(start), self.offset(end)
        if type(raw) is ScalarNode and raw.style in _BLOCK_SCALARS:
            end = start + len(self.text.raw[start:end].rstrip())
        return Span(start, end)

    def _block_span(self, raw: Any) -> Span:
        """A block ends where its last node does; PyYAML's mark is at the next token, lines later."""
        start = self.offset(raw.start_mark.index)
        last = raw
        while type(last) is not ScalarNode and not last.flow_style and last.value:
            outer = last
            if type(last) is MappingNode:
                key, last = last.value[-1]
                if last.start_mark.index == last.end_mark.index and last.start_mark.line > key.end_mark.line:
                    last = key  # a missing value is marked at the next token too
            else:
                last = last.value[-1]
            if self.aliased and _is_elsewhere(last, outer):
                return Span(start, self._trimmed(start, self.offset(outer.end_mark.index)))
        return Span(start, max(start, self.span(last).end if last is not raw else start))

    def _trimmed(self, start: int, end: int) -> int:
        """``end`` before the blank and comment lines that precede it."""
        lines = self.text.raw[start:end].split(b"\n")
        while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith(b"#")):
            lines.pop()
        return start + len(b"\n".join(lines).rstrip())

    # --- what it says -----------------------------------------------------------------------------

    def duplicates(self) -> tuple[Duplicate, ...]:
        """Keys repeated within one mapping, before ``<<`` merging, in the order of the second key.

        Keys are the same if tag and value are: ``yes`` and ``true`` are, ``1`` and ``"1"`` are not.
        ``<<`` itself may be repeated, all are merged. Nodes that nobody has asked for by then are let go: most files
        are read for this question only.
        """
        return self._duplicates

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """The comments of the file, in order."""
        return tuple(find_comments(self))

    def locate(self, path: str) -> Node | None:
        """The node of the first document at a dotted path: ``backend.prefill[0].tp``, ``zip_override_a.0``.

        Keys that contain dots are found too, the shortest match first.
        """
        return locate(self.root, path) if self.root is not None else None

    @cached_property
    def _duplicates(self) -> tuple[Duplicate, ...]:
        found: list[Duplicate] = []
        seen: set[int] = set()
        stack = [raw for raw in self._composed() if type(raw) in (MappingNode, SequenceNode)]
        while stack:
            raw = stack.pop()
            if self.aliased:
                if id(raw) in seen:
                    continue
                seen.add(id(raw))
            children = raw.value
            if type(raw) is MappingNode:
                try:
                    texts = {key.value for key, _ in children}
                except TypeError:  # a collection as key has a list of nodes here
                    texts = set()
                    stack += [key for key, _ in children if type(key) is not ScalarNode]
                if len(texts) < len(children) or (len(children) > 1 and scalars.may_be_typed(texts)):
                    found += self._repeated(raw)
                stack += [value for _, value in children if type(value) is not ScalarNode]
            else:
                stack += [element for element in children if type(element) is not ScalarNode]
        if not self._views:
            self._graphs = None
        return tuple(sorted(found, key=lambda duplicate: duplicate.second.span))

    def _repeated(self, raw: Any) -> list[Duplicate]:
        mapping = self.view(raw)
        last: dict[tuple[str, Any], tuple[Node, Node]] = {}
        found = []
        for key, value in mapping.items():
            if key.kind != "scalar" or key.tag == scalars.MERGE:
                continue
            identity = (key.tag, key.value)
            if identity in last:
                first, first_value = last[identity]
                found.append(Duplicate(mapping, key.text, first, first_value, key, value))
            last[identity] = (key, value)
        return found


def _is_elsewhere(last: Any, outer: Any) -> bool:
    """True if the last node of a block collection was reached through an alias: it starts too early."""
    start = last.start_mark.index
    if start < outer.start_mark.index:
        return True
    members = outer.value if type(outer) is not MappingNode else [node for pair in outer.value for node in pair]
    return any(node is last or node.start_mark.index < start < node.end_mark.index for node in members[:-1])


def load(text: Text) -> File:
    """Read a YAML file. Never raises for bad input: see :attr:`File.faults`."""
    return File(text, compose(text.raw))


def load_string(string: str, path: str = "<generated>") -> File:
    """Read generated YAML. Spans are offsets into the string as UTF-8."""
    return load(Text(path, string.encode("utf-8", "replace")))


def comment_lines(text: Text) -> tuple[Comment, ...]:
    """The comments of a YAML file: line, column, text. With a :class:`File` at hand, use its own."""
    return load(text).comments if b"#" in text.raw else ()
