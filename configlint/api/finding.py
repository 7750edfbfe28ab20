"""Findings: what a rule yields (instances) and what a report shows (findings)."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Location:
    """A place that takes part in a finding. ``note`` is the text beside the code frame's underline."""

    place: Place
    role: Role = Role.OTHER
    note: str = ""


@dataclass(frozen=True)
class EntryRef:
    """A matrix entry that is affected: its key, where it stands, and how many of its points."""

    key: str
    place: Place
    points: int


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

    ``cause`` is where the fix belongs and groups instances into findings; ``victim`` tells instances of one cause apart.
    ``related`` are further places. ``summary`` (optional) is the sentence for a finding that groups
    several instances; ``{count}`` in it is replaced by their number.
    """

    rule: "Rule"
    message: str
    cause: Location
    victim: Location | None = None
    related: tuple[Location, ...] = ()
    severity: Severity = Severity.ERROR
    entries: tuple[EntryRef, ...] = ()
    origins: tuple[tuple[OriginStep, ...], ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    summary: str = ""
    fix: Fix | None = None
    fingerprint: str = ""  # set by the engine

    @property
    def locations(self) -> tuple[Location, ...]:
        """All places, the primary one first."""
        return (self.cause, *((self.victim,) if self.victim else ()), *self.related)


@dataclass(frozen=True)
class Finding:
    """The instances of one cause, as reported. ``locations[0]`` is the primary one."""

    rule: "Rule"
    severity: Severity
    message: str
    fingerprint: str
    locations: tuple[Location, ...]
    instances: tuple[Instance, ...]
    entries: tuple[EntryRef, ...]
    origins: tuple[tuple[OriginStep, ...], ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    fix: Fix | None = None


@dataclass(frozen=True)
class Diagnostic:
    """What the analyser says about itself (RULES section 0): never a finding, never decides exit code 1."""

    id: str
    message: str
    place: Place | None = None
    path: str = ""
    severity: Severity = field(default=Severity.WARNING)
