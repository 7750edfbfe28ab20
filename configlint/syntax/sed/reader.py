"""Reads sed programs: GNU sed 4.9's grammar, without the commands that touch files or run programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from configlint.syntax.sed import replacement
from configlint.syntax.sed.errors import BadProgram, SedError, Unsupported
from configlint.syntax.sed.program import (
    Address,
    Command,
    EndAddress,
    LastLine,
    LineNumber,
    Multiple,
    Pattern,
    Plus,
    Program,
    Step,
    Substitution,
)
from configlint.syntax.sed.regex import Regex, regex
from configlint.syntax.sed.scanner import BLANK, DIGITS, SPACE, Scanner
from configlint.syntax.sed.triggers import triggers

MAX_SOURCE = 100_000  # characters
MAX_COMMANDS = 2_000
_REFUSED = {
    "r": "reads a file",
    "R": "reads a file",
    "w": "writes a file",
    "W": "writes a file",
    "e": "runs a command",
    "l": "prints unambiguously",
    "F": "prints the file name",
    "v": "asks for a version",
}
_PLAIN = frozenset("dDpPnNhHgGxz=")


@lru_cache(maxsize=512)
def _parse(source: str, extended: bool, quiet: bool, separate: bool) -> Program:
    if len(source) > MAX_SOURCE:
        raise Unsupported("program too long")
    try:
        source.encode()
    except UnicodeEncodeError:
        raise Unsupported("program is not valid Unicode") from None
    reader = _Reader(source, extended)
    commands = reader.program()
    return Program(
        source=source,
        commands=commands,
        quiet=quiet or source == "#n" or source.startswith("#n\n"),
        extended=extended,
        separate=separate,
        triggers=triggers(commands),
    )


def parse(
    scripts: str | Sequence[str], *, extended: bool = False, quiet: bool = False, separate: bool = False
) -> Program:
    """The program made of ``scripts`` (the ``-e`` parts in order), under the options ``-E``, ``-n`` and ``-s``.

    Raises BadProgram for what GNU sed rejects and Unsupported for what is not modelled.
    """
    return _parse(scripts if isinstance(scripts, str) else "\n".join(scripts), extended, quiet, separate)


class _Reader(Scanner):
    def __init__(self, source: str, extended: bool) -> None:
        super().__init__(source)
        self.extended = extended
        self.commands: list[Command] = []
        self.blocks: list[int] = []

    # --- program -------------------------------------------------------------------------------

    def program(self) -> tuple[Command, ...]:
        while True:
            self.skip(SPACE + ";")
            if self.at >= len(self.source):
                break
            if len(self.commands) >= MAX_COMMANDS:
                raise Unsupported("too many commands", self.at)
            self._command()
        if self.blocks:
            raise BadProgram("unmatched {", self.commands[self.blocks[-1]].offset)
        self._check_characters()
        return self._linked()

    def _check_characters(self) -> None:
        """What the program writes is matched by its own expressions, too."""
        if not self.source.isascii():
            for used in Program(self.source, tuple(self.commands)).regexes:
                if reason := used.refusal(self.source):
                    raise Unsupported(reason)

    def _command(self) -> None:
        start = self.at
        first, last = self._addresses()
        self.skip(BLANK)
        negated = False
        if self.peek() == "!":
            negated = True
            self.at += 1
            self.skip(BLANK)
            if self.peek() == "!":
                raise BadProgram("multiple `!'s", self.at)
        name = self.peek()
        if not name:
            raise BadProgram("missing command", self.at)
        if name == "#":
            if first is not None:
                raise BadProgram("comments don't accept any addresses", self.at)
            self.comment()
            return
        self.at += 1
        command = Command(name, first, last, negated, offset=start)
        index = len(self.commands)
        self.commands.append(command)
        self.commands[index] = replace(self._argument(command, index), end=self.at)
        if name not in "{aic:":
            self._end_of_command()

    def _argument(self, command: Command, index: int) -> Command:
        name = command.name
        if name == "{":
            self.blocks.append(index)
        elif name == "}":
            if not self.blocks:
                raise BadProgram("unexpected }", self.at - 1)
            if command.first is not None:
                raise BadProgram("} doesn't want any addresses", self.at - 1)
            opening = self.blocks.pop()
            self.commands[opening] = replace(self.commands[opening], target=index)
        elif name == "s":
            return replace(command, substitution=self._substitution())
        elif name == "y":
            return replace(command, table=self._table())
        elif name in "aic":
            return replace(command, text=self.text())
        elif name in ":btT":
            return replace(command, text=self._label(command))
        elif name in "qQ":
            if command.last is not None:
                raise BadProgram("command only uses one address", self.at - 1)
            self.skip(BLANK)
            if self.peek() in DIGITS:
                return replace(command, status=self.number() & 0xFF)
        elif name in _REFUSED:
            raise Unsupported(f"command {name} ({_REFUSED[name]})", self.at - 1)
        elif name not in _PLAIN:
            raise BadProgram(f"unknown command: `{name}'", self.at - 1)
        return command

    def _end_of_command(self) -> None:
        self.skip(BLANK)
        following = self.peek()
        if following in ("\n", ";"):
            self.at += 1
        elif following not in ("", "}", "#"):
            raise BadProgram("extra characters after command", self.at)

    def _linked(self) -> tuple[Command, ...]:
        """The commands with the targets of their jumps."""
        labels: dict[str, int] = {}
        for index, command in enumerate(self.commands):
            if command.name == ":":
                if command.text in labels:
                    raise Unsupported(f"label {command.text} defined twice", command.offset)
                labels[command.text] = index
        linked = []
        for command in self.commands:
            if command.name in "btT":
                if command.text and command.text not in labels:
                    raise BadProgram(f"can't find label for jump to `{command.text}'", command.offset)
                command = replace(command, target=labels.get(command.text, len(self.commands)))
            linked.append(command)
        return tuple(linked)

    # --- addresses -----------------------------------------------------------------------------

    def _addresses(self) -> tuple[Address | None, EndAddress | None]:
        start = self.at
        first = self._address()
        if first is None:
            return None, None
        self.skip(BLANK)
        last: EndAddress | None = None
        if self.peek() == ",":
            self.at += 1
            self.skip(BLANK)
            last = self._end_address()
        if first == LineNumber(0) and not isinstance(last, Pattern):
            raise BadProgram("invalid usage of line address 0", start)
        return first, last

    def _address(self) -> Address | None:
        char = self.peek()
        if char in DIGITS:
            number = self.number()
            if self.source.startswith("~", self.at):
                self.at += 1
                step = self.number() if self.peek() in DIGITS else 0
                return Step(number, step) if step else LineNumber(number)
            return LineNumber(number)
        if char == "$":
            self.at += 1
            return LastLine()
        if char in ("/", "\\") and char:
            self.at += 1
            if char == "\\":
                char = self.peek()
                self.at += 1
            return self._pattern(char)
        return None

    def _end_address(self) -> EndAddress:
        char = self.peek()
        if char in ("+", "~"):
            self.at += 1
            number = self.number()
            return Plus(number) if char == "+" else Multiple(number)
        address = self._address()
        if address is None:
            raise BadProgram("unexpected `,'", self.at)
        return address

    def _pattern(self, delimiter: str) -> Pattern:
        start = self.at
        source = self.delimited(delimiter, regex=True, what="unterminated address regex")
        ignore_case = multiline = False
        while True:
            mark = self.at
            self.skip(BLANK)
            if self.peek() == "I":
                ignore_case = True
            elif self.peek() == "M":
                multiline = True
            else:
                self.at = mark
                return Pattern(self._regex(source, start, ignore_case, multiline))
            self.at += 1

    def _regex(self, source: str, start: int, ignore_case: bool, multiline: bool) -> Regex | None:
        if not source:
            if ignore_case or multiline:
                raise BadProgram("cannot specify modifiers on empty regexp", start)
            return None
        try:
            return regex(source, self.extended, ignore_case, multiline)
        except SedError as error:
            raise type(error)(error.message, start + max(error.offset, 0)) from None

    # --- arguments -----------------------------------------------------------------------------

    def _substitution(self) -> Substitution:
        delimiter = self.peek()
        self.at += 1
        start = self.at
        source = self.delimited(delimiter, regex=True, what="unterminated `s' command")
        right_start = self.at
        right = self.delimited(delimiter, regex=False, what="unterminated `s' command")
        number, everywhere, prints, ignore_case, multiline = self._flags()
        regex = self._regex(source, start, ignore_case, multiline)
        try:
            pieces = replacement.parse(right, None if regex is None else regex.groups)
        except SedError as error:
            raise type(error)(error.message, right_start + max(error.offset, 0)) from None
        highest = max((piece.group or 0 for piece in pieces), default=0)
        converts = any(piece.case or piece.once for piece in pieces)
        varies = converts or any(piece.group is not None for piece in pieces)
        constant = None if varies else b"".join(piece.encoded for piece in pieces)
        return Substitution(regex, pieces, number or 1, everywhere, prints, highest, converts, constant)

    def _flags(self) -> tuple[int, bool, bool, bool, bool]:
        number = 0
        seen: set[str] = set()
        while True:
            self.skip(BLANK)
            flag = self.peek()
            if flag in ("", "\n", ";", "}", "#"):
                break
            if flag in "0123456789":
                if number:
                    raise BadProgram("multiple number options to `s' command", self.at)
                number = self.number()
                if not number:
                    raise BadProgram("number option to `s' command may not be zero", self.at)
                continue
            if flag in "ew":
                raise Unsupported(f"flag {flag} of `s'", self.at)
            if flag not in "gpiImM":
                raise BadProgram("unknown option to `s'", self.at)
            if flag in "gp" and flag in seen:
                raise BadProgram(f"multiple `{flag}' options to `s' command", self.at)
            seen.add(flag.lower())
            self.at += 1
        return number, "g" in seen, "p" in seen, "i" in seen, "m" in seen

    def _table(self) -> dict[int, int]:
        delimiter = self.peek()
        self.at += 1
        sides = []
        for _ in range(2):
            start = self.at
            sides.append(_plain(self.delimited(delimiter, regex=False, what="unterminated `y' command"), start))
        if len(sides[0]) != len(sides[1]):
            raise BadProgram("strings for `y' command are different lengths", self.at)
        table: dict[int, int] = {}
        for old, new in zip(*sides, strict=True):
            if table.setdefault(ord(old), ord(new)) != ord(new):
                raise Unsupported(f"`y' maps {old!r} twice", self.at)
        return table

    def _label(self, command: Command) -> str:
        start = self.at
        label = self.label()
        if command.name == ":":
            if command.first is not None:
                raise BadProgram(": doesn't want any addresses", command.offset)
            if not label:
                raise BadProgram('":" lacks a label', start)
        return label


def _plain(text: str, start: int) -> str:
    """A side of ``y`` without its backslashes."""
    parts = []
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "\\":
            char = text[at : at + 1]
            at += 1
            if char == "n":
                char = "\n"
            elif char not in ("\\", "\n"):
                raise Unsupported("escape in `y'", start)
        parts.append(char)
    return "".join(parts)
