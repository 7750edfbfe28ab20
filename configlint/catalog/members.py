"""Where sources come from: a wheel, a source archive, a folder, a git revision; behind one read-only interface.

Nothing is unpacked, imported or built, and nothing is trusted: members that would leave the archive, links, and what
is too large or too many are refused with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from configlint.source.base import Kind, Tree, Unreadable, is_binary

MAX_MEMBER = 5 * 1024 * 1024
"""Largest source file that is read, in bytes."""

MAX_MEMBERS = 200_000
"""Most files of one archive."""

MAX_TOTAL = 256 * 1024 * 1024
"""Most bytes of sources that one archive may give."""


class MembersError(Exception):
    """Sources cannot be read as asked. The message is meant for people."""


class Members(Protocol):
    """The files of one package. Paths are relative, ``/``-separated and never leave it."""

    @property
    def name(self) -> str:
        """What it is, for people."""

    def files(self, under: str = "") -> tuple[str, ...]:
        """Sorted paths of the files below a folder."""

    def read(self, path: str) -> str:
        """A file's text. Raises FileNotFoundError where absent, MembersError where it cannot be read."""


@dataclass(frozen=True)
class TreeMembers:
    """The files of a folder or a git revision."""

    tree: Tree

    @property
    def name(self) -> str:
        """The tree's own name."""
        return self.tree.name

    def files(self, under: str = "") -> tuple[str, ...]:
        """Paths below a folder; links that cannot be followed are in it, and reading one says why."""
        try:
            return self.tree.files(under)
        except Unreadable as fault:
            raise MembersError(f"{self.name}: {fault}") from None

    def read(self, path: str) -> str:
        """A file's text."""
        if self.tree.kind(path) is Kind.DIRECTORY:
            raise FileNotFoundError(path)
        try:
            return decoded(self.name, path, self.tree.read(path).raw)
        except Unreadable as fault:
            raise MembersError(f"{self.name}: {fault}") from None


@dataclass(frozen=True)
class Rooted:
    """Files of other members as seen from their roots: where a package lies in a repository is not its import path.

    The first root that has a path tells it.
    """

    inner: Members
    roots: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the files behind it."""
        return self.inner.name

    def files(self, under: str = "") -> tuple[str, ...]:
        """Paths below a folder of any root, without the root."""
        found: set[str] = set()
        for root in self.roots:
            cut = len(root) + 1 if root else 0
            found.update(path[cut:] for path in self.inner.files(_below(root, under)))
        return tuple(sorted(found))

    def read(self, path: str) -> str:
        """A file's text."""
        for root in self.roots:
            try:
                return self.inner.read(_below(root, path))
            except FileNotFoundError:
                continue
        raise FileNotFoundError(path)


@dataclass(frozen=True)
class MemoryMembers:
    """Files given as texts: tests, and what was read before."""

    texts: dict[str, str]
    name: str = "memory"

    def files(self, under: str = "") -> tuple[str, ...]:
        """Paths below a folder."""
        return below(sorted(self.texts), under)

    def read(self, path: str) -> str:
        """A file's text."""
        try:
            return self.texts[path]
        except KeyError:
            raise FileNotFoundError(path) from None


def _below(root: str, path: str) -> str:
    return f"{root}/{path}" if root and path else root or path


def below(paths: Iterable[str], under: str) -> tuple[str, ...]:
    """Those paths that lie in a folder; all for the empty one. A path that is the folder itself counts."""
    start = under.rstrip("/") + "/" if under else ""
    return tuple(path for path in paths if path.startswith(start) or path == under)


def decoded(name: str, path: str, raw: bytes) -> str:
    """Bytes of a source file as text. Raises MembersError."""
    if is_binary(raw):
        raise MembersError(f"{name}: {path} is no text")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MembersError(f"{name}: {path} is not UTF-8") from None
