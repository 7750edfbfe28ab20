"""A sed program as data: a flat tuple of commands with jump targets, as the interpreter runs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from configlint.syntax.sed.regex import Regex


@dataclass(frozen=True, slots=True)
class LineNumber:
    """``N``; 0 only as the first address of ``0,/re/``."""

    number: int


@dataclass(frozen=True, slots=True)
class LastLine:
    """``$``."""


@dataclass(frozen=True, slots=True)
class Step:
    """``first~step``."""

    first: int
    step: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """``/re/``; ``regex`` is None for the empty expression, which repeats the one used last."""

    regex: Regex | None


@dataclass(frozen=True, slots=True)
class Plus:
    """``,+N`` as a second address."""

    count: int


@dataclass(frozen=True, slots=True)
class Multiple:
    """``,~N`` as a second address."""

    factor: int


Address: TypeAlias = LineNumber | LastLine | Step | Pattern
EndAddress: TypeAlias = LineNumber | LastLine | Step | Pattern | Plus | Multiple


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a replacement: a group's text (0: the whole match) where ``group`` is not None, else ``text``.

    ``case`` is "" or a conversion that begins with this piece: "U", "L" or "E" (ends it); ``once`` is "" or "u" or "l",
    for the next character alone. ``encoded`` is ``text`` as UTF-8.
    """

    text: str = ""
    group: int | None = None
    case: str = ""
    once: str = ""
    encoded: bytes = b""


@dataclass(frozen=True, slots=True)
class Substitution:
    """What ``s`` does. ``number`` is the first match to replace (1 unless the flag says so)."""

    regex: Regex | None
    pieces: tuple[Piece, ...]
    number: int = 1
    everywhere: bool = False
    prints: bool = False
    highest_group: int = 0
    converts: bool = False
    constant: bytes | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """One command; ``}`` and ``:`` are commands too, so that ``Result.hits`` runs parallel to ``Program.commands``.

    ``text`` is what ``a``, ``i`` and ``c`` write (lines without the final newline) or the label of ``: b t T``;
    ``target`` is the index of the command that ``{`` (not selected), ``b``, ``t`` and ``T`` continue with; ``status``
    the exit status of ``q`` and ``Q``. ``offset`` and ``end`` are character offsets into the program text.
    """

    name: str
    first: Address | None = None
    last: EndAddress | None = None
    negated: bool = False
    substitution: Substitution | None = None
    text: str = ""
    table: dict[int, int] | None = None
    target: int = -1
    status: int = 0
    offset: int = 0
    end: int = 0


@dataclass(frozen=True, eq=False)
class Program:
    """``source`` is the text of all ``-e`` parts joined by newlines.

    ``triggers``: a line on which none of these addresses matches, while no range is open, passes unchanged. None where
    every line must be run.
    """

    source: str
    commands: tuple[Command, ...]
    quiet: bool = False
    extended: bool = False
    separate: bool = False
    triggers: tuple[Address, ...] | None = None

    @property
    def regexes(self) -> tuple[Regex, ...]:
        """Every expression of the program, in program order."""
        found: list[Regex | None] = []
        for command in self.commands:
            found.extend(address.regex for address in (command.first, command.last) if isinstance(address, Pattern))
            if command.substitution is not None:
                found.append(command.substitution.regex)
        return tuple(regex for regex in found if regex is not None)
