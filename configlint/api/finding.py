"""Findings: what a rule yields (instances) and what a report shows (findings)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.api.rule import Rule


class Severity(IntEnum):
    """How bad it is if the finding is right; ordered."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class Precision(IntEnum):
    """How sure the rule is; only HIGH is shown by default."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class Role(Enum):
    """What a location has to do with the finding."""

    WRITER = "writer"  # the line that makes the value what it is
    VALUE = "value"  # the value that is effective
    DECLARED = "declared"  # the value that somebody reviewed
    CONSUMER = "consumer"  # who reads it
    MATRIX = "matrix"  # the row that causes the run
    OTHER = "other"


PlaceKey = tuple[str, int, int]


def place_key(place: Place) -> PlaceKey:
    """What makes two places the same one: path as shown, start and end. Texts compare by identity, places must not."""
    return (place.path, place.span.start, place.span.end)


@dataclass(frozen=True)
class Location:
    """A place that takes part in a finding. ``note`` is the text beside the code frame's underline."""

    place: Place
    role: Role = Role.OTHER
    note: str = ""


@dataclass(frozen=True)
class EntryRef:
    """A matrix entry that is affected: its key, where it stands, and how many of its points.

    ``ids`` tell the points apart, where the subject knows them: then a point that is hurt twice counts once when
    entries are merged. Without them the numbers are added.
    """

    key: str
    place: Place
    points: int
    ids: frozenset[int] = frozenset()


@dataclass(frozen=True)
class OriginStep:
    """One step of how a value came to be, oldest first."""

    place: Place
    what: str


@dataclass(frozen=True)
class TextEdit:
    """Replace the bytes of a span by ``text``."""

    place: Place
    text: str


@dataclass(frozen=True)
class Fix:
    """A change that removes the cause. ``safe``: it cannot change what any other point runs."""

    edits: tuple[TextEdit, ...]
    safe: bool = True
    title: str = ""


@dataclass(frozen=True)
class Instance:
    """One violation: a rule, its cause, its victim.

    ``cause`` is where the fix belongs and groups instances into findings; ``victim`` tells instances of one cause
    apart. ``key`` does so too where cause and victim are the same place twice (a YAML path, an entry's name); it must
    not hold line numbers. ``related`` are further places. ``summary`` (optional) is the sentence for a finding that
    groups several instances; ``{count}`` in it is replaced by their number.

    ``severity`` and ``precision`` are None where they are the rule's own. ``masked_by`` names another limit that hides
    the harm: an error becomes a warning. ``rule`` (its id) and ``fingerprint`` are set by the engine, which also
    fills in the two Nones.
    """

    message: str
    cause: Location
    victim: Location | None = None
    related: tuple[Location, ...] = ()
    key: str = ""
    severity: Severity | None = None
    precision: Precision | None = None
    masked_by: str = ""
    entries: tuple[EntryRef, ...] = ()
    origins: tuple[tuple[OriginStep, ...], ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    summary: str = ""
    fix: Fix | None = None
    rule: str = ""
    fingerprint: str = ""

    @property
    def locations(self) -> tuple[Location, ...]:
        """All places, the primary one first."""
        return (self.cause, *((self.victim,) if self.victim else ()), *self.related)


@dataclass(frozen=True)
class Unknown:
    """A verdict that cannot be given: an operand is not known. Counted in ``--stats``, never a finding."""

    reason: str
    place: Place | None = None


Verdict = Instance | Unknown


@dataclass(frozen=True)
class Finding:
    """The instances of one cause, as reported. ``locations[0]`` is the primary one."""

    rule: Rule
    severity: Severity
    precision: Precision
    message: str
    fingerprint: str
    locations: tuple[Location, ...]
    instances: tuple[Instance, ...]
    entries: tuple[EntryRef, ...]
    origins: tuple[tuple[OriginStep, ...], ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    fix: Fix | None = None

    @property
    def points(self) -> int:
        """How many points the affected entries lose or publish wrongly, all entries together."""
        return sum(entry.points for entry in self.entries)


@dataclass(frozen=True)
class Diagnostic:
    """What the analyser says about itself (``not-analysed``, ``rule-crashed``...).

    Never a finding, never the reason for exit code 1. ``path`` is for a diagnostic about a file that could not be
    read, so that there is no text to point into.
    """

    id: str
    message: str
    place: Place | None = None
    path: str = ""
    severity: Severity = Severity.WARNING

    @property
    def shown_path(self) -> str:
        """The path as messages print it, empty where the diagnostic has none."""
        return self.place.path if self.place else self.path

    @property
    def line(self) -> int | None:
        return self.place.line if self.place else None
