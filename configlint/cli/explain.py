"""The page of a rule: what it says, how sure it is, and its examples. Also the page of a diagnostic."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from configlint.api.rule import Rule
from configlint.cli.errors import Exit, UsageError
from configlint.cli.rules import as_dict
from configlint.lint.diagnostics import PAGES, summary
from configlint.lint.registry import load
from configlint.lint.suggest import did_you_mean
from configlint.report.jsontext import dumped
from configlint.report.markdown import rule_page

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``explain``."""
    parser.add_argument(
        "id", metavar="ID", help="a rule's id (configlint rules lists them), or a diagnostic's (ref-unavailable)"
    )
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Print the page."""
    registry = load()
    if args.id in PAGES and args.id not in registry.names:
        return _diagnostic(args, console)
    if args.id not in registry.names:
        hint = did_you_mean(args.id, [*registry.names, *PAGES])
        raise UsageError(f"no rule or diagnostic is called {args.id!r}{hint}")
    rule = registry.get(args.id)
    if args.format == "json":
        console.write(dumped({**as_dict(rule), "page": rule.page, "examples": rule.examples}))
    elif args.format == "markdown":
        console.write([rule_page(rule)])
    else:
        console.write([page(rule)])
    return Exit.CLEAN


def _diagnostic(args: Namespace, console: Console) -> int:
    text = PAGES[args.id]
    if args.format == "json":
        console.write(dumped({"id": args.id, "kind": "diagnostic", "summary": summary(args.id), "page": text}))
    elif args.format == "markdown":
        console.write([f"# {args.id}\n\n{text}\n"])
    else:
        facts = "a diagnostic: what configlint says about its own run, never a finding"
        console.write([f"{args.id}\n{'=' * len(args.id)}\n{text}\n\n{facts}\n"])
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
