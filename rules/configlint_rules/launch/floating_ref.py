"""A launcher clones a moving revision of another repository.

What a branch name means changes between the points of one sweep, and between the run and the review. Name a
tag or a commit. Branches that the profile lists as release branches are as good as a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from configlint.api import HIGH, MATRIX, WARNING, Launch, Location, Verdict, rule

_COMMIT = re.compile(r"[0-9a-f]{7,40}")


@rule(
    id="floating-ref",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the default branch --
== runners/launch_alpha.sh
git clone https://git.example.com/a/b.git clone  #! floating-ref
bash benchmarks/run.sh
== https://git.example.com/a/b@main:README
-- good: a tag, checked out later --
== runners/launch_alpha.sh
git clone https://git.example.com/a/b.git clone
cd clone
git checkout v1.0
bash ../benchmarks/run.sh
== https://git.example.com/a/b@v1.0:README
""",
)
def floating_ref(launch: Launch) -> Iterator[Verdict]:
    """The last revision named for each clone; the cause is where it is named."""
    for clone in launch.clones:
        if not clone.is_default and (
            _COMMIT.fullmatch(clone.ref) or launch.profile.policy.is_release_branch(clone.ref)
        ):
            continue
        answer = launch.model.launches.world.ref(clone.url, None if clone.is_default else clone.ref)
        if clone.is_default or answer.kind == "branch":
            name = f" ({clone.ref})" if clone.ref != "HEAD" else ""
            what = f"the default branch{name}" if clone.is_default else f"the branch {clone.ref}"
            message = f"the launcher runs {what} of {clone.url}, which moves"
            yield launch.instance(
                message,
                cause=clone.named_at,
                victim=Location(launch.entry.place, MATRIX, "runs it"),
                summary=message,
                notes=(f"it is {clone.commit[:12]} in the copy read here",) if clone.commit else (),
            )
        elif answer.kind == "unknown":
            yield launch.unknown(f"{clone.ref} of {clone.url} cannot be resolved here", clone.named_at)
