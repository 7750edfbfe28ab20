"""The recipe schemas that are shipped: every tag, and the branches that launchers pin, as they were when looked at.

The file is JSON lines: the revisions with their commits first, tags in order, then branches; then one fact a line with
the revisions that say so, ``"v1.0.6-v1.0.35"`` for a run of tags.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from configlint.catalog.recipes.schema import Facts, Json, Schema

DATA = Path(__file__).parent.parent / "data" / "srt-slurm.jsonl"
_BETWEEN = ".."


@dataclass(frozen=True)
class Revision:
    """A revision whose schema is known."""

    name: str
    commit: str
    is_tag: bool
    schema: Schema


@dataclass(frozen=True)
class Known:
    """All known revisions, tags in order first."""

    revisions: tuple[Revision, ...]

    @cached_property
    def distinct(self) -> tuple[Schema, ...]:
        """The schemas, each once: branches first, then tags in order."""
        ordered = sorted(self.revisions, key=lambda one: one.is_tag)
        return tuple({id(one.schema): one.schema for one in ordered}.values())

    def by_commit(self, commit: str) -> Revision | None:
        """The revision at a commit, of which seven digits are enough."""
        if len(commit) < 7:
            return None
        return next((one for one in self.revisions if one.commit.startswith(commit.lower())), None)

    def by_name(self, name: str) -> Revision | None:
        """The tag or branch of a name."""
        return next((one for one in self.revisions if one.name == name), None)

    def spelled(self, names: Iterable[str]) -> str:
        """Names of revisions for people, runs of tags as a range."""
        wanted = set(names)
        tags = [one.name for one in self.revisions if one.is_tag]
        parts = []
        for first, last in _runs([name in wanted for name in tags]):
            if first == last:
                parts.append(tags[first])
            elif last == len(tags) - 1:
                parts.append(f"{tags[first]} and later" if first else "every tag")
            else:
                parts.append(f"{tags[first]} to {tags[last]}")
        return ", ".join([*parts, *(one.name for one in self.revisions if not one.is_tag and one.name in wanted)])


@cache
def known(path: Path = DATA) -> Known:
    """The shipped revisions; none where the file is missing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return Known(())
    return decode(lines)


def decode(lines: Iterable[str]) -> Known:
    """Revisions from the lines of a data file."""
    source = iter(lines)
    head = json.loads(next(source))
    tags, branches = head["tags"], head["branches"]
    names = [name for name, _ in (*tags, *branches)]
    at = {name: index for index, name in enumerate(names)}
    facts: list[dict[str, Mapping[str, Json]]] = [{} for _ in names]
    for line in source:
        key, says = json.loads(line)
        for fact, where in says:
            for one in where:
                first, _, last = one.partition(_BETWEEN)
                for index in range(at[first], at[last or first] + 1):
                    facts[index][key] = fact
    shared: dict[tuple[tuple[str, int], ...], Schema] = {}
    revisions = []
    for index, (name, commit) in enumerate((*tags, *branches)):
        same = tuple(sorted((key, id(fact)) for key, fact in facts[index].items()))
        schema = shared.setdefault(same, Schema(facts[index]))
        revisions.append(Revision(name, commit, index < len(tags), schema))
    return Known(tuple(revisions))


def encode(tags: Mapping[str, tuple[str, Facts]], branches: Mapping[str, tuple[str, Facts]]) -> list[str]:
    """The lines of a data file for revisions: name -> (commit, facts), tags in order."""
    every = {**tags, **branches}
    head = {
        "tags": [[name, commit] for name, (commit, _) in tags.items()],
        "branches": [[name, commit] for name, (commit, _) in branches.items()],
    }
    lines = [json.dumps(head)]
    for key in sorted({key for _, facts in every.values() for key in facts}):
        where: dict[str, list[str]] = {}
        for name, (_, facts) in every.items():
            if key in facts:
                where.setdefault(json.dumps(facts[key], sort_keys=True), []).append(name)
        says = [[json.loads(fact), _ranges(list(tags), names)] for fact, names in where.items()]
        lines.append(json.dumps([key, says]))
    return lines


def _ranges(tags: list[str], names: list[str]) -> list[str]:
    inside = [name in names for name in tags]
    spelled = [tags[a] if a == b else f"{tags[a]}{_BETWEEN}{tags[b]}" for a, b in _runs(inside)]
    return [*spelled, *(name for name in names if name not in tags)]


def _runs(flags: list[bool]) -> list[tuple[int, int]]:
    """First and last index of every run of true."""
    runs: list[tuple[int, int]] = []
    for index, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        elif flag:
            runs.append((index, index))
    return runs
