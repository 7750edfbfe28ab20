"""The shipped recipe schemas for ``catalog``: which revisions are known, and what each accepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json import dumps
from typing import Any

from configlint.catalog.recipes.known import Known, Revision, known
from configlint.cli.errors import UsageError
from configlint.lint.suggest import did_you_mean
from configlint.report.plain import one_line

NAME = "srt-slurm"
"""The program whose recipe schemas are shipped."""


def listed() -> tuple[str, str, str, str] | None:
    """The row of ``catalog list``: name, keys, versions, which; None where no schema is shipped."""
    found = known()
    tags = [one.name for one in found.revisions if one.is_tag]
    if not tags:
        return None
    branches = [one.name for one in found.revisions if not one.is_tag]
    return NAME, str(len(_keys(found))), str(len(found.revisions)), ", ".join([f"{tags[0]} to {tags[-1]}", *branches])


def shown(version: str, keys: Sequence[str]) -> dict[str, Any]:
    """Key (``CLASS.FIELD``) -> facts at a revision, or without one, ranges of revisions with their facts.

    Raises UsageError for a revision or key that is not known.
    """
    found = known()
    every = _keys(found)
    for key in keys:
        if key not in every:
            raise UsageError(f"{NAME} has no key {key!r}{did_you_mean(key, every)}")
    wanted = [key for key in every if not keys or key in keys]
    if version:
        facts = _revision(found, version).schema.facts
        return {key: dict(facts[key]) for key in wanted if key in facts}
    return {key: list(_ranges(found, key)) for key in wanted}


def lines(told: dict[str, Any]) -> Iterator[str]:
    """What :func:`shown` says, for people."""
    for key, facts in told.items():
        for each in facts if isinstance(facts, list) else [{"revisions": "", "facts": facts}]:
            words = " ".join(f"{name}={dumps(value)}" for name, value in sorted(each["facts"].items()))
            yield "  ".join(filter(None, (one_line(key), one_line(each["revisions"]), one_line(words)))) + "\n"


def _revision(found: Known, name: str) -> Revision:
    revision = found.by_name(name) or found.by_name(f"v{name}") or found.by_commit(name)
    if revision is None:
        names, row = [one.name for one in found.revisions], listed()
        hint = did_you_mean(name, names)
        raise UsageError(f"{NAME} has no revision {name!r}{hint} (known: {row[3] if row else 'none'})")
    return revision


def _keys(found: Known) -> list[str]:
    return sorted({key for schema in found.distinct for key in schema.facts})


def _ranges(found: Known, key: str) -> Iterator[dict[str, Any]]:
    """The facts of a key, each once, with the revisions that say so."""
    by_facts: dict[str, tuple[list[str], dict[str, Any]]] = {}
    for one in found.revisions:
        facts = one.schema.facts.get(key)
        if facts is not None:
            by_facts.setdefault(dumps(facts, sort_keys=True), ([], dict(facts)))[0].append(one.name)
    for names, facts in by_facts.values():
        every = len(names) == len(found.revisions)
        yield {"revisions": "every revision" if every else found.spelled(names), "facts": facts}
