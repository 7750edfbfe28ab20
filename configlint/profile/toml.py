"""TOML from a stranger: the standard parser recurses, and takes quadratic time for keys of many parts."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MAX_SIZE = 1 << 18
"""Characters of one file; configurations are far smaller."""
MAX_PARTS = 32
"""Parts of a key, and levels of nesting on one line."""
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'")


class BadToml(Exception):
    """The text is no TOML, or none that is read here; the message says why."""


def read(text: str) -> dict[str, Any]:
    """The data of a TOML file. Raises :class:`BadToml`."""
    if len(text) > MAX_SIZE:
        raise BadToml(f"larger than {MAX_SIZE:,} characters")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_PARTS or line.count("[") + line.count("{") > MAX_PARTS:
            bare = _STRINGS.sub("", line)
            if bare.count(".") > MAX_PARTS or bare.count("[") + bare.count("{") > MAX_PARTS:
                raise BadToml(f"more parts or levels than {MAX_PARTS} (at line {number})")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadToml(str(fault)) from None
    except RecursionError:
        raise BadToml("nested too deeply") from None
    except ValueError as fault:  # a number of very many digits, a date that is none
        raise BadToml(f"a value that cannot be read: {fault}") from None
