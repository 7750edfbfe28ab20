"""Loops: unrolled while their words or conditions are known, assumed to end where they are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from configlint.launch.arrays import open_array
from configlint.launch.conditions import absolute
from configlint.launch.outcome import ArrayCell, Cell, FileUse, Variable
from configlint.launch.settings import MAX_ROUNDS
from configlint.launch.state import Flow, State, succeeded
from configlint.launch.values import Value, is_hole, options, unknown
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

    # --- over words -----------------------------------------------------------------------------

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
                self._machine.expander.vanished.clear()
                values = self._machine.expander.fields(node.words, ready)
                self._note_vanished(node, ready)
            via = self._machine.expander.take_used()
            if len(values) > MAX_ROUNDS:
                out.append(self._interpreter.stop(ready, node, f"a loop over more than {MAX_ROUNDS} words"))
                continue
            out.extend(self._leave(self._over(node, values, via, ready), node))
        return out

    def _note_vanished(self, node: nodes.For, state: State) -> None:
        """Patterns that match nothing, under nullglob: the loop does nothing for them."""
        expander = self._machine.expander
        place = self._machine.place(state, node)
        for value in expander.vanished:
            for option in options(value):
                path = absolute(self._machine.force(option), state)
                cell = Cell(option, node.name, place, "loop", tuple(expander.used))
                self._machine.use(state, FileUse("match", "for", place, cell, path, False))

    def _over(self, node: nodes.For, values: list[Value], via: tuple[Cell, ...], state: State) -> States:
        place = self._machine.place(state, node)
        state.loops += 1
        state.status = 0
        if node.select:
            values = [unknown(f"{node.name} as chosen")]
        states = [state]
        for value in values:
            following: States = []
            for current in states:
                if not current.running:
                    following.append(current)
                    continue
                self._machine.set(current, node.name, Cell(value, node.name, place, "loop", via))
                if is_hole(value):  # any number of words
                    following.extend(self._perhaps(node, current, lambda s: self._round(node.body, [s])))
                else:
                    following.extend(self._round(node.body, [current]))
            states = self._interpreter.bounded(following, node)
        return states

    # --- while a condition holds ------------------------------------------------------------------

    def repeat(self, node: nodes.While, state: State) -> States:
        return self._interpreter.redirected(node, state, lambda s: self._leave(self._rounds(node, s), node))

    def _rounds(self, node: nodes.While, state: State) -> States:
        state.loops += 1
        state.status = 0
        pending, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for before in pending:
                last = before.status
                for tested in self._interpreter.condition(node.condition, before):
                    if not tested.running:
                        out.append(tested)
                        continue
                    verdict = succeeded(tested.status)
                    if verdict is not None and node.until:
                        verdict = not verdict
                    if verdict is None:
                        tested.status = last
                        out.extend(self._perhaps(node, tested, lambda s: self._round(node.body, [s])))
                    elif verdict:
                        following.extend(self._round(node.body, [tested]))
                    else:
                        tested.status = last
                        out.append(tested)
            out.extend(one for one in following if not one.running)
            pending = self._interpreter.bounded([one for one in following if one.running], node)
            if not pending:
                return out
        return self._unending(node, pending, out)

    def _unending(self, node: Node, pending: States, out: States) -> States:
        """After too many rounds. Where another path has left the loop, this one is assumed to leave it as well."""
        if not out:
            return [self._interpreter.stop(pending[0], node, f"a loop of more than {MAX_ROUNDS} rounds")]
        for one in out:
            self._machine.assume(one, node, f"the loop ends within {MAX_ROUNDS} rounds")
        return out

    def _perhaps(self, node: Node, state: State, body: Callable[[State], States]) -> States:
        """Who knows how often: not at all, or some rounds; what the body assigns is unknown in them and afterwards."""
        where = self._interpreter.where(node, state)
        before = dict(state.variables)
        skipped = state.fork()
        self._machine.assume(skipped, node, "the loop ends")
        later = state.fork()
        first = body(state)
        names = {name for one in first for name, cell in one.variables.items() if before.get(name) is not cell}
        out = [skipped]
        rounds = [first]
        if names:
            self._forget(later, names, node, where)
            rounds.append(body(later))
        for states in rounds:
            for one in states:
                if one.flow in (Flow.NEXT, Flow.BREAK):
                    changed = {name for name, cell in one.variables.items() if before.get(name) is not cell}
                    self._forget(one, changed, node, where)
                out.append(one)
        return self._interpreter.settle(out, node)

    def _forget(self, state: State, names: set[str], node: Node, where: str) -> None:
        place = self._machine.place(state, node)
        for name in names:
            old: Variable | None = state.variables.get(name)
            of = f"{name} after {where}"
            if isinstance(old, ArrayCell):
                state.variables[name] = open_array(name, of, place, "loop", associative=old.associative)
            else:
                state.variables[name] = Cell(unknown(of), name, place, "loop")

    # --- arithmetic -------------------------------------------------------------------------------

    def arithmetic(self, node: nodes.ArithmeticFor, state: State) -> States:
        return self._interpreter.redirected(node, state, lambda s: self._leave(self._counted(node, s), node))

    def _step(self, word: Word | None, state: State) -> int | None:
        return 0 if word is None else self._interpreter.truth(word, state)

    def _counted(self, node: nodes.ArithmeticFor, state: State) -> States:
        self._machine.expander.take_used()
        self._step(node.initial, state)
        state.loops += 1
        state.status = 0
        pending, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for current in pending:
                last = current.status
                verdict = self._step(node.condition, current)
                current.status = last
                if verdict is None:
                    out.extend(self._perhaps(node, current, lambda s: self._counted_round(node, s)))
                elif verdict:
                    out.append(current)
                else:
                    following.extend(self._counted_round(node, current))
            out.extend(one for one in following if not one.running)
            pending = self._interpreter.bounded([one for one in following if one.running], node)
            if not pending:
                return out
        return self._unending(node, pending, out)

    def _counted_round(self, node: nodes.ArithmeticFor, state: State) -> States:
        states = self._round(node.body, [state])
        for one in states:
            if one.running:
                self._step(node.step, one)
        return states

    # --- rounds -----------------------------------------------------------------------------------

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
        return self._interpreter.merge(out, "a loop") if len(out) > 4 else out

    def _leave(self, states: States, node: Node) -> States:
        for state in states:
            state.loops -= 1
            if state.flow is Flow.BREAK:
                state.levels -= 1
                if state.levels <= 0:
                    state.flow = Flow.NEXT
                    state.status = 0
        return self._interpreter.merge(states, self._interpreter.where(node, states[0])) if states else states
