"""Workflow commands of GitHub Actions: the only module that writes ``::``.

The runner reads commands from every line a step prints, in two spellings: ``::name ...::data`` at the start of a line,
and the older ``##[name ...]data`` anywhere in it. File contents are controlled by whoever opens a pull request, so
nothing that quotes them may reach the log without one of the three guards here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# What a JSON text may hold as it is and no terminal should see: see :mod:`configlint.report.plain`.
UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY = (*_DATA, (":", "%3A"), (",", "%2C"))


@dataclass(frozen=True)
class WorkflowCommand:
    """One command. ``name`` and the property names are ours; values and ``message`` may be any text."""

    name: str
    message: str = ""
    properties: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        """The command as one line, without its line end."""
        pairs = ",".join(f"{name}={_escaped(str(value), _PROPERTY)}" for name, value in self.properties.items())
        return f"::{self.name}{' ' if pairs else ''}{pairs}::{_escaped(self.message, _DATA)}"


def _escaped(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for char, code in table:  # the percent sign first, or it would escape what it just wrote
        text = text.replace(char, code)
    return text


def fence() -> tuple[str, str]:
    """Two lines; between them the runner obeys nothing. The token cannot be guessed by what is printed."""
    token = os.urandom(16).hex()
    return f"{WorkflowCommand('stop-commands', token)}\n", f"{WorkflowCommand(token)}\n"


def defused(json_text: str) -> str:
    """JSON in which no string can be taken for a command of the older spelling, nor steer a terminal.

    Every line of it starts with a blank, a bracket or a brace, so the newer spelling cannot occur.
    """
    text = json_text.replace("##[", "#\\u0023[")
    return text if text.isascii() and "\x7f" not in text else UNSAFE.sub(lambda one: f"\\u{ord(one[0]):04x}", text)
