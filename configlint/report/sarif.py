"""SARIF 2.1.0, as code scanning reads it.

One result a finding. A result is annotated in a pull request only if its whole region lies in the diff: regions are
one line. Code scanning knows an alert by ``primaryLocationLineHash`` and would otherwise compute it from the line's
text, which a comment behind it changes; so our own fingerprint stands there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from configlint import __version__
from configlint.api.finding import Diagnostic, Finding, Location, Severity
from configlint.api.rule import Rule
from configlint.lint.result import Result
from configlint.report.jsontext import dumped
from configlint.report.markdown import rule_page
from configlint.report.places import annotated, first_line, in_tree, mentioned, utf16_column
from configlint.report.plain import listed, one_line, path_bytes
from configlint.report.style import Style
from configlint.source.text import Place

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RELATED = 100  # locations of a result that code scanning keeps
ENTRIES = 20

_LEVELS: Mapping[Severity, str] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEM: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}

Json = dict[str, Any]


def render(result: Result, style: Style) -> Iterator[str]:
    """One log with one run."""
    rules = {rule.id: rule for rule in result.rules}
    rules.update((finding.rule.id, finding.rule) for finding in result.findings)
    order = sorted(rules)
    index = {rule: number for number, rule in enumerate(order)}
    run = {
        "tool": {
            "driver": {
                "name": "configlint",
                "semanticVersion": __version__,
                "rules": [_rule(rules[name]) for name in order],
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository under review."}}},
        "invocations": [
            {
                "executionSuccessful": not result.crashed,
                "toolExecutionNotifications": [_notification(one) for one in result.diagnostics],
            }
        ],
        "results": [_result(finding, index[finding.rule.id]) for finding in result.findings],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    yield from dumped(document, depth=4)  # a line for each result


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.page.strip()},
        "help": {"text": rule.page.strip(), "markdown": rule_page(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "precision": rule.precision.label,
            # Not `security-severity`: it would turn every finding into a security alert.
            "problem.severity": _PROBLEM[rule.severity],
            "tags": ["correctness", rule.subject.lower()],
        },
    }


def _result(finding: Finding, index: int) -> Json:
    primary, others = annotated(finding)
    related = [location for location in others if in_tree(location)][:RELATED]
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding, related, others)},
        "locations": [{"physicalLocation": _physical(primary.place)}] if primary else [],
        "relatedLocations": [_related(number, one) for number, one in enumerate(related, 1)],
        "partialFingerprints": {
            "primaryLocationLineHash": f"{finding.fingerprint}:1",
            "configlint/v1": finding.fingerprint,
        },
        "properties": {
            "precision": finding.precision.label,
            "instances": [one.fingerprint for one in finding.instances],
        },
    }


def _message(finding: Finding, related: list[Location], others: tuple[Location, ...]) -> str:
    """The message with a link to every related location; places that have no file here are named in words."""
    lines = [_literal(finding.message)]
    for number, location in enumerate(related, 1):
        note = f": {_literal(location.note)}" if location.note else ""
        where = _literal(f"{location.place.path}:{location.place.line}")
        lines.append(f"[{where}]({number}) ({location.role.value}){note}")
    lines += [f"{_literal(mentioned(location))}" for location in others if not in_tree(location)]
    if finding.entries:
        lines.append(_literal(f"entries: {listed([entry.key for entry in finding.entries], ENTRIES)}"))
    lines += map(_literal, (*finding.notes, *([f"help: {finding.help}"] if finding.help else [])))
    return "\n".join(lines)


def _literal(text: str) -> str:
    """Text that is shown as it is: brackets would make links, to wherever the author of a file wants."""
    return one_line(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _related(number: int, location: Location) -> Json:
    note = one_line(location.note) or location.role.value
    return {"id": number, "physicalLocation": _physical(location.place), "message": {"text": note}}


def _physical(place: Place) -> Json:
    span = first_line(place)
    region: Json = {
        "startLine": place.line,
        "startColumn": utf16_column(place, span.start),
        "endLine": place.line,
        "endColumn": utf16_column(place, span.end),
    }
    return {"artifactLocation": {"uri": uri(place.text.path), "uriBaseId": "%SRCROOT%"}, "region": region}


def uri(path: str) -> str:
    """A tree path as a relative reference, percent-encoded (also a colon, which would look like a scheme)."""
    return quote(path_bytes(path), safe="/")


def _notification(one: Diagnostic) -> Json:
    notification: Json = {
        "descriptor": {"id": one.id},
        "level": _LEVELS[one.severity],
        "message": {"text": one_line(one.message)},
    }
    if one.place and not one.place.text.origin:
        notification["locations"] = [{"physicalLocation": _physical(one.place)}]
    elif one.path:
        notification["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri(one.path)}}}]
    return notification
