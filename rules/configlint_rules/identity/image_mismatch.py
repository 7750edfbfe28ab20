"""Another image runs than the one that is published.

The matrix publishes an entry's image beside its results. A recipe whose container is a literal image, and no alias of
the cluster file, runs that image whatever the matrix says. What a recipe states about itself (its identity) must
agree with its own container and pins too.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, DECLARED, ERROR, HIGH, MATRIX, Launch, Location, Verdict, rule


@rule(
    id="image-mismatch",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: one version runs, another is published --
== configs/x-master.yaml
tiny: { image: "a/b:v2", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
echo "containers: { '$IMAGE': image.sqsh }" > srtslurm.yaml
srtctl apply -f recipe.yaml
== recipe.yaml
model: { path: m, container: "a/b:v1" }  #! image-mismatch
-- good: an alias of the cluster file --
== recipe.yaml
model: { path: m, container: "a/b:v2" }
""",
)
def image_mismatch(launch: Launch) -> Iterator[Verdict]:
    """The container of each submitted variant against the matrix, and what the recipe claims against itself."""
    if launch.obscure:
        yield launch.unknown(launch.obscure, launch.row)
    for one in launch.submitted:
        use, image = one.container, launch.image
        if use and use.place and use.is_image and use.image and image and use.image.same(image) is False:
            runs, published = Location(use.place, CONSUMER), Location(launch.field_place("image"), MATRIX)
            message = f"{use.given} runs, {launch.field('image')} is published"
            cause, victim = (published, runs) if is_outvoted(launch) else (runs, published)
            yield launch.instance(message, cause=cause, victim=victim)
        elif use and use.is_unknown:
            yield launch.unknown(f"what the container {use.given} is cannot be told", use.place)
        for claim in one.false_claims:
            at = Location(claim.actual_at, DECLARED) if claim.actual_at else None
            if claim.place:
                message = f"{claim.path} says {claim.claimed}, but {claim.actual} runs"
                yield launch.instance(message, cause=Location(claim.place, DECLARED), victim=at, key=claim.path)


def is_outvoted(launch: Launch) -> bool:
    """True if the entry has several recipes and none of them runs the published image: then the matrix is at fault."""
    uses = [one.container for other in launch.siblings for one in other.submitted]
    images = {use.place.path: use.image for use in uses if use and use.place and use.image}
    return len(images) > 1 and launch.image is not None and not any(map(launch.image.may_be, images.values()))
