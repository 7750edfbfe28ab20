"""Which lines a program can act on at all: what lets a run skip the others."""

from __future__ import annotations

from configlint.syntax.sed.program import Address, Command, LineNumber, Pattern, Step


def triggers(commands: tuple[Command, ...]) -> tuple[Address, ...] | None:
    """Addresses that select every line on which an outermost command does something, or None if that cannot be told.

    A line that none of them selects is not touched (as long as no range is open), because each outermost command is
    either not selected on the untouched line, or an ``s`` that finds nothing, or a ``t`` with no substitution before.
    """
    found: list[Address] = []
    index = 0
    # A range from a line number on begins late where that line never reaches the command.
    reaches_all = not any(command.name in "dDcnNbtTqQ" for command in commands)
    if any(_repeats_last_regex(command) for command in commands):
        return None
    while index < len(commands):
        command = commands[index]
        if command.name in ":}":
            index += 1
            continue
        if command.negated or isinstance(command.first, Step):
            return None
        if command.first is not None:
            if command.last is not None and isinstance(command.first, LineNumber) and not reaches_all:
                return None
            found.append(command.first)
        elif command.substitution is not None and command.substitution.regex is not None:
            found.append(Pattern(command.substitution.regex))
        elif command.name != "t":
            return None
        index = command.target if command.name == "{" else index + 1
    return tuple(dict.fromkeys(found))


def _repeats_last_regex(command: Command) -> bool:
    if command.substitution is not None and command.substitution.regex is None:
        return True
    return any(isinstance(address, Pattern) and address.regex is None for address in (command.first, command.last))
