"""The argument parser: errors as one line of ours, with a suggestion where a word is nearly right."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import NoReturn

from configlint.cli.errors import UsageError
from configlint.lint.suggest import did_you_mean


class Parser(ArgumentParser):
    """Raises :class:`UsageError` instead of printing: the words may hold file names, which nobody must print raw."""

    def error(self, message: str) -> NoReturn:
        kind, _, rest = message.partition("unrecognized arguments: ")
        word = rest.split(" ")[0].partition("=")[0]
        hint = did_you_mean(word, self._option_string_actions, limit=1) if not kind and word else ""
        command = self.prog.rpartition(" ")[2]
        raise UsageError(f"{command}: {message}{hint or f' ({self.prog} --help tells more)'}")
