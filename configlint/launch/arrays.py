"""Elements of array variables: reading, replacing, removing, slicing."""

from __future__ import annotations

from collections.abc import Iterable

from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.values import unknown
from configlint.source.text import Place

Items = tuple[tuple[str, Cell], ...]


def items_of(variable: Variable | None) -> Items:
    """The elements; a plain variable is the element 0 of itself."""
    if variable is None:
        return ()
    return variable.items if isinstance(variable, ArrayCell) else (("0", variable),)


def element(variable: Variable | None, key: str) -> Cell | None:
    """The element with this key or index (negative: from the end), None where there is none."""
    if isinstance(variable, ArrayCell) and variable.is_open:
        return Cell(unknown(f"an element of {variable.name}"), variable.name, variable.at, perhaps=True)
    found = position(variable, key)
    return next((cell for name, cell in items_of(variable) if name == found), None)


def position(variable: Variable | None, key: str) -> str:
    """The index that ``key`` means: a negative one counts from the end."""
    items = items_of(variable)
    if not key.startswith("-") or (isinstance(variable, ArrayCell) and variable.associative) or not items:
        return key
    return str(int(items[-1][0]) + 1 + int(key))


def with_element(variable: Variable | None, name: str, key: str, cell: Cell) -> ArrayCell:
    """The array with one element set; what was a plain variable becomes an array."""
    associative = isinstance(variable, ArrayCell) and variable.associative
    if isinstance(variable, ArrayCell) and variable.is_open:
        return variable
    items = dict(items_of(variable))
    items[position(variable, key)] = cell
    return ArrayCell(ordered(items.items(), associative), name, cell.at, associative)


def open_array(name: str, of: str, at: Place | None, what: str, *, associative: bool = False) -> ArrayCell:
    """An array of which nothing is known; ``of`` names what its elements are."""
    return ArrayCell((("0", Cell(unknown(of), name, at, what)),), name, at, associative, is_open=True)


def without_element(variable: Variable | None, key: str) -> Variable | None:
    """The array with one element removed."""
    if isinstance(variable, ArrayCell) and variable.is_open:
        return variable
    if not isinstance(variable, ArrayCell):
        return None if key == "0" else variable
    found = position(variable, key)
    kept = tuple((name, cell) for name, cell in variable.items if name != found)
    return ArrayCell(kept, variable.name, variable.at, variable.associative)


def ordered(items: Iterable[tuple[str, Cell]], associative: bool) -> Items:
    """Elements in the order of their indexes; those of an associative array as they came."""
    return tuple(items) if associative else tuple(sorted(items, key=lambda item: (len(item[0]), item[0])))


def sliced(items: Items, offset: int, length: int | None) -> Items:
    """``${array[@]:offset:length}``: from the first index that is at least ``offset``, ``length`` elements."""
    if not items:
        return ()
    start = int(items[-1][0]) + 1 + offset if offset < 0 else offset
    if start < 0:
        return ()
    kept = tuple(item for item in items if int(item[0]) >= start)
    return kept if length is None else kept[:length]
