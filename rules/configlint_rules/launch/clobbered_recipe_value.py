"""An edit in the launcher takes back a value that the recipe sets.

The value was chosen for this model and reviewed with the recipe; the edit runs after the review and wins silently. To
raise a limit is what such edits are for: to lower one, to drop a key or to put another value there is not. The health
window counts as a whole (attempts times interval, with the renderer's defaults). Silent: the job's name, and what an
evaluation undoes on purpose (an edit that no throughput job of the same points runs).
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, MATRIX, OTHER, VALUE, WARNING, WRITER, Document, Location, Verdict, rule


@rule(
    id="clobbered-recipe-value",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: four hours become two --
== runners/launch_alpha.sh
sed -i 's/^  max_attempts: [0-9]*/  max_attempts: 720/' "$CONFIG_FILE"  #! clobbered-recipe-value
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
health_check:
  max_attempts: 1440
-- good: half an hour becomes two --
== runners/launch_alpha.sh
sed -i 's/^  max_attempts: [0-9]*/  max_attempts: 720/' "$CONFIG_FILE"
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
health_check:
  max_attempts: 180
""",
)
def clobbered_recipe_value(document: Document) -> Iterator[Verdict]:
    """The cause is the edit since which the value is lost, the victim the value as declared."""
    for loss in document.losses:
        if loss.kind == "unknown":
            yield document.unknown(f"{loss.path}: what it becomes is not known", loss.edit.at)
        elif loss.kind == "window" or not document.is_undone_for_evaluation(loss.edit):
            mask = document.effective_at(loss.mask.node, OTHER, "gives up first") if loss.mask else ()
            other = [Location(loss.writer.at, VALUE)] if loss.writer is not loss.edit else []
            yield document.instance(
                f"{document.given}: {loss}",
                cause=Location(loss.edit.at, WRITER, f"leaves {loss.left}"),
                victim=document.declared_at(loss.before, f"declared: {loss.written}"),
                related=[*mask, *other, Location(document.launch.row, MATRIX)],
                key=loss.path,
                severity=WARNING if loss.kind == "changed" else ERROR,
                masked_by=str(loss.mask or ""),
                summary=f"the launcher takes back {{count}} values that recipes set: {loss}",
                help="raise only, or leave recipes alone that set the key",
            )
