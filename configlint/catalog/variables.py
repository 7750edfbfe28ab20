"""Names of environment variables that programs read, and what a misspelt one was meant to be.

Engines list their own variables, so a name of their family that no version has is theirs in no release. Of the other
families only a part is known here (dynamo reads some in Rust, libraries in C): there nothing but a slip of letters
inside one word of the name counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TypeAlias

from configlint.catalog.store import Catalogs

_LISTED = {"VLLM_": "vllm.env", "SGLANG_": "sglang.env"}
_PARTLY = {"DYN_": "ai-dynamo.env", "NCCL_": "native.env", "UCX_": "native.env", "NVSHMEM_": "native.env"}

FAMILIES = tuple({**_LISTED, **_PARTLY})
"""How the names begin that anything is known about."""

MENTION = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(FAMILIES)})[A-Z0-9_]{{0,80}}[A-Z0-9](?![A-Za-z0-9_*?])".encode())
"""A name of a family in a text; prefixes (``VLLM_``) and globs are none."""

_Words: TypeAlias = tuple[str, ...]

_ALIKE, _ALIKE_WORD, _SLIP = 0.86, 0.6, 0.8
_LEAST = 3  # letters of a word that can be told from another


@dataclass(eq=False)
class Variables:
    """What is known of names, from the tables of all versions."""

    catalogs: Catalogs

    @cached_property
    def known(self) -> frozenset[str]:
        """Every name of any version of any program."""
        tables = (self.catalogs.table(name) for name in {*_LISTED.values(), *_PARTLY.values()})
        return frozenset(key for table in tables if table is not None for key in table.keys)

    def meant(self, name: str) -> str:
        """The known name that an unknown one must have been meant to be; empty where none or several may be."""
        family = next((one for one in FAMILIES if name.startswith(one)), "")
        if not family or name in self.known:
            return ""
        near = set(self._near(name, family))
        return near.pop() if len(near) == 1 else ""

    def _near(self, name: str, family: str) -> Iterator[str]:
        words = tuple(name.split("_"))
        listed = family in _LISTED
        if listed:
            yield from self._without_a_word.get(words, ())
        least = _ALIKE_WORD if listed else _SLIP
        for at, word in enumerate(words):
            for other in self._but_one_word.get((at, words[:at], words[at + 1 :]), ()):
                if _alike(name, other, _ALIKE) and _alike(word, other.split("_")[at], least):
                    yield other

    @cached_property
    def _without_a_word(self) -> Mapping[_Words, list[str]]:
        """Names by what is left when one word, not the family, is left out."""
        found: defaultdict[_Words, list[str]] = defaultdict(list)
        for name in self.known:
            words = tuple(name.split("_"))
            for at in range(1, len(words)):
                found[words[:at] + words[at + 1 :]].append(name)
        return found

    @cached_property
    def _but_one_word(self) -> Mapping[tuple[int, _Words, _Words], list[str]]:
        """Names by what stands before and behind each of their words."""
        found: defaultdict[tuple[int, _Words, _Words], list[str]] = defaultdict(list)
        for name in self.known:
            words = tuple(name.split("_"))
            for at in range(len(words)):
                found[at, words[:at], words[at + 1 :]].append(name)
        return found


def _alike(word: str, other: str, least: float) -> bool:
    """True for a slip of letters. Words that differ in digits, and very short ones, name different things."""
    if min(len(word), len(other)) < _LEAST or _DIGITS.sub("", word) == _DIGITS.sub("", other):
        return False
    return SequenceMatcher(None, word, other).ratio() >= least


_DIGITS = re.compile(r"\d+")
