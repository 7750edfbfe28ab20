"""What a matrix adapter yields: plain rows, grouped by the item of the matrix file that they come from.

An adapter is a module ``configlint/profile/NAME_matrix.py`` with two functions::

    def expand(key: str, entry: object, runners: object) -> Expansion
    def mark(groups: Sequence[RowGroup]) -> None

``entry`` and ``runners`` are plain data (of one matrix entry, of the whole runners file) and may be anything that
YAML can say: an adapter never raises, it reports a :class:`RowFault` and expands what it can. ``mark`` sees the
groups of the whole matrix, in order, and fills in what depends on more than one of them.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol

Path = tuple[str | int, ...]
Row = dict[str, object]

MAX_ROWS = 20_000  # of one entry


class RowFault(NamedTuple):
    """Something in an entry that the repository's own generator would stumble over. ``path`` is inside the entry.

    ``lacks`` names the table of the runners file in which the entry's label is missing, if that is what is wrong.
    """

    message: str
    path: Path
    lacks: str = ""


@dataclass(eq=False, slots=True)
class RowGroup:
    """The rows of one item: what they share, and per row what differs.

    ``path`` leads from the entry to the item. ``at`` says per row which node of the item makes the difference
    (a path inside the item). ``plain``, ``swept`` and ``evals`` are further fields, set by ``mark``: of rows that are
    not marked, and of marked ones (by row index) in a full sweep and in an evaluation.
    """

    path: Path
    scenario: str
    sequence: str
    multi: bool
    shared: Row
    varying: list[Row]
    at: list[Path]
    plain: Row = field(default_factory=dict)
    swept: dict[int, Row] = field(default_factory=dict)
    evals: dict[int, Row] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Expansion:
    """An entry, expanded as far as possible."""

    groups: list[RowGroup] = field(default_factory=list)
    faults: list[RowFault] = field(default_factory=list)


class Adapter(Protocol):
    """The functions of an adapter module."""

    def expand(self, key: str, entry: object, runners: object) -> Expansion: ...

    def mark(self, groups: Sequence[RowGroup]) -> None: ...


@cache
def adapter(name: str) -> Adapter:
    """The built-in adapter of this name. Raises ValueError where there is none.

    Only modules of this package can be named: a profile is data and must not be able to import code.
    """
    if re.fullmatch(r"[a-z][a-z0-9]*", name):
        module = f"{__package__}.{name}_matrix"
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as fault:
            if fault.name != module:
                raise
    raise ValueError(f"there is no matrix adapter {name!r}")
