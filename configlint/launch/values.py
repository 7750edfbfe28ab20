"""Values of the abstract interpreter: text with named holes, or a few alternatives.

A value is a plain ``str`` in which a part that is not known stands as a *hole*: a marked name
between two private-use characters. Concatenation, path arithmetic and writing to files are then
ordinary string operations, and a fully known value costs nothing. Source text never contains the
marks: :func:`clean` replaces them on the way in.

The name inside a hole is spelled in private-use characters as well, one for each ASCII character, so that no
operation on text (splitting at blanks or slashes, patterns, changes of case) ever finds anything in it:
:func:`hole_name` spells it back.

Two kinds of hole exist. An *unknown* is owned by somebody else (the host, a secret, the output of a
command). An *input* is a variable of the environment that the run has not needed to look at yet; looking
at it is a query (see :mod:`configlint.launch.memo`), passing it on is free.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from configlint.source.records import record

UNKNOWN, INPUT, END = "\ue000", "\ue001", "\ue002"
_MARKS = re.compile("[\ue000-\ue002]")
HOLE = re.compile("[\ue000\ue001]([^\ue000-\ue002]*)\ue002")
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
MAX_ALTERNATIVES = 16
MAX_VALUE = 1 << 16
"""Characters of a value that are followed; launchers hold far less, and doubling needs no loop to fill memory."""
_LONGEST_NAME = 200
_SPELLED = {code: 0xE100 + code for code in range(128)}
_READ = {spelled: code for code, spelled in _SPELLED.items()}


@record
class Choice:
    """One of a few alternatives (2 to :data:`MAX_ALTERNATIVES`), in a stable order."""

    options: tuple[str, ...]


Value: TypeAlias = str | Choice


def clean(text: str) -> str:
    """Source text without the characters that mark holes."""
    return _MARKS.sub("\ufffd", text)


def unknown(name: str) -> str:
    """A hole called ``name``: who owns the value, for people (``output of squeue``, ``GITHUB_WORKSPACE``)."""
    if UNKNOWN in name or INPUT in name:
        name = clean(shown(name))
    return f"{UNKNOWN}{_spelled(name[:_LONGEST_NAME])}{END}"


def input_hole(name: str) -> str:
    """A hole for an environment variable (or a projection of one) that has not been looked at."""
    return f"{INPUT}{_spelled(name)}{END}"


def hole_name(hole: re.Match[str]) -> str:
    """The name of a hole found with :data:`HOLE`."""
    return _read(hole.group(1))


@lru_cache(maxsize=4096)
def _spelled(name: str) -> str:
    return name.translate(_SPELLED)


@lru_cache(maxsize=4096)
def _read(spelled: str) -> str:
    return spelled.translate(_READ)


def too_long() -> str:
    """What stands for a value of more than :data:`MAX_VALUE` characters."""
    return unknown(f"a value of more than {MAX_VALUE:,} characters")


def is_hole(value: Value) -> bool:
    """True if nothing at all is known of the value: it is one unknown hole."""
    return isinstance(value, str) and value.startswith(UNKNOWN) and value.find(END) == len(value) - 1


def is_known(value: Value) -> bool:
    """True if the value is one fully known string."""
    return isinstance(value, str) and UNKNOWN not in value and INPUT not in value


def holes(text: str) -> list[str]:
    """Names of the holes, in order."""
    return [hole_name(hole) for hole in HOLE.finditer(text)]


def options(value: Value) -> tuple[str, ...]:
    """The alternatives of a value; a plain string is its own only one."""
    return value.options if isinstance(value, Choice) else (value,)


def choice(values: list[str] | tuple[str, ...], name: str) -> Value:
    """The value that is one of ``values``; an unknown called ``name`` where there are too many."""
    unique = tuple(dict.fromkeys(values))
    if len(unique) == 1:
        return unique[0]
    return Choice(unique) if len(unique) <= MAX_ALTERNATIVES else unknown(name)


def whole(text: str) -> int | None:
    """The number that ASCII digits spell, a sign before them; None for anything else, and what no 64 bits hold.

    ``int`` itself takes the digits of other scripts, and raises for some of them and for long numbers.
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def shown(value: Value) -> str:
    """The value for people and machine output: a hole is written ``{?name}``."""
    if isinstance(value, Choice):
        return "{" + " | ".join(shown(option) for option in value.options) + "}"
    return HOLE.sub(lambda hole: "{?" + hole_name(hole) + "}", value)
