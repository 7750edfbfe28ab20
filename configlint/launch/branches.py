"""Branches: ``&&`` and ``||``, ``if``, ``case``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from configlint.launch import patterns
from configlint.launch.outcome import Cell
from configlint.launch.settings import MAX_PATHS
from configlint.launch.state import ASSUMED, State, succeeded
from configlint.launch.testgrammar import agree
from configlint.launch.values import Value, options
from configlint.syntax.bash import nodes

if TYPE_CHECKING:
    from configlint.launch.interpret import Interpreter

States = list[State]
_Pending: TypeAlias = tuple[int, bool, State]
"""The first arm to look at, whether one has matched, and the path."""
Follow: TypeAlias = Callable[[nodes.Sequence, State], States]
TAKEN = {True: "true", False: "false", None: "both"}
"""What a decision records for a verdict."""


class Branches:
    """Decided branches take one side; undecided ones both, joined where their effects agree."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._machine = interpreter.machine

    def and_or(self, node: nodes.AndOr, state: State) -> States:
        out: States = []
        undecided = False
        goes_on = node.operator == "&&"
        for left in self._interpreter.condition(node.left, state):
            if not left.running:
                out.append(left)
                continue
            verdict = succeeded(left.status)
            if left.status == ASSUMED:
                verdict = True
                if not goes_on:
                    self._machine.assume(left, node, "the command before || succeeds")
            if verdict is None:
                undecided = True
                other = left.fork()
                other.status = 1 if goes_on else 0
                out.append(other)
            if verdict is None or verdict is goes_on:
                out.extend(self._interpreter.command(node.right, left))
            else:
                out.append(left)
        return self._interpreter.settle(out, node) if undecided else out

    def choose(self, node: nodes.If, state: State, follow: Follow | None = None) -> States:
        """``if``. ``follow``: how to run the statements of the only path through it."""
        if not node.redirects:
            return self._clauses(node, state, follow)
        return self._interpreter.redirected(node, state, lambda s: self._clauses(node, s))

    def _clauses(self, node: nodes.If, state: State, follow: Follow | None = None) -> States:
        pending, out, undecided = [state], [], False
        for clause in node.clauses:
            following: States = []
            for before in pending:
                tests = self._interpreter.condition(clause.condition, before)
                if undecided or len(tests) > 1:
                    follow = None
                for tested in tests:
                    if not tested.running:
                        out.append(tested)
                        continue
                    verdict = succeeded(tested.status)
                    if verdict is None:
                        undecided = True
                        following.append(tested.fork())
                    if verdict is False:
                        following.append(tested)
                    elif follow is not None and not undecided:
                        return follow(clause.body, tested)
                    else:
                        out.extend(self._interpreter.sequence(clause.body, [tested]))
            pending = following
            if len(out) > MAX_PATHS:
                out = self._interpreter.bounded(self._interpreter.settle(out, node), node)
            if not pending:
                break
        for rest in pending:
            rest.status = 0
            if follow is not None and node.otherwise and not undecided:
                return follow(node.otherwise, rest)
            out.extend(self._interpreter.sequence(node.otherwise, [rest]) if node.otherwise else [rest])
        return self._interpreter.settle(out, node) if undecided else out

    def case(self, node: nodes.Case, state: State) -> States:
        return self._interpreter.redirected(node, state, lambda s: self._arms(node, s))

    def _arms(self, node: nodes.Case, state: State) -> States:
        out: States = []
        undecided = False
        for one in self._interpreter.shells.substitute(node, state):
            if not one.running:
                out.append(one)
                continue
            subject = self._machine.expander.scalar(node.subject, one)
            cells = self._machine.expander.take_used()
            ended, open_question = self._follow_arms(node, subject, cells, one)
            out.extend(ended)
            undecided |= open_question
        return self._interpreter.settle(out, node) if undecided else out

    def _follow_arms(
        self, node: nodes.Case, subject: Value, cells: tuple[Cell, ...], state: State
    ) -> tuple[States, bool]:
        """The paths through the arms, and whether one was undecided."""
        pending: list[_Pending] = [(0, False, state)]
        undecided = False
        for index, arm in enumerate(node.arms):
            following: list[_Pending] = []
            for first, matched, before in pending:
                if index < first or not before.running:
                    following.append((first, matched, before))
                    continue
                self._machine.expander.used.extend(cells)
                verdict = self._arm_matches(subject, arm, before)
                self._machine.decide(before, arm, TAKEN[verdict])
                if verdict is None:
                    undecided = True
                    following.append((first, matched, before.fork()))
                if verdict is False:
                    following.append((first, matched, before))
                else:
                    after, states = self._arm_body(node, index, before)
                    following.extend((after, True, one) for one in states)
            pending = self._bounded_arms(following, node) if len(following) > MAX_PATHS else following
        for _, matched, one in pending:
            if not matched:
                one.status = 0
        return [one for _, _, one in pending], undecided

    def _bounded_arms(self, pending: list[_Pending], node: nodes.Case) -> list[_Pending]:
        """At most so many paths, those joined that are through with the arms."""
        end = len(node.arms)
        through = [one for first, matched, one in pending if matched and first >= end]
        others = [one for one in pending if not one[1] or one[0] < end]
        joined = self._interpreter.bounded(self._interpreter.settle(through, node), node)
        return [*others, *((end, True, one) for one in joined)]

    def _arm_matches(self, subject: Value, arm: nodes.CaseArm, state: State) -> bool | None:
        open_question = False
        for pattern in arm.patterns:
            self._machine.spend(2)
            try:
                texts = [self._machine.force(option) for option in options(subject)]
                compiled = [patterns.compile_pattern(one) for one in self._machine.expander.pattern(pattern, state)]
                self._machine.spend(sum(patterns.steps(one, text) for one in compiled for text in texts) >> 6)
                found = agree([
                    patterns.matches(one, text) for one in compiled for text in texts
                ])  # fmt: skip
            except patterns.UnsupportedPattern:
                found = None
            if found:
                return True
            open_question |= found is None
        return None if open_question else False

    def _arm_body(self, node: nodes.Case, index: int, state: State) -> tuple[int, States]:
        """Run an arm and those it falls through to. Also: the first arm to look at next (``;;&``)."""
        if not node.arms[index].body.commands:
            state.status = 0
        states = self._interpreter.sequence(node.arms[index].body, [state])
        while node.arms[index].terminator == ";&" and index + 1 < len(node.arms):
            index += 1
            states = self._interpreter.sequence(node.arms[index].body, states)
        return index + 1 if node.arms[index].terminator == ";;&" else len(node.arms), states
