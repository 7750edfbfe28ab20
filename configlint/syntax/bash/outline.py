"""The outline of a command list: what tree-sitter needs to see, and what it need not.

tree-sitter gets a *mask*: each simple command, condition, header and pattern list is an ``x``, and words, redirections,
here-documents, comments and line ends are gone. Only reserved words, operators and parentheses survive, each a token
of its own, so that the grammar decides structure and nothing else. What the tokens stand for is in the tables here,
keyed by offsets in the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from configlint.syntax.bash.nodes import ArithmeticCommand, Assignment, Conditional, Redirect, Word


@dataclass(slots=True)
class Raw:
    """A simple command as read so far. Items of a declaration stay in order; redirects may be completed later."""

    start: int
    end: int
    assignments: list[Assignment] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    declaration: str = ""
    items: list[Assignment | Word] = field(default_factory=list)


@dataclass(slots=True)
class Loop:
    """The header of ``for`` and ``select``; ``arithmetic`` for ``for ((...))``."""

    name: str
    words: tuple[Word, ...] | None = None
    arithmetic: tuple[Word | None, Word | None, Word | None] | None = None


@dataclass(slots=True)
class Prefix:
    """``!``, ``time``, ``coproc`` or a function's head (``function`` with its name) in front of a command."""

    kind: str
    start: int
    name: str = ""


@dataclass(slots=True)
class Outline:
    """What the pass found, keyed by absolute offsets: of the first character, for ``trailing`` of the end."""

    start: int
    masked: int
    """Where the last token ends."""
    tokens: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    ended: int | None = None
    """Where a ``;`` or a line's end ended a command. bash takes any number of line ends there, the grammar wants
    one ``;``, and none before ``;;``."""
    plain: bool = True
    """No operator and no reserved word: at most simple commands, one a line."""
    commands: dict[int, Raw | Conditional | ArithmeticCommand] = field(default_factory=dict)
    loops: dict[int, Loop] = field(default_factory=dict)
    subjects: dict[int, Word] = field(default_factory=dict)
    arms: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    terminators: dict[int, str] = field(default_factory=dict)
    trailing: dict[int, list[Redirect]] = field(default_factory=dict)
    prefixes: dict[int, list[Prefix]] = field(default_factory=dict)

    def emit(self, start: int, token: str) -> None:
        """The token that stands at ``start``, as it is in the text."""
        self.put(start, start + len(token), token)

    def cover(self, start: int, end: int) -> None:
        """An ``x`` for the text from ``start`` to ``end``."""
        self.put(start, end, "x")

    def put(self, start: int, end: int, token: str) -> None:
        """``token`` for the text from ``start`` to ``end``."""
        if self.ended is not None:
            ended, self.ended = self.ended, None
            if token != ";;":
                self.put(ended, ended + 1, ";")
        self.tokens.append(token)
        self.starts.append(start)
        self.ends.append(end)
        self.masked = end

    def mask(self) -> bytes:
        """The tokens, a blank between each two."""
        return " ".join(self.tokens).encode("ascii")


class Places:
    """From offsets in the mask back to offsets in the text."""

    __slots__ = ("_bounds", "_outline")

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        at = 0
        self._bounds: list[int] = []
        for token in outline.tokens:
            self._bounds.append(at)
            at += len(token) + 1

    def start(self, offset: int) -> int:
        """Where the token at ``offset`` starts in the text."""
        return self._outline.starts[bisect_right(self._bounds, offset) - 1]

    def end(self, offset: int) -> int:
        """Where the token that ends at ``offset`` ends in the text."""
        return self._outline.ends[max(bisect_left(self._bounds, offset) - 1, 0)]

    def following(self, offset: int) -> tuple[int, int]:
        """Start and end of the token behind the one at ``offset``; of this one where it is the last."""
        index = min(bisect_right(self._bounds, offset), len(self._bounds) - 1)
        return self._outline.starts[index], self._outline.ends[index]
