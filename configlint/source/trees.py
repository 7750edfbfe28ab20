"""Read-only views of a repository."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from configlint.source.text import Text


class Kind(Enum):
    """What a path is in a tree. A symlink that stays inside the tree is resolved first."""

    FILE = "file"
    DIRECTORY = "directory"
    ABSENT = "absent"
    UNREADABLE = "unreadable"  # outside the tree, a submodule, a missing blob: nothing can be said


class Unreadable(Exception):
    """A file exists but cannot be analysed: too large, binary, outside the tree, blob missing.

    ``reason`` is a short phrase for people.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class Tree(Protocol):
    """A repository at one moment. Paths are relative, normalised, ``/``-separated, ``""`` is the root.

    Implementations never leave their root, never execute anything, and cache what they read.
    """

    @property
    def name(self) -> str:
        """What the tree is, for people: a folder, or ``repository@revision``."""

    def kind(self, path: str) -> Kind:
        """What ``path`` is, after resolving symlinks inside the tree."""

    def resolve(self, path: str) -> str:
        """The path after following symlinks inside the tree; the same path where there are none."""

    def read(self, path: str) -> Text:
        """The file's text. Raises FileNotFoundError where absent, Unreadable where it cannot be analysed."""

    def digest(self, path: str) -> str | None:
        """A content id (git blob id); equal ids mean equal bytes. None where ``path`` is no file."""

    def list(self, path: str) -> tuple[str, ...]:
        """Sorted names directly in a directory; empty where it is none."""

    def files(self, under: str = "") -> tuple[str, ...]:
        """Sorted paths of all files (symlinks to files too, under their own name) below a directory."""

    def is_symlink(self, path: str) -> bool:
        """True if the last component itself is a symlink."""
