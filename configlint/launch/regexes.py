"""Extended regular expressions from the tree under review, on google-re2 only (linear time)."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from configlint.launch.values import UNKNOWN
from configlint.syntax.sed import SedError
from configlint.syntax.sed.regex import regex, translate

_LETTER_ESCAPE = re.compile(r"\\[A-Za-z]")
_PLAIN = re.compile(r"(\^?)([\w :/\"',=@%~-]+)(\$?)", re.ASCII)  # a text, perhaps at the start or the end


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


def search(segments: tuple[tuple[str, bool], ...], text: str) -> tuple[str | None, ...] | None:
    """``[[ text =~ pattern ]]``: the match and its groups (None: not known what), empty for no match.

    None where the pattern has holes or is not expressible.
    """
    pattern = "".join(_quote(piece) if quoted else piece for piece, quoted in segments)
    if UNKNOWN in pattern:
        return None
    answer = found(pattern, text, extended=True)
    return _groups(pattern, text) if answer else None if answer is None else ()


def _groups(pattern: str, text: str) -> tuple[str | None, ...]:
    try:
        compiled = regex(pattern, True, False, False)
        if _LETTER_ESCAPE.search(pattern) or compiled.refusal(text):  # sed reads some escapes in its own way
            return (None,) * (compiled.groups + 1)
        data = text.encode("utf-8", "surrogateescape")
        spans = compiled.search_groups(data, 0) or []
    except SedError:
        return (None,)
    texts = [data[start:end].decode("utf-8", "surrogateescape") if start >= 0 else "" for start, end in spans]
    return tuple(one if at <= compiled.clear_groups else None for at, one in enumerate(texts))


@lru_cache(maxsize=512)
def finder(pattern: str, extended: bool, ignore_case: bool = False) -> Callable[[str], bool] | None:
    """Tells whether a POSIX pattern occurs in a text; None where the pattern is not expressible."""
    plain = None if ignore_case else _PLAIN.fullmatch(pattern)
    if plain is not None:
        start, words, end = plain.groups()
        if start and end:
            return lambda text: text == words
        if start or end:
            return lambda text: text.startswith(words) if start else text.endswith(words)
        return lambda text: words in text
    compiled: Any = _compile(pattern, extended, ignore_case)
    return None if compiled is None else lambda text: compiled.search(text) is not None


def found(pattern: str, text: str, *, extended: bool, ignore_case: bool = False) -> bool | None:
    """Whether a POSIX pattern occurs in a text; None where it is not expressible."""
    occurs = finder(pattern, extended, ignore_case)
    return None if occurs is None else occurs(text)


def _quote(text: str) -> str:
    return "".join("\\" + character if character in r"\.[]{}()*+?^$|" else character for character in text)


def occurrences(pattern: str, text: str, *, extended: bool, ignore_case: bool = False) -> list[str] | None:
    """All matches in a text (``grep -o``), empty ones left out; None where they are not known."""
    if _LETTER_ESCAPE.search(pattern):
        return None
    try:
        compiled = regex(pattern, extended, ignore_case, False)
        if compiled.refusal(text):
            return None
        data = text.encode("utf-8", "surrogateescape")
        pieces: list[str] = []
        position = 0
        while position < len(data):
            spans = compiled.search_space(data, position)
            if not spans:
                break
            start, end = spans[0]
            if end > start:
                pieces.append(data[start:end].decode("utf-8", "surrogateescape"))
            position = max(end, position + 1) if end > start else end + 1
    except SedError:
        return None
    return pieces
