"""Adds a version of a tool to data files: reads the sources, holds back what looks misread, writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from configlint.catalog.opening import opened
from configlint.catalog.snapshot import Snapshot
from configlint.catalog.store import SUFFIX, Catalogs, Recorded, Shrink, read, recorded, shrink, write
from configlint.catalog.tools import Tool


@dataclass(frozen=True)
class Added:
    """What became of one table: its snapshot, the suspicious loss if there is one, and the file that was written."""

    table: str
    snapshot: Snapshot
    shrink: Shrink | None
    path: Path | None


def extracted(tool: Tool, source: str) -> Mapping[str, Snapshot]:
    """The snapshots of a tool's tables in a source, by table. Raises MembersError."""
    with opened(source) as members:
        return tool.extract(members)


def add(
    snapshots: Mapping[str, Snapshot], version: str, folder: Path, known: Catalogs, *, force: bool = False
) -> tuple[Added, ...]:
    """Write a version's snapshots into the tables of a folder; nothing is written where one is suspicious.

    ``known`` has the versions to compare with, those that ship too. Raises TableError, OSError.
    """
    losses: dict[str, Shrink | None] = {}
    for name, snapshot in snapshots.items():
        here = read(folder / f"{name}{SUFFIX}")
        against = known.table(name) or here
        losses[name] = shrink(against, name, version, snapshot.facts)
    held_back = any(losses.values()) and not force
    done = []
    for name, snapshot in snapshots.items():
        path = None
        if not held_back:
            table = read(folder / f"{name}{SUFFIX}")
            versions = recorded(table) if table is not None else {}
            versions[version] = Recorded.of(version, snapshot)
            path = write(folder, name, versions)
        done.append(Added(name, snapshot, losses[name], path))
    return tuple(done)
