"""Facts as rules want them: decoded from the JSON objects of a table.

Every field is optional in the data: what is not known is not there, and says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from configlint.catalog.snapshot import Facts, Json

BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length")


class Kind(Enum):
    """What a flag takes."""

    BOOL = "bool"  # nothing: it is there or not
    BOOL_NO = "bool+no"  # nothing, and there is a --no- form
    INT = "int"
    FLOAT = "float"
    STR = "str"
    JSON = "json"
    LIST = "list"
    UNKNOWN = ""

    @classmethod
    def of(cls, facts: Facts) -> Kind:
        """The kind that facts tell; an unheard-of one is UNKNOWN."""
        try:
            return cls(facts.get("k", ""))
        except ValueError:
            return cls.UNKNOWN

    @property
    def is_switch(self) -> bool:
        """Whether the flag takes no value."""
        return self in (Kind.BOOL, Kind.BOOL_NO)


@dataclass(frozen=True)
class Flag:
    """One flag of a command line.

    ``default`` is meant only where ``has_default``; ``choices`` None means any value, ``is_open`` that others may be
    added at run time. ``replaced_by`` is the new name of a deprecated flag, empty where none is told; ``is_gone`` that
    it is known only to be refused. ``also`` are words taken beside the kind (``None``, ``auto``), ``has_units`` says
    that a number may end in a letter, ``element`` what a list holds, ``spelling`` how the flag is written where that is
    not ``--name``.
    """

    name: str
    kind: Kind = Kind.UNKNOWN
    choices: tuple[Json, ...] | None = None
    is_open: bool = False
    nargs: str = ""
    aliases: tuple[str, ...] = ()
    has_default: bool = False
    default: Json = None
    is_deprecated: bool = False
    replaced_by: str = ""
    environment: str = ""
    config_class: str = ""
    also: tuple[str, ...] = ()
    has_units: bool = False
    element: Kind = Kind.UNKNOWN
    is_required: bool = False
    is_repeatable: bool = False
    is_gone: bool = False
    spelling: str = ""

    @classmethod
    def decode(cls, name: str, facts: Facts) -> Flag:
        """A flag from the facts of a table."""
        choices = facts.get("ch")
        deprecated = facts.get("dep", False)
        return cls(
            name=name,
            kind=Kind.of(facts),
            choices=tuple(choices) if isinstance(choices, list) else None,
            is_open=facts.get("open") is True,
            nargs=_text(facts.get("nargs")),
            aliases=_texts(facts.get("al")),
            has_default="d" in facts,
            default=facts.get("d"),
            is_deprecated=deprecated is not False and deprecated is not None,
            replaced_by=deprecated if isinstance(deprecated, str) else "",
            environment=_text(facts.get("env")),
            config_class=_text(facts.get("cls")),
            also=_texts(facts.get("also")),
            has_units=facts.get("units") is True,
            element=Kind.of({"k": facts.get("el", "")}),
            is_required=facts.get("req") is True,
            is_repeatable=facts.get("multi") is True,
            is_gone=facts.get("gone") is True,
            spelling=_text(facts.get("sp")),
        )


@dataclass(frozen=True)
class Field:
    """One field of a record that JSON or YAML is made into.

    ``kinds`` are all that a value may be; ``is_open`` that it, or a choice, may be something else. ``records`` are the
    names of the records that an object (or each object of a list or mapping) may be made into.
    """

    name: str
    kinds: tuple[Kind, ...] = ()
    choices: tuple[Json, ...] | None = None
    is_open: bool = False
    may_be_none: bool = False
    aliases: tuple[str, ...] = ()
    has_default: bool = False
    default: Json = None
    is_required: bool = False
    records: tuple[str, ...] = ()
    bounds: tuple[tuple[str, float], ...] = ()

    @classmethod
    def decode(cls, name: str, facts: Facts) -> Field:
        """A field from the facts of a table."""
        choices, inside = facts.get("ch"), facts.get("cls")
        kinds = (Kind.of({"k": one}) for one in (facts.get("k", ""), *_texts(facts.get("or"))))
        bounds = ((bound, value) for bound in BOUNDS if (value := _number(facts.get(bound))) is not None)
        return cls(
            name=name,
            kinds=tuple(one for one in kinds if one is not Kind.UNKNOWN),
            choices=tuple(choices) if isinstance(choices, list) else None,
            is_open=facts.get("open") is True,
            may_be_none=facts.get("null") is True,
            aliases=_texts(facts.get("al")),
            has_default="d" in facts,
            default=facts.get("d"),
            is_required=facts.get("req") is True,
            records=(inside,) if isinstance(inside, str) else _texts(inside),
            bounds=tuple(bounds),
        )


@dataclass(frozen=True)
class Record:
    """A record: its fields by name, and what it does with other keys.

    ``extra`` is ``forbid``, ``ignore`` or ``allow``, empty where that is not known; ``also`` are keys that it may take
    beside its fields.
    """

    name: str
    fields: Mapping[str, Field]
    extra: str = ""
    also: tuple[str, ...] = ()

    def refuses(self, key: str) -> bool:
        """Whether a key is surely none that the record takes."""
        if self.extra != "forbid" or key in self.fields or key in self.also:
            return False
        return not any(key in one.aliases for one in self.fields.values())


def records(facts: Mapping[str, Facts]) -> dict[str, Record]:
    """The records of one version of a table, by name."""
    fields: dict[str, dict[str, Field]] = {}
    for key, says in facts.items():
        name, dot, field = key.partition(".")
        if dot:
            fields.setdefault(name, {})[field] = Field.decode(field, says)
    return {
        name: Record(name, fields.get(name, {}), _text(says.get("extra")), _texts(says.get("also")))
        for name, says in facts.items()
        if "." not in name
    }


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _number(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
