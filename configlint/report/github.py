"""Annotations for GitHub Actions.

GitHub shows ten of each level a step and drops the rest without a word. So: the worst first, nine of a level, and a
tenth that says how many are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from configlint.api.finding import Finding, Severity
from configlint.lint.result import Result
from configlint.report.places import annotated, first_line, mentioned, utf16_column
from configlint.report.plain import count, is_printable, listed, one_line
from configlint.report.style import Style
from configlint.report.workflow import WorkflowCommand

LIMIT = 9
PLACES = 8
ENTRIES = 6

_COMMANDS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def render(result: Result, style: Style) -> Iterator[str]:
    """One line a command."""
    for command in commands(result):
        yield f"{command}\n"


def commands(result: Result) -> Iterator[WorkflowCommand]:
    """The annotations of a result, at most ten of each level."""
    for severity, name in _COMMANDS.items():
        found = [finding for finding in result.findings if finding.severity is severity]
        # One notice is kept for the diagnostics.
        limit = LIMIT - 1 if severity is Severity.INFO and result.diagnostics else LIMIT
        for finding in found[:limit]:
            yield _annotation(finding, name)
        more = len(found) - limit
        if more > 0:
            noun = "note" if severity is Severity.INFO else severity.label
            message = f"{count(more, f'more {noun}')}; the log lists all of them"
            yield WorkflowCommand(name, message, {"title": "configlint"})
    if result.diagnostics:
        kinds = sorted({one.id for one in result.diagnostics})
        message = f"{count(len(result.diagnostics), 'diagnostic')} ({', '.join(kinds)}); the log lists them"
        yield WorkflowCommand("notice", message, {"title": "configlint"})


def _annotation(finding: Finding, name: str) -> WorkflowCommand:
    primary, others = annotated(finding)
    properties: dict[str, str | int] = {}
    unprintable = primary is not None and not is_printable(primary.place.text.path)
    if primary and not unprintable:
        span = first_line(primary.place)
        properties["file"] = primary.place.text.path
        properties["line"] = primary.place.line
        # Columns only on one line: the runner refuses them together with a range of lines.
        column = utf16_column(primary.place, span.start)
        properties["col"] = column
        properties["endColumn"] = max(column, utf16_column(primary.place, span.end) - 1)
    properties["title"] = f"configlint {finding.rule.id}"
    lines = [finding.message, *([primary.note] if primary and primary.note else [])]
    if primary and unprintable:
        lines.append(f"at {mentioned(primary)}")
    lines += [f"at {mentioned(location)}" for location in others[:PLACES]]
    if len(others) > PLACES:
        lines.append(f"and {count(len(others) - PLACES, 'more place')}")
    if finding.entries:
        lines.append(f"entries: {listed([entry.key for entry in finding.entries], ENTRIES)}")
    lines += [*finding.notes, *([f"help: {finding.help}"] if finding.help else [])]
    return WorkflowCommand(name, "\n".join(map(one_line, lines)), properties)
