"""Variables as arithmetic reads and writes them."""

from __future__ import annotations

from configlint.launch.arrays import element
from configlint.launch.outcome import ArrayCell, Cell
from configlint.launch.parameters import Lookup, UnsetRequired
from configlint.launch.state import State
from configlint.launch.values import UNKNOWN, Choice


class Numbers:
    """The variables of a state for the evaluator."""

    def __init__(self, used: list[Cell], lookup: Lookup, state: State) -> None:
        self._used, self._lookup, self._state = used, lookup, state

    def read(self, name: str, key: str | None) -> str | None:
        variable = self._lookup.variable(self._state, name)
        cell = variable if isinstance(variable, Cell) and key is None else element(variable, key or "0")
        if cell is None:
            if self._state.options.nounset:
                raise UnsetRequired(name, "unbound variable")
            return ""
        self._used.append(cell)
        if isinstance(cell.value, Choice):
            return None
        value = self._lookup.force(cell.value)
        self._lookup.spend(len(value) >> 5)
        return None if UNKNOWN in value else value

    def write(self, name: str, key: str | None, number: int) -> None:
        if key is None:
            self._lookup.assign(self._state, name, str(number))
        else:
            self._lookup.assign_element(self._state, name, key, str(number))

    def is_associative(self, name: str) -> bool:
        variable = self._lookup.variable(self._state, name)
        return isinstance(variable, ArrayCell) and variable.associative
