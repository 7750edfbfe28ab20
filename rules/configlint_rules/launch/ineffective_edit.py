"""An edit in the launcher misses a recipe that comes through it.

The edit looks for a line that this recipe does not have, or has at another indentation (under a base, in flow style),
or writes to a place that is not submitted. The recipe then runs with its own value or the renderer's default, which is
not what the launcher says. Silent where the value is as wanted, a limit at least as large, and for the job's name.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import DECLARED, MATRIX, MEDIUM, WARNING, Document, Location, Verdict, rule


@rule(
    id="ineffective-edit",
    severity=WARNING,
    precision=MEDIUM,
    since="0.1",
    examples="""
-- bad: two blanks, but the recipe has four --
== runners/launch_alpha.sh
sed -i 's/^  max_attempts: [0-9]*/  max_attempts: 720/' "${CONFIG_FILE%%:*}"  #! ineffective-edit
srtctl apply -f "$CONFIG_FILE:override_b"
== recipes/a.yaml
base:
  health_check:
    max_attempts: 360
override_b: {name: b}
-- good: two hours already --
== runners/launch_alpha.sh
sed -i 's/^  max_attempts: [0-9]*/  max_attempts: 720/' "${CONFIG_FILE%%:*}"
srtctl apply -f "$CONFIG_FILE:override_b"
== recipes/a.yaml
base:
  health_check:
    max_attempts: 720
override_b: {name: b}
""",
)
def ineffective_edit(document: Document) -> Iterator[Verdict]:
    """The cause is the edit, the victim the line it misses, or the recipe."""
    launch = document.launch
    for idle in document.idle_edits:
        victim = document.effective_at(idle.node, DECLARED, "stays")
        yield document.instance(
            f"this edit misses {document.name}: {idle.what}",
            cause=idle.edit.at,
            victim=victim[0] if victim else Location(document.top or launch.row, DECLARED),
            related=[Location(launch.row, MATRIX)],
            key=idle.path,
            summary=f"this edit misses {{count}} recipes that come through the launcher; {document.name}: {idle.what}",
        )
