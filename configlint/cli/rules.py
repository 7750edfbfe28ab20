"""All rules: the built-in ones and those of installed packs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from configlint.api.rule import Rule
from configlint.cli.errors import Exit
from configlint.cli.tables import table
from configlint.lint.registry import load
from configlint.report.jsontext import dumped

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``rules``."""
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the rules."""
    rules = load().rules
    if args.format == "json":
        console.write(dumped({"rules": [as_dict(rule) for rule in rules]}))
    else:
        rows = [(rule.id, rule.severity.label, rule.precision.label, rule.subject, rule.summary) for rule in rules]
        console.write(table(("rule", "severity", "precision", "looks at", "says"), rows))
    return Exit.CLEAN


def as_dict(rule: Rule) -> dict[str, Any]:
    """A rule's metadata."""
    return {
        "id": rule.id,
        "severity": rule.severity.label,
        "precision": rule.precision.label,
        "since": rule.since,
        "subject": rule.subject,
        "summary": rule.summary,
        "aliases": list(rule.aliases),
        "preview": rule.preview,
        "module": rule.module,
        "api": rule.api,
    }
