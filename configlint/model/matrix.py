"""The matrix: entries, items and points, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.values import is_known
from configlint.model.layout import Fault, Layout, plain, top
from configlint.model.runners import Launcher, Runners
from configlint.profile.globs import Globs
from configlint.profile.rows import Adapter, Path, Row, RowGroup, adapter
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

THROUGHPUT, EVAL, SWEEP = "throughput", "eval", "sweep"
"""Modes of a row: a throughput job's (no evaluation marks), an evaluation job's, and a full sweep's (both in one)."""

_DASH_AND_COMMENT = re.compile(rb"-\s+#")

MAX_POINTS = 200_000  # of a whole matrix


@dataclass(eq=False, slots=True)
class Point:
    """One job after expansion: the row ``index`` of an item."""

    item: Item
    index: int

    @property
    def entry(self) -> Entry:
        return self.item.entry

    @property
    def concurrency(self) -> object:
        """A number, or the list of numbers that one job runs."""
        return self.item.group.varying[self.index].get(self.entry.matrix.field("concurrency"))

    @property
    def is_evaluated(self) -> bool:
        """True if the generator marks this point for an evaluation."""
        return self.index in self.item.group.evals

    def row(self, mode: str = SWEEP) -> Row:
        """The row as the generator makes it: of a full sweep, or as a job of this mode gets it."""
        group = self.item.group
        return {**group.shared, **group.varying[self.index], **group.plain, **self._marks(mode)}

    def get(self, name: str, mode: str) -> object:
        """One field of :meth:`row`, None where the row has none."""
        group = self.item.group
        for fields in (self._marks(mode), group.varying[self.index], group.shared, group.plain):
            if name in fields:
                return fields[name]
        return None

    def _marks(self, mode: str) -> Row:
        group = self.item.group
        if mode == THROUGHPUT:
            return {}
        return (group.evals if mode == EVAL else group.swept).get(self.index, {})

    def places(self, *path: str | int) -> tuple[Place, ...]:
        """Where the value at a path of the row is written (several places for one that is computed)."""
        return tuple(node.place for node in self.item.nodes(self.index, path))


@dataclass(eq=False)
class Item:
    """One item of a search space. ``group`` holds its rows."""

    entry: Entry
    group: RowGroup

    @property
    def scenario(self) -> str:
        return self.group.scenario

    @property
    def sequence(self) -> str:
        return self.group.sequence

    @property
    def multi(self) -> bool:
        return self.group.multi

    @cached_property
    def points(self) -> tuple[Point, ...]:
        return tuple(Point(self, index) for index in range(len(self.group.varying)))

    @cached_property
    def scopes(self) -> tuple[Node, ...]:
        """The mappings in which fields of this item may be written, innermost first: item, block, entry."""
        path = self.group.path
        nodes = [self.entry.node.at(*path[:depth]) for depth in range(len(path), 0, -1)]
        return (*(node for node in nodes if node is not None and node.kind == "map"), self.entry.node)

    @property
    def node(self) -> Node:
        return self.scopes[0]

    def varying(self, mode: str) -> frozenset[str]:
        """The row fields in which the item's points may differ."""
        group = self.group
        names = set(group.varying[0])
        for marks in () if mode == THROUGHPUT else (group.swept, group.evals):
            names.update(name for fields in marks.values() for name in fields)
        return frozenset(names)

    @cached_property
    def place(self) -> Place:
        return self.node.place

    @cached_property
    def line(self) -> int:
        """The 1-based line on which the item's ``- `` stands."""
        text, start = self.node.file.text, self.node.span.start
        raw, at = text.raw, start
        while True:
            before = raw[:at].rstrip()
            begin = before.rfind(b"\n") + 1
            last = before[begin:].lstrip()
            if last.rstrip(b" -") == b"" and last.endswith(b"-"):  # the dash, on this line or alone on one above
                return text.position(len(before) - 1).line
            if _DASH_AND_COMMENT.match(last):
                return text.position(begin).line
            if not last.startswith(b"#"):
                return text.position(start).line
            at = begin

    def nodes(self, index: int, path: Path) -> list[Node]:
        """The nodes behind a path of row ``index``."""
        matrix, name = self.entry.matrix, path[0]
        if name == matrix.field("concurrency"):
            exact = self.node.at(*self.group.at[index])
            if exact is not None:
                return [exact]
        derived = matrix.derived.get(str(name))
        if derived is not None:
            return [node for key in derived if (node := self._written(key)) is not None]
        found = self._written(str(name))
        for step in path[1:]:
            below = found.at(step) if found is not None else None
            if below is None:
                break
            found = below
        return [found] if found is not None else []

    def _written(self, key: str) -> Node | None:
        for scope in self.scopes:
            node = scope.get(key)
            if node is not None:
                return node
        return None


