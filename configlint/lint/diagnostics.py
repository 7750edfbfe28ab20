"""What configlint says about its own run: every diagnostic id, with its page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PAGES: Mapping[str, str] = MappingProxyType(
    {
        "no-matrix": """\
Nothing is launched in this tree: no matrix was found, or no layout fits at all.

YAML and shell files are read all the same, and rules about them run; whatever needs a launch has nothing to look at.
Mostly configlint was started in the wrong place: the message names the nearest folder that has a matrix, for --repo.
A layout of its own is described by a profile (--profile FILE, or `profile` in configlint.toml).""",
        "not-analysed": """\
A construct is not modelled, or a bound was reached, at the place that is named.

Nothing is concluded from what comes after it: the launches concerned take part in no rule that needs their end. The
message says which construct or bound it was. --stats counts such launches, and --require-analysed PERCENT makes the
check fail (exit code 3) where there are too many.""",
        "ref-unavailable": """\
A launcher clones a revision that cannot be read here, so that what is in it is unknown.

Whether a recipe or script exists there, and what it says, is then neither true nor false, and nothing is reported that
depends on it. To let configlint read the revision:

- `--ref-source URL=PATH` names a clone, `--ref-source URL@REF=FOLDER` a plain folder that stands for one revision
  (repeatable; also in CONFIGLINT_REFS, separated by white space or `:`, and as `ref-sources` in configlint.toml);
- `configlint refs sync` clones what is missing into your cache: it is the only command that uses the network;
- `configlint refs list` says which revisions launchers name, where each is read from, or why it cannot be.""",
        "rule-crashed": """\
A rule ended with an error: a fault of the rule, or of configlint, never of the tree.

The message has the rule, the error, the rule's own file and line, and what it was looking at. What the rule had
found before is kept, the other rules are not touched, and the exit code is 3. --ignore ID leaves the rule out.""",
        "unreadable-file": """\
A file is there and cannot be read: too large, no text, behind a link that leaves the tree, or missing from a partial
clone.

Nothing is concluded from it. What does not parse is a finding (yaml-syntax, bash-syntax) and no diagnostic.""",
    }
)
"""Diagnostic id -> its page; the first paragraph is the summary."""


def summary(id: str) -> str:
    """The first paragraph of a page, on one line."""
    return " ".join(PAGES[id].split("\n\n", 1)[0].split())
