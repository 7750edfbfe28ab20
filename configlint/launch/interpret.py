"""Following bash: statements and branches.

Each method takes one path and gives back the paths it became. A decided branch gives one; an undecided one runs both
sides and joins them where their effects agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from configlint.launch import patterns
from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.calls import Call
from configlint.launch.commands import handler_of
from configlint.launch.conditions import Conditions, agree
from configlint.launch.loops import Loops
from configlint.launch.machine import Machine, NotAnalysed
from configlint.launch.outcome import End
from configlint.launch.parameters import UnsetRequired
from configlint.launch.redirections import Redirections
from configlint.launch.settings import MAX_PATHS, MAX_STATEMENTS
from configlint.launch.shells import Shells
from configlint.launch.simple import assign, declare
from configlint.launch.state import ASSUMED, Ending, Flow, State, merge, succeeded
from configlint.launch.values import options
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Node, Sequence, Word

States = list[State]
_TAKEN: dict[bool | None, str] = {True: "true", False: "false", None: "both"}


class Interpreter:
    """Runs scripts in a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.conditions = Conditions(machine)
        self.redirections = Redirections(machine)
        self.shells = Shells(self)
        loops = Loops(self)
        self._handlers: dict[type, Callable[[Any, State], States]] = {
            nodes.Simple: self._simple,
            nodes.Declaration: self._declaration,
            nodes.Conditional: self._conditional,
            nodes.If: self._if,
            nodes.AndOr: self._and_or,
            nodes.Sequence: lambda node, state: self.sequence(node, [state]),
            nodes.Pipeline: self.shells.pipeline,
            nodes.Case: self._case,
            nodes.For: loops.each,
            nodes.While: loops.repeat,
            nodes.ArithmeticFor: loops.arithmetic,
            nodes.ArithmeticCommand: self._arithmetic,
            nodes.Group: lambda node, state: self.redirected(node, state, lambda s: self.sequence(node.body, [s])),
            nodes.Subshell: lambda node, state: self.redirected(
                node, state, lambda s: self.shells.subshell(node.body, s)
            ),
            nodes.Function: self._define,
            nodes.Background: self._background,
            nodes.Opaque: self._opaque,
        }

    # --- statements ---------------------------------------------------------------------------

    def sequence(self, node: Sequence, states: States) -> States:
        """Statements one after the other, on every path that is still running."""
        for command in node.commands:
            if len(states) == 1:
                if not states[0].running:
                    return states
                states = self.command(command, states[0])
                continue
            following: States = []
            for state in states:
                if state.running:
                    following.extend(self.command(command, state))
                else:
                    following.append(state)
            states = following
            if len(states) > MAX_PATHS:
                states = self._bounded(states, command)
        return states

    def _bounded(self, states: States, node: Node) -> States:
        states = merge(states, self.where(node, states[0]))
        if len(states) > MAX_PATHS:
            place = self.machine.place(states[0], node)
            stop = states[0]
            stop.flow, stop.ending = Flow.STOP, Ending(End.NOT_ANALYSED, place, f"more than {MAX_PATHS} paths")
            return [stop]
        return states

    def command(self, node: Command, state: State) -> States:
        """One command. A cap or an unmodelled construct ends the path here, and says so."""
        machine = self.machine
        machine.statements += 1
        script = state.script
        if script is not None:
            machine.executed.add((script.text.path, node.start))
        try:
            if machine.statements > MAX_STATEMENTS:
                raise NotAnalysed(machine.place(state, node), f"more than {MAX_STATEMENTS:,} statements")
            return self._handlers[type(node)](node, state)
        except NotAnalysed as fault:
            state.flow, state.ending = Flow.STOP, Ending(End.NOT_ANALYSED, fault.place, fault.reason)
        except RecursionError:
            place = self.machine.place(state, node)
            state.flow, state.ending = Flow.STOP, Ending(End.NOT_ANALYSED, place, "nested too deeply")
        except UnsetRequired as fault:
            state.status, state.failure = 1, str(fault)
            self._die(state, node, str(fault))
        return [state]

    def _die(self, state: State, node: Node, reason: str) -> None:
        state.flow = Flow.EXIT
        state.ending = Ending(End.ABORT, self.machine.place(state, node), reason)

    def check_errexit(self, state: State, node: Node) -> None:
        """Under ``set -e`` a command that is known to fail ends the shell."""
        if (
            state.options.errexit
            and not state.guarded
            and state.running
            and state.status is not None
            and state.status > 0
        ):
            self._die(state, node, state.failure or "a command fails under set -e")

    @staticmethod
    def where(node: Node, state: State) -> str:
        line = state.script.text.position(node.start).line if state.script else 0
        return f"line {line}"

    def _simple(self, node: nodes.Simple, state: State) -> States:
        if not self.machine.world.substitutions(node) and not node.redirects:
            if node.words:
                out = self._invoke(node, state)
            else:
                self._assign_only(node, state)
                out = [state]
            if state.options.errexit:
                for after in out:
                    self.check_errexit(after, node)
            return out
        out = []
        for ready in self.shells.substitute(node, state):
            if not ready.running:
                out.append(ready)
                continue
            if not node.words:
                self._assign_only(node, ready)
                out.append(ready)
            else:
                out.extend(self.redirected(node, ready, lambda s: self._invoke(node, s)))
        for ready in out:
            self.check_errexit(ready, node)
        return out

    def _assign_only(self, node: nodes.Simple, state: State) -> None:
        status = state.status if self.machine.world.substitutions(node) else 0
        for assignment in node.assignments:
            assign(self.machine, state, assignment)
        state.status = status
        if node.redirects:
            self.redirections.run(node, state, lambda s: [s])

    def _invoke(self, node: nodes.Simple, state: State) -> States:
        call = Call(self, state, node)
        if not node.assignments:
            return self.dispatch(call)
        saved = {a.name: state.variables.get(a.name) for a in node.assignments}
        for assignment in node.assignments:
            assign(self.machine, state, assignment)
        exported, state.exported = state.exported, state.exported | saved.keys()
        states = self.dispatch(call)
        for after in states:
            after.exported = exported
            for name, cell in saved.items():
                if cell is None:
                    after.variables.pop(name, None)
                else:
                    after.variables[name] = cell
        return states

    def dispatch(self, call: Call) -> States:
        """Run a call: a function, a command with a summary, or an opaque one."""
        if not call.words:
            call.ok()
            return [call.state]
        name = call.name
        function = call.state.functions.get(name)
        if function is not None and call.words[0] == name:
            return self.shells.call_function(call, *function)
        states = handler_of(name)(call)
        return [call.state] if states is None else states

    def _declaration(self, node: nodes.Declaration, state: State) -> States:
        states = self.shells.substitute(node, state)
        for ready in states:
            if ready.running:
                ready.status = 0
                declare(self.machine, ready, node)
        return states

    def _conditional(self, node: nodes.Conditional, state: State) -> States:
        states = self.shells.substitute(node, state)
        for ready in states:
            if ready.running:
                verdict = self.conditions.conditional(node.expression, ready)
                ready.status = None if verdict is None else int(not verdict)
                ready.failure = "the test is false"
                self.machine.decide(ready, node, _TAKEN[verdict])
                if ready.options.errexit:
                    self.check_errexit(ready, node)
        return states

    def _arithmetic(self, node: nodes.ArithmeticCommand, state: State) -> States:
        states = self.shells.substitute(node, state)
        for ready in states:
            if ready.running:
                ready.status, ready.failure = self.truth(node.expression, ready), "the arithmetic value is 0"
                self.check_errexit(ready, node)
        return states

    def truth(self, expression: Word, state: State) -> int | None:
        """Exit status of ``(( expression ))``."""
        value = self.machine.expander.scalar(expression, state)
        verdicts: list[bool | None] = []
        for option in options(value):
            try:
                verdicts.append(self.machine.expander.evaluate(option, state) != 0)
            except (Undecided, NotArithmetic):
                verdicts.append(None)
        verdict = agree(verdicts)
        return None if verdict is None else int(not verdict)

    def _define(self, node: nodes.Function, state: State) -> States:
        assert state.script is not None
        state.functions[node.name] = (node.body, state.script)
        state.status = 0
        return [state]

    def _opaque(self, node: nodes.Opaque, state: State) -> States:
        raise NotAnalysed(self.machine.place(state, node), f"{node.kind} is not modelled")

    def _background(self, node: nodes.Background, state: State) -> States:
        states = self.shells.subshell(node.command, state)
        for after in states:
            after.status = 0
        return states

    # --- branches -----------------------------------------------------------------------------

    def condition(self, node: Sequence | Command, state: State) -> States:
        """Run a command whose status decides: errexit does not apply inside."""
        state.guarded += 1
        if not isinstance(node, Sequence):
            states = self.command(node, state)
        elif len(node.commands) == 1:
            states = self.command(node.commands[0], state)
        else:
            states = self.sequence(node, [state])
        for after in states:
            after.guarded -= 1
        return states

    def settle(self, states: States, node: Node) -> States:
        """After an undecided branch: a side that exits is dropped where another goes on, the rest is joined."""
        if len(states) < 2:
            return states
        going = [state for state in states if state.flow is not Flow.EXIT]
        if going and len(going) < len(states):
            dropped = next(state for state in states if state.flow is Flow.EXIT)
            at = dropped.ending.at if dropped.ending else None
            line = f" at line {at.line}" if at else ""
            for state in going:
                self.machine.assume(state, node, f"the exit{line} is not taken")
            states = going
        return merge(states, self.where(node, states[0]))

    def _and_or(self, node: nodes.AndOr, state: State) -> States:
        out: States = []
        undecided = False
        goes_on = node.operator == "&&"
        for left in self.condition(node.left, state):
            if not left.running:
                out.append(left)
                continue
            verdict = succeeded(left.status)
            if left.status == ASSUMED:
                verdict = True
                if not goes_on:
                    self.machine.assume(left, node, "the command before || succeeds")
            if verdict is None:
                undecided = True
                other = left.fork()
                other.status = 1 if goes_on else 0
                out.append(other)
            if verdict is None or verdict is goes_on:
                out.extend(self.command(node.right, left))
            else:
                out.append(left)
        return self.settle(out, node) if undecided else out

    def _if(self, node: nodes.If, state: State) -> States:
        if not node.redirects:
            return self._clauses(node, state)
        return self.redirected(node, state, lambda s: self._clauses(node, s))

    def _clauses(self, node: nodes.If, state: State) -> States:
        pending, out, undecided = [state], [], False
        for clause in node.clauses:
            following: States = []
            for before in pending:
                for tested in self.condition(clause.condition, before):
                    if not tested.running:
                        out.append(tested)
                        continue
                    verdict = succeeded(tested.status)
                    if verdict is None:
                        undecided = True
                        following.append(tested.fork())
                    if verdict is False:
                        following.append(tested)
                    else:
                        out.extend(self.sequence(clause.body, [tested]))
            pending = following
            if not pending:
                break
        for rest in pending:
            rest.status = 0
            out.extend(self.sequence(node.otherwise, [rest]) if node.otherwise else [rest])
        return self.settle(out, node) if undecided else out

    def _case(self, node: nodes.Case, state: State) -> States:
        return self.redirected(node, state, lambda s: self._arms(node, s))

    def _arms(self, node: nodes.Case, state: State) -> States:
        pending = self.shells.substitute(node, state)
        out: States = []
        undecided = False
        out.extend(one for one in pending if not one.running)
        pending = [one for one in pending if one.running]
        for index, arm in enumerate(node.arms):
            following: States = []
            for before in pending:
                verdict = self._arm_matches(node, arm, before)
                self.machine.decide(before, arm, _TAKEN[verdict])
                if verdict is None:
                    undecided = True
                    following.append(before.fork())
                if verdict is False:
                    following.append(before)
                else:
                    out.extend(self._arm_body(node, index, before))
            pending = following
        for rest in pending:
            rest.status = 0
            out.append(rest)
        return self.settle(out, node) if undecided else out

    def _arm_matches(self, node: nodes.Case, arm: nodes.CaseArm, state: State) -> bool | None:
        subject = self.machine.expander.scalar(node.subject, state)
        open_question = False
        for pattern in arm.patterns:
            try:
                found = agree([
                    patterns.matches(patterns.compile_pattern(segments), self.machine.force(option))
                    for segments in self.machine.expander.pattern(pattern, state)
                    for option in options(subject)
                ])  # fmt: skip
            except patterns.UnsupportedPattern:
                found = None
            if found:
                return True
            open_question |= found is None
        return None if open_question else False

    def _arm_body(self, node: nodes.Case, index: int, state: State) -> States:
        states = self.sequence(node.arms[index].body, [state])
        while node.arms[index].terminator == ";&" and index + 1 < len(node.arms):
            index += 1
            states = self.sequence(node.arms[index].body, states)
        return states

    def redirected(self, node: Any, state: State, run: Callable[[State], States]) -> States:
        return self.redirections.run(node, state, run) if node.redirects else run(state)
