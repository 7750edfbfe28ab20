"""The outline of a command list: what tree-sitter needs to see, and what it need not.

A *mask* of the text's length is what tree-sitter gets. In it, each simple command, condition, header and
pattern list is a row of ``x``, and words, redirections, here-documents and comments are gone: only reserved words,
operators and parentheses survive, so that the grammar decides structure and nothing else. Offsets in the mask are
offsets in the text, and every table here is keyed by them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from configlint.syntax.bash.nodes import ArithmeticCommand, Assignment, Conditional, Opaque, Redirect, Word


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
    """What the pass found, keyed by absolute offsets: of the first character, for ``trailing`` of the end.

    ``start`` is where the list starts, ``base`` the offset that the mask's first character stands for.
    """

    start: int
    end: int = 0
    mask: list[str] = field(default_factory=list)
    masked: int = 0
    plain: bool = True
    """No operator and no reserved word: at most simple commands, one a line."""
    commands: dict[int, Raw | Conditional | ArithmeticCommand | Opaque] = field(default_factory=dict)
    loops: dict[int, Loop] = field(default_factory=dict)
    subjects: dict[int, Word] = field(default_factory=dict)
    arms: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    trailing: dict[int, list[Redirect]] = field(default_factory=dict)
    prefixes: dict[int, list[Prefix]] = field(default_factory=dict)

    moved: set[int] = field(default_factory=set)
    """Parentheses that stand one character early in the mask, as ``((`` would be arithmetic there."""

    @property
    def base(self) -> int:
        return self.start - 1

    def cover(self, start: int, end: int) -> None:
        """Put a row of ``x`` from ``start`` to ``end``."""
        self.emit(start, "x" * (end - start))

    def emit(self, start: int, text: str) -> None:
        """Put ``text`` at ``start`` of the mask, blanks up to there."""
        if start > self.masked:
            self.mask.append(" " * (start - self.masked))
        self.mask.append(text)
        self.masked = start + len(text)
