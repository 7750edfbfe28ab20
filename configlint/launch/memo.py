"""What a run asks of its environment, and the memory that lets launches share runs.

A run sees its environment through *queries*: the value of a variable, whether it is set or empty, or a
projection: ``${X%%_*}``, or one of the settings ``NAME=VALUE`` that a text holds (``X=2``). The interpreter is
deterministic, so the next query depends on the answers so far only: runs form a trie. A launch whose answers lead to a
leaf has that leaf's outcomes, without running.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from configlint.launch import patterns
from configlint.launch.values import HOLE, INPUT, UNKNOWN, hole_name, input_hole, unknown

IS_SET, IS_EMPTY, IS_WORD, SETTINGS = "?set", "?empty", "?word", "?settings"
YES, NO, MAYBE = "yes", "no", "maybe"
_NOT_PLAIN = frozenset(" \t\n*?[]\\")
_SETTINGS = re.compile(r"(?:\s*[A-Za-z_]\w*=[^\s*?\[\]\\\ue000-\ue002]*(?!\S))+\s*", re.ASCII)
_PROJECTED = frozenset("#%=")  # in the name of an input that is a part of a variable only
T = TypeVar("T")
M = TypeVar("M")


class Environment(Protocol):
    """The environment a launch starts with."""

    def value(self, name: str) -> str | None:
        """The variable's value (unknown parts as holes), or None where nobody sets it."""

    def is_set(self, name: str) -> bool:
        """True if somebody sets the variable; its value is not looked at."""

    def is_nonempty(self, name: str) -> bool:
        """True if the variable is known not to be empty, even where its value is not known."""


def answer(environment: Environment, query: str) -> str | None:
    """The answer to a query. None only for the plain value of a variable that is not set."""
    name, kind, argument = split_query(query)
    if kind == "":
        return environment.value(name) if not argument else setting(environment.value(name), argument)
    if kind == IS_SET:
        return YES if environment.is_set(name) else NO
    if kind == IS_EMPTY and not argument and environment.is_nonempty(name):
        return NO
    text = environment.value(name) or ""
    if kind == SETTINGS:
        return names_of_settings(text)
    if kind in (IS_EMPTY, IS_WORD) and argument:
        text = setting(text, argument)
    if kind == IS_EMPTY:
        return emptiness(text)
    if kind == IS_WORD:
        return YES if text and not _NOT_PLAIN.intersection(HOLE.sub("", text)) else NO
    removed = patterns.remove(text, kind, patterns.compile_pattern(((argument, False),)))
    return unknown(f"{name}{kind}{argument}") if removed is None else removed


def emptiness(text: str) -> str:
    """Whether a text with holes is empty: yes, no, or maybe."""
    if not text:
        return YES
    return MAYBE if not HOLE.sub("", text) else NO


def names_of_settings(text: str) -> str:
    """The names of a text that is nothing but settings ``NAME=VALUE`` with plain values; else empty."""
    return " ".join(word.partition("=")[0] for word in text.split()) if _SETTINGS.fullmatch(text) else ""


def setting(text: str | None, index: str) -> str:
    """The value of a setting by its position."""
    return (text or "").split()[int(index)].partition("=")[2]


@lru_cache(maxsize=4096)
def split_query(query: str) -> tuple[str, str, str]:
    """(variable, kind, argument): ``X%%_*`` is (``X``, ``%%``, ``_*``), the setting ``X=2`` is (``X``, nothing, ``2``).

    Whether a setting is empty, or a word, is asked as of a variable: ``X=2?empty`` is (``X``, ``?empty``, ``2``).
    """
    for kind in (IS_SET, IS_EMPTY, IS_WORD, SETTINGS):
        if query.endswith(kind):
            name, _, index = query[: -len(kind)].partition("=")
            return name, kind, index
    for at, character in enumerate(query):
        if character in "#%":
            kind = query[at : at + 2] if query[at : at + 2] == character * 2 else character
            return query[:at], kind, query[at + len(kind) :]
        if character == "=":
            return query[:at], "", query[at + 1 :]
    return query, "", ""


