"""Shells within the shell: subshells, command substitutions, pipelines, functions, sourced and started scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from configlint.launch.calls import Call
from configlint.launch.machine import NotAnalysed
from configlint.launch.outcome import ArrayCell, Cell, End
from configlint.launch.settings import MAX_CALLS
from configlint.launch.state import Ending, Flow, Frame, State, flat, merge, succeeded
from configlint.launch.texts import VirtualText
from configlint.launch.values import Value, choice, options
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Node, Script

if TYPE_CHECKING:
    from configlint.launch.interpret import Interpreter

States = list[State]


class Shells:
    """What runs in a copy of the shell, or in another file."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._machine = interpreter.machine

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
        for after in self._interpreter.command(node, sub):
            parent = state.fork()
            parent.keep_effects(after)
            if captured is None:
                parent.captured = after.captured
            out.append((parent, after.captured if after.captured is not None else []))
        return out

    def substitute(self, statement: Node, state: State) -> States:
        """Run the command substitutions of a statement, in order; their output waits in the state."""
        states = [state]
        found = self._machine.world.substitutions(statement)
        if not found:
            return states
        for node in found:
            following: States = []
            for before in states:
                if not before.running:
                    following.append(before)
                else:
                    following.extend(self._substitution(node, before))
            states = merge(following, self._interpreter.where(node, state)) if len(following) > 1 else following
        return states

    def _substitution(self, node: nodes.CommandSubstitution, state: State) -> States:
        watcher: list[Cell] = []
        expander = self._machine.expander
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
            value = choice([option.rstrip("\n") for option in options(flat(pieces))], "output")
            after.outputs[id(node)] = Cell(value, "", self._machine.place(after, node), "output", via)
        return [after for after, _ in results]

    def pipeline(self, node: nodes.Pipeline, state: State) -> States:
        if node.negated:
            states = (
                self._interpreter.condition(node.commands[0], state)
                if len(node.commands) == 1
                else self._pipe(node, state, True)
            )
            for after in states:
                verdict = succeeded(after.status)
                after.status = None if verdict is None else int(verdict)
            return states
        if len(node.commands) == 1:
            return self._interpreter.command(node.commands[0], state)
        states = self._pipe(node, state, False)
        for after in states:
            self._interpreter.check_errexit(after, node)
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

    # --- functions and other scripts --------------------------------------------------------------

    def call_function(self, call: Call, body: Command, script: Script) -> States:
        """Call a shell function: positional parameters, dynamic scope, ``return``."""
        state = call.state
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self._machine.place(state, call.node), f"calls nested more than {MAX_CALLS} deep")
        arguments = tuple(call.cell(index) for index in range(1, len(call.words)))
        caller, state.script = state.script, script
        state.frames = (*state.frames, Frame({}, state.positional, str(call.words[0])))
        state.positional = arguments
        states = self._interpreter.command(body, state)
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
            raise NotAnalysed(self._machine.place(state, node), f"calls nested more than {MAX_CALLS} deep")
        caller, state.script = state.script, script
        positional = state.positional
        state.positional = arguments or positional
        state.frames = (*state.frames, Frame({}, positional, "source"))
        states = self._interpreter.sequence(script.body, [state])
        for after in states:
            after.frames, after.positional, after.script = after.frames[:-1], positional, caller
            if after.flow is Flow.RETURN:
                after.flow = Flow.NEXT
        return states

    def run_child(self, script: Script, state: State, node: Node, arguments: tuple[Cell, ...]) -> States:
        """``bash script``: another shell that sees exported variables only."""
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self._machine.place(state, node), f"calls nested more than {MAX_CALLS} deep")
        child = state.fork()
        child.variables = {
            n: c for n, c in state.variables.items() if n in state.exported and not isinstance(c, ArrayCell)
        }
        child.functions, child.options, child.guarded = {}, type(state.options)(), 0
        child.frames = (*state.frames, Frame({}, (), "bash"))
        child.positional, child.script = arguments, script
        out = []
        for after in self._interpreter.sequence(script.body, [child]):
            parent = state.fork()
            parent.keep_effects(after)
            parent.captured = after.captured
            parent.outputs = state.outputs
            if after.flow is Flow.EXIT and after.ending is not None:
                parent.failure = after.ending.reason
            out.append((parent, after))
        return [self._child_ended(parent, after) for parent, after in out]

    def _child_ended(self, parent: State, child: State) -> State:
        if parent.script is self._machine.prelude and child.flow is not Flow.STOP:
            # The step that starts the launcher: how the launcher ends is how the launch ends.
            parent.flow = Flow.STOP
            parent.ending = child.ending or Ending(End.FALLTHROUGH, None)
        return parent
