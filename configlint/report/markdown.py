"""A rule's page as Markdown."""

from __future__ import annotations

import re

from configlint.api.rule import Rule


def rule_page(rule: Rule) -> str:
    """The page, its metadata and its examples."""
    facts = [
        f"**Severity**: {rule.severity.label}",
        f"**Precision**: {rule.precision.label}",
        f"**Since**: {rule.since}",
        f"**Looks at**: {rule.subject}",
    ]
    if rule.aliases:
        facts.append(f"**Formerly**: {', '.join(f'`{name}`' for name in rule.aliases)}")
    if rule.preview:
        facts.append("**Preview**: runs only when selected")
    body = rule.examples.strip("\n")
    fence = fence_for(body)
    return f"# {rule.id}\n\n{rule.page.strip()}\n\n{' · '.join(facts)}\n\n## Examples\n\n{fence}\n{body}\n{fence}\n"


def fence_for(text: str) -> str:
    """A code fence that the text cannot close."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(3, longest + 1)
