"""What can go wrong with a sed program."""

from __future__ import annotations


class SedError(Exception):
    """``offset`` is a character offset into the program (its ``-e`` parts joined by newlines), -1 where none fits."""

    def __init__(self, message: str, offset: int = -1) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class Unsupported(SedError):
    """A program, a regular expression or a run that is not modelled: the answer is unknown, not wrong."""


class BadProgram(SedError):
    """GNU sed itself rejects the program (or the options): it would exit with an error before reading a line."""
