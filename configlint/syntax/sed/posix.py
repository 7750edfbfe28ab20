"""POSIX regular expressions, basic and extended with GNU's additions, as a tree.

The grammar is that of GNU sed 4.9: where an anchor is an anchor, where ``*`` is literal, which mistakes are errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from configlint.syntax.sed import bracket
from configlint.syntax.sed.charclass import ANYTHING, CLASSES, WORD, CharSet
from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.escapes import ESCAPES, NUMBERED, numbered_escape

MAX_REPEAT = 1000  # RE2's own limit for one interval
MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Anchor:
    """``kind`` is one of ``^ $ ` ' b B < >``."""

    kind: str


@dataclass(frozen=True, slots=True)
class Group:
    """``( )``; ``index`` counts from 1."""

    index: int
    body: Expression


@dataclass(frozen=True, slots=True)
class Repeat:
    """``most`` is None for no limit."""

    body: Expression
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; without items it matches the empty string."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    options: tuple[Expression, ...]


Expression: TypeAlias = CharSet | Anchor | Group | Repeat | Sequence | Choice

_QUANTIFIERS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "char", "set", "anchor", "open", "close", "alt", "*", "+", "?", "{", "}", "[", "end"
    value: str = ""
    chars: CharSet | None = None


def parse(pattern: str, extended: bool, escapes: bool = True, ignore_case: bool = False) -> tuple[Expression, int]:
    """The tree of ``pattern`` and its number of groups.

    ``escapes`` says that sed's ``\\n``, ``\\t``, ``\\xHH`` and the like stand for characters; elsewhere (grep, bash)
    they are letters, an unmatched ``)`` is a character, and so is what ``[:space:]`` lists.
    Raises BadProgram or Unsupported with offsets into ``pattern``.
    """
    parser = _Parser(pattern, extended, escapes, ignore_case)
    tree = parser.choice(0)
    return tree, parser.groups


class _Parser:
    def __init__(self, pattern: str, extended: bool, escapes: bool, ignore_case: bool) -> None:
        self.pattern = pattern
        self.escapes = escapes
        self.ignore_case = ignore_case
        self.extended = extended
        self.at = 0
        self.groups = 0
        self.closed: set[int] = set()
        self.caret = True  # an unescaped ^ here is an anchor
        self.token = _Token("end")
        self.start = 0
        self.advance()

    # --- tokens --------------------------------------------------------------------------------

    def advance(self, caret: bool = False) -> None:
        """Reads the next token; ``caret`` says that one could begin an expression here."""
        self.start = self.at
        self.token = self._read(caret or self.at == 0)

    def _read(self, caret: bool) -> _Token:
        if self.at >= len(self.pattern):
            return _Token("end")
        char = self.pattern[self.at]
        self.at += 1
        if char == "\\":
            return self._escaped()
        if char == "[":
            return _Token("[")
        if char == ".":
            return _Token("set", chars=ANYTHING)
        if char == "*":
            return _Token("*", char)
        if char == "^" and (self.extended or caret):
            return _Token("anchor", "^")
        if char == "$" and (self.extended or self._ends_here()):
            return _Token("anchor", "$")
        if self.extended and char in "+?{}|()":
            return _Token({"|": "alt", "(": "open", ")": "close"}.get(char, char), char)
        return _Token("char", char)

    def _ends_here(self) -> bool:
        rest = self.pattern[self.at : self.at + 2]
        return rest in ("", r"\)", r"\|")

    def _escaped(self) -> _Token:
        if self.at >= len(self.pattern):
            raise BadProgram("trailing backslash", self.start)
        char = self.pattern[self.at]
        self.at += 1
        if char in "123456789":
            if int(char) not in self.closed:
                raise BadProgram(f"invalid reference \\{char} in a regular expression", self.start)
            raise Unsupported(f"back-reference \\{char} in a regular expression", self.start)
        if char in "`'<>bB":
            return _Token("anchor", char)
        if char in "wWsS":
            base = WORD if char in "wW" else CLASSES["space"]
            return _Token("set", chars=CharSet(base.ranges, base.properties, char in "WS", char == "W"))
        if self.escapes and char in ESCAPES:
            return _Token("char", ESCAPES[char])
        if self.escapes and char in NUMBERED:
            return _Token("char", self._numbered(char))
        if not self.extended and char in "+?{}|()":
            return _Token({"|": "alt", "(": "open", ")": "close"}.get(char, char), char)
        return _Token("char", char)

    def _numbered(self, kind: str) -> str:
        char, self.at = numbered_escape(self.pattern, self.at, kind)
        if not (char.isalnum() or char in " \x1b\"#%,-:;<=>@_~!'"):
            raise Unsupported(f"\\{kind} escape of a special character", self.start)
        return char

    # --- grammar -------------------------------------------------------------------------------

    def choice(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise Unsupported("regular expression nested too deeply", self.start)
        options = [self.branch(depth)]
        while self.token.kind == "alt":
            self.advance(caret=True)
            options.append(self.branch(depth))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def branch(self, depth: int) -> Expression:
        items: list[Expression] = []
        while self.token.kind not in ("alt", "end") and not (depth and self.token.kind == "close"):
            items.append(self.piece(depth))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def piece(self, depth: int) -> Expression:
        token = self.token
        if token.kind == "anchor":
            # An anchor takes no repetition: what follows begins an expression of its own.
            self.advance()
            return Anchor(token.value)
        item = self.atom(token, depth)
        repeated = 0
        while self.token.kind in ("*", "+", "?", "{"):
            if repeated > MAX_DEPTH:
                raise Unsupported("too many repetitions of a repetition", self.start)
            if repeated and not self.extended and self.token.kind in ("*", "{"):
                raise BadProgram("invalid preceding regular expression", self.start)
            item = self.quantified(item)
            repeated += 1
        return item

    def atom(self, token: _Token, depth: int) -> Expression:
        if token.kind == "open":
            self.groups += 1
            index = self.groups
            self.advance(caret=True)
            body = self.choice(depth + 1)
            if self.token.kind != "close":
                raise BadProgram("unmatched ( or \\(", self.start)
            self.closed.add(index)
            self.advance()
            return Group(index, body)
        if token.kind == "[":
            chars, self.at = bracket.parse(self.pattern, self.at, self.escapes, self.ignore_case)
            self.advance()
            return chars
        if token.kind == "set" and token.chars is not None:
            self.advance()
            return token.chars
        if token.kind == "close" and (self.escapes or not self.extended):
            raise BadProgram("unmatched ) or \\)", self.start)
        if token.kind == "{" or (self.extended and token.kind in ("*", "+", "?")):
            raise BadProgram("invalid preceding regular expression", self.start)
        self.advance()
        return _single(token.value)

    def quantified(self, item: Expression) -> Expression:
        kind = self.token.kind
        if kind in _QUANTIFIERS:
            least, most = _QUANTIFIERS[kind]
            self.advance()
            return Repeat(item, least, most)
        closing = "}" if self.extended else r"\}"
        end = self.pattern.find(closing, self.at)
        if end < 0:
            raise BadProgram("unmatched { or \\{", self.start)
        low, comma, high = self.pattern[self.at : end].partition(",")
        if not _is_count(low, empty=bool(comma)) or not _is_count(high, empty=True):
            raise BadProgram("invalid content of {}", self.start)
        least = int(low or 0)
        most_or_none = int(high) if high else (None if comma else least)
        if most_or_none is not None and most_or_none < least:
            raise BadProgram("invalid content of {}", self.start)
        if max(least, most_or_none or 0) > MAX_REPEAT:
            raise Unsupported("interval too large", self.start)
        self.at = end + len(closing)
        self.advance()
        return Repeat(item, least, most_or_none)


def walk(node: Expression) -> Iterator[Expression]:
    """The node and everything below it."""
    stack: list[Expression] = [node]
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, Group | Repeat):
            stack.append(current.body)
        elif isinstance(current, Sequence):
            stack.extend(reversed(current.items))
        elif isinstance(current, Choice):
            stack.extend(reversed(current.options))


def _single(char: str) -> CharSet:
    code = ord(char)
    return CharSet(((code, code),))


def _is_count(text: str, empty: bool) -> bool:
    return (text.isascii() and text.isdigit() and len(text) <= 5) or (empty and not text)
