"""Globs over paths, dotted paths and names: the one spelling that profiles use."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_DEEP = 3  # ``**`` per pattern: each one multiplies the work by the depth of a path


class Globs:
    """Matches separated text: ``*`` and ``?`` stay within one step, ``**`` as a step spans any number of steps.

    Raises ValueError for a pattern with more than :data:`MAX_DEEP` ``**``. A profile may come from a stranger's
    tree, so no pattern may cost more than linear time in the length of a step: every ``*`` but the last of a step
    takes the nearest match and keeps it.
    """

    def __init__(self, patterns: Iterable[str], separator: str = "/") -> None:
        self.patterns = tuple(patterns)
        regexes = [_regex(one, separator) for one in self.patterns]
        self._pattern = re.compile("|".join(regexes) if regexes else "(?!)", re.DOTALL)

    def __repr__(self) -> str:
        return f"Globs({list(self.patterns)})"

    def matches(self, path: str) -> bool:
        return self._pattern.fullmatch(path) is not None

    def select(self, paths: Iterable[str]) -> list[str]:
        """Those that match, in the order given."""
        matches = self._pattern.fullmatch
        return [path for path in paths if matches(path)]


def _regex(pattern: str, separator: str) -> str:
    steps = pattern.split(separator)
    steps = [one for index, one in enumerate(steps) if one != "**" or steps[index - 1 : index] != ["**"]]
    if steps.count("**") > MAX_DEEP:
        raise ValueError(f"{pattern!r} has more than {MAX_DEEP} '**'")
    between, within = re.escape(separator), f"[^{re.escape(separator)}]"
    result = ""
    for index, step in enumerate(steps):
        last = index == len(steps) - 1
        if step == "**":
            result += ".*" if last else f"(?:{within}+{between})*"
        else:
            result += _step(step, within) + ("" if last else between)
    return result


def _step(step: str, within: str) -> str:
    literals = [
        "".join(within if character == "?" else re.escape(character) for character in one)
        for one in re.split(r"\*+", step)
    ]
    if len(literals) == 1:
        return literals[0]
    middle = "".join(f"(?>{within}*?{one})" for one in literals[1:-1])
    return f"{literals[0]}{middle}{within}*{literals[-1]}"
