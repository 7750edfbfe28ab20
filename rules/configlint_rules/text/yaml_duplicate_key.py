"""A key stands twice in one mapping.

YAML readers keep the last value and drop the first without a word, however much stands below it. Keys that a merge
(`<<`) brings in are no duplicates. With the same value twice nothing is lost: info. In a recipe that no entry names
nothing runs yet: warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import DECLARED, ERROR, HIGH, INFO, VALUE, WARNING, Location, Repository, Verdict, rule


@rule(
    id="yaml-duplicate-key",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the sizes are lost --
== deploy.yaml
compilation: { sizes: [1, 2] }
graph: true
compilation: { fusion: false }  #! yaml-duplicate-key
-- good: overriding what a merge brings in is what merges are for --
== deploy.yaml
base: &base { tp: 1, ep: 1 }
big: { <<: *base, tp: 8 }
""",
)
def yaml_duplicate_key(repository: Repository) -> Iterator[Verdict]:
    """The duplicates of every YAML file of the tree."""
    for path in repository.files(".yaml", ".yml"):
        file = repository.yaml(path)
        for one in file.duplicates() if file is not None else ():
            first, second = one.first_value.plain(), one.second_value.plain()
            entries = repository.naming(path)
            idle = repository.profile.recipes.matches(path) and not entries
            same = type(first) is type(second) and first == second
            lost = "with the same value" if same else f"and the first value is lost: {shown(first)}"
            if not same and isinstance(first, dict) and isinstance(second, dict):
                gone = [str(key) for key in first if key not in second]
                lost = f"and what only the first has is lost: {', '.join(gone) or 'other values of the same keys'}"
            yield repository.instance(
                f"{one.key} stands twice in one mapping, {lost}",
                cause=Location(one.second.place, VALUE),
                victim=Location(one.first.place, DECLARED),
                severity=INFO if same else WARNING if idle else None,
                entries=entries,
            )


def shown(value: object) -> str:
    """A value for a message, cut short."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
