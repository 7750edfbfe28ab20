"""Extended regular expressions from the tree under review, on google-re2 only (linear time)."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from configlint.launch.values import UNKNOWN
from configlint.syntax.sed import SedError
from configlint.syntax.sed.regex import translate


@lru_cache(maxsize=512)
def _compile(pattern: str, extended: bool, ignore_case: bool) -> object | None:
    re2: Any = importlib.import_module("re2")  # it has no types
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.never_nl = False
    try:
        compiled: object = re2.compile(translate(pattern, extended=extended), options=options)
    except (SedError, re2.error):
        return None
    return compiled


def search(segments: tuple[tuple[str, bool], ...], text: str) -> bool | None:
    """``[[ text =~ pattern ]]``; None where the pattern has holes or is not expressible."""
    pattern = "".join(_quote(piece) if quoted else piece for piece, quoted in segments)
    return None if UNKNOWN in pattern else found(pattern, text, extended=True)


def found(pattern: str, text: str, *, extended: bool, ignore_case: bool = False) -> bool | None:
    """Whether a POSIX pattern occurs in a text; None where it is not expressible."""
    compiled = _compile(pattern, extended, ignore_case)
    return None if compiled is None else compiled.search(text) is not None  # type: ignore[attr-defined]


def _quote(text: str) -> str:
    return "".join("\\" + character if character in r"\.[]{}()*+?^$|" else character for character in text)
