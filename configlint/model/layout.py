"""What the parts of the model share about a tree: its profile, its generation, and its parsed documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from configlint.launch.values import clean
from configlint.profile.profile import Generation, Profile
from configlint.source.text import Place
from configlint.source.trees import Tree, Unreadable

if TYPE_CHECKING:
    from configlint.syntax.yaml import File, Node


@dataclass(frozen=True)
class Fault:
    """Something that keeps a part of the model from being built: becomes a diagnostic.

    ``id`` is a diagnostic id (``not-analysed``, ``unreadable-file``); ``entry`` the matrix entry concerned, if one.
    ``lacks`` names the table of the runners file in which the entry's label is missing, if that is what is wrong.
    """

    message: str
    place: Place | None = None
    path: str = ""
    entry: str = ""
    id: str = "not-analysed"
    lacks: str = ""


@dataclass(eq=False)
class Layout:
    """A tree seen through a profile. Documents are read and parsed once; what cannot be read is noted once."""

    tree: Tree
    profile: Profile
    generation: Generation
    faults: list[Fault] = field(default_factory=list)
    _documents: dict[str, File | None] = field(default_factory=dict)

    def document(self, path: str) -> File | None:
        """The parsed file, None where it is absent or unreadable (which :attr:`faults` then says)."""
        if path not in self._documents:
            self._documents[path] = self._load(path)
        return self._documents[path]

    def _load(self, path: str) -> File | None:
        from configlint.syntax.yaml import load

        try:
            text = self.tree.read(path)
        except FileNotFoundError:
            return None
        except Unreadable as fault:
            self.faults.append(Fault(fault.reason, path=path, id="unreadable-file"))
            return None
        file = load(text)
        for problem in file.faults:
            if problem.limit:
                self.faults.append(Fault(problem.message, Place(text, problem.span), path))
        return file


def child(node: Node | None, *path: str) -> Node | None:
    """The value below a chain of mapping keys; None where the chain breaks."""
    for name in path:
        if node is None or node.kind != "map":
            return None
        node = node.get(name)
    return node


def pairs(node: Node | None) -> dict[str, Node]:
    """The keys of a mapping with their values; nothing for anything else."""
    return node.pairs() if node is not None and node.kind == "map" else {}


def elements(node: Node | None) -> tuple[Node, ...]:
    """The elements of a list; nothing for anything else."""
    return node.elements() if node is not None and node.kind == "list" else ()


def top(file: File) -> Place:
    """The first line of a file: where a complaint about the file as a whole goes."""
    return Place(file.text, file.text.line_span(1))


def plain(node: Node) -> object:
    """The node as plain data, without the characters that mark holes in values."""
    data = node.plain()
    raw = node.file.text.raw
    # U+E000 to U+E03F as they are, or as an escape in a double-quoted string
    return _cleaned(data) if b"\xee\x80" in raw or b"\\u" in raw or b"\\U" in raw else data


def _cleaned(data: object) -> object:
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, list):
        return [_cleaned(one) for one in data]
    if isinstance(data, dict):
        return {_cleaned(name): _cleaned(one) for name, one in data.items()}
    return data
