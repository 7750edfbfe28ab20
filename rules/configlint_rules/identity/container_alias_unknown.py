"""A recipe names a container that is neither an alias nor an image.

The cluster file that the launcher generates maps aliases to imported images. A word that it does not map, without
registry, folder or tag, is handed on as it is, and nothing can be started from it. For a side container (a proxy, an
exporter) such a word may be an official image, which then is pulled although the launcher imported another: info.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, INFO, Launch, Verdict, rule


@rule(
    id="container-alias-unknown",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: this launcher has another alias --
== configs/x-master.yaml
tiny: { image: "a/b:v2", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
echo "containers: { engine-a: image.sqsh }" > srtslurm.yaml
srtctl apply -f recipe.yaml
== recipe.yaml
model: { path: m, container: engine-b }  #! container-alias-unknown
-- good: an alias --
== recipe.yaml
model: { path: m, container: engine-a }
""",
)
def container_alias_unknown(launch: Launch) -> Iterator[Verdict]:
    """Every container field of each submitted variant."""
    if launch.obscure:
        yield launch.unknown(launch.obscure, launch.row)
    for one in launch.submitted:
        table = one.aliases.containers
        for use in one.containers:
            if use.is_unknown:
                yield launch.unknown(f"what the container {use.given} is cannot be told", use.place)
            elif use.is_undefined and use.place:
                where = f"no alias of {launch.profile.aliases.file} ({', '.join(table.aliases)})"
                if use is one.container:
                    message = f"the container {use.given} is {where} and no image, so nothing can start"
                    yield launch.instance(message, cause=use.place, victim=table.place)
                elif table.place:
                    pulled = f"so {use.given}:latest is pulled, where that is an image"
                    yield launch.instance(
                        f"{use.path} {use.given} is {where}, {pulled}",
                        cause=table.place,
                        victim=use.place,
                        severity=INFO,
                        summary=f"{{count}} recipes: {use.path} {use.given} is no alias, {pulled}",
                    )
