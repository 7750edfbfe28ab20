"""A recipe has a field that the revision which the launcher checks out does not know.

A recipe is loaded strictly: one unknown key, and the job is refused. Which keys there are depends on the revision.
Where that cannot be told, a field is reported only if no known revision has it, as a warning of medium precision; for
a revision of a fork as an info of low precision, since forks are made to have more.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, ERROR, HIGH, INFO, LOW, MEDIUM, VALUE, WARNING, Document, Location, Verdict, rule

LEVELS = {"exact": (ERROR, HIGH), "upstream": (WARNING, MEDIUM), "fork": (INFO, LOW)}


@rule(
    id="unknown-recipe-field",
    severity=ERROR,
    precision=HIGH,
    since="0.2",
    examples="""
-- bad: a misspelt field --
== runners/launch_alpha.sh
git clone --branch v1.0.53 https://github.com/NVIDIA/srt-slurm.git clone
cd clone
cp -rT "$GITHUB_WORKSPACE/recipes" recipes
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
model: { path: m, container: c, precision: fp8 }
resources: { gpu_type: b200 }
benchmark:
  concurency: 4  #! unknown-recipe-field
-- good: one that exists, at a tag --
== runners/launch_alpha.sh
git clone --branch v1.0.53 https://github.com/NVIDIA/srt-slurm.git clone
cd clone && cp -rT "$GITHUB_WORKSPACE/recipes" recipes
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
model: { path: m, container: c, precision: fp8 }
resources: { gpu_type: b200 }
benchmark: { concurrency: 4 }
""",
)
def unknown_recipe_field(document: Document) -> Iterator[Verdict]:
    """The cause is the key, the victim the pin of the revision that refuses it."""
    for one in document.refusals:
        if one.kind == "unknown-field":
            others = f" (known to {one.accepted})" if one.accepted else " nor of any other known"
            rest = others if one.by == "exact" else ""
            near = f"; did you mean {one.near}?" if one.near else ""
            severity, precision = LEVELS[one.by]
            yield document.instance(
                f"{one.path} is no field of a recipe at {one.whose}{rest if one.by == 'exact' else ''}{near}",
                cause=Location(one.at, VALUE),
                victim=Location(one.pin, CONSUMER, "the revision that is submitted from refuses the job"),
                key=one.path,
                severity=severity,
                precision=precision,
            )
    if not document.has_known_schema:
        yield document.unknown("the recipe schema of the revision that is checked out is not known here")