@dataclass(eq=False)
class Entry:
    """One keyed benchmark definition."""

    matrix: Matrix
    key: str
    node: Node
    key_node: Node

    @cached_property
    def place(self) -> Place:
        """The entry's key."""
        return self.key_node.place

    @property
    def path(self) -> str:
        """The matrix file."""
        return self.node.file.text.path

    @cached_property
    def data(self) -> object:
        """The entry as plain data. Who reads it leaves it as it is."""
        return plain(self.node)

    @cached_property
    def expansion(self) -> tuple[tuple[Item, ...], tuple[Fault, ...]]:
        """Items, not yet marked for evaluation, and faults."""
        expansion = self.matrix.adapter.expand(self.key, self.data, self.matrix.runners.data)
        faults = [
            Fault(fault.message, self._fault_place(fault.path), self.path, self.key, lacks=fault.lacks)
            for fault in expansion.faults
        ]
        return tuple(Item(self, group) for group in expansion.groups), tuple(faults)

    def _fault_place(self, path: Path) -> Place:
        for depth in range(len(path), 0, -1):
            node = self.node.at(*path[:depth])
            if node is not None:
                return node.place
        return self.place

    @property
    def items(self) -> tuple[Item, ...]:
        """The entry's items, with their evaluation marks set (which takes the whole matrix)."""
        self.matrix.items  # noqa: B018
        return self.expansion[0]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What could not be expanded."""
        return self.expansion[1]

    @property
    def points(self) -> Iterator[Point]:
        for item in self.items:
            yield from item.points

    @property
    def label(self) -> str:
        """The runner label, empty where the entry names none."""
        value = self.node.get(self.matrix.field("runner"))
        return value.value if value is not None and isinstance(value.value, str) else ""

    @property
    def launchers(self) -> tuple[Launcher, ...]:
        """The launchers that may run the entry's points."""
        label = self.label
        return self.matrix.runners.launchers(label) if label and is_known(label) else ()


class Matrix:
    """All entries of a tree, in order of files and keys.

    Entries are expanded on demand; which points are evaluated depends on all of them, so
    asking for :attr:`points` or :meth:`rows` expands the whole matrix.
    """

    def __init__(self, layout: Layout, runners: Runners | None = None) -> None:
        profile = layout.profile.matrix
        self.layout = layout
        self.runners = runners if runners is not None else Runners(layout)
        self.derived = profile.derived if profile else {}
        self._fields = profile.fields if profile else {}
        self._adapter = profile.adapter if profile else ""
        self.files: tuple[str, ...] = ()
        self.file_faults: list[Fault] = []
        if profile and layout.generation.matrices:
            globs = Globs(layout.generation.matrices)
            self.files = tuple(globs.select(layout.tree.files()))

    @cached_property
    def adapter(self) -> Adapter:
        return adapter(self._adapter)

    def field(self, role: str) -> str:
        """The name of the row field that plays a role; the role itself where the profile does not say."""
        return self._fields.get(role, role)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Key -> entry. A key that is in two files keeps its first definition (and is a fault)."""
        entries: dict[str, Entry] = {}
        for path in self.files:
            document = self.layout.document(path)
            if document is None or document.root is None:
                continue
            if document.root.kind != "map":
                self.file_faults.append(Fault("a matrix file must be a mapping", top(document), path))
                continue
            for key, node in document.root.pairs().items():
                key_node = document.root.key(key)
                entry = Entry(self, key, node, key_node if key_node is not None else node)
                if key in entries:
                    other = entries[key].place
                    message = f"{key} is defined in {other.path}:{other.line} already"
                    self.file_faults.append(Fault(message, entry.place, path, key))
                else:
                    entries[key] = entry
        return entries

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items, with their evaluation marks set."""
        items: list[Item] = []
        points = 0
        for entry in self.entries.values():
            for item in entry.expansion[0]:
                points += len(item.group.varying)
                if points > MAX_POINTS:
                    message = f"more than {MAX_POINTS} points in the matrix: the rest is left out"
                    self.file_faults.append(Fault(message, item.place, entry.path, entry.key))
                    break
                items.append(item)
            if points > MAX_POINTS:
                break
        if items:
            self.adapter.mark([item.group for item in items])
        return tuple(items)

    @property
    def points(self) -> Iterator[Point]:
        for item in self.items:
            yield from item.points

    def rows(self) -> list[Row]:
        """The full sweep, as the repository's own generator prints it."""
        return [point.row() for point in self.points]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that could not be expanded, of files, runners and entries."""
        of_entries = [fault for entry in self.entries.values() for fault in entry.faults]
        return (*self.file_faults, *self.runners.faults, *of_entries)


def rows(entry: Entry) -> list[Row]:
    """The rows of one entry in a full sweep."""
    return [point.row() for point in entry.points]
