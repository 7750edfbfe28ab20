"""Facts as rules want them: decoded from the JSON objects of a table.

Every field is optional in the data: what is not known is not there, and says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from configlint.catalog.snapshot import Facts, Json


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
    added at run time. ``replaced_by`` is the new name of a deprecated flag, empty where none is told.
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
        )


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
