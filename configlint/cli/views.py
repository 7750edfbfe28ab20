"""What the commands print about a project, as plain data: the model fills it in, the commands render it.

Rows are what ``--format json`` shows; a field that is not known is None or says so in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from configlint.source.text import Place


@dataclass(frozen=True)
class LaunchRow:
    """One launch: an (entry, item, launcher, mode). The fields are those of ``launches --format json``.

    ``line`` is the item's in the matrix. ``launcher`` is the path as the runner's prefix names it. ``clone`` and
    ``ref`` are what the launcher clones, None where it clones nothing. ``sink`` is srtctl, script, abort or
    not-analysed.
    ``effective_sha256`` is None where the submitted text cannot be known. ``unknown`` names what is not known.
    ``reason`` says how the launch ended where nothing is submitted or started, empty elsewhere.
    """

    mode: str
    entry: str
    line: int
    launcher: str
    runner: str
    clone: str | None
    ref: str | None
    sink: str
    config: str | None
    script: str | None
    effective_sha256: str | None
    unknown: tuple[str, ...] = ()
    reason: str = ""
    revision: str = ""  # what is cloned, for people: like ``ref``, but says where that is the default branch


@dataclass(frozen=True)
class EffectiveLine:
    """One line of an effective document. ``was`` is the declared value (``was 1440``), ``at`` who changed it."""

    text: str
    was: str = ""
    at: Place | None = None


@dataclass(frozen=True)
class EffectiveView:
    """What one item of an entry submits through one launcher.

    ``item`` counts from 1; ``points`` describes its points (``conc 1 2 4``). ``facts`` are (label, text) pairs such as
    launcher, renderer, recipe. ``lines`` is the effective document; ``declared`` and ``effective`` are its texts before
    and after, None where they are not known. ``missing`` says why there is no document.
    """

    entry: str
    item: int
    place: Place
    points: str
    mode: str = "throughput"
    facts: tuple[tuple[str, str], ...] = ()
    lines: tuple[EffectiveLine, ...] = ()
    declared: str | None = None
    effective: str | None = None
    missing: str = ""


@dataclass(frozen=True)
class VersionView:
    """Which version of a program runs, as far as is known. ``text`` says it all in words."""

    program: str
    confidence: str
    versions: tuple[str, ...]
    told: str
    text: str


@dataclass(frozen=True)
class FlagView:
    """One flag, or a key of the recipe that becomes none.

    ``key`` is the dotted path in the recipe, empty where srtctl adds the flag; ``at`` is where its value is written.
    ``value`` is what the recipe says. ``fate``: passed, omitted, taken, unsure.
    """

    flag: str
    words: tuple[str, ...]
    value: str
    fate: str
    key: str = ""
    at: Place | None = None


@dataclass(frozen=True)
class CommandView:
    """One command line. ``file`` is what it reads its options from, written at ``file_at``; empty where nothing."""

    role: str
    rank: str
    program: str
    workers: int
    gpus: int | None
    nodes: int | None
    start: tuple[str, ...]
    flags: tuple[FlagView, ...]
    file: str = ""
    file_at: Place | None = None
    options: int = 0


@dataclass(frozen=True)
class JobView:
    """What one variant that an item submits starts. The first fields are those of :class:`EffectiveView`."""

    entry: str
    item: int
    place: Place
    points: str
    mode: str = "throughput"
    facts: tuple[tuple[str, str], ...] = ()
    variant: str = ""
    versions: tuple[VersionView, ...] = ()
    commands: tuple[CommandView, ...] = ()
    idle: tuple[FlagView, ...] = ()
    unknown: tuple[str, ...] = ()
    missing: str = ""


@dataclass(frozen=True)
class TraceStep:
    """One event of a launch, in order.

    ``kind``: branch, assign, clone, copy, write, edit, source, call, assume, unknown, submit, script, abort or exit.
    ``why`` are the values that decided it, each with its origin, one a line.
    """

    kind: str
    text: str
    at: Place | None = None
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class TraceView:
    """How a launch went. ``variables`` are (name, value, origin chain) of those asked for with ``--variable``."""

    entry: str
    item: int
    place: Place
    launcher: str
    runner: str
    mode: str
    steps: tuple[TraceStep, ...]
    variables: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class AffectedRow:
    """An entry that a file or line reaches: how many of its points, and by which way.

    ``via``: matrix, runners, workflow, launcher, recipe, script (that is started), library (of such scripts) or file.
    """

    entry: str
    place: Place
    points: int
    affected: int
    via: str = ""


@dataclass(frozen=True)
class Affected:
    """What a place reaches. ``unknown`` says why that is not known, where there are no rows and there may be some."""

    rows: tuple[AffectedRow, ...]
    unknown: str = ""


@dataclass(frozen=True)
class RefRow:
    """An outside revision that launchers name, or None for a default branch.

    ``kind`` is tag, branch, commit, default, folder or unknown; ``source`` says where it is read from, ``reason`` why
    it cannot be read.
    """

    url: str
    ref: str | None
    kind: str
    commit: str | None
    source: str
    reason: str
    named_at: tuple[Place, ...] = ()
    name: str = ""  # of a default branch, where it is known

    @property
    def readable(self) -> bool:
        return self.kind != "unknown"


@dataclass(frozen=True)
class SyncRow:
    """What became of a repository that ``refs sync`` was to fetch. ``state``: cloned, updated, present or failed."""

    url: str
    state: str
    detail: str = ""


class Views(Protocol):
    """What the commands other than ``check`` ask of a project."""

    def absence(self) -> str:
        """Why nothing is launched here: no matrix, no launcher, no entry. Empty where something is."""

    def entry_keys(self) -> Sequence[str]:
        """Keys of all entries, sorted."""

    def launch_rows(self, entries: Sequence[str]) -> Iterable[LaunchRow]:
        """Rows of these entries (all where empty), in the order of the matrix."""

    def effective(self, entry: str) -> Sequence[EffectiveView]: ...

    def jobs(self, entry: str) -> Sequence[JobView]:
        """What each variant starts that the items of an entry submit."""

    def trace(self, entry: str, variables: Sequence[str]) -> Sequence[TraceView]: ...

    def affected(self, path: str, line: int | None) -> Affected: ...

    def ref_rows(self) -> Sequence[RefRow]: ...

    def sync_refs(self, progress: Callable[[str], None]) -> Sequence[SyncRow]:
        """Fetch what is missing into the user's cache: the only call that uses the network."""
