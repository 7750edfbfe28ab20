"""The virtual file system: immutable layers over read-only trees.

A path is absolute: it starts with ``/`` or with a hole (``{?GITHUB_WORKSPACE}/runners``). What no layer
covers belongs to the host: its state is unknown, and removing it does not make it absent.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TypeAlias

from configlint.launch.texts import VirtualText
from configlint.launch.values import INPUT, UNKNOWN, shown, unknown
from configlint.source.records import record
from configlint.source.text import Place
from configlint.source.trees import Kind, Tree


class Status(Enum):
    """What is at a path."""

    FILE = "file"
    DIRECTORY = "directory"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@record
class Found:
    """What is at a path. For a file: its text if a launcher wrote it, else the tree and path it is read from."""

    status: Status
    text: VirtualText | None = None
    tree: Tree | None = None
    path: str = ""


ABSENT, DIRECTORY, UNKNOWN_FOUND = Found(Status.ABSENT), Found(Status.DIRECTORY), Found(Status.UNKNOWN)
_KINDS = {Kind.DIRECTORY: DIRECTORY, Kind.ABSENT: ABSENT, Kind.UNREADABLE: UNKNOWN_FOUND}


@record
class Mount:
    """A tree at a directory (a checkout); ``tree`` None: its contents cannot be read here."""

    prefix: str
    tree: Tree | None


@record
class Copied:
    """A directory (or file) merged over another, as the file system was at that moment.

    ``at`` is the command where that is not a copy: git puts back what a revision holds.
    """

    prefix: str
    source: str
    base: Files
    at: Place | None = field(default=None, compare=False)


@record
class Written:
    """A file; ``text`` None: its contents are unknown."""

    prefix: str
    text: VirtualText | None


@record
class Placed:
    """A file copied from a tree or a virtual file."""

    prefix: str
    found: Found


@record
class MadeDirectory:
    """An empty directory, or one that was there."""

    prefix: str


@record
class Removed:
    """Nothing at or below the path. ``at`` is the command that removed it, where that is known."""

    prefix: str
    at: Place | None = field(default=None, compare=False)


@record
class Cleaned:
    """``git clean``: at or below the path, nothing that ``tree`` (at ``root``) does not hold.

    ``sure`` is False where an untracked file may be one that git ignores, and stays. ``directories``: those that
    hold nothing tracked go as well.
    """

    prefix: str
    root: str
    tree: Tree | None
    directories: bool
    sure: bool
    at: Place | None = field(default=None, compare=False)

    def keeps(self, path: str) -> bool | None:
        """Whether the path is left alone; None where that is not known."""
        relative = path[len(self.root) + 1 :]
        if self.tree is None or UNKNOWN in relative or INPUT in relative:
            return None
        if self.tree.kind(relative) is not Kind.ABSENT:
            return True
        if not self.directories and self.tree.kind(relative.rpartition("/")[0]) is not Kind.DIRECTORY:
            return True
        return False if self.sure else None


@record
class Tainted:
    """An opaque program may have done anything at or below the path."""

    prefix: str


Layer: TypeAlias = Mount | Copied | Written | Placed | MadeDirectory | Removed | Cleaned | Tainted


def normalise(path: str) -> str:
    """Resolve ``.`` and ``..`` and double slashes textually; an absolute path stays absolute.

    The directory above one whose name is not known is not known either: ``{?X}/..`` becomes ``{?parent of X}``.
    """
    if "/." not in path and "//" not in path and not path.endswith("/"):
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            if UNKNOWN in parts[-1] or INPUT in parts[-1]:
                parts = [unknown(f"parent of {'/'.join(map(shown, parts))}")]
            elif parts[-1] != "":
                parts.pop()
        elif part not in ("", ".", "..") or not parts:
            parts.append(part)
    return "/".join(parts) or "/"


def below(path: str, prefix: str) -> bool:
    """True if ``path`` is ``prefix`` or inside it."""
    return path.startswith(prefix) and (len(path) == len(prefix) or path[len(prefix)] == "/" or prefix.endswith("/"))


@record
class Files:
    """A file system state. ``parent`` is the state before ``layer``, ``depth`` the number of layers."""

    parent: Files | None = None
    layer: Layer | None = None
    depth: int = 0

    def with_layer(self, layer: Layer) -> Files:
        return Files(self, layer, self.depth + 1)

    def layers(self) -> list[Layer]:
        """Newest first."""
        node: Files | None = self
        found = []
        while node is not None and node.layer is not None:
            found.append(node.layer)
            node = node.parent
        return found

    def joined(self, other: Files, careful: tuple[str, ...]) -> Files | None:
        """One state for two that differ in nothing that matters, else None.

        What only one side did is unknown afterwards; below the ``careful`` directories (clones) a
        difference in files, mounts, copies or removals matters.
        """
        if self is other:
            return self
        mine, theirs, common = _since_common(self, other)
        if len(mine) == len(theirs) and all(map(same_layer, mine, theirs)):
            return self
        differing = [one for one in (*mine, *theirs) if not _in_both(one, mine, theirs)]
        for layer in differing:
            if isinstance(layer, (Mount, Copied, Cleaned)):
                return None
            if not isinstance(layer, (Tainted, MadeDirectory)) and any(below(layer.prefix, one) for one in careful):
                return None
        result = common
        for layer in mine:
            result = result.with_layer(layer)
        for prefix in dict.fromkeys(layer.prefix for layer in differing):
            if result.lookup(prefix).status is not Status.UNKNOWN:
                result = result.with_layer(Tainted(prefix))
        return result

    def lookup(self, path: str) -> Found:
        """What is at ``path``."""
        node: Files | None = self
        while node is not None and node.layer is not None:
            layer = node.layer
            prefix = layer.prefix
            if path.startswith(prefix) or prefix.startswith(path):  # most layers are about other paths
                found = _answer(layer, path)
                if found is not None:
                    return found
            node = node.parent
        return UNKNOWN_FOUND

    def children(self, path: str) -> tuple[tuple[str, ...], bool]:
        """Names in a directory, sorted, and whether that is all of them."""
        names: set[str] = set()
        complete = False
        for layer in reversed(self.layers()):
            complete = _list_into(layer, path, names, complete)
        return tuple(sorted(names)), complete

    def walk(self, path: str, limit: int = 5000) -> tuple[list[str], bool]:
        """All files below a directory, sorted by path, and whether that is all of them."""
        out: list[str] = []
        pending, complete = [path], True
        while pending and len(out) < limit:
            directory = pending.pop()
            names, whole = self.children(directory)
            complete &= whole
            for name in names:
                child = f"{directory}/{name}"
                status = self.lookup(child).status
                if status is Status.DIRECTORY:
                    pending.append(child)
                elif status is Status.FILE:
                    out.append(child)
        return sorted(out), complete and not pending


def same_layer(left: Layer, right: Layer) -> bool:
    """True if two layers say the same, whichever path made them."""
    if left == right:
        return True
    if isinstance(left, Written) and isinstance(right, Written) and left.prefix == right.prefix:
        return (left.text and left.text.text) == (right.text and right.text.text)
    if isinstance(left, Placed) and isinstance(right, Placed) and left.prefix == right.prefix:
        return (left.found.tree, left.found.path) == (
            right.found.tree,
            right.found.path,
        ) and left.found.tree is not None
    return isinstance(left, Copied) and isinstance(right, Copied) and (
        (left.prefix, left.source) == (right.prefix, right.source)
    )  # fmt: skip


def _in_both(layer: Layer, mine: list[Layer], theirs: list[Layer]) -> bool:
    return any(same_layer(layer, one) for one in mine) and any(same_layer(layer, one) for one in theirs)


def _since_common(left: Files, right: Files) -> tuple[list[Layer], list[Layer], Files]:
    """The layers of each side since the last common state, oldest first, and that state."""
    ancestors: dict[int, int] = {}
    node: Files | None = left
    depth = 0
    while node is not None:
        ancestors[id(node)] = depth
        node, depth = node.parent, depth + 1
    theirs: list[Layer] = []
    node = right
    while node is not None and id(node) not in ancestors:
        if node.layer is not None:
            theirs.append(node.layer)
        node = node.parent
    common = node if node is not None else Files()
    mine: list[Layer] = []
    node = left
    while node is not None and node is not common:
        if node.layer is not None:
            mine.append(node.layer)
        node = node.parent
    return mine[::-1], theirs[::-1], common


def _answer(layer: Layer, path: str) -> Found | None:
    prefix = layer.prefix
    if not below(path, prefix):
        if isinstance(layer, (Written, Placed, MadeDirectory, Copied)) and below(prefix, path):
            return DIRECTORY
        return None
    if isinstance(layer, Mount):
        relative = path[len(prefix) + 1 :]
        if layer.tree is None or UNKNOWN in relative or INPUT in relative:
            return UNKNOWN_FOUND if relative or layer.tree is None else DIRECTORY
        kind = layer.tree.kind(relative)
        return Found(Status.FILE, tree=layer.tree, path=relative) if kind is Kind.FILE else _KINDS[kind]
    if isinstance(layer, Copied):
        found = layer.base.lookup(layer.source + path[len(prefix) :])
        return None if found.status is Status.ABSENT else found
    if isinstance(layer, Removed):
        return ABSENT
    if isinstance(layer, Cleaned):
        keeps = path == prefix or layer.keeps(path)
        return None if keeps else UNKNOWN_FOUND if keeps is None else ABSENT
    if isinstance(layer, Tainted):
        return UNKNOWN_FOUND
    if isinstance(layer, MadeDirectory):
        return DIRECTORY if path == prefix else None
    if path != prefix:
        return ABSENT
    if isinstance(layer, Placed):
        return layer.found
    return Found(Status.FILE, text=layer.text)


def _list_into(layer: Layer, path: str, names: set[str], complete: bool) -> bool:
    prefix = layer.prefix
    if below(path, prefix):
        if isinstance(layer, Mount):
            names.clear()
            if layer.tree is None:
                return False
            names.update(layer.tree.list(path[len(prefix) + 1 :]))
            return True
        if isinstance(layer, Copied):
            more, whole = layer.base.children(layer.source + path[len(prefix) :])
            names.update(more)
            return complete and whole
        if isinstance(layer, Removed):
            names.clear()
            return True
        if isinstance(layer, Cleaned):
            kept = {name: layer.keeps(f"{path}/{name}") for name in names}
            names.intersection_update([name for name, keeps in kept.items() if keeps is not False])
            return complete and None not in kept.values()
        return False if isinstance(layer, Tainted) else complete
    if below(prefix, path):
        name = prefix[len(path) + 1 :].split("/", 1)[0]
        if isinstance(layer, Removed):
            if prefix == f"{path}/{name}":
                names.discard(name)
        elif isinstance(layer, Tainted):
            return False
        elif not isinstance(layer, Cleaned):
            names.add(name)
    return complete
