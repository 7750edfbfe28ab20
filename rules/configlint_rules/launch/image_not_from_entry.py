"""The container that a launch runs does not come from the entry's image.

The launcher starts a container, or maps the recipe's container to a file, that stays the same whatever image the entry
names: the next bump of the image publishes results of the old one under the new name. Web servers, exporters and other
containers beside the engine are not meant, nor recipes that name a registry image themselves (image-mismatch).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from configlint.api import DECLARED, ERROR, HIGH, MATRIX, WARNING, WRITER, Launch, Location, Verdict, rule


@rule(
    id="image-not-from-entry",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: a literal file --
== runners/launch_alpha.sh
SQUASH=/images/a_b_0.9.sqsh  #! image-not-from-entry
srun --container-image=$SQUASH bash benchmarks/run.sh
-- good: made from the image, through commands and a function --
== runners/launch_alpha.sh
squash_of() { echo "/images/$(echo "$1" | tr '/:' '__').sqsh"; }
SQUASH=$(squash_of "$IMAGE")
srun --container-image=$SQUASH bash benchmarks/run.sh
""",
)
def image_not_from_entry(launch: Launch) -> Iterator[Verdict]:
    """The container of the started script, or the file behind the recipe's alias."""
    images = launch.profile.policy.image_variables
    declared = str(launch.field("image") or "")
    for container in launch.containers:
        if any(launch.depends_on(cell, images) for cell in container.cells or ()):
            continue
        if container.cells is None or container.undetermined:
            yield launch.unknown("what the container is made from is not known", container.place)
            continue
        agree = _bare(declared) in _bare(container.value)
        yield launch.instance(
            f"the engine runs in {container.value} whatever image the entry names (here {declared})",
            cause=Location(container.made_at, WRITER, "does not depend on the image"),
            victim=Location(launch.field_place("image"), MATRIX, "has no effect here"),
            related=[Location(place, DECLARED, "the container asked for") for place in container.asked_at],
            severity=WARNING if declared and agree else None,
        )


def _bare(name: str) -> str:
    """A name without the characters that file names cannot hold."""
    return re.sub(r"[^a-z0-9.]", "", name.lower())
