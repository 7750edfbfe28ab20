"""The command line of GNU sed: options, scripts, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.program import Program
from configlint.syntax.sed.reader import parse

# Long options: name -> the short one they equal, "" for those without an effect here, None for refused ones.
_LONG: dict[str, str | None] = {
    "expression": "e",
    "in-place": "i",
    "quiet": "n",
    "silent": "n",
    "regexp-extended": "E",
    "separate": "s",
    "unbuffered": "",
    "sandbox": "",
    "binary": "",
    "follow-symlinks": "",
    "file": None,
    "line-length": None,
    "null-data": None,
    "zero-terminated": None,
    "posix": None,
    "debug": None,
    "help": None,
    "version": None,
}
_FLAGS = frozenset("nErsub")


@dataclass(frozen=True, slots=True)
class Invocation:
    """One ``sed`` call.

    ``scripts`` are the ``-e`` parts, or the first operand where there is none; ``files`` the other operands,
    ``file_indexes`` their places among the arguments. ``suffix`` is that of ``-iSUFFIX`` ("": no backup). ``separate``
    is True under ``-i`` as well as ``-s``: line numbers and ``$`` then belong to one file.
    """

    scripts: tuple[str, ...]
    files: tuple[str, ...] = ()
    file_indexes: tuple[int, ...] = ()
    quiet: bool = False
    extended: bool = False
    in_place: bool = False
    suffix: str = ""
    separate: bool = False

    def program(self) -> Program:
        """The program to run. Raises BadProgram or Unsupported."""
        return parse(self.scripts, extended=self.extended, quiet=self.quiet, separate=self.separate)


def command_line(arguments: Sequence[str]) -> Invocation:
    """Reads the arguments of ``sed`` (without the command name), options and operands in any order as GNU getopt does.

    Raises Unsupported for options that are not modelled, BadProgram where sed would stop with a usage error.
    """
    scripts: list[str] = []
    operands: list[int] = []
    flags: set[str] = set()
    suffix = ""
    pending = list(reversed(arguments))
    while pending:
        index = len(arguments) - len(pending)
        word = pending.pop()
        if word == "--":
            operands.extend(range(index + 1, len(arguments)))
            break
        if word == "-" or not word.startswith("-"):
            operands.append(index)
            continue
        for option, value in _long(word, pending) if word.startswith("--") else _short(word, pending):
            if option == "e":
                scripts.append(value)
            elif option == "i":
                flags.add("i")
                suffix = value
            else:
                flags.add("E" if option == "r" else option)
    if not scripts:
        if not operands:
            raise BadProgram("no program")
        scripts.append(arguments[operands.pop(0)])
    return Invocation(
        scripts=tuple(scripts),
        files=tuple(arguments[index] for index in operands),
        file_indexes=tuple(operands),
        quiet="n" in flags,
        extended="E" in flags,
        in_place="i" in flags,
        suffix=suffix,
        separate=bool(flags & {"i", "s"}),
    )


def _short(word: str, pending: list[str]) -> list[tuple[str, str]]:
    """The options of one word such as ``-ne`` or ``-i.bak``; takes the argument of ``-e`` from ``pending``."""
    found: list[tuple[str, str]] = []
    for at, option in enumerate(word[1:], 2):
        rest = word[at:]
        if option == "i":
            return [*found, ("i", rest)]
        if option == "e":
            if not rest and not pending:
                raise BadProgram("option requires an argument -- 'e'")
            return [*found, ("e", rest or pending.pop())]
        if option not in _FLAGS:
            raise Unsupported(f"option -{option}")
        found.append((option, ""))
    return found


def _long(word: str, pending: list[str]) -> list[tuple[str, str]]:
    name, equals, value = word[2:].partition("=")
    names = [name] if name in _LONG else [known for known in _LONG if known.startswith(name)]
    options = {_LONG[known] for known in names}
    if not names or len(options) > 1:
        raise BadProgram(f"unrecognized or ambiguous option '--{name}'")
    option = options.pop()
    if option is None:
        raise Unsupported(f"option --{names[0]}")
    if option == "e" and not equals:
        if not pending:
            raise BadProgram(f"option '--{names[0]}' requires an argument")
        value = pending.pop()
    if equals and option not in ("e", "i"):
        raise BadProgram(f"option '--{names[0]}' doesn't allow an argument")
    return [(option, value)] if option else []
