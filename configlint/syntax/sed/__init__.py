"""GNU sed, the part of it that launchers use: read, run, and account for every line.

``parse`` reads a program, ``run`` applies it to a text and says which new line came from which old one, and
``command_line`` reads the arguments of a ``sed`` call. What is not modelled raises :class:`Unsupported`.
"""

from configlint.syntax.sed.budget import DEFAULT_BUDGET, Budget, Meter
from configlint.syntax.sed.command import Invocation, command_line
from configlint.syntax.sed.errors import BadProgram, SedError, Unsupported
from configlint.syntax.sed.program import Command, Program
from configlint.syntax.sed.reader import parse
from configlint.syntax.sed.run import Result, run

__all__ = [
    "DEFAULT_BUDGET",
    "BadProgram",
    "Budget",
    "Command",
    "Invocation",
    "Meter",
    "Program",
    "Result",
    "SedError",
    "Unsupported",
    "command_line",
    "parse",
    "run",
]
