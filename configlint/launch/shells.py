"""Shells within the shell: subshells, command substitutions, pipelines, functions, sourced and started scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from configlint.launch.calls import Call
from configlint.launch.machine import NotAnalysed
from configlint.launch.outcome import ArrayCell, Cell, End
from configlint.launch.plans import Guarded
from configlint.launch.settings import MAX_CALLS
from configlint.launch.state import Ending, Flow, Frame, Options, State, flat, succeeded
from configlint.launch.texts import VirtualText
from configlint.launch.values import Value, choice, options
from configlint.launch.world import MADE
from configlint.source.text import Place
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
        substitution: bool = False,
    ) -> list[tuple[State, list[VirtualText | Value]]]:
        sub = state.fork()
        sub.loops = 0
        if substitution and sub.options.errexit and "inherit_errexit" not in sub.options.extended:
            sub.options = replace(sub.options, errexit=False)  # as bash does, unless it is told otherwise
        if captured is not None:
            sub.captured, sub.merged = captured, False
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
        for one in found:
            following: States = []
            for before in states:
                if not before.running:
                    following.append(before)
                else:
                    following.extend(self._substitution(one, before))
            states = following
            if len(following) > 1:
                states = self._interpreter.merge(following, self._interpreter.where(statement, state))
        return states

    def _substitution(self, substitution: Guarded, state: State) -> States:
        node = substitution.node
        verdicts = [self._machine.expander.takes_word(guard, state) for guard in substitution.guards]
        if False in verdicts:
            return [state]
        if substitution.entangled:
            place = self._machine.place(state, node)
            raise NotAnalysed(place, "a command that sees what its own statement assigns before")
        watcher: list[Cell] = []
        expander = self._machine.expander
        outer = expander.used
        expander.used = []
        expander.watchers.append(watcher)
        try:
            results = self._contents(node, state) or self._captured(node.body, state, [], substitution=True)
            expander.take_used()
        finally:
            expander.watchers.pop()
            expander.used = outer
        via = tuple(dict.fromkeys(watcher))
        for after, pieces in results:
            value = choice([option.replace("\0", "").rstrip("\n") for option in options(flat(pieces))], "output")
            after.outputs[id(node)] = Cell(value, "", self._machine.place(after, node), "output", via)
            after.substituted = True
            if after.status != state.status:
                after.doubtful = True
                if None in verdicts:
                    after.status = None
        return [after for after, _ in results]

    def _contents(
        self, node: nodes.CommandSubstitution, state: State
    ) -> list[tuple[State, list[VirtualText | Value]]] | None:
        """``$(< file)`` is the file's contents; None for any other substitution."""
        only = node.body.commands[0] if len(node.body.commands) == 1 else None
        if not isinstance(only, nodes.Simple) or only.words or only.assignments or len(only.redirects) != 1:
            return None
        redirect = only.redirects[0]
        if redirect.operator != "<" or redirect.fd not in (None, "0"):
            return None
        after = state.fork()
        return [(after, [self._interpreter.redirections.contents(redirect, after)])]

    def pipeline(self, node: nodes.Pipeline, state: State) -> States:
        if node.negated:
            states = (
                self._interpreter.condition(node.commands[0], state)
                if len(node.commands) == 1
                else self._guarded_pipe(node, state)
            )
            for after in states:
                if after.running:
                    verdict = succeeded(after.status)
                    after.status = None if verdict is None else int(verdict)
            return states
        if len(node.commands) == 1:
            return self._interpreter.command(node.commands[0], state)
        states = self._pipe(node, state)
        for after in states:
            self._interpreter.check_errexit(after, node)
        return states

    def _guarded_pipe(self, node: nodes.Pipeline, state: State) -> States:
        state.guarded += 1
        states = self._pipe(node, state)
        for after in states:
            after.guarded -= 1
        return states

    def _pipe(self, node: nodes.Pipeline, state: State) -> States:
        self._machine.spend(len(node.commands) ** 2 >> 12)
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
            after.pipestatus = tuple(statuses)
            if after.options.pipefail and after.running:
                failing = [one for one in statuses if one is not None and one > 0]
                if failing:
                    after.status = failing[-1]
                elif any(one is None for one in statuses):
                    after.status = None
            out.append(after)
        return out

    # --- functions and other scripts --------------------------------------------------------------

    def _enter(self, state: State, node: Node, script: Script, frame: Frame) -> None:
        if len(state.frames) >= MAX_CALLS:
            raise NotAnalysed(self._machine.place(state, node), f"calls nested more than {MAX_CALLS} deep")
        state.script = script
        state.frames = (*state.frames, frame)

    def call_function(self, call: Call, body: Command, script: Script) -> States:
        """Call a shell function: positional parameters, dynamic scope, ``return``."""
        state = call.state
        arguments = tuple(call.cell(index) for index in range(1, len(call.words)))
        frame = Frame({}, state.positional, str(call.words[0]), state.script, state.loops, brought=state.brought)
        state.brought = frozenset()
        self._enter(state, call.node, script, frame)
        state.positional, state.loops = arguments, 0
        states = self._interpreter.command(body, state)
        for after in states:
            if after.flow not in (Flow.STOP, Flow.EXIT):  # at a sink everything stays as the sink sees it
                _leave_function(after)
        return states

    def run_source(
        self, script: Script, state: State, node: Node, arguments: tuple[Cell, ...] | None, given: Value | None
    ) -> States:
        """``source`` (``given``: the path as it is written) or ``eval``: the script's statements in this shell."""
        name = "eval" if given is None else "source"
        place = self._machine.place(state, node)
        if given is not None:
            state.called = {**state.called, id(script): given}
        self._enter(state, node, script, Frame({}, state.positional, name, state.script))
        if arguments is not None:
            state.positional = arguments
        states = self._interpreter.sequence(script.body, [state])
        for after in states:
            _tell_outside(after, place)
            if after.flow is Flow.STOP:
                continue
            frame = after.frames[-1]
            after.frames, after.script = after.frames[:-1], frame.caller
            if arguments is not None and not frame.replaced:
                after.positional = frame.positional
            if after.flow is Flow.RETURN and name == "source":
                after.flow = Flow.NEXT
        return states

    def run_child(
        self, script: Script, state: State, node: Node, arguments: tuple[Cell, ...], given: Value | None = None
    ) -> States:
        """``bash script``: another shell that sees exported variables only. ``given``: the path as it is written."""
        child = state.fork()
        if given is not None:
            child.called = {**state.called, id(script): given}
        self._enter(child, node, script, Frame({}, (), "bash", state.script))
        plain = {name: one for name, one in state.variables.items() if not isinstance(one, ArrayCell)}
        child.variables = {name: one for name, one in plain.items() if name in state.exported}
        child.inherited = {**state.inherited, **plain}
        child.functions, child.options, child.guarded, child.loops = {}, Options(), 0, 0
        child.shapes, child.directories, child.pipestatus = {}, (), (0,)
        child.positional, child.status = arguments, 0
        out = []
        launcher = state.script is self._machine.prelude
        spine, sequence = self._interpreter.spine, self._interpreter.sequence
        for after in spine.run(script.body, child) if launcher else sequence(script.body, [child]):
            _tell_outside(after, self._machine.place(state, node))
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
            parent.variables, parent.cwd = child.variables, child.cwd
        return parent


def _tell_outside(state: State, place: Place) -> None:
    """What is not analysed in a text that is no file (``eval``, ``bash -c``) is told where it is run."""
    ending = state.ending
    if ending is not None and ending.end is End.NOT_ANALYSED and ending.at is not None and ending.at.path in MADE:
        state.ending = replace(ending, at=place)


def _leave_function(state: State) -> None:
    """What the function's locals hid comes back."""
    frame = state.frames[-1]
    state.frames, state.positional, state.script = state.frames[:-1], frame.positional, frame.caller
    state.loops = frame.loops
    state.restore(frame.hidden)
    if frame.hidden and state.shapes:
        state.shapes = {name: shape for name, shape in state.shapes.items() if name not in frame.hidden}
    if state.flow is Flow.RETURN:
        state.flow = Flow.NEXT
