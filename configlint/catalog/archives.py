"""Wheels and source archives read in place, member by member.

Only sources are kept (``.py``, ``.pyi``). A path that would leave the archive makes all of it suspect, so all of it is
refused; a link is no file, and reading one says so.
"""

from __future__ import annotations

import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from configlint.catalog.members import MAX_MEMBER, MAX_MEMBERS, MAX_TOTAL, MembersError, below, decoded

_MAX_UNPACKED = 1024 * 1024 * 1024  # bytes behind a compressed tar, skipped members included
_MAX_PIECE = 16 * 1024 * 1024  # bytes that one read may ask for: headers of a tar have sizes of their own
_SOURCES = (".py", ".pyi")
_LINK = 0o120000
_FAULTS = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, MemoryError, RecursionError, zlib.error)


@dataclass(frozen=True)
class ArchiveMembers:
    """The sources of an archive, held by path; what is there and cannot be read is in ``refused`` with the reason."""

    name: str
    load: Callable[[str], bytes]
    paths: tuple[str, ...]
    refused: dict[str, str]
    close: Callable[[], None] = lambda: None

    def files(self, under: str = "") -> tuple[str, ...]:
        """Paths of sources below a folder, refused ones included."""
        return below(self.paths, under)

    def read(self, path: str) -> str:
        """A source's text."""
        if path in self.refused:
            raise MembersError(f"{self.name}: {path} {self.refused[path]}")
        if path not in self.paths:
            raise FileNotFoundError(path)
        return decoded(self.name, path, self.load(path))


def wheel(path: Path) -> ArchiveMembers:
    """A wheel, or a source archive that is a zip. Raises MembersError."""
    refused: dict[str, str] = {}
    infos: dict[str, zipfile.ZipInfo] = {}
    try:
        archive = zipfile.ZipFile(path)
    except (*_FAULTS, zipfile.BadZipFile) as fault:
        raise MembersError(f"{path.name}: not a readable zip archive: {fault}") from None
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        archive.close()
        raise MembersError(f"{path.name}: more than {MAX_MEMBERS:,} members")
    for info in entries:
        name = _safe(path.name, info.filename)
        if info.is_dir() or not name.endswith(_SOURCES):
            continue
        if name in infos:
            refused[name] = "is there twice"
        infos[name] = info
        if (info.external_attr >> 16) & 0o170000 == _LINK:
            refused[name] = "is a link; links in archives are not followed"
        elif info.flag_bits & 1:
            refused[name] = "is encrypted"
        elif info.file_size > MAX_MEMBER:
            refused[name] = _too_large(info.file_size)
    budget = _Budget(path.name)

    def load(name: str) -> bytes:
        try:
            with archive.open(infos[strip.get(name, name)]) as file:
                raw = file.read(MAX_MEMBER + 1)
        except (*_FAULTS, zipfile.BadZipFile) as fault:
            raise MembersError(f"{path.name}: {name} cannot be read: {fault}") from None
        if len(raw) > MAX_MEMBER:
            raise MembersError(f"{path.name}: {name} {_too_large(len(raw))}")
        return budget.take(raw)

    strip = _without_top(list(infos), path.name)
    refused = {_inner(name, strip): why for name, why in refused.items()}
    return ArchiveMembers(path.name, load, tuple(sorted(strip)), refused, archive.close)


def source_archive(path: Path) -> ArchiveMembers:
    """A compressed tar as ``sdist`` makes it, read once from front to end. Raises MembersError."""
    refused: dict[str, str] = {}
    held: dict[str, bytes] = {}
    budget = _Budget(path.name)
    try:
        with gzip.open(path) as plain, tarfile.open(fileobj=_bounded(plain, path.name), mode="r|") as archive:
            for number, info in enumerate(archive):
                if number >= MAX_MEMBERS:
                    raise MembersError(f"{path.name}: more than {MAX_MEMBERS:,} members")
                archive.members = []  # type: ignore[attr-defined]  # it would keep every header it has met
                name = _safe(path.name, info.name)
                if info.isdir() or not name.endswith(_SOURCES):
                    continue
                if name in held:
                    refused[name] = "is there twice"
                held[name] = b""
                if info.issym() or info.islnk():
                    refused[name] = "is a link; links in archives are not followed"
                elif not info.isreg():
                    refused[name] = "is no regular file"
                elif info.size > MAX_MEMBER:
                    refused[name] = _too_large(info.size)
                else:
                    file = archive.extractfile(info)
                    held[name] = budget.take(file.read(MAX_MEMBER)) if file is not None else b""
    except MembersError:
        raise
    except (*_FAULTS, tarfile.TarError) as fault:
        raise MembersError(f"{path.name}: not a readable tar archive: {fault}") from None
    strip = _without_top(list(held), path.name)
    refused = {_inner(name, strip): why for name, why in refused.items()}
    return ArchiveMembers(path.name, lambda name: held[strip[name]], tuple(sorted(strip)), refused)


def _without_top(names: list[str], archive: str) -> dict[str, str]:
    """Path without the folder that a source archive puts around everything -> name of the member."""
    tops = {name.partition("/")[0] for name in names}
    around = len(tops) == 1 and not archive.endswith(".whl") and all("/" in name for name in names)
    return {name.partition("/")[2] if around else name: name for name in names}


def _inner(name: str, strip: dict[str, str]) -> str:
    return next(inner for inner, outer in strip.items() if outer == name)


def _safe(archive: str, name: str) -> str:
    """A member's path, normalised. Raises MembersError for one that no honest archive has."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    if name.startswith(("/", "\\")) or ".." in parts or (parts and parts[0].endswith(":")) or "\0" in name:
        raise MembersError(f"{archive}: member {name[:120]!r} would leave the archive; nothing of it is read")
    return "/".join(parts)


def _too_large(size: int) -> str:
    return f"is larger than {MAX_MEMBER >> 20} MiB ({size:,} bytes)"


class _Budget:
    """Counts what an archive has given."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MAX_TOTAL

    def take(self, raw: bytes) -> bytes:
        self._left -= len(raw)
        if self._left < 0:
            raise MembersError(f"{self._name}: more than {MAX_TOTAL >> 20} MiB of sources")
        return raw


def _bounded(stream: gzip.GzipFile, name: str) -> IO[bytes]:
    return cast("IO[bytes]", _Bounded(stream, name))  # of a stream, tarfile only reads


class _Bounded:
    """A stream that ends in an error rather than unpack without end."""

    def __init__(self, inner: gzip.GzipFile, name: str) -> None:
        self._inner = inner
        self._name = name
        self._left = _MAX_UNPACKED

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_PIECE:
            raise MembersError(f"{self._name}: a header says it is {size:,} bytes long")
        raw = self._inner.read(size)
        self._left -= len(raw)
        if self._left < 0:
            raise MembersError(f"{self._name}: unpacks to more than {_MAX_UNPACKED >> 20} MiB")
        return raw
