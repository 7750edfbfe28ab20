"""What a YAML scalar means: the tags and values of PyYAML's ``SafeLoader`` (YAML 1.1).

The readers of these files (the matrix generator, srtctl) use PyYAML, so its rules decide: ``on`` is true,
``010`` is eight, ``1:30`` is ninety, ``1e3`` is text. Two things differ on purpose: a timestamp or a
binary value stays the text that was written, and a value that its tag cannot hold (``!!int abc``) is
its text where PyYAML would stop.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

_PREFIX = "tag:yaml.org,2002:"
STR = _PREFIX + "str"
INT = _PREFIX + "int"
FLOAT = _PREFIX + "float"
BOOL = _PREFIX + "bool"
NULL = _PREFIX + "null"
MERGE = _PREFIX + "merge"
MAP = _PREFIX + "map"
SEQ = _PREFIX + "seq"

Scalar = str | int | float | bool | None

_RESOLVER: Any = Resolver()
_BOOLEANS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}

# Longer ones stay text: base 60 is quadratic in its length, and Python refuses to print huge numbers.
_LONGEST_NUMBER = 1000

# Plain scalars outside this set that start with a letter are always strings (see may_be_typed).
_WORDS = frozenset(
    {spelling for word in (*_BOOLEANS, "null") for spelling in (word, word.capitalize(), word.upper())}
    | {"y", "Y", "n", "N", "~", ""}
)


@lru_cache(maxsize=16384)
def plain_tag(text: str) -> str:
    """The tag of an untagged plain scalar."""
    return str(_RESOLVER.resolve(ScalarNode, text, (True, False)))


@lru_cache(maxsize=16384)
def plain_value(text: str) -> Scalar:
    """The value of an untagged plain scalar."""
    return value_of(plain_tag(text), text)


def may_be_typed(texts: set[str]) -> bool:
    """False only if every one of these plain scalars is certainly a string. Fast, for sets of keys."""
    return bool(texts) and (not texts.isdisjoint(_WORDS) or min(texts)[:1] < "A")


def value_of(tag: str, text: str) -> Scalar:
    """The value of a scalar with this tag; its text where the tag is unknown or does not fit."""
    if tag == STR or len(text) > _LONGEST_NUMBER:
        return text
    if tag == NULL:
        return None
    try:
        if tag == INT:
            return _integer(text)
        if tag == FLOAT:
            return _floating(text)
    except (ValueError, OverflowError, IndexError):
        return text
    if tag == BOOL:
        return _BOOLEANS.get(text.lower(), text)
    return text


def _integer(text: str) -> int:
    text = text.replace("_", "")
    sign = -1 if text[0] == "-" else 1
    if text[0] in "+-":
        text = text[1:]
    if text == "0":
        return 0
    if text.startswith("0b"):
        return sign * int(text, 0)
    if text.startswith("0x"):
        return sign * int(text, 0)
    if text[0] == "0":
        return sign * int(text, 8)
    if ":" in text:
        total = 0
        for digits in text.split(":"):
            total = total * 60 + int(digits)
        return sign * total
    return sign * int(text)


def _floating(text: str) -> float:
    text = text.replace("_", "").lower()
    sign = -1.0 if text[0] == "-" else 1.0
    if text[0] in "+-":
        text = text[1:]
    if text == ".inf":
        return sign * float("inf")
    if text == ".nan":
        return float("nan")
    if ":" in text:
        # Summed from the last digit up, as PyYAML does: floating point sums depend on the order.
        total, base = 0.0, 1
        for digits in reversed(text.split(":")):
            total += float(digits) * base
            base *= 60
        return sign * total
    return sign * float(text)
