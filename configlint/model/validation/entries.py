"""The entries of a tree's matrix against the models that the same tree validates them with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.model.layout import Fault, Layout
from configlint.source.base import Unreadable
from configlint.source.text import Place, Text

if TYPE_CHECKING:
    from configlint.model.matrix import Entry
    from configlint.model.validation.check import Checker
    from configlint.model.validation.shapes import Wrong
    from configlint.syntax.python import Found, Module


@dataclass(frozen=True)
class Violation:
    """One thing in an entry that the tree's own validation refuses: where, and at which dotted path."""

    at: Place
    path: str
    message: str


@dataclass(frozen=True)
class Judged:
    """What the tree's own validation says of an entry. ``unsure``: why more could not be told."""

    violations: tuple[Violation, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(eq=False)
class Validation:
    """The validation of one tree. ``source`` is the file that holds it, where there is one."""

    layout: Layout
    _judged: dict[str, Judged] = field(default_factory=dict)

    def of(self, entry: Entry) -> Judged:
        """What is wrong with an entry; nothing where the tree has no validation that can be read."""
        if entry.key not in self._judged:
            self._judged[entry.key] = self._judge(entry)
        return self._judged[entry.key]

    def _judge(self, entry: Entry) -> Judged:
        prepared = self._prepared
        if prepared is None:
            return Judged()
        checker, function = prepared
        verdict = checker.run(function, {entry.key: entry.data})
        return Judged(tuple(violation(entry, one) for one in verdict.wrong), tuple(dict.fromkeys(verdict.unsure)))

    @cached_property
    def source(self) -> Text | None:
        """The file that defines the validation."""
        matrix = self.layout.profile.matrix
        for path in matrix.validation.sources if matrix else ():
            try:
                return self.layout.tree.read(path)
            except FileNotFoundError:
                continue
            except Unreadable as fault:
                self.layout.faults.append(Fault(fault.reason, path=path, id="unreadable-file"))
        return None

    @cached_property
    def _prepared(self) -> tuple[Checker, Found] | None:
        matrix, source = self.layout.profile.matrix, self.source
        if matrix is None or source is None:
            return None
        from configlint.model.validation.check import Checker
        from configlint.syntax.python import Modules

        module = self._module(source, source.path.rpartition("/")[2].removesuffix(".py"))
        if module is None:
            return None
        modules = Modules(self._read)
        function = modules.resolve(module, matrix.validation.function)
        if function is None:
            message = f"there is no {matrix.validation.function}: entries are not checked against the tree's own models"
            self.layout.faults.append(Fault(message, Place(source, source.line_span(1)), source.path))
            return None
        return Checker(modules), function

    def _read(self, name: str) -> Module | None:
        """A module beside the source, or in a folder above it."""
        folder = self.source.path if self.source is not None else ""
        while folder:
            folder = folder.rpartition("/")[0]
            path = f"{folder}/{name.replace('.', '/')}.py".lstrip("/")
            try:
                return self._module(self.layout.tree.read(path), name)
            except (FileNotFoundError, Unreadable):
                continue
        return None

    def _module(self, text: Text, name: str) -> Module | None:
        from configlint.syntax.python import Module, Unparsable, parse

        try:
            return Module(name, parse(text.raw.decode("utf-8", "replace")))
        except Unparsable as fault:
            line = min(max(fault.line, 1), len(text.line_starts))
            self.layout.faults.append(Fault(fault.reason, Place(text, text.line_span(line)), text.path))
            return None


def violation(entry: Entry, wrong: Wrong) -> Violation:
    """A fault in the data as a place in the matrix file: the value, or the key where the key or its absence is it."""
    path = wrong.path
    node = entry.node.at(*path)
    at = None if node is None else node.place
    if wrong.key and path:
        above = entry.node.at(*path[:-1])
        key = above.key(str(path[-1])) if above is not None and above.kind == "map" else None
        at = key.place if key is not None else at
    elif not path:
        at = entry.place
    return Violation(at or entry.place, ".".join(map(str, path)), wrong.message)
