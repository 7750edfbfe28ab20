"""How a profile describes a matrix: the expansion of entries, the fields of rows, the validation of entries."""

from __future__ import annotations

from dataclasses import dataclass, field

Table = dict[str, str]


@dataclass(frozen=True)
class Validation:
    """The tree's own check of its matrix: a Python ``function`` in the first of ``sources`` that exists.

    It takes all entries as one table and makes objects of pydantic models from them.
    """

    sources: tuple[str, ...] = ()
    function: str = ""


@dataclass(frozen=True)
class Matrix:
    """How rows are made. ``adapter`` names the module that expands entries (``profile/ADAPTER_matrix.py``).

    ``fields`` maps a role (``image``, ``runner``, ``concurrency``...) to the row field that plays it.
    ``derived`` maps a row field to the keys of item, scenario block or entry that it is computed from (for places).
    """

    adapter: str
    fields: Table = field(default_factory=dict)
    derived: dict[str, tuple[str, ...]] = field(default_factory=dict)
    validation: Validation = Validation()
