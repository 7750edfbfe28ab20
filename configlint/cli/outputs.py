"""``--format`` and ``--output`` pairs: which report goes where."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from configlint.cli.errors import UsageError

STDOUT = "-"


@dataclass
class Pair:
    """A report in the making; what the user has not said is None."""

    format: str | None = None
    output: str | None = None


@dataclass(frozen=True)
class Output:
    """A report: its format and its file, or ``-``."""

    format: str
    target: str


class PairAction(argparse.Action):
    """An ``--output`` belongs to the nearest ``--format`` before it that has none, or else to the next one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        pairs: list[Pair] = list(getattr(namespace, "pairs", None) or [])
        word = str(values)
        field, other = ("format", "output") if self.dest == "format" else ("output", "format")
        last = pairs[-1] if pairs else None
        if last and getattr(last, field) is None and getattr(last, other) is not None:
            setattr(last, field, word)
        else:
            pairs.append(Pair(**{field: word}))
        namespace.pairs = pairs


def settle(pairs: Sequence[Pair], *, on_actions: bool) -> tuple[Output, ...]:
    """The reports of a run. Raises :class:`UsageError` where two would mix in one place."""
    default = "github" if on_actions else "text"
    outputs = tuple(
        Output(pair.format or ("text" if pair.output else default), pair.output or STDOUT) for pair in pairs
    ) or (Output(default, STDOUT),)
    for target in {output.target for output in outputs}:
        formats = [output.format for output in outputs if output.target == target]
        if len(formats) > 1:
            where = "standard output" if target == STDOUT else target
            raise UsageError(f"{' and '.join(formats)} would mix on {where}: give each --format its own --output")
    return outputs