def project(text: str, operator: str, pattern: str) -> str | None:
    """``${X%%_*}`` of a value that is exactly one untouched variable: a projection of it, else None."""
    hole = HOLE.fullmatch(text)
    if hole is not None and text[0] == INPUT:
        name = hole_name(hole)
        if not _PROJECTED.intersection(name) and not any(mark in pattern for mark in (UNKNOWN, INPUT, "?")):
            return input_hole(f"{name}{operator}{pattern}")
    return None


@dataclass(eq=False)
class Inputs:
    """The environment as one run sees it: every answer is recorded, in order. ``asked``: those known before."""

    environment: Environment
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    _known: dict[str, str | None] = field(init=False)
    _forced: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._known = dict(self.asked)

    def ask(self, query: str) -> str | None:
        if query not in self._known:
            self._known[query] = answer(self.environment, query)
            self.asked.append((query, self._known[query]))
        return self._known[query]

    def force(self, text: str) -> str:
        """``text`` with every input replaced by its value; unknown holes stay."""
        if INPUT not in text:
            return text
        found = self._forced.get(text)
        if found is None:
            found = self._forced[text] = HOLE.sub(self._filled, text)
        return found

    def with_settings(self, text: str) -> str:
        """``text`` with every setting replaced by its value; whole variables and unknown holes stay."""
        return HOLE.sub(lambda hole: self._filled(hole) if "=" in hole_name(hole) else hole.group(0), text)

    def _filled(self, hole: re.Match[str]) -> str:
        return (self.ask(hole_name(hole)) or "") if hole.group(0)[0] == INPUT else hole.group(0)


@dataclass(eq=False, slots=True)
class Leaf(Generic[T]):
    """A remembered result, and the questions with their answers that lead to it."""

    result: T
    asked: tuple[tuple[str, str | None], ...]

    def fits(self, environment: Environment, varying: Callable[[str], bool]) -> bool:
        """True if an environment that differs from one that led here in ``varying`` names only leads here as well."""
        return all(answer(environment, query) == value for query, value in self.asked if varying(split_query(query)[0]))


@dataclass(eq=False, slots=True)
class Head(Generic[M]):
    """What a run shares with earlier ones: where it can start, and what it leaves for later ones.

    ``parting``: the number of answers after which it goes its own way; -1 if nothing is to be left.
    """

    start: M | None
    parting: int
    left: M | None = None  # the last checkpoint with no more answers than that


@dataclass(eq=False, slots=True)
class _Node(Generic[T, M]):
    query: str = ""
    branches: dict[str | None, _Node[T, M]] = field(default_factory=dict)
    leaf: Leaf[T] | None = None
    checkpoint: M | None = None  # of a run that came here, where runs part


class Memo(Generic[T, M]):
    """Runs of one launcher, by the answers they got."""

    def __init__(self) -> None:
        self._root: _Node[T, M] = _Node()
        self.runs = 0

    def get(self, environment: Environment, run: Callable[[Inputs, Head[M]], T]) -> Leaf[T]:
        """The leaf for this environment: remembered, or made by ``run``."""
        node = self._root
        answers: list[tuple[str, str | None]] = []
        start, shared = None, 0
        while node.leaf is None and node.query:
            if node.checkpoint is not None:
                start, shared = node.checkpoint, len(answers)
            value = answer(environment, node.query)
            child = node.branches.get(value)
            if child is None:
                break
            answers.append((node.query, value))
            node = child
        if node.leaf is not None:
            return node.leaf
        leaves = bool(node.query) and node.checkpoint is None
        head = Head(start, len(answers) if leaves else -1)
        inputs = Inputs(environment, answers[:shared])
        result = run(inputs, head)
        self.runs += 1
        if leaves:
            node.checkpoint = head.left
        node = self._root
        for query, value in inputs.asked:
            node.query = query
            node = node.branches.setdefault(value, _Node())
        node.leaf = Leaf(result, tuple(inputs.asked))
        return node.leaf
