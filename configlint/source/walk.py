"""Path resolution shared by all trees, so that they answer alike.

A tree says what is directly in a directory and what a symlink holds; following symlinks, keeping inside the
root, listing and caching happen here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from configlint.source.base import MAX_FILES, Kind, Unreadable, is_binary
from configlint.source.text import Text

_MAX_FOLLOWS = 40  # symlinks in one resolution, as Linux has it
_MAX_TARGET = 4096  # characters of a symlink's target
_OUTSIDE = "outside the tree"


class Sort(Enum):
    """What a directory entry is, symlinks not followed."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    MODULE = "module"  # a submodule or nested repository
    OTHER = "other"  # pipe, socket, device
    ODD = "odd"  # a name that no checkout could hold


class Entry(NamedTuple):
    """One name in a directory. ``id`` is the object's id where the tree has such ids, else empty."""

    sort: Sort
    id: str = ""


class Found(NamedTuple):
    """Where a path leads: its kind, the path after symlinks, its entry, and for UNREADABLE why."""

    kind: Kind
    path: str
    entry: Entry | None = None
    reason: str = ""


class Blocked(Exception):
    """A directory's entries or a symlink's target cannot be had; the message says why."""


_NO_FILES = {Sort.OTHER: "no regular file", Sort.ODD: "a name that no checkout could hold"}
_ROOT = Entry(Sort.DIRECTORY)
MODULE_REASON = "inside a submodule or nested repository"


