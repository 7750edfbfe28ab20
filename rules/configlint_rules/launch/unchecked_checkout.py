"""A launcher goes on after the checkout of a pin, or an edit of the recipe, has failed.

A tag that was moved or deleted, a commit that cannot be fetched: without ``|| exit``, ``set -e`` or a test of what is
checked out now, the launcher runs whatever revision the clone came with, and the result is published under the pin's
name. Where that revision has no such recipe the launcher ends later, and nothing is reported. The same holds for a
program that edits the recipe before submission: if it fails, the recipe runs unedited.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import HIGH, INFO, WARNING, Script, Verdict, rule


@rule(
    id="unchecked-checkout",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: nothing stops the launcher --
== runners/launch_alpha.sh
git clone https://git.example.com/a/b.git clone
cd clone || exit 1
git checkout v1.0  #! unchecked-checkout
-- bad: an edit before submission fails unseen --
== runners/launch_alpha.sh
python3 "$GITHUB_WORKSPACE/runners/inject_synthetic_acceptance.py" "$CONFIG_FILE"  #! unchecked-checkout
srtctl apply -f "$CONFIG_FILE"
-- good: the clone is at that branch already --
== runners/launch_alpha.sh
git clone https://git.example.com/a/b.git clone
cd clone
git checkout main
-- good: each of these stops it --
== runners/launch_alpha.sh
git checkout v1.0 || exit 1
if ! git checkout v1.0; then exit 1; fi
set -e
git checkout v1.0
""",
)
def unchecked_checkout(script: Script) -> Iterator[Verdict]:
    """Launchers only; each unchecked command is one cause, an info where no entry runs through it today."""
    for one, entries in script.unchecked if script.is_launcher else ():
        if one.unsure:
            yield script.unknown(one.unsure, one.at)
            continue
        yield script.instance(
            one.consequence,
            cause=one.at,
            entries=entries,
            severity=WARNING if entries or not script.affected else INFO,
            help="add `|| exit 1`, or `set -e` at the top",
        )
