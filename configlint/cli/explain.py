"""The page of a rule: what it says, how sure it is, and its examples."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from configlint.api.rule import Rule
from configlint.cli.errors import Exit
from configlint.cli.rules import as_dict
from configlint.lint.registry import load
from configlint.report.jsontext import dumped
from configlint.report.markdown import rule_page

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``explain``."""
    parser.add_argument("id", metavar="ID", help="a rule's id (configlint rules lists them)")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the page."""
    rule = load().get(args.id)
    if args.format == "json":
        console.write(dumped({**as_dict(rule), "page": rule.page, "examples": rule.examples}))
    elif args.format == "markdown":
        console.write([rule_page(rule)])
    else:
        console.write([page(rule)])
    return Exit.CLEAN


def page(rule: Rule) -> str:
    """The page as plain text."""
    facts = [
        f"severity {rule.severity.label}, precision {rule.precision.label}, since {rule.since}",
        f"looks at each {rule.subject.lower()}",
    ]
    if rule.aliases:
        facts.append(f"formerly {', '.join(rule.aliases)}")
    if rule.preview:
        facts.append("preview: runs only when selected")
    body = "\n".join(f"    {line}".rstrip() for line in rule.examples.strip("\n").split("\n"))
    return f"{rule.id}\n{'=' * len(rule.id)}\n{rule.page.strip()}\n\n{'; '.join(facts)}\n\nExamples\n\n{body}\n"
