"""What the launcher puts in place for a recipe is lost, or misses it.

A copy over the recipe takes back an edit or another copy that was made before. Or a step for all recipes of a directory
uses a pattern that looks at one level only, where none is: the recipe that is submitted lies deeper, so the step is not
taken, and nothing says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import DECLARED, HIGH, MATRIX, OTHER, WARNING, Document, Location, Verdict, rule


@rule(
    id="overlay-overwritten",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: copied over after the edit --
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone && cd clone
mkdir -p recipes
cp "$GITHUB_WORKSPACE/recipes/a.yaml" recipes/a.yaml
sed -i 's/^name:.*/name: b/' "$CONFIG_FILE"
cp -rT "$GITHUB_WORKSPACE/recipes" recipes  #! overlay-overwritten
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
== https://git.example.com/a/b@v1:README.md
-- good: edited after all copies --
== runners/launch_alpha.sh
git clone --branch v1 https://git.example.com/a/b.git clone && cd clone
mkdir -p recipes
cp "$GITHUB_WORKSPACE/recipes/a.yaml" recipes/a.yaml
cp -rT "$GITHUB_WORKSPACE/recipes" recipes
sed -i 's/^name:.*/name: b/' "$CONFIG_FILE"
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
== https://git.example.com/a/b@v1:README.md
""",
)
def overlay_overwritten(document: Document) -> Iterator[Verdict]:
    """The cause is the step that undoes or misses, the victim what it undoes, or the recipe."""
    for slip in document.slips:
        recipe = Location(document.top or document.launch.row, DECLARED)
        yield document.instance(
            f"{document.name} {slip.what}",
            cause=slip.at,
            victim=recipe,
            related=[
                *([Location(slip.lost, OTHER, "lost")] if slip.lost else []),
                Location(document.launch.row, MATRIX),
            ],
            summary=f"{{count}} recipes are affected: {document.name} {slip.what}",
        )
