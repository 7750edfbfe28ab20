"""Prints ``docs/rules.md``: every built-in rule with its page, as the rules themselves have it; or the diagnostics.

    python tools/rules_page.py > docs/rules.md
    python tools/rules_page.py --diagnostics > docs/diagnostics.md

Run it after a rule's page or metadata has changed; ``tests/test_docs.py`` says so when it was forgotten.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

HEAD = """# Rules

Made by `python tools/rules_page.py > docs/rules.md` from the rules themselves: do not edit it here.
`configlint explain ID` adds the examples of a rule. Rules of less than high precision run with `--pedantic`, or when
they are selected by name.
"""


def page() -> str:
    """The whole file."""
    from configlint.lint.discover import BUILT_IN, Pack
    from configlint.lint.registry import load

    rules = load(announced=[Pack("builtin", BUILT_IN, "configlint")]).rules
    table = ["| rule | severity | precision | says |", "|---|---|---|---|"]
    table += [f"| [{r.id}](#{r.id}) | {r.severity.label} | {r.precision.label} | {r.summary} |" for r in rules]
    parts = [
        f"## {r.id}\n\n{r.page.strip()}\n\n"
        f"*{r.severity.label}, precision {r.precision.label}, since {r.since}; looks at each {r.subject.lower()}*\n"
        for r in rules
    ]
    return "\n".join([HEAD, *table, "", *parts])


DIAGNOSTICS = """# Diagnostics

Made by `python tools/rules_page.py --diagnostics > docs/diagnostics.md`: do not edit it here.
A diagnostic is what configlint says about its own run. It goes to standard error (in `json` and `sarif` into the report
too), is no finding, and never the reason for exit code 1. `configlint explain ID` shows the same.
"""


def diagnostics() -> str:
    """The page of diagnostics."""
    from configlint.lint.diagnostics import PAGES, summary

    table = ["| diagnostic | means |", "|---|---|", *(f"| [{id}](#{id}) | {summary(id)} |" for id in PAGES)]
    return "\n".join([DIAGNOSTICS, *table, "", *(f"## {id}\n\n{text}\n" for id, text in PAGES.items())])


def main() -> None:
    """Print one of them."""
    sys.path[:0] = [str(ROOT), str(ROOT / "rules")]
    sys.stdout.write(diagnostics() if sys.argv[1:] == ["--diagnostics"] else page())


if __name__ == "__main__":
    main()
