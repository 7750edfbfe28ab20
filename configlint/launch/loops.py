"""Loops: unrolled while their words or conditions are known, assumed to end where they are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from configlint.launch.machine import NotAnalysed
from configlint.launch.outcome import Cell
from configlint.launch.settings import MAX_ROUNDS
from configlint.launch.state import Flow, State, merge, succeeded
from configlint.launch.values import Value, unknown
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Node, Sequence, Word

if TYPE_CHECKING:
    from configlint.launch.interpret import Interpreter

States = list[State]


class Loops:
    """``for``, ``while``, ``until`` and the arithmetic ``for``."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._machine = interpreter.machine

    def each(self, node: nodes.For, state: State) -> States:
        return self._interpreter.redirected(node, state, lambda s: self._for_words(node, s))

    def _for_words(self, node: nodes.For, state: State) -> States:
        out: States = []
        for ready in self._interpreter.shells.substitute(node, state):
            if not ready.running:
                out.append(ready)
                continue
            if node.words is None:
                values: list[Value] = [cell.value for cell in ready.positional]
            else:
                values = self._machine.expander.fields(node.words, ready)
            via = self._machine.expander.take_used()
            place = self._machine.place(ready, node)
            if len(values) > MAX_ROUNDS:
                raise NotAnalysed(place, f"a loop over more than {MAX_ROUNDS} words")
            states = [ready]
            if len(values) == 1 and isinstance(values[0], str) and values[0] == unknown(values[0][1:-1]):
                states = self._perhaps(node, node.name, values[0], via, ready)
            else:
                for value in values:
                    for current in states:
                        if current.running:
                            self._machine.set(current, node.name, Cell(value, node.name, place, "loop", via))
                    states = self._round(node.body, states)
            out.extend(self._leave_loop(states, node))
        return out

    def _perhaps(self, node: nodes.For, name: str, value: Value, via: tuple[Cell, ...], state: State) -> States:
        """A loop over words that are not known: no round, or one with an unknown word."""
        skipped = state.fork()
        skipped.status = 0
        self._machine.set(state, name, Cell(value, name, self._machine.place(state, node), "loop", via))
        return self._interpreter.settle([*self._round(node.body, [state]), skipped], node)

    def _round(self, body: Sequence, states: States) -> States:
        out: States = []
        for state in states:
            if not state.running:
                out.append(state)
                continue
            for after in self._interpreter.sequence(body, [state]):
                if after.flow is Flow.CONTINUE:
                    after.levels -= 1
                    if after.levels <= 0:
                        after.flow = Flow.NEXT
                out.append(after)
        return merge(out, "a loop") if len(out) > 4 else out

    def _leave_loop(self, states: States, node: Node) -> States:
        for state in states:
            if state.flow is Flow.BREAK:
                state.levels -= 1
                if state.levels <= 0:
                    state.flow = Flow.NEXT
                    state.status = 0
        return merge(states, self._interpreter.where(node, states[0])) if len(states) > 1 else states

    def repeat(self, node: nodes.While, state: State) -> States:
        return self._interpreter.redirected(node, state, lambda s: self._leave_loop(self._rounds(node, s), node))

    def _rounds(self, node: nodes.While, state: State) -> States:
        pending, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for before in pending:
                for tested in self._interpreter.condition(node.condition, before):
                    if not tested.running:
                        out.append(tested)
                        continue
                    verdict = succeeded(tested.status)
                    if verdict is not None and node.until:
                        verdict = not verdict
                    if verdict is None:
                        out.extend(self._undecided_rounds(node, tested))
                    elif verdict:
                        following.extend(self._round(node.body, [tested]))
                    else:
                        tested.status = 0
                        out.append(tested)
            out.extend(one for one in following if not one.running)
            pending = [one for one in following if one.running]
            if not pending:
                return out
        raise NotAnalysed(self._machine.place(pending[0], node), f"a loop of more than {MAX_ROUNDS} rounds")

    def _undecided_rounds(self, node: nodes.While, state: State) -> States:
        """Who knows how often: assume the loop ends; what its body assigns is unknown afterwards."""
        skipped = state.fork()
        skipped.status = 0
        self._machine.assume(skipped, node, "the loop ends")
        before = dict(state.variables)
        after = [one for one in self._round(node.body, [state]) if one.flow in (Flow.NEXT, Flow.BREAK)]
        where = self._interpreter.where(node, skipped)
        for one in after:
            one.flow = Flow.NEXT
            for name, cell in one.variables.items():
                if before.get(name) is not cell:
                    value = Cell(unknown(f"{name} after {where}"), name, self._machine.place(one, node), "loop")
                    one.variables[name] = value
        return merge([skipped, *after], where)

    def arithmetic(self, node: nodes.ArithmeticFor, state: State) -> States:
        expander = self._machine.expander

        def step(word: Word | None, current: State) -> int | None:
            return 0 if word is None else self._interpreter.truth(word, current)

        expander.take_used()
        step(node.initial, state)
        states, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for current in states:
                verdict = step(node.condition, current)
                if verdict is None:
                    raise NotAnalysed(self._machine.place(current, node), "a loop whose bound is not known")
                if verdict:
                    current.status = 0
                    out.append(current)
                else:
                    following.extend(self._round(node.body, [current]))
            for current in following:
                if current.running:
                    step(node.step, current)
            out.extend(one for one in following if not one.running)
            states = [one for one in following if one.running]
            if not states:
                return self._leave_loop(out, node)
        raise NotAnalysed(self._machine.place(states[0], node), f"a loop of more than {MAX_ROUNDS} rounds")
