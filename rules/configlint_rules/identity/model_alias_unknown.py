"""A recipe names a model that the launcher does not register.

The cluster file that the launcher generates maps model names to folders of the cluster. A name that the taken branch
does not register, and that is no path and no hub id, is looked for as a folder beside the clone: the job ends before
the engine starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, MATRIX, Launch, Location, Verdict, rule


@rule(
    id="model-alias-unknown",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: registered under another name --
== configs/x-master.yaml
tiny: { image: "a/b:v2", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
== configs/runners.yaml
labels: { alpha: [alpha_0] }
== runners/launch_alpha.sh
ALIAS=tiny-v2  #! model-alias-unknown
echo "model_paths: { $ALIAS: /models/tiny }" > srtslurm.yaml
srtctl apply -f recipe.yaml
== recipe.yaml
model: { path: tiny-v1, container: "a/b:v2" }
-- good: an alias, a hub id --
== recipe.yaml
model: { path: "hf:org/tiny" }
""",
)
def model_alias_unknown(launch: Launch) -> Iterator[Verdict]:
    """Every model field of each submitted variant."""
    if launch.obscure:
        yield launch.unknown(launch.obscure, launch.row)
    for one in launch.submitted:
        table = one.aliases.models
        for use in one.models:
            if use.is_unknown:
                yield launch.unknown(f"what the model {use.given} is cannot be told", use.place)
            elif use.is_undefined and use.place:
                # The name belongs to where the launcher sets the one alias that is meant, else to the table.
                set_at = [alias.set_at for alias in table.aliases.values() if alias.set_at]
                cause = set_at[0] if len(table.aliases) == 1 and set_at else table.place
                names = f"no alias of {launch.profile.aliases.file} ({table.names}), no path and no hub id"
                recipe = Location(use.place, CONSUMER)
                yield launch.instance(
                    f"{use.path} {use.given} is {names}: the job ends before the engine starts",
                    cause=cause or recipe,
                    victim=recipe if cause else None,
                    related=[Location(launch.row, MATRIX), *set_at[:3]],
                )
