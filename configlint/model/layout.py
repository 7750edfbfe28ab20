"""What the parts of the model share about a tree: its profile, its generation, and its parsed documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from configlint.profile.profile import Generation, Profile
from configlint.source.text import Place, Span, Text
from configlint.source.trees import Tree, Unreadable

if TYPE_CHECKING:
    from configlint.syntax.yaml import File, Node


@dataclass(frozen=True)
class Fault:
    """Something that keeps a part of the model from being built: becomes a diagnostic.

    ``id`` is a diagnostic id (``not-analysed``, ``unreadable-file``); ``entry`` the matrix entry concerned, if one.
    """

    message: str
    place: Place | None = None
    path: str = ""
    entry: str = ""
    id: str = "not-analysed"


@dataclass(frozen=True, eq=False)
class Document:
    """A parsed YAML file of the tree, with its text."""

    text: Text
    file: "File"

    @property
    def root(self) -> "Node | None":
        return self.file.root

    def place(self, node: "Node") -> Place:
        return Place(self.text, node.span)

    @property
    def top(self) -> Place:
        """The first line: where a complaint about the file as a whole goes."""
        return Place(self.text, Span(0, 0))


@dataclass(eq=False)
class Layout:
    """A tree seen through a profile. Documents are read and parsed once; what cannot be read is noted once."""

    tree: Tree
    profile: Profile
    generation: Generation
    faults: list[Fault] = field(default_factory=list)
    _documents: dict[str, Document | None] = field(default_factory=dict)

    def document(self, path: str) -> Document | None:
        """The parsed file, None where it is absent or unreadable (which :attr:`faults` then says)."""
        if path not in self._documents:
            self._documents[path] = self._load(path)
        return self._documents[path]

    def _load(self, path: str) -> Document | None:
        from configlint.syntax.yaml import load

        try:
            text = self.tree.read(path)
        except FileNotFoundError:
            return None
        except Unreadable as fault:
            self.faults.append(Fault(fault.reason, path=path, id="unreadable-file"))
            return None
        return Document(text, load(text))


def pairs(node: "Node | None") -> Iterator[tuple[str, "Node"]]:
    """The keys of a mapping, as written, with their values; nothing for anything else.

    Keys are compared as text: YAML 1.1 reads an ``on:`` that a workflow means as a word as a truth value.
    """
    if node is not None and node.kind == "map":
        for key, value in node.items():
            yield key.text, value


def child(node: "Node | None", name: str) -> "Node | None":
    """The value of a key, compared as text; None where there is none."""
    for key, value in pairs(node):
        if key == name:
            return value
    return None
