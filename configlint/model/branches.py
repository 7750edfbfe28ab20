"""Branches that can never be taken, because the ones above take every case."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from configlint.launch.patterns import Pattern
from configlint.model.facts import Case, Fact, Reader, TooManyCases, contradictory, included, static_pattern
from configlint.source.text import Span, Text
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Script, Sequence
from configlint.syntax.bash.walk import commands

_MAX_CLAUSES = 200


@dataclass(frozen=True)
class DeadBranch:
    """A branch that can never be taken.

    ``by`` are the conditions above that take its cases; empty where its own condition contradicts itself.
    ``repeats``: the one above says the same. ``body`` and ``bodies`` are what the branch and those above would run.
    """

    condition: Span
    by: tuple[Span, ...]
    body: Sequence
    bodies: tuple[Sequence, ...]
    repeats: bool = False

    def does_the_same(self, text: Text) -> bool:
        """True if it makes no difference: what runs instead reads the same, comments and blanks aside."""
        return all(_gist(self.body, text) == _gist(other, text) for other in self.bodies)


def _gist(body: Sequence, text: Text) -> list[str]:
    return [" ".join(text.slice(command.span).split()) for command in body.commands]


def dead_branches(script: Script) -> Iterator[DeadBranch]:
    """The branches of a script that can never be taken, in source order."""
    if b"nocasematch" in script.text.raw:
        return
    reader = Reader(script.text)
    for command in commands(script.body):
        if isinstance(command, nodes.If) and 1 < len(command.clauses) <= _MAX_CLAUSES:
            yield from _of_chain(command.clauses, reader)
        elif isinstance(command, nodes.Case) and len(command.arms) <= _MAX_CLAUSES:
            yield from _of_arms(command)


# --- if and elif ----------------------------------------------------------------------------------


def _of_chain(clauses: tuple[nodes.IfClause, ...], reader: Reader) -> Iterator[DeadBranch]:
    above: list[tuple[int, Case]] = []
    for index, clause in enumerate(clauses):
        if not reader.changes_nothing(clause.condition):
            above = []  # what was found out before need not be true any more
            continue
        try:
            cases = reader.cases(clause.condition)
        except TooManyCases:
            continue
        by = _takers(cases, above) if index else None
        if by is not None:
            taken = [clauses[one] for one in by]
            conditions = tuple(one.condition.span for one in taken)
            bodies = tuple(one.body for one in taken)
            repeats = len(by) == 1 and set(cases) == {case for one, case in above if one == by[0]}
            yield DeadBranch(clause.condition.span, conditions, clause.body, bodies, repeats)
        above += [(index, case) for case in cases]


def _takers(cases: list[Case], above: list[tuple[int, Case]]) -> tuple[int, ...] | None:
    """The clauses above that take all of these cases between them; None where a case may be left over."""
    taken: set[int] = set()
    for case in cases:
        found = _taken_by(case, above)
        if found is None:
            return None
        taken |= found
    return tuple(sorted(taken))


def _taken_by(case: Case, above: list[tuple[int, Case]]) -> set[int] | None:
    """The clauses above that take a case between them."""
    if contradictory(case):
        return set()
    for index, other in above:
        if not _missing(case, other):
            return {index}
    known: set[Fact] = set(case)
    used: set[int] = set()
    grew = True
    while grew:  # all above were false: where just one fact is missing, its opposite holds
        grew = False
        for index, other in above:
            missing = _missing(known, other)
            if len(missing) == 1 and not any(fact.implies(missing[0].negated) for fact in known):
                known.add(missing[0].negated)
                used.add(index)
                grew = True
            elif not missing:
                return used | {index}
    return None


def _missing(known: Set[Fact], other: Case) -> list[Fact]:
    """The facts of a case that do not follow from what is known."""
    return [fact for fact in other if not any(one.implies(fact) for one in known)]


# --- case -----------------------------------------------------------------------------------------


def _of_arms(command: nodes.Case) -> Iterator[DeadBranch]:
    above: list[tuple[Pattern, nodes.CaseArm]] = []
    falls_in = False
    for arm in command.arms:
        patterns = [static_pattern(word) for word in arm.patterns]
        takers = []
        for pattern in patterns:
            taker = next((other for one, other in above if pattern is not None and included(pattern, one)), None)
            takers.append(taker)
        if takers and not falls_in and all(taker is not None for taker in takers):
            found = tuple(dict.fromkeys(taker for taker in takers if taker is not None))
            conditions, bodies = tuple(map(_patterns_span, found)), tuple(one.body for one in found)
            repeats = len(found) == 1 and set(patterns) == {static_pattern(word) for word in found[0].patterns}
            yield DeadBranch(_patterns_span(arm), conditions, arm.body, bodies, repeats)
        falls_in = arm.terminator == ";&"
        if arm.terminator != ";;&":
            above += [(pattern, arm) for pattern in patterns if pattern is not None]


def _patterns_span(arm: nodes.CaseArm) -> Span:
    return Span(arm.patterns[0].start, arm.patterns[-1].end)
