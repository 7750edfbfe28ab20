"""What a run asks of its environment, and the memory that lets launches share runs.

A run sees its environment through *queries*: the value of a variable, whether it is set or empty, or a
projection such as ``${X%%_*}``. The interpreter is deterministic, so the next query depends on the answers so far
only: runs form a trie. A launch whose answers lead to a leaf has that leaf's outcomes, without running.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from configlint.launch import patterns
from configlint.launch.values import HOLE, INPUT, UNKNOWN, hole_name, input_hole, unknown

IS_SET, IS_EMPTY, IS_WORD = "?set", "?empty", "?word"
YES, NO, MAYBE = "yes", "no", "maybe"
_NOT_PLAIN = frozenset(" \t\n*?[]\\")
T = TypeVar("T")


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
        return environment.value(name)
    if kind == IS_SET:
        return YES if environment.is_set(name) else NO
    if kind == IS_EMPTY and environment.is_nonempty(name):
        return NO
    text = environment.value(name) or ""
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


@lru_cache(maxsize=4096)
def split_query(query: str) -> tuple[str, str, str]:
    """(variable, kind, argument): ``X%%_*`` is (``X``, ``%%``, ``_*``)."""
    for kind in (IS_SET, IS_EMPTY, IS_WORD):
        if query.endswith(kind):
            return query[: -len(kind)], kind, ""
    for at, character in enumerate(query):
        if character in "#%":
            kind = query[at : at + 2] if query[at : at + 2] == character * 2 else character
            return query[:at], kind, query[at + len(kind) :]
    return query, "", ""


def project(text: str, operator: str, pattern: str) -> str | None:
    """``${X%%_*}`` of a value that is exactly one untouched input: a projection of it, else None."""
    hole = HOLE.fullmatch(text)
    if hole is not None and text[0] == INPUT:
        name = hole_name(hole)
        if "#" not in name and "%" not in name and not any(mark in pattern for mark in (UNKNOWN, INPUT, "?")):
            return input_hole(f"{name}{operator}{pattern}")
    return None


@dataclass(eq=False)
class Inputs:
    """The environment as one run sees it: every answer is recorded, in order."""

    environment: Environment
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    _known: dict[str, str | None] = field(default_factory=dict)

    def ask(self, query: str) -> str | None:
        if query not in self._known:
            self._known[query] = answer(self.environment, query)
            self.asked.append((query, self._known[query]))
        return self._known[query]

    def force(self, text: str) -> str:
        """``text`` with every input replaced by its value; unknown holes stay."""
        if INPUT not in text:
            return text
        return HOLE.sub(
            lambda hole: (self.ask(hole_name(hole)) or "") if hole.group(0)[0] == INPUT else hole.group(0), text
        )


@dataclass(eq=False, slots=True)
class Leaf(Generic[T]):
    """A remembered result, and the questions with their answers that lead to it."""

    result: T
    asked: tuple[tuple[str, str | None], ...]

    def fits(self, environment: Environment, varying: Callable[[str], bool]) -> bool:
        """True if an environment that differs from one that led here in ``varying`` names only leads here as well."""
        return all(answer(environment, query) == value for query, value in self.asked if varying(split_query(query)[0]))


@dataclass(eq=False, slots=True)
class _Node(Generic[T]):
    query: str = ""
    branches: dict[str | None, _Node[T]] = field(default_factory=dict)
    leaf: Leaf[T] | None = None


class Memo(Generic[T]):
    """Runs of one launcher, by the answers they got."""

    def __init__(self) -> None:
        self._root: _Node[T] = _Node()
        self.runs = 0

    def get(self, environment: Environment, run: Callable[[Inputs], T]) -> Leaf[T]:
        """The leaf for this environment: remembered, or made by ``run``."""
        node = self._root
        while node.leaf is None and node.query:
            child = node.branches.get(answer(environment, node.query))
            if child is None:
                break
            node = child
        if node.leaf is not None:
            return node.leaf
        inputs = Inputs(environment)
        result = run(inputs)
        self.runs += 1
        node = self._root
        for query, value in inputs.asked:
            node.query = query
            node = node.branches.setdefault(value, _Node())
        node.leaf = Leaf(result, tuple(inputs.asked))
        return node.leaf
