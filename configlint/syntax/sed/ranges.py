"""Which commands of a program act on the current line: addresses, and ranges that stay open between lines."""

from __future__ import annotations

from collections.abc import Callable

from configlint.syntax.sed.program import (
    Address,
    Command,
    LastLine,
    LineNumber,
    Multiple,
    Pattern,
    Plus,
    Step,
)
from configlint.syntax.sed.regex import Regex

# Besides line numbers, what is known of a range's end: not begun, over for good, until an address matches.
_CLOSED = -3
_DONE = -2
_OPEN = -1


class Selector:
    """State of a run. ``matches`` tries an expression (None: the last one used) on the pattern space.

    ``number`` is the 1-based number of the current line; ``open`` counts ranges that have begun and not ended.
    """

    def __init__(self, commands: tuple[Command, ...], last_line: int, matches: Callable[[Regex | None], bool]) -> None:
        self.last_line = last_line
        self.matches = matches
        self.number = 0
        self.open = 0
        self.ends = [_CLOSED] * len(commands)
        for index, command in enumerate(commands):
            if command.first == LineNumber(0):
                self._begin(index, _OPEN)

    def is_open(self, index: int) -> bool:
        """True if the range of the command goes on behind the current line."""
        return self.ends[index] not in (_CLOSED, _DONE)

    def selects(self, command: Command, index: int) -> bool:
        """Whether the addresses of the command (the program's ``index``-th) select the current line."""
        first, last = command.first, command.last
        if first is None:
            return True
        if last is None:
            return self._is_at(first)
        end = self.ends[index]
        if end in (_CLOSED, _DONE):
            return self._begins(command, index)
        if isinstance(last, LineNumber | Plus | Multiple):
            if self.number >= end:
                self._end(command, index)
            # A counted end that went by unseen is made up for at the next line.
            return self.number <= end or isinstance(last, Plus | Multiple)
        if self._is_at(last):
            self._end(command, index)
        return True

    def _is_at(self, address: Address) -> bool:
        if isinstance(address, Pattern):
            return self.matches(address.regex)
        if isinstance(address, LineNumber):
            return self.number == address.number
        if isinstance(address, LastLine):
            return self.number == self.last_line
        return self.number >= address.first and (self.number - address.first) % address.step == 0

    def _begins(self, command: Command, index: int) -> bool:
        """Whether a range that is not open begins at the current line."""
        first, last, number = command.first, command.last, self.number
        if not isinstance(first, LineNumber):
            if first is None or not self._is_at(first):
                return False
        elif number != first.number:
            # A range whose first line went by unseen (deleted, joined) begins late.
            if number < first.number or self.ends[index] == _DONE:
                return False
            if isinstance(last, LineNumber) and number > last.number:
                return False
        end = _OPEN
        if isinstance(last, LineNumber):
            end = last.number
        elif isinstance(last, Step):
            end = number if self._is_at(last) else _OPEN
        elif isinstance(last, Plus):
            end = number + last.count
        elif isinstance(last, LastLine) and number == self.last_line:
            end = number
        elif isinstance(last, Multiple):
            end = (number // last.factor + 1) * last.factor if last.factor else number
        self._begin(index, end)
        if end != _OPEN and end <= number:
            self._end(command, index)
        return True

    def _begin(self, index: int, end: int) -> None:
        self.ends[index] = end
        self.open += 1

    def _end(self, command: Command, index: int) -> None:
        self.ends[index] = _DONE if isinstance(command.first, LineNumber) else _CLOSED
        self.open -= 1
