"""Data files: one table a file, one fact a line, sorted, so that a refresh is a readable diff.

JSON lines. First the table's name, then each version with the number of declarations that its sources hold, then
``[key, versions, facts]``. Versions are runs of the ordered ones (``"..0.9.1 1.1.0..1.2.1 1.4.0.."``, open at the
ends, so that a new version that changes nothing changes one line) and names of custom ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from configlint.catalog.snapshot import Facts, Snapshot
from configlint.catalog.tables import Table, TableError, Version, joined
from configlint.catalog.versions import in_order, is_custom, is_version

SHIPPED = Path(__file__).parent / "data"
SUFFIX = ".jsonl"
_MAX_FILE = 16 * 1024 * 1024

LARGEST_SHRINK = 0.1
"""A version that has fewer keys than its predecessor by more than this part was probably misread."""


@dataclass(frozen=True)
class Recorded:
    """What is kept of a snapshot."""

    version: Version
    facts: Mapping[str, Facts]

    @classmethod
    def of(cls, name: str, snapshot: Snapshot) -> Recorded:
        """A snapshot under the name of its version."""
        return cls(Version(name, snapshot.seen, len(snapshot.unresolved)), snapshot.facts)


def data_root(environment: Mapping[str, str] | None = None) -> Path:
    """Where the user's own tables live: ``configlint/catalog`` in the user's data folder."""
    said = (os.environ if environment is None else environment).get("XDG_DATA_HOME", "")
    base = Path(said) if os.path.isabs(said) else Path.home() / ".local" / "share"
    return base / "configlint" / "catalog"


# --- text -------------------------------------------------------------------------------------------


def encode(name: str, recorded: Mapping[str, Recorded]) -> str:
    """The text of a data file; equal content gives equal bytes."""
    names = in_order(recorded)
    ordered = [one for one in names if not is_custom(one)]
    lines = [_dumped({"table": name})]
    for one in names:
        version = recorded[one].version
        extra = {"unresolved": version.unresolved} if version.unresolved else {}
        lines.append(_dumped({"version": one, "seen": version.seen, **extra}))
    for key in sorted({key for one in recorded.values() for key in one.facts}):
        holders: dict[str, list[str]] = {}
        for one in names:
            facts = recorded[one].facts.get(key)
            if facts is not None:
                holders.setdefault(_dumped(dict(sorted(facts.items()))), []).append(one)
        for says, where in holders.items():
            held = set(where)
            runs = joined([one in held for one in ordered], ordered)
            customs = [one for one in where if is_custom(one)]
            lines.append(f"[{_dumped(key)},{_dumped(' '.join([*runs, *customs]))},{says}]")
    return "\n".join(lines) + "\n"


def _dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def decode(text: str) -> Table:
    """A table from the text of a data file. Raises TableError."""
    lines = text.split("\n")
    known: list[Version] = []
    name = ""
    at = 0
    for at, line in enumerate(lines):
        if not line.startswith("{"):
            break
        head = _object(line)
        if at == 0:
            name = str(head.get("table", ""))
        else:
            known.append(_version(head))
    if not name:
        raise TableError("the first line names no table")
    names = [one.name for one in known]
    if in_order(names) != names:
        raise TableError(f"{name}: versions are out of order")
    rows: dict[str, list[str]] = {}
    for line in lines[at:]:
        if line:
            end = line.find('"', 2)
            if not line.startswith('["') or end < 0:
                raise TableError(f"{name}: {line[:120]!r} is no fact")
            rows.setdefault(line[2:end], []).append(line)
    return Table(name, tuple(known), rows)


def _object(line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise TableError(f"{line[:120]!r} is no head line")
    return value


def _version(head: Mapping[str, object]) -> Version:
    name, seen, unresolved = head.get("version"), head.get("seen", 0), head.get("unresolved", 0)
    if (
        not isinstance(name, str)
        or not is_version(name)
        or not isinstance(seen, int)
        or not isinstance(unresolved, int)
    ):
        raise TableError(f"{str(head)[:120]} is no version")
    return Version(name, seen, unresolved)


def recorded(table: Table) -> dict[str, Recorded]:
    """Everything that a table holds, by version."""
    return {one.name: Recorded(one, table.at(one.name)) for one in table.known}


# --- files ------------------------------------------------------------------------------------------


def read(path: Path) -> Table | None:
    """The table in a file; None where there is none. Raises TableError."""
    try:
        if path.stat().st_size > _MAX_FILE:
            raise TableError(f"{path}: larger than {_MAX_FILE >> 20} MiB")
        return decode(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except TableError as fault:
        raise TableError(f"{path}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise TableError(f"{path}: cannot be read: {fault}") from None


def write(folder: Path, name: str, versions: Mapping[str, Recorded]) -> Path:
    """Write a table's file, whole or not at all. Raises OSError."""
    import tempfile  # a run that only reads has no use for it, and it takes a while

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}{SUFFIX}"
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(encode(name, versions))
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


