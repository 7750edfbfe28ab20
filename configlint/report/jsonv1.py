"""The machine format ``configlint/1``; its schema is ``docs/schema/configlint-1.schema.json``.

Columns count UTF-8 bytes from 1; an end is exclusive. Fields are never removed or given another meaning within
version 1; readers should ignore fields they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configlint.api.finding import Diagnostic, EntryRef, Finding, Fix, Instance, Location, OriginStep
from configlint.lint.group import severity_of
from configlint.lint.result import Result, Stats
from configlint.report.jsontext import dumped
from configlint.report.style import Style

VERSION = "configlint/1"

Json = dict[str, Any]


def render(result: Result, style: Style) -> Iterator[str]:
    """One JSON object; a line for each finding."""
    document = {
        "version": VERSION,
        "findings": [_finding(finding) for finding in result.findings],
        "diagnostics": [_diagnostic(one) for one in result.diagnostics],
        "stats": _stats(result, style.timings),
    }
    yield from dumped(document)


def _finding(finding: Finding) -> Json:
    return {
        "rule": finding.rule.id,
        "severity": finding.severity.label,
        "precision": finding.precision.label,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "locations": [_location(one) for one in finding.locations],
        "entries": [_entry(one) for one in finding.entries],
        "instances": [_instance(one) for one in finding.instances],
        "origins": [[_step(step) for step in chain] for chain in finding.origins],
        "fix": _fix(finding.fix) if finding.fix else None,
    }


def _instance(instance: Instance) -> Json:
    return {
        "fingerprint": instance.fingerprint,
        "message": instance.message,
        "severity": severity_of(instance).label,
        "locations": [_location(one) for one in instance.locations],
    }


def _location(location: Location) -> Json:
    start, end = location.place.start, location.place.end
    return {
        "path": location.place.path,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "role": location.role.value,
        "note": location.note,
    }


def _entry(entry: EntryRef) -> Json:
    return {"key": entry.key, "path": entry.place.path, "line": entry.place.line, "points": entry.points}


def _step(step: OriginStep) -> Json:
    return {"path": step.place.path, "line": step.place.line, "what": step.what}


def _fix(fix: Fix) -> Json:
    edits = [
        {"path": edit.place.path, "start": edit.place.span.start, "end": edit.place.span.end, "text": edit.text}
        for edit in fix.edits
    ]
    return {"safe": fix.safe, "edits": edits}


def _diagnostic(one: Diagnostic) -> Json:
    return {"id": one.id, "path": one.shown_path or None, "line": one.line, "message": one.message}


def _stats(result: Result, timings: bool) -> Json:
    stats = result.stats
    document: Json = {**stats.counts, "hidden": stats.hidden, "analysed_percent": round(stats.analysed, 2)}
    document["unknown_verdicts"] = sum(one.unknown for one in stats.rules.values())
    return {**document, **_timings(stats)} if timings else document


def _timings(stats: Stats) -> Json:
    """Figures that differ from run to run, only where they are asked for."""
    rules = {
        name: {
            "seconds": round(one.seconds, 6),
            "subjects": one.subjects,
            "instances": one.instances,
            "unknown": one.unknown,
        }
        for name, one in sorted(stats.rules.items())
    }
    subjects = {kind: round(seconds, 6) for kind, seconds in stats.subjects.items()}
    return {"seconds": round(stats.seconds, 6), "subjects": subjects, "rules": rules}
