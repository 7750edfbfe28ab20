"""What a shell condition says, as facts that can be compared: which of them follow from which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from configlint.launch.patterns import (
    ANY,
    HOLE_TOKEN,
    STAR,
    Char,
    CharacterSet,
    Pattern,
    UnsupportedPattern,
    compile_pattern,
)
from configlint.source.records import record
from configlint.source.text import Text
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Condition, Literal, Parameter, Word
from configlint.syntax.bash.walk import commands

MAX_CASES = 32  # alternatives of one condition
_PURE = frozenset({"command", "grep", "type", "which", "uname", "id", "diff", "cmp", "test", "[", "true", "false", ":"})
_STRUCTURE = (nodes.Sequence, nodes.Conditional, nodes.AndOr, nodes.Pipeline, nodes.Group, nodes.Subshell)
_ASSIGNS = re.compile(r"\$\{\w+:?=|\$\(\(")
_PURE_OUTPUT = _PURE | {
    "echo",
    "printf",
    "basename",
    "dirname",
    "sed",
    "cut",
    "tr",
    "hostname",
    "pwd",
    "wc",
    "head",
    "cat",
}


@record
class Fact:
    """Something a condition claims of a subject (a word as written, spellings of the same made alike).

    ``pattern``: the subject matches it. ``kind`` is ``matches``, ``nonempty``, or ``other`` for a test that is only
    equal to itself. ``holds`` False: the opposite is claimed.
    """

    subject: str
    kind: str
    pattern: Pattern = ()
    holds: bool = True

    @property
    def negated(self) -> Fact:
        return replace(self, holds=not self.holds)

    def implies(self, other: Fact) -> bool:
        """True if ``other`` holds wherever this does."""
        if self.subject != other.subject:
            return False
        return self == other or _follows(self, other) or _follows(other.negated, self.negated)


class TooManyCases(Exception):
    """A condition with more alternatives than are worth comparing."""


Case = frozenset[Fact]
"""Facts that hold together."""


def _follows(one: Fact, other: Fact) -> bool:
    """Whether one claim about a subject settles another about the same."""
    if not one.holds or one.kind != "matches":
        return False
    if other.kind == "nonempty":
        return other.holds and any(token != STAR for token in one.pattern)
    if other.kind != "matches":
        return False
    return included(one.pattern, other.pattern) if other.holds else disjoint(one.pattern, other.pattern)


def included(inner: Pattern, outer: Pattern) -> bool:
    """True if every text that matches ``inner`` surely matches ``outer``."""
    index = at = 0
    star, mark = -1, 0
    while at < len(inner):
        token = outer[index] if index < len(outer) else None
        if token == STAR:
            star, mark = index, at
            index += 1
        elif token is not None and _covers(token, inner[at]):
            index += 1
            at += 1
        elif star != -1:
            mark += 1
            index, at = star + 1, mark
        else:
            return False
    return all(token == STAR for token in outer[index:])


def _covers(outer: object, inner: object) -> bool:
    """True if the one-character token ``outer`` accepts all that ``inner`` stands for."""
    if inner in (STAR, HOLE_TOKEN) or outer == HOLE_TOKEN:
        return False
    if outer in (ANY, inner):
        return True
    return isinstance(inner, Char) and isinstance(outer, CharacterSet) and outer.matches(inner.character)


def disjoint(one: Pattern, other: Pattern) -> bool:
    """True if surely no text matches both."""
    if all(isinstance(token, Char) for token in one):
        return _literal_misses(one, other)
    if all(isinstance(token, Char) for token in other):
        return _literal_misses(other, one)
    return _ends_differ(one, other) or _ends_differ(one[::-1], other[::-1])


def _literal_misses(literal: Pattern, pattern: Pattern) -> bool:
    return HOLE_TOKEN not in pattern and not included(literal, pattern)


def _ends_differ(one: Pattern, other: Pattern) -> bool:
    for left, right in zip(one, other, strict=False):
        if not isinstance(left, Char) or not isinstance(right, Char):
            return False
        if left != right:
            return True
    return False


def contradictory(facts: Iterable[Fact]) -> bool:
    """True if the facts cannot hold together."""
    known = list(facts)
    return any(one.implies(other.negated) for index, one in enumerate(known) for other in known[index + 1 :])


class Reader:
    """Reads the conditions of one script."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def cases(self, command: Command, holds: bool = True) -> list[Case]:
        """The cases in which a command succeeds (``holds`` False: fails). A case without facts: always; no case: never.

        Raises :class:`TooManyCases`.
        """
        if isinstance(command, nodes.Sequence) and len(command.commands) == 1:
            return self.cases(command.commands[0], holds)
        if isinstance(command, nodes.Conditional):
            return self._condition(command.expression, holds)
        if isinstance(command, nodes.AndOr):
            return _combined(
                self.cases(command.left, holds), self.cases(command.right, holds), (command.operator == "&&") is holds
            )
        if isinstance(command, nodes.Pipeline) and len(command.commands) == 1:
            return self.cases(command.commands[0], holds is not command.negated)
        if isinstance(command, nodes.Group):
            return self.cases(command.body, holds)
        if isinstance(command, nodes.Simple) and command.words and not command.assignments:
            return self._simple(command, holds)
        return self._other(command, holds)

    def _simple(self, command: nodes.Simple, holds: bool) -> list[Case]:
        name = command.words[0].literal
        words = command.words[1:]
        if name in ("true", ":", "false") and not words:
            return [frozenset()] if (name != "false") is holds else []
        if name == "[" and words and words[-1].literal == "]":
            words = words[:-1]
        elif name != "test":
            return self._other(command, holds)
        if len(words) > 1 and words[0].literal == "!":
            holds, words = not holds, words[1:]
        if len(words) == 1:
            return self._condition(nodes.UnaryTest(command.start, command.end, "-n", words[0]), holds)
        if len(words) == 2 and words[0].literal is not None:
            return self._condition(nodes.UnaryTest(command.start, command.end, words[0].literal, words[1]), holds)
        if len(words) == 3 and words[1].literal is not None and words[1].literal.startswith(("=", "!=", "-")):
            quoted = _quoted(words[2])
            return self._condition(
                nodes.BinaryTest(command.start, command.end, words[0], words[1].literal, quoted), holds
            )
        return self._other(command, holds)

    def _condition(self, node: Condition, holds: bool) -> list[Case]:
        if isinstance(node, nodes.NotTest):
            return self._condition(node.operand, not holds)
        if isinstance(node, nodes.LogicalTest):
            both = (node.operator == "&&") is holds
            return _combined(self._condition(node.left, holds), self._condition(node.right, holds), both)
        if isinstance(node, nodes.UnaryTest):
            if node.operator in ("-n", "-z"):
                return [frozenset({Fact(self.key(node.operand), "nonempty", (), (node.operator == "-n") is holds)})]
            return [frozenset({Fact(f"{node.operator} {self.key(node.operand)}", "other", (), holds)})]
        if isinstance(node, nodes.BinaryTest):
            return self._binary(node, holds)
        return self._other(node, holds)

    def _binary(self, node: nodes.BinaryTest, holds: bool) -> list[Case]:
        left, operator, right = node.left, node.operator, node.right
        if operator not in ("=", "==", "!="):
            return [frozenset({Fact(f"{self.key(left)} {operator} {self.key(right)}", "other", (), holds)})]
        holds = holds is (operator != "!=")
        if left.literal is not None and right.literal is None and all(getattr(p, "quoted", False) for p in right.parts):
            left, right = right, _quoted(left)
        pattern = static_pattern(right)
        if pattern is None or left.literal is not None:
            return [frozenset({Fact(f"{self.key(left)} == {self.key(right)}", "other", (), holds)})]
        subject = self._without_default(left, pattern)
        if not pattern:
            return [frozenset({Fact(subject, "nonempty", (), not holds)})]
        return [frozenset({Fact(subject, "matches", pattern, holds)})]

    def _without_default(self, word: Word, pattern: Pattern) -> str:
        """``${X:-d}`` compared with another word than d is ``$X`` compared with it."""
        part = word.parts[0] if len(word.parts) == 1 else None
        if isinstance(part, Parameter) and part.operator == ":-" and part.argument is not None and pattern:
            default = part.argument.literal
            literal = compile_pattern(((default, True),)) if default is not None else None
            if literal is not None and _literal_misses(literal, pattern) and not _only_stars(pattern):
                return self._parameter(replace(part, operator="", argument=None))
        return self.key(word)

    def _other(self, node: nodes.Node, holds: bool) -> list[Case]:
        """A test that is like no other, not even like its own twin."""
        return [frozenset({Fact(f"#{node.start}", "other", (), holds)})]

    # --- words ------------------------------------------------------------------------------------

    def key(self, word: Word) -> str:
        """A word's spelling, made alike for what means the same (``$X``, ``"${X}"``, ``${X:-}``)."""
        return "".join(self._part(part) for part in word.parts)

    def _part(self, part: nodes.Part) -> str:
        if isinstance(part, Literal):
            return part.text.replace("$", "\\$")
        if isinstance(part, Parameter):
            return self._parameter(part)
        if isinstance(part, nodes.CommandSubstitution) and not all(
            _is_pure(one, _PURE_OUTPUT) for one in commands(part.body)
        ):
            return f"#{part.start}"
        return " ".join(self._text.slice(part.span).split())

    def _parameter(self, part: Parameter) -> str:
        name = f"{'#' * part.length}{'!' * part.indirect}{part.name}"
        index = f"[{self.key(part.index)}]" if part.index is not None else ""
        argument = self.key(part.argument) if part.argument is not None else ""
        if part.operator in (":-", "-") and not argument:
            return f"${{{name}{index}}}"
        more = f"/{self.key(part.replacement)}" if part.replacement is not None else ""
        return f"${{{name}{index}{part.operator}{argument}{more}}}"

    def changes_nothing(self, command: Command) -> bool:
        """True if evaluating a condition surely leaves all variables and files as they are."""
        if _ASSIGNS.search(self._text.slice(command.span)):
            return False
        return all(_is_pure(one, _PURE) for one in commands(command))


def _is_pure(command: Command, names: frozenset[str]) -> bool:
    if not isinstance(command, nodes.Simple):
        return isinstance(command, _STRUCTURE)
    name = command.words[0].literal if command.words else None
    return not command.assignments and name in names


def _combined(left: list[Case], right: list[Case], both: bool) -> list[Case]:
    cases = [one | two for one, two in product(left, right)] if both else [*left, *right]
    if len(cases) > MAX_CASES:
        raise TooManyCases
    return cases


def _quoted(word: Word) -> Word:
    """The word with its literals quoted: ``test`` knows no patterns."""
    parts = tuple(replace(part, quoted=True) if isinstance(part, Literal) else part for part in word.parts)
    return Word(word.start, word.end, parts)


def static_pattern(word: Word) -> Pattern | None:
    """The pattern that a word is; None where it is expanded first, or not modelled."""
    if not all(isinstance(part, Literal) for part in word.parts):
        return None
    try:
        return compile_pattern(tuple((part.text, part.quoted) for part in word.parts if isinstance(part, Literal)))
    except UnsupportedPattern:
        return None


def _only_stars(pattern: Pattern) -> bool:
    return all(token == STAR for token in pattern)
