"""A recipe spells an image otherwise than the alias that the launcher registers for it.

The launcher imports the entry's image once and registers the file under the image's name. A recipe with another
spelling of that name (`nvcr.io/a/b:1` for `nvcr.io#a/b:1`, `docker://`) does not find the alias: every node has to pull
the image from the registry, if it can. Register both spellings, or use the one that is registered.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, HIGH, MATRIX, WARNING, Launch, Location, Verdict, rule


@rule(
    id="container-alias-bypassed",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the separator of the importing program --
== configs/x-master.yaml
tiny: { image: "nvcr.io#a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
echo "containers: { '$IMAGE': image.sqsh }" > srtslurm.yaml  #! container-alias-bypassed
srtctl apply -f recipe.yaml
== recipe.yaml
model: { path: m, container: "nvcr.io/a/b:1" }
-- good: the same spelling --
== recipe.yaml
model: { path: m, container: "nvcr.io#a/b:1" }
""",
)
def container_alias_bypassed(launch: Launch) -> Iterator[Verdict]:
    """Literal images of each submitted variant that are an alias in another spelling."""
    if launch.obscure:
        yield launch.unknown(launch.obscure, launch.row)
    for one in launch.submitted:
        for use in one.containers:
            alias = one.aliases.containers.spelled(use.image) if use.is_image and use.image else None
            if alias and alias.place and use.place:
                what = f"{use.given} is registered as {alias.name} in {launch.profile.aliases.file}"
                yield launch.instance(
                    f"{what}: the imported file is not used, every node has to pull the image",
                    cause=alias.place,
                    victim=Location(use.place, CONSUMER, f"{use.path} in another spelling"),
                    related=[Location(launch.field_place("image"), MATRIX)],
                    summary=f"{{count}} recipes bypass the alias {alias.name}: the imported file is not used, "
                    "every node has to pull the image",
                )
