"""A tree, subjects and a project without the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configlint.api import Diagnostic, EntryRef, Location, Place, Reports, Role, Span, Text
from configlint.cli.views import Affected, AffectedRow, EffectiveView, JobView, LaunchRow, RefRow, SyncRow, TraceView
from configlint.source.trees import Kind


class FakeTree:
    """Files in memory."""

    def __init__(self, files: Mapping[str, str | bytes], origin: str = "") -> None:
        self.name = "memory"
        self._texts = {
            path: Text(path, raw.encode() if isinstance(raw, str) else raw, origin) for path, raw in files.items()
        }

    def kind(self, path: str) -> Kind:
        if path in self._texts:
            return Kind.FILE
        return Kind.DIRECTORY if self.list(path) or path == "" else Kind.ABSENT

    def resolve(self, path: str) -> str:
        return path

    def read(self, path: str) -> Text:
        if path not in self._texts:
            raise FileNotFoundError(path)
        return self._texts[path]

    def digest(self, path: str) -> str | None:
        return None

    def list(self, path: str) -> tuple[str, ...]:
        prefix = f"{path}/" if path else ""
        return tuple(sorted({p[len(prefix) :].split("/")[0] for p in self._texts if p.startswith(prefix)}))

    def files(self, under: str = "") -> tuple[str, ...]:
        return tuple(sorted(p for p in self._texts if not under or p.startswith(f"{under}/")))

    def is_symlink(self, path: str) -> bool:
        return False


def mark(text: Text, needle: str, nth: int = 0) -> Place:
    """The place of a piece of text, the ``nth`` time it occurs."""
    raw, at = needle.encode(), -1
    for _ in range(nth + 1):
        at = text.raw.index(raw, at + 1)
    return Place(text, Span(at, at + len(raw)))


def at(text: Text, needle: str, role: Role = Role.OTHER, note: str = "", nth: int = 0) -> Location:
    return Location(mark(text, needle, nth), role, note)


@dataclass
class FakeSubject(Reports):
    """A script of the tree, say; ``entries`` is what it affects."""

    text: Text
    entries: tuple[EntryRef, ...] = ()

    @property
    def label(self) -> str:
        return self.text.path

    @property
    def affected(self) -> tuple[EntryRef, ...]:
        return self.entries


@dataclass
class FakeProject:
    """Answers what it is told to; every file of the tree is a script."""

    tree: Any = field(default_factory=lambda: FakeTree({}))
    root: Path | None = None
    empty: str = ""
    own_launches: Sequence[Any] = ()
    own_diagnostics: Sequence[Diagnostic] = ()
    own_counts: Mapping[str, int] = field(default_factory=dict)
    rows: Sequence[LaunchRow] = ()
    effective_views: Mapping[str, Sequence[EffectiveView]] = field(default_factory=dict)
    job_views: Mapping[str, Sequence[JobView]] = field(default_factory=dict)
    trace_views: Mapping[str, Sequence[TraceView]] = field(default_factory=dict)
    affected_rows: Sequence[AffectedRow] = ()
    refs: Sequence[RefRow] = ()
    synced: Sequence[SyncRow] = ()
    asked: list[str] = field(default_factory=list)

    def launches(self) -> Iterable[Any]:
        self.asked.append("launches")
        return self.own_launches

    def documents(self) -> Iterable[Any]:
        self.asked.append("documents")
        return ()

    def entries(self) -> Iterable[Any]:
        self.asked.append("entries")
        return ()

    def scripts(self) -> Iterable[Any]:
        self.asked.append("scripts")
        return [FakeSubject(self.tree.read(path)) for path in self.tree.files()]

    def repository(self) -> Any:
        self.asked.append("repository")
        return FakeSubject(Text("", b""))

    def changes(self) -> Iterable[Any]:
        return ()

    def diagnostics(self) -> Sequence[Diagnostic]:
        return self.own_diagnostics

    def counts(self) -> Mapping[str, int]:
        return self.own_counts

    def absence(self) -> str:
        return "" if self.rows else "nothing is here"

    def entry_keys(self) -> Sequence[str]:
        return sorted({*(row.entry for row in self.rows), *self.effective_views, *self.trace_views})

    def launch_rows(self, entries: Sequence[str]) -> Iterable[LaunchRow]:
        return [row for row in self.rows if not entries or row.entry in entries]

    def effective(self, entry: str) -> Sequence[EffectiveView]:
        return self.effective_views[entry]

    def jobs(self, entry: str) -> Sequence[JobView]:
        return self.job_views.get(entry, ())

    def trace(self, entry: str, variables: Sequence[str]) -> Sequence[TraceView]:
        return self.trace_views[entry]

    def affected(self, path: str, line: int | None) -> Affected:
        self.asked.append(f"affected {path} {line}")
        return Affected(tuple(self.affected_rows))

    def ref_rows(self) -> Sequence[RefRow]:
        return self.refs

    def sync_refs(self, progress: Callable[[str], None]) -> Sequence[SyncRow]:
        progress("fetching")
        return self.synced
