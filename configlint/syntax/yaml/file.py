"""A YAML file as read: its documents, what is wrong with it, its duplicate keys, its comments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from yaml.nodes import MappingNode, ScalarNode

from configlint.source.text import Span, Text
from configlint.syntax.yaml import scalars
from configlint.syntax.yaml.compose import Composed, Problem, compose
from configlint.syntax.yaml.nodes import Node
from configlint.syntax.yaml.offsets import Offsets


@dataclass(frozen=True, slots=True)
class Fault:
    """A document that cannot be read: what is wrong, where, and where the construct around it began."""

    message: str
    span: Span
    related: Span | None = None


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


class File:
    """The documents of one text. Everything beyond parsing is computed when asked for, once."""

    def __init__(self, text: Text, composed: Composed) -> None:
        self.text = text
        self.shared = composed.shared
        self._composed = composed
        self._views: dict[int, Node] = {}
        self._offsets = Offsets(text)

    @cached_property
    def documents(self) -> tuple[Node | None, ...]:
        """One a document; None for one that cannot be read (it has a fault). No text, no documents."""
        return tuple([None if raw is None else self.view(raw) for raw in self._composed.documents])

    @property
    def root(self) -> Node | None:
        """The first document; None if there is none or it cannot be read."""
        return self.documents[0] if self.documents else None

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps documents from being read."""
        return tuple([self._fault(problem) for problem in self._composed.problems])

    def _fault(self, problem: Problem) -> Fault:
        related = None
        if problem.related >= 0:
            related = self._word(self.offset(problem.related))
        return Fault(problem.message, self._word(self.offset(problem.at)), related)

    def _word(self, start: int) -> Span:
        """A span worth underlining from an offset: the word there, or the last one before the end."""
        raw = self.text.raw
        if not raw[start:].strip():
            end = len(raw[:start].rstrip())
            return Span(max(0, end - 1), end)
        end = start + 1
        while end < len(raw) and end - start < 80 and raw[end : end + 1] not in b" \t\r\n":
            end += 1
        return Span(start, end)

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
        start = self.offset(raw.start_mark.index)
        last = raw
        while type(last) is not ScalarNode and not last.flow_style and last.value:
            if type(last) is MappingNode:
                key, value = last.value[-1]
                last = value
                if type(value) is ScalarNode and value.start_mark.index == value.end_mark.index:
                    # a missing value lies where the next token is: that may be lines away
                    last = key if value.start_mark.line > key.end_mark.line else value
            else:
                last = last.value[-1]
            if last.start_mark.index < raw.start_mark.index or last.end_mark.index > raw.end_mark.index:
                # an alias: its node lies elsewhere
                return Span(start, max(start, self._trimmed(start, self.offset(raw.end_mark.index))))
        end = self.offset(last.end_mark.index)
        if type(last) is ScalarNode and last.style in ("|", ">"):
            end = start + len(self.text.raw[start:end].rstrip())
        return Span(start, max(start, end))

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
        ``<<`` itself may be repeated, all are merged.
        """
        return self._duplicates

    @cached_property
    def _duplicates(self) -> tuple[Duplicate, ...]:
        found: list[Duplicate] = []
        for raw in self._mappings():
            pairs = raw.value
            try:
                texts = {key.value for key, _ in pairs}
            except TypeError:  # a collection as key: a list of nodes
                texts = set()
            if len(texts) < len(pairs) or scalars.may_be_typed(texts):
                found += self._repeated(raw)
        return tuple(sorted(found, key=lambda duplicate: duplicate.second.span))

    def _mappings(self) -> list[Any]:
        """Every mapping node, each once."""
        seen: set[int] = set()
        mappings: list[Any] = []
        stack = [raw for raw in self._composed.documents if raw is not None]
        while stack:
            raw = stack.pop()
            kind = type(raw)
            if kind is ScalarNode:
                continue
            if self.shared:
                if id(raw) in seen:
                    continue
                seen.add(id(raw))
            if kind is MappingNode:
                mappings.append(raw)
                for key, value in raw.value:
                    if type(value) is not ScalarNode:
                        stack.append(value)
                    if type(key) is not ScalarNode:
                        stack.append(key)
            else:
                stack += raw.value
        return mappings

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


def load(text: Text) -> File:
    """Read a YAML file. Never raises for bad input: see :attr:`File.faults`."""
    return File(text, compose(text.raw))


def load_string(string: str, path: str = "<generated>") -> File:
    """Read generated YAML. Spans are offsets into the string as UTF-8."""
    return load(Text(path, string.encode("utf-8", "replace")))
