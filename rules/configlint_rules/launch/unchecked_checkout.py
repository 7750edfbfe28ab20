"""A launcher goes on after the checkout of a pin, or an edit of the recipe, has failed.

A tag that was moved or deleted, a commit that cannot be fetched: without ``|| exit``, ``set -e`` or a test of what is
checked out now, the launcher runs whatever revision the clone came with, and the result is published under the pin's
name. The same holds for a program that edits the recipe before submission: if it fails, the recipe runs unedited.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import HIGH, WARNING, Script, Verdict, rule


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
    """Launchers only; each unchecked command is one cause."""
    if not script.is_launcher:
        return
    programs = {one.program for one in script.profile.launch.opaque}
    clones: dict[int, str] = {}
    started: tuple[str, ...] = ()  # branches that the clone nearest above may be at
    for one in script.statements:
        if one.cloned is not None:
            clones[one.block] = one.cloned
            started = script.cloned_branches(one)
        edits = next((path for path in programs if one.mentions(path)), None)
        if one.checked or (one.pin is None and edits is None):
            continue
        if one.pin in started:
            continue  # a failure leaves what was asked for
        if one.pin is not None:
            branch = clones.get(one.block)
            rest = (
                "the revision that the clone is at"
                if branch is None
                else f"the branch {branch}"
                if branch
                else "the default branch"
            )
            message = f"if {one.pin} cannot be checked out, the launcher goes on with {rest}"
        else:
            message = f"if {edits} fails, the launcher submits the recipe as it was before"
        at = script.place(*one.node.span)
        yield script.instance(
            message,
            cause=at,
            entries=script.running(at) if edits is None else script.edited_by(at),
            help="add `|| exit 1`, or `set -e` at the top",
        )
