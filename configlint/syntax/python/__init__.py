"""Python sources, read and never run: parsing with bounds, names across modules, what small pure functions come to.

The standard library's parser is used and not libcst: nothing here needs the layout of the source, and at check time it
is eight times as fast (4.5 ms against 39 ms for the corpus' largest file, and no import of 110 ms).
"""

from configlint.syntax.python.evaluate import Evaluator
from configlint.syntax.python.modules import UNKNOWN, EnumMember, Found, Module, Modules
from configlint.syntax.python.operations import Unsure
from configlint.syntax.python.parse import Unparsable, parse
from configlint.syntax.python.values import Fuel, Raised, Record

__all__ = [
    "UNKNOWN", "EnumMember", "Evaluator", "Found", "Fuel", "Module", "Modules", "Raised", "Record", "Unparsable",
    "Unsure", "parse",
]  # fmt: skip
