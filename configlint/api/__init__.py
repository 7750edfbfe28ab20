"""The public interface of rules and plugins: everything a rule module imports, flat and versioned.

::

    from configlint.api import ERROR, HIGH, Instance, Launch, rule

Names in ``__all__`` keep their meaning within one :data:`API_VERSION`; anything else in configlint may change at will.
"""

from configlint.api.finding import (
    Diagnostic,
    EntryRef,
    Finding,
    Fix,
    Instance,
    Location,
    OriginStep,
    Precision,
    Role,
    Severity,
    TextEdit,
    Unknown,
    Verdict,
)
from configlint.api.reports import Reports
from configlint.api.rule import Rule, RuleError, rule
from configlint.api.sources import Entry, Repository, Script
from configlint.api.subjects import Change, Document, Launch
from configlint.api.version import API_VERSION, SUPPORTED_API
from configlint.source.text import Place, Position, Span, Text

INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR
LOW, MEDIUM, HIGH = Precision.LOW, Precision.MEDIUM, Precision.HIGH
WRITER, VALUE, DECLARED = Role.WRITER, Role.VALUE, Role.DECLARED
CONSUMER, MATRIX, OTHER = Role.CONSUMER, Role.MATRIX, Role.OTHER

__all__ = [
    "API_VERSION",
    "CONSUMER",
    "DECLARED",
    "ERROR",
    "HIGH",
    "INFO",
    "LOW",
    "MATRIX",
    "MEDIUM",
    "OTHER",
    "SUPPORTED_API",
    "VALUE",
    "WARNING",
    "WRITER",
    "Change",
    "Diagnostic",
    "Document",
    "Entry",
    "EntryRef",
    "Finding",
    "Fix",
    "Instance",
    "Launch",
    "Location",
    "OriginStep",
    "Place",
    "Position",
    "Precision",
    "Reports",
    "Repository",
    "Role",
    "Rule",
    "RuleError",
    "Script",
    "Severity",
    "Span",
    "Text",
    "TextEdit",
    "Unknown",
    "Verdict",
    "rule",
]
