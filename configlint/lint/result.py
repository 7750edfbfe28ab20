"""What a run came to: the input of every report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from configlint.api.finding import Diagnostic, Finding, Severity
from configlint.api.rule import Rule


@dataclass(frozen=True)
class RuleStats:
    """What one rule cost and said. ``seconds`` is wall time in the rule, ``unknown`` verdicts it could not give."""

    seconds: float = 0.0
    subjects: int = 0
    instances: int = 0
    unknown: int = 0


@dataclass(frozen=True)
class Stats:
    """Numbers about a run. ``subjects`` is the time for making subjects, by kind; times are seconds of wall time."""

    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, RuleStats] = field(default_factory=dict)
    subjects: Mapping[str, float] = field(default_factory=dict)
    hidden: int = 0  # instances about the paths asked for, below the severity or precision that is shown

    @property
    def launches(self) -> int:
        return self.counts.get("launches", 0)

    @property
    def analysed(self) -> float:
        """Share of the launches that were analysed to their end, in percent; 100 where there are none."""
        lost = self.counts.get("not_analysed", 0)
        return 100.0 * (self.launches - lost) / self.launches if self.launches else 100.0


@dataclass(frozen=True)
class Result:
    """Findings as they are shown (ranked), diagnostics, the rules that ran, and whether something crashed."""

    findings: tuple[Finding, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    rules: tuple[Rule, ...] = ()
    stats: Stats = field(default_factory=Stats)
    crashed: bool = False

    def count(self, severity: Severity) -> int:
        """How many findings of exactly this severity are shown."""
        return sum(finding.severity is severity for finding in self.findings)

    def reaches(self, severity: Severity) -> bool:
        """True if a shown finding is at least this bad."""
        return any(finding.severity >= severity for finding in self.findings)
