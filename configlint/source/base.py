"""What every tree promises, and the errors of the source layer."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from configlint.source.text import Text

MAX_FILE = 5 * 1024 * 1024
"""Largest file that is analysed, in bytes."""

MAX_FILES = 200_000
"""Most files and directories that one listing may hold."""

_BINARY_WINDOW = 8 * 1024


class Kind(Enum):
    """What a path is in a tree. A symlink that stays inside the tree is resolved first.

    A file whose text cannot be had (binary, too large, blob not in a partial clone) is still a FILE: that it
    exists is known, and :meth:`Tree.read` says why it cannot be read.
    """

    FILE = "file"
    DIRECTORY = "directory"
    ABSENT = "absent"
    UNREADABLE = "unreadable"  # outside the tree, a symlink loop, inside a submodule: nothing can be said


class SourceError(Exception):
    """A repository, revision or ref source cannot be used as asked. The message is meant for people."""


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

    Implementations never leave their root, never execute anything, and cache what they read. Names that are
    not UTF-8 hold surrogate escapes, as ``os.fsdecode`` makes them.
    """

    @property
    def name(self) -> str:
        """What the tree is, for people: a folder, or ``repository@revision``."""

    def kind(self, path: str) -> Kind:
        """What ``path`` is, after resolving symlinks inside the tree."""

    def resolve(self, path: str) -> str:
        """The path after following symlinks inside the tree; the same path where there are none.

        A path that is absent keeps its missing end. One that cannot be followed comes back as it is.
        """

    def read(self, path: str) -> Text:
        """The file's text. Raises FileNotFoundError where absent, Unreadable where it cannot be analysed.

        ``Text.path`` is the resolved path, so that a file read under two names is one text.
        """

    def digest(self, path: str) -> str | None:
        """A content id (git blob id); equal ids mean equal bytes. None where ``path`` is no file."""

    def list(self, path: str) -> tuple[str, ...]:
        """Sorted names directly in a directory; empty where it is none."""

    def files(self, under: str = "") -> tuple[str, ...]:
        """Sorted paths of all files (symlinks to files too, under their own name) below a directory.

        Symlinks that cannot be followed and directories that cannot be listed are included, so that whoever
        reads them says so; submodules are not, and symlinked directories are not entered.
        Raises Unreadable beyond ``MAX_FILES``.
        """

    def is_symlink(self, path: str) -> bool:
        """True if the last component itself is a symlink."""


def too_large(size: int) -> str:
    """The reason for a file of ``size`` bytes that is not read."""
    return f"larger than {MAX_FILE // (1024 * 1024)} MiB ({size:,} bytes)"


def is_binary(raw: bytes) -> bool:
    """Whether the bytes look like no text: a NUL near the start, git's own test."""
    return b"\0" in raw[:_BINARY_WINDOW]