class WalkedTree(ABC):
    """A tree made from three primitives: entries of a directory, target of a symlink, bytes of a file."""

    def __init__(self, name: str, origin: str = "") -> None:
        self._name = name
        self._origin = origin
        self._listings: dict[str, Mapping[str, Entry] | str] = {}  # resolved directory -> entries, or why not
        self._found: dict[str, Found] = {}
        self._texts: dict[str, Text | str] = {}  # resolved path -> text, or why not
        self._files: dict[str, tuple[str, ...]] = {}

    @abstractmethod
    def _entries(self, path: str, entry: Entry) -> Mapping[str, Entry]:
        """The entries of a directory or submodule (resolved path). Raises Blocked."""

    @abstractmethod
    def _target(self, path: str, entry: Entry) -> str:
        """What a symlink holds. Raises Blocked."""

    @abstractmethod
    def _bytes(self, path: str, entry: Entry) -> bytes:
        """The bytes of a file (resolved path), at most ``MAX_FILE``. Raises Blocked."""

    @abstractmethod
    def _digest(self, path: str, entry: Entry) -> str | None:
        """The blob id of a file (resolved path)."""

    def _expect(self, directories: Sequence[tuple[str, Entry]]) -> None:
        """Told which directories are asked for next, so that a tree can fetch them together."""
        return

    @property
    def name(self) -> str:
        return self._name

    @property
    def origin(self) -> str:
        """What texts of this tree carry as ``Text.origin``."""
        return self._origin

    def kind(self, path: str) -> Kind:
        return self._find(path).kind

    def resolve(self, path: str) -> str:
        return self._find(path).path

    def read(self, path: str) -> Text:
        found = self._find(path)
        if found.kind is Kind.ABSENT:
            raise FileNotFoundError(path)
        if found.kind is Kind.UNREADABLE:
            raise Unreadable(path, found.reason)
        if found.kind is Kind.DIRECTORY or found.entry is None:
            raise Unreadable(path, "a directory")
        text = self._texts.get(found.path)
        if text is None:
            text = self._texts[found.path] = self._load(found.path, found.entry)
        if isinstance(text, str):
            raise Unreadable(path, text)
        return text

    def _load(self, path: str, entry: Entry) -> Text | str:
        try:
            raw = self._bytes(path, entry)
        except Blocked as why:
            return str(why)
        return "binary" if is_binary(raw) else Text(path, raw, self._origin)

    def digest(self, path: str) -> str | None:
        found = self._find(path)
        if found.kind is not Kind.FILE or found.entry is None:
            return None
        return self._digest(found.path, found.entry)

    def list(self, path: str) -> tuple[str, ...]:
        found = self._find(path)
        if found.kind is not Kind.DIRECTORY:
            return ()
        listing = self._listing(found.path, found.entry or _ROOT)
        return () if isinstance(listing, str) else tuple(sorted(listing))

    def is_symlink(self, path: str) -> bool:
        head, _, tail = path.rstrip("/").rpartition("/")
        if path.startswith("/") or tail in ("", ".", ".."):
            return False
        parent = self._find(head)
        if parent.kind is not Kind.DIRECTORY:
            return False
        listing = self._listing(parent.path, parent.entry or _ROOT)
        entry = None if isinstance(listing, str) else listing.get(tail)
        return entry is not None and entry.sort is Sort.LINK

    def files(self, under: str = "") -> tuple[str, ...]:
        known = self._files.get(under)
        if known is None:
            known = self._files[under] = self._all_files(under)
        return known

    def _all_files(self, under: str) -> tuple[str, ...]:
        start = self._find(under)
        if start.kind is not Kind.DIRECTORY:
            return ()
        # Names are given below the path as asked, even where that is a symlink to a directory.
        cut = len(start.path) + 1 if start.path else 0
        prefix = f"{under.strip('/')}/" if under.strip("/") else ""
        result: list[str] = []
        count = 0
        level = [(start.path, start.entry or _ROOT)]
        while level:
            self._expect(level)
            below: list[tuple[str, Entry]] = []
            for path, entry in level:
                listing = self._listing(path, entry)
                if isinstance(listing, str):
                    if listing != MODULE_REASON:  # so that whoever reads it says why nothing below is listed
                        result.append(prefix + path[cut:])
                    continue
                count += len(listing)
                if count > MAX_FILES:
                    raise Unreadable(under or ".", f"more than {MAX_FILES:,} files")
                lead = f"{path}/" if path else ""
                shown = prefix + lead[cut:]
                for name, child in listing.items():
                    sort = child.sort
                    if sort is Sort.FILE or sort is Sort.OTHER or sort is Sort.ODD:
                        result.append(shown + name)
                    elif sort is Sort.DIRECTORY:
                        below.append((lead + name, child))
                    elif sort is Sort.LINK and self._find(lead + name).kind in (Kind.FILE, Kind.UNREADABLE):
                        result.append(shown + name)
            level = below
        result.sort()
        return tuple(result)

    def _listing(self, path: str, entry: Entry) -> Mapping[str, Entry] | str:
        listing = self._listings.get(path)
        if listing is None:
            try:
                listing = self._entries(path, entry)
            except Blocked as why:
                listing = str(why)
            self._listings[path] = listing
        return listing

    def _find(self, path: str) -> Found:
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = self._near(path) or self._follow(path)
        return found

    def _near(self, path: str) -> Found | None:
        """The common case without a walk: a plain file in a directory that has been listed."""
        head, slash, tail = path.rpartition("/")
        listing = self._listings.get(head)
        if listing is None or isinstance(listing, str) or (slash and not head):  # the last: an absolute path
            return None
        entry = listing.get(tail)
        return Found(Kind.FILE, path, entry) if entry is not None and entry.sort is Sort.FILE else None

    def _follow(self, path: str) -> Found:
        """Walk a path as the kernel does, but never above the root."""
        if path.startswith("/"):
            return Found(Kind.UNREADABLE, path, reason=_OUTSIDE)
        pending = path.split("/")[::-1]
        at: list[tuple[str, Entry]] = [("", _ROOT)]  # the directories entered, each with its resolved path
        follows = 0
        while pending:
            name = pending.pop()
            if name in ("", "."):
                continue
            if name == "..":
                at.pop()
                if not at:
                    return Found(Kind.UNREADABLE, path, reason=_OUTSIDE)
                continue
            here, entry = at[-1]
            listing = self._listing(here, entry)
            if isinstance(listing, str):
                return Found(Kind.UNREADABLE, path, reason=listing)
            full = f"{here}/{name}" if here else name
            child = listing.get(name)
            if child is None:
                return Found(Kind.ABSENT, _with_rest(full, pending) or path)
            if child.sort is Sort.DIRECTORY or child.sort is Sort.MODULE:
                at.append((full, child))
            elif child.sort is Sort.LINK:
                follows += 1
                if follows > _MAX_FOLLOWS:
                    return Found(Kind.UNREADABLE, path, reason="symlinks form a loop")
                try:
                    target = self._target(full, child)
                except Blocked as why:
                    return Found(Kind.UNREADABLE, path, reason=str(why))
                if target.startswith("/"):
                    return Found(Kind.UNREADABLE, path, reason=_OUTSIDE)
                if not target:
                    return Found(Kind.ABSENT, path)
                if len(target) > _MAX_TARGET:
                    return Found(Kind.UNREADABLE, path, reason="symlink target too long")
                pending.extend(reversed(target.split("/")))
            elif any(pending):  # a file is no directory
                return Found(Kind.ABSENT, path)
            elif child.sort is Sort.OTHER or child.sort is Sort.ODD:
                return Found(Kind.UNREADABLE, path, child, _NO_FILES[child.sort])
            else:
                return Found(Kind.FILE, full, child)
        here, entry = at[-1]
        listing = self._listing(here, entry)
        if isinstance(listing, str):
            return Found(Kind.UNREADABLE, path, entry, listing)
        return Found(Kind.DIRECTORY, here, entry)


def _with_rest(path: str, pending: Sequence[str]) -> str | None:
    """A missing path with what follows it; None where ``..`` makes that meaningless."""
    rest = [name for name in reversed(pending) if name not in ("", ".")]
    return None if ".." in rest else "/".join((path, *rest))