@dataclass(eq=False)
class Catalogs:
    """Tables from folders, each read when first asked for. A version in a later folder replaces an earlier one's."""

    folders: tuple[Path, ...]
    _tables: dict[str, Table | None] = field(default_factory=dict, repr=False)

    @classmethod
    def standard(cls, environment: Mapping[str, str] | None = None) -> Catalogs:
        """The shipped tables, and over them the user's own."""
        return cls((SHIPPED, data_root(environment)))

    def names(self) -> tuple[str, ...]:
        """Every table there is."""
        return tuple(sorted({path.stem for folder in self.folders for path in files(folder)}))

    def table(self, name: str) -> Table | None:
        """A table; None where no folder has it. Raises TableError for a damaged file."""
        if name not in self._tables:
            found = [table for folder in self.folders if (table := read(folder / f"{name}{SUFFIX}")) is not None]
            self._tables[name] = found[0] if len(found) == 1 else merged(name, found) if found else None
        return self._tables[name]


def files(folder: Path) -> list[Path]:
    """The data files of a folder: ``TOOL.TABLE.jsonl``. Others beside them have forms of their own."""
    return sorted(path for path in folder.glob(f"*.*{SUFFIX}") if not path.name.startswith("."))


def merged(name: str, tables: Iterable[Table]) -> Table:
    """One table of several; the last one that knows a version tells it."""
    versions: dict[str, Recorded] = {}
    for table in tables:
        versions.update(recorded(table))
    return decode(encode(name, versions))


# --- the fuse ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shrink:
    """A version with suspiciously few keys: none, or far fewer than the one before it."""

    table: str
    version: str
    against: str
    lost: tuple[str, ...]
    had: int
    has: int

    def __str__(self) -> str:
        if not self.against:
            return f"{self.table} {self.version} has no keys at all"
        some = ", ".join(self.lost[:5]) + (", ..." if len(self.lost) > 5 else "")
        return f"{self.table} {self.version} has {self.has} keys, {self.against} has {self.had}; gone: {some}"


def shrink(table: Table | None, name: str, version: str, facts: Mapping[str, Facts]) -> Shrink | None:
    """Whether a version has no keys, or fewer than its predecessor by more than :data:`LARGEST_SHRINK`.

    The predecessor is the nearest older version; for one older than all, the oldest; for a custom one, the newest.
    """
    if not facts:
        return Shrink(name, version, "", (), 0, 0)
    if table is None or not table.known:
        return None
    others = [one for one in table.versions if one != version]
    if not others:
        return None
    below = [one for one in in_order([*others, version]) if not is_custom(one)]
    at = below.index(version) if version in below else len(below)
    against = below[at - 1] if at else below[1]
    before = table.at(against)
    if len(facts) >= (1 - LARGEST_SHRINK) * len(before):
        return None
    return Shrink(name, version, against, tuple(key for key in before if key not in facts), len(before), len(facts))
