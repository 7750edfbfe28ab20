"""A recipe schema made of facts: classes with their fields, each with what it accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from configlint.source.records import record

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
Facts = dict[str, dict[str, Json]]

ROOT = "SrtConfig"
"""The class of a whole recipe."""


@record
class Field:
    """One field. ``type`` as in :mod:`configlint.catalog.recipes.read`; ``choices`` are held to after loading."""

    name: str
    type: Json
    required: bool = False
    null: bool = False
    choices: tuple[str, ...] = ()
    taken: bool = False  # out of the document before it is loaded


@dataclass(frozen=True, eq=False)
class Schema:
    """What one revision of srtctl accepts."""

    facts: Mapping[str, Mapping[str, Json]]

    @cached_property
    def classes(self) -> dict[str, dict[str, Field]]:
        """Class -> key -> field."""
        classes: dict[str, dict[str, Field]] = {}
        for key, facts in self.facts.items():
            owner, _, name = key.partition(".")
            choices = facts.get("ch")
            classes.setdefault(owner, {})[name] = Field(
                name,
                facts.get("t", "any"),
                facts.get("req") is True,
                facts.get("null") is True,
                tuple(map(str, choices)) if isinstance(choices, list) else (),
                facts.get("pop") is True,
            )
        return classes
