"""Read-only views of a repository: in memory and on disk (revisions of a repository: ``source.git``)."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from configlint.source.base import MAX_FILE, MAX_FILES, Kind, SourceError, Tree, Unreadable, too_large
from configlint.source.walk import MODULE_REASON, Blocked, Entry, Sort, WalkedTree

__all__ = ["MAX_FILE", "MAX_FILES", "Kind", "MemoryTree", "SourceError", "Tree", "Unreadable", "WorkingTree", "blob_id"]

MAX_DIGEST = 256 * 1024 * 1024
"""Largest file on disk whose id is computed, in bytes."""

_MODULE_PATH = re.compile(rb"^[ \t]*path[ \t]*=[ \t]*(.+?)[ \t\r]*$", re.MULTILINE)


def blob_id(raw: bytes) -> str:
    """The id that git gives these bytes (SHA-1)."""
    return hashlib.sha1(b"blob %d\0%b" % (len(raw), raw), usedforsecurity=False).hexdigest()


class MemoryTree(WalkedTree):
    """A tree made from a mapping: tests, examples of rules, generated files.

    ``symlinks`` maps a path to its target as ``readlink`` would give it. Raises SourceError for a path that no
    repository could hold.
    """

    def __init__(
        self,
        files: Mapping[str, str | bytes],
        name: str = "memory",
        symlinks: Mapping[str, str] | None = None,
        origin: str = "",
    ) -> None:
        super().__init__(name, origin)
        self._raw: dict[str, bytes] = {}
        self._targets = dict(symlinks or {})
        self._made: dict[str, dict[str, Entry]] = {"": {}}
        for path, content in files.items():
            self._raw[path] = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
            self._place(path, Sort.FILE)
        for path in self._targets:
            self._place(path, Sort.LINK)

    def _place(self, path: str, sort: Sort) -> None:
        names = path.split("/")
        if any(name in ("", ".", "..") for name in names):
            raise SourceError(f"{path!r} is no path of a tree: it must be relative and normalised")
        here = ""
        for name in names[:-1]:
            if self._made[here].setdefault(name, Entry(Sort.DIRECTORY)).sort is not Sort.DIRECTORY:
                raise SourceError(f"{path!r} lies below a path that is no directory")
            here = f"{here}/{name}" if here else name
            self._made.setdefault(here, {})
        if self._made[here].setdefault(names[-1], Entry(sort, path)) != Entry(sort, path):
            raise SourceError(f"{path!r} is given twice")

    def _entries(self, path: str, entry: Entry) -> Mapping[str, Entry]:
        return self._made[path]

    def _target(self, path: str, entry: Entry) -> str:
        return self._targets[path]

    def _bytes(self, path: str, entry: Entry) -> bytes:
        raw = self._raw[path]
        if len(raw) > MAX_FILE:
            raise Blocked(too_large(len(raw)))
        return raw

    def _digest(self, path: str, entry: Entry) -> str:
        return blob_id(self._raw[path])


class WorkingTree(WalkedTree):
    """The files below a folder as they are now. Nothing outside it is ever opened.

    ``.git`` is left out. A submodule or nested repository is UNREADABLE, as it is in a revision, whether it is
    checked out or not. Names must match in case, also where the file system does not care.
    Raises SourceError if ``root`` is no folder.
    """

    def __init__(self, root: Path | str, name: str | None = None, origin: str = "") -> None:
        super().__init__(str(root) if name is None else name, origin)
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise SourceError(f"{root}: {'not a folder' if self.root.exists() else 'no such folder'}")
        self._base = os.path.join(self.root, "")
        self._digests: dict[str, str | None] = {}
        self._submodules: frozenset[str] | None = None

    def _entries(self, path: str, entry: Entry) -> Mapping[str, Entry]:
        entries: dict[str, Entry] = {}
        nested = False
        try:
            with os.scandir(self._base + path) as scan:
                for item in scan:
                    if item.name.lower() == ".git":
                        nested = path != ""
                    elif item.is_symlink():
                        entries[item.name] = Entry(Sort.LINK)
                    elif item.is_dir(follow_symlinks=False):
                        entries[item.name] = Entry(Sort.DIRECTORY)
                    else:
                        entries[item.name] = Entry(Sort.FILE if item.is_file(follow_symlinks=False) else Sort.OTHER)
                    if len(entries) > MAX_FILES:
                        raise Blocked(f"more than {MAX_FILES:,} files")
        except (OSError, ValueError) as fault:
            raise Blocked(_reason(fault)) from None
        if nested or (not entries and path and path in self._declared_submodules()):
            raise Blocked(MODULE_REASON)
        return entries

    def _declared_submodules(self) -> frozenset[str]:
        """The paths ``.gitmodules`` names: an empty folder there is a submodule that is not checked out."""
        if self._submodules is None:
            self._submodules = frozenset()  # so that reading .gitmodules itself cannot come back here
            try:
                raw = self.read(".gitmodules").raw
            except (FileNotFoundError, Unreadable):
                raw = b""
            self._submodules = frozenset(os.fsdecode(path.strip(b'"')).strip("/") for path in _MODULE_PATH.findall(raw))
        return self._submodules

    def _target(self, path: str, entry: Entry) -> str:
        try:
            return os.readlink(self._base + path).replace(os.sep, "/")
        except OSError as fault:
            raise Blocked(_reason(fault)) from None

    def _open(self, path: str) -> int:
        """A descriptor for a regular file. It may have been swapped since it was listed: no links, no waiting."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        try:
            return os.open(self._base + path, flags)
        except (OSError, ValueError) as fault:
            raise Blocked(_reason(fault)) from None

    def _bytes(self, path: str, entry: Entry) -> bytes:
        descriptor = self._open(path)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Blocked("no regular file")
            if status.st_size > MAX_FILE:
                raise Blocked(too_large(status.st_size))
            pieces: list[bytes] = []
            left = MAX_FILE + 1
            while left and (piece := os.read(descriptor, min(left, max(status.st_size + 1, 4096)))):
                pieces.append(piece)
                left -= len(piece)
        except OSError as fault:
            raise Blocked(_reason(fault)) from None
        finally:
            os.close(descriptor)
        if not left:
            raise Blocked(too_large(MAX_FILE + 1))
        return b"".join(pieces)

    def _digest(self, path: str, entry: Entry) -> str | None:
        if path not in self._digests:
            text = self._texts.get(path)
            if text is None:
                text = self._texts[path] = self._load(path, entry)
            self._digests[path] = self._long_digest(path) if isinstance(text, str) else blob_id(text.raw)
        return self._digests[path]

    def _long_digest(self, path: str) -> str | None:
        """The id of a file that is not kept, read in pieces."""
        try:
            descriptor = self._open(path)
        except Blocked:
            return None
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_DIGEST:
                return None
            digest = hashlib.sha1(b"blob %d\0" % status.st_size, usedforsecurity=False)
            while piece := file.read(1 << 20):
                digest.update(piece)
        return digest.hexdigest()


def _reason(fault: Exception) -> str:
    """A file system error as a short phrase."""
    return (fault.strerror or "cannot be read").lower() if isinstance(fault, OSError) else str(fault)
