"""Following bash: sequences, branches, loops, functions, subshells.

Each method takes one path and gives back the paths it became. A decided branch gives one; an undecided one runs both
sides and joins them where their effects agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from configlint.launch import patterns
from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.calls import Call, dispatch
from configlint.launch.conditions import Conditions, agree
from configlint.launch.machine import Machine, NotAnalysed
from configlint.launch.outcome import ArrayCell, Cell, End
from configlint.launch.parameters import UnsetRequired
from configlint.launch.settings import MAX_CALLS, MAX_PATHS, MAX_ROUNDS
from configlint.launch.redirections import Redirections
from configlint.launch.simple import assign, declare
from configlint.launch.state import ASSUMED, Ending, Flow, Frame, State, flat, merge, succeeded
from configlint.launch.texts import VirtualText
from configlint.launch.values import Value, options, unknown
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Node, Script, Sequence, Word

States = list[State]


class Interpreter:
    """Runs scripts in a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.conditions = Conditions(machine)
        self.redirections = Redirections(machine)
        self._handlers: dict[type, Callable[[Any, State], States]] = {
            nodes.Simple: self._simple,
            nodes.Declaration: self._declaration,
            nodes.Conditional: self._conditional,
            nodes.If: self._if,
            nodes.AndOr: self._and_or,
            nodes.Sequence: lambda node, state: self.sequence(node, [state]),
            nodes.Pipeline: self._pipeline,
            nodes.Case: self._case,
            nodes.For: self._for,
            nodes.While: self._while,
            nodes.ArithmeticFor: self._arithmetic_for,
            nodes.ArithmeticCommand: self._arithmetic,
            nodes.Group: lambda node, state: self._redirected(node, state, lambda s: self.sequence(node.body, [s])),
            nodes.Subshell: lambda node, state: self._redirected(node, state, lambda s: self.subshell(node.body, s)),
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
        states = merge(states, self._where(node, states[0]))
        if len(states) > MAX_PATHS:
            place = self.machine.place(states[0], node)
            stop = states[0]
            stop.flow, stop.ending = Flow.STOP, Ending(End.NOT_ANALYSED, place, f"more than {MAX_PATHS} paths")
            return [stop]
        return states

    def command(self, node: Command, state: State) -> States:
        """One command. A cap or an unmodelled construct ends the path here, and says so."""
        try:
            self.machine.count(state, node)
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
    def _where(node: Node, state: State) -> str:
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
        for ready in self.substitute(node, state):
            if not ready.running:
                out.append(ready)
                continue
            if not node.words:
                self._assign_only(node, ready)
                out.append(ready)
            else:
                out.extend(self._redirected(node, ready, lambda s: self._invoke(node, s)))
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
            return dispatch(call)
        saved = {a.name: state.variables.get(a.name) for a in node.assignments}
        for assignment in node.assignments:
            assign(self.machine, state, assignment)
        exported, state.exported = state.exported, state.exported | saved.keys()
        states = dispatch(call)
        for after in states:
            after.exported = exported
            for name, cell in saved.items():
                if cell is None:
                    after.variables.pop(name, None)
                else:
                    after.variables[name] = cell
        return states

    def _declaration(self, node: nodes.Declaration, state: State) -> States:
        states = self.substitute(node, state)
        for ready in states:
            if ready.running:
                ready.status = 0
                declare(self.machine, ready, node)
        return states

    def _conditional(self, node: nodes.Conditional, state: State) -> States:
        states = self.substitute(node, state)
        for ready in states:
            if ready.running:
                verdict = self.conditions.conditional(node.expression, ready)
                ready.status = None if verdict is None else int(not verdict)
                ready.failure = "the test is false"
                self.machine.decide(ready, node, {True: "true", False: "false", None: "both"}[verdict])
                self.check_errexit(ready, node)
        return states

    def _arithmetic(self, node: nodes.ArithmeticCommand, state: State) -> States:
        states = self.substitute(node, state)
        for ready in states:
            if ready.running:
                ready.status, ready.failure = self._truth(node.expression, ready), "the arithmetic value is 0"
                self.check_errexit(ready, node)
        return states

    def _truth(self, expression: Word, state: State) -> int | None:
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
        states = self.subshell(node.command, state)
        for after in states:
            after.status = 0
        return states

    # --- branches -----------------------------------------------------------------------------

    def condition(self, node: Sequence | Command, state: State) -> States:
        """Run a command whose status decides: errexit does not apply inside."""
        state.guarded += 1
        states = self.sequence(node, [state]) if isinstance(node, Sequence) else self.command(node, state)
        for after in states:
            after.guarded -= 1
        return states

    def _settle(self, states: States, node: Node) -> States:
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
        return merge(states, self._where(node, states[0]))

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
        return self._settle(out, node) if undecided else out

    def _if(self, node: nodes.If, state: State) -> States:
        if not node.redirects:
            return self._clauses(node, state)
        return self._redirected(node, state, lambda s: self._clauses(node, s))

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
        return self._settle(out, node) if undecided else out

    def _case(self, node: nodes.Case, state: State) -> States:
        return self._redirected(node, state, lambda s: self._arms(node, s))

    def _arms(self, node: nodes.Case, state: State) -> States:
        pending, out, undecided = self.substitute(node, state), [], False
        out.extend(one for one in pending if not one.running)
        pending = [one for one in pending if one.running]
        for index, arm in enumerate(node.arms):
            following: States = []
            for before in pending:
                verdict = self._arm_matches(node, arm, before)
                self.machine.decide(before, arm, {True: "true", False: "false", None: "both"}[verdict])
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
        return self._settle(out, node) if undecided else out

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

    # --- loops --------------------------------------------------------------------------------

    def _for(self, node: nodes.For, state: State) -> States:
        return self._redirected(node, state, lambda s: self._for_words(node, s))

    def _for_words(self, node: nodes.For, state: State) -> States:
        out: States = []
        for ready in self.substitute(node, state):
            if not ready.running:
                out.append(ready)
                continue
            if node.words is None:
                values: list[Value] = [cell.value for cell in ready.positional]
            else:
                values = self.machine.expander.fields(node.words, ready)
            via = self.machine.expander.take_used()
            place = self.machine.place(ready, node)
            if len(values) > MAX_ROUNDS:
                raise NotAnalysed(place, f"a loop over more than {MAX_ROUNDS} words")
            states = [ready]
            if len(values) == 1 and isinstance(values[0], str) and values[0] == unknown(values[0][1:-1]):
                states = self._perhaps(node, node.name, values[0], via, ready)
            else:
                for value in values:
                    for current in states:
                        if current.running:
                            self.machine.set(current, node.name, Cell(value, node.name, place, "loop", via))
                    states = self._round(node.body, states)
            out.extend(self._leave_loop(states, node))
        return out

    def _perhaps(self, node: nodes.For, name: str, value: Value, via: tuple[Cell, ...], state: State) -> States:
        """A loop over words that are not known: no round, or one with an unknown word."""
        skipped = state.fork()
        skipped.status = 0
        self.machine.set(state, name, Cell(value, name, self.machine.place(state, node), "loop", via))
        return self._settle([*self._round(node.body, [state]), skipped], node)

    def _round(self, body: Sequence, states: States) -> States:
        out: States = []
        for state in states:
            if not state.running:
                out.append(state)
                continue
            for after in self.sequence(body, [state]):
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
        return merge(states, self._where(node, states[0])) if len(states) > 1 else states

    def _while(self, node: nodes.While, state: State) -> States:
        return self._redirected(node, state, lambda s: self._leave_loop(self._rounds(node, s), node))

    def _rounds(self, node: nodes.While, state: State) -> States:
        pending, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for before in pending:
                for tested in self.condition(node.condition, before):
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
        raise NotAnalysed(self.machine.place(pending[0], node), f"a loop of more than {MAX_ROUNDS} rounds")

    def _undecided_rounds(self, node: nodes.While, state: State) -> States:
        """Who knows how often: assume the loop ends; what its body assigns is unknown afterwards."""
        skipped = state.fork()
        skipped.status = 0
        self.machine.assume(skipped, node, "the loop ends")
        before = dict(state.variables)
        after = [one for one in self._round(node.body, [state]) if one.flow in (Flow.NEXT, Flow.BREAK)]
        where = self._where(node, skipped)
        for one in after:
            one.flow = Flow.NEXT
            for name, cell in one.variables.items():
                if before.get(name) is not cell:
                    value = Cell(unknown(f"{name} after {where}"), name, self.machine.place(one, node), "loop")
                    one.variables[name] = value
        return merge([skipped, *after], where)

    def _arithmetic_for(self, node: nodes.ArithmeticFor, state: State) -> States:
        expander = self.machine.expander

        def step(word: Word | None, current: State) -> int | None:
            return 0 if word is None else self._truth(word, current)

        expander.take_used()
        step(node.initial, state)
        states, out = [state], []
        for _ in range(MAX_ROUNDS + 1):
            following: States = []
            for current in states:
                verdict = step(node.condition, current)
                if verdict is None:
                    raise NotAnalysed(self.machine.place(current, node), "a loop whose bound is not known")
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
        raise NotAnalysed(self.machine.place(states[0], node), f"a loop of more than {MAX_ROUNDS} rounds")

    # --- subshells, substitutions, pipelines ----------------------------------------------------

    def subshell(self, node: Command, state: State, stdin: VirtualText | Value | None = None) -> States:
        """Run in a copy of the shell; files and records stay, variables do not."""
        return [after for after, _ in self._captured(node, state, None, stdin)]

    def _captured(
        self,
        node: Command,
        state: State,
        captured: list[VirtualText | Value] | None,
        stdin: VirtualText | Value | None = None,
    ) -> list[tuple[State, list[VirtualText | Value]]]:
        sub = state.fork()
        if captured is not None:
            sub.captured = captured
        if stdin is not None:
            sub.stdin = stdin
        out: list[tuple[State, list[VirtualText | Value]]] = []
        for after in self.command(node, sub):
            parent = state.fork()
            parent.keep_effects(after)
            if captured is None:
                parent.captured = after.captured
            out.append((parent, after.captured if after.captured is not None else []))
        return out

    def substitute(self, statement: Node, state: State) -> States:
        """Run the command substitutions of a statement, in order; their output waits in the state."""
        states = [state]
        found = self.machine.world.substitutions(statement)
        if not found:
            return states
        for node in found:
            following: States = []
            for before in states:
                if not before.running:
                    following.append(before)
                else:
                    following.extend(self._substitution(node, before))
            states = merge(following, self._where(node, state)) if len(following) > 1 else following
        return states

    def _substitution(self, node: nodes.CommandSubstitution, state: State) -> States:
        watcher: list[Cell] = []
        expander = self.machine.expander
        outer = expander.used
        expander.used = []
        expander.watchers.append(watcher)
        try:
            results = self._captured(node.body, state, [])
            expander.take_used()
        finally:
            expander.watchers.pop()
            expander.used = outer
        via = tuple(dict.fromkeys(watcher))
        for after, pieces in results:
            value = flat(pieces)
            trimmed = tuple(option.rstrip("\n") for option in options(value))
            cell_value: Value = trimmed[0] if len(trimmed) == 1 else type(value)(trimmed)  # type: ignore[call-arg,arg-type]
            after.outputs[id(node)] = Cell(cell_value, "", self.machine.place(after, node), "output", via)
        return [after for after, _ in results]

    def _pipeline(self, node: nodes.Pipeline, state: State) -> States:
        if node.negated:
            states = self.condition(node.commands[0], state) if len(node.commands) == 1 else self._pipe(node, state, True)
            for after in states:
                verdict = succeeded(after.status)
                after.status = None if verdict is None else int(verdict)
            return states
        if len(node.commands) == 1:
            return self.command(node.commands[0], state)
        states = self._pipe(node, state, False)
        for after in states:
            self.check_errexit(after, node)
        return states

    def _pipe(self, node: nodes.Pipeline, state: State, negated: bool) -> States:
        state.guarded += 1
        flows: list[tuple[State, VirtualText | Value | None, list[int | None]]] = [(state, None, [])]
        last = len(node.commands) - 1
        for index, command in enumerate(node.commands):
            following: list[tuple[State, VirtualText | Value | None, list[int | None]]] = []
            for before, stdin, statuses in flows:
                if not before.running:
                    following.append((before, None, statuses))
                    continue
                captured: list[VirtualText | Value] | None = None if index == last else []
                for after, pieces in self._captured(command, before, captured, stdin if index else None):
                    output = pieces[0] if len(pieces) == 1 else flat(pieces) if captured is not None else None
                    following.append((after, output, [*statuses, after.status]))
            flows = following
        out = []
        for after, _, statuses in flows:
            after.guarded -= 1
            if after.options.pipefail and after.running:
                failing = [one for one in statuses if one is not None and one > 0]
                if failing:
                    after.status = failing[-1]
                elif any(one is None for one in statuses):
                    after.status = None
            out.append(after)
        return out

    def _redirected(self, node: Any, state: State, run: Callable[[State], States]) -> States:
        return self.redirections.run(node, state, run) if node.redirects else run(state)

    # --- functions and other scripts --------------------------------------------------------------

    def call_function(self, call: Call, body: Command, script: Script) -> States:
        """Call a shell function: positional parameters, dynamic scope, ``return``."""
        state = call.state
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self.machine.place(state, call.node), f"calls nested more than {MAX_CALLS} deep")
        arguments = tuple(call.cell(index) for index in range(1, len(call.words)))
        caller, state.script = state.script, script
        state.frames = (*state.frames, Frame({}, state.positional, str(call.words[0])))
        state.positional = arguments
        states = self.command(body, state)
        for after in states:
            frame = after.frames[-1]
            after.frames, after.positional, after.script = after.frames[:-1], frame.positional, caller
            for name, hidden in frame.hidden.items():
                if hidden is None:
                    after.variables.pop(name, None)
                else:
                    after.variables[name] = hidden
            if after.flow is Flow.RETURN:
                after.flow = Flow.NEXT
        return states

    def run_source(self, script: Script, state: State, node: Node, arguments: tuple[Cell, ...]) -> States:
        """``source``: the script's statements in this shell."""
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self.machine.place(state, node), f"calls nested more than {MAX_CALLS} deep")
        caller, state.script = state.script, script
        positional = state.positional
        state.positional = arguments or positional
        state.frames = (*state.frames, Frame({}, positional, "source"))
        states = self.sequence(script.body, [state])
        for after in states:
            after.frames, after.positional, after.script = after.frames[:-1], positional, caller
            if after.flow is Flow.RETURN:
                after.flow = Flow.NEXT
        return states

    def run_child(self, script: Script, state: State, node: Node, arguments: tuple[Cell, ...]) -> States:
        """``bash script``: another shell that sees exported variables only."""
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self.machine.place(state, node), f"calls nested more than {MAX_CALLS} deep")
        child = state.fork()
        child.variables = {n: c for n, c in state.variables.items() if n in state.exported and not isinstance(c, ArrayCell)}
        child.functions, child.options, child.guarded = {}, type(state.options)(), 0
        child.frames = (*state.frames, Frame({}, (), "bash"))
        child.positional, child.script = arguments, script
        out = []
        for after in self.sequence(script.body, [child]):
            parent = state.fork()
            parent.keep_effects(after)
            parent.captured = after.captured
            parent.outputs = state.outputs
            if after.flow is Flow.EXIT and after.ending is not None:
                parent.failure = after.ending.reason
            out.append((parent, after))
        return [self._child_ended(parent, after) for parent, after in out]

    def _child_ended(self, parent: State, child: State) -> State:
        if parent.script is self.machine.prelude and child.flow is not Flow.STOP:
            # The step that starts the launcher: how the launcher ends is how the launch ends.
            parent.flow = Flow.STOP
            parent.ending = child.ending or Ending(End.FALLTHROUGH, None)
            parent.variables, parent.cwd = child.variables, child.cwd
        return parent
