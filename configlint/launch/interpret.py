"""Following bash: statements and branches.

Each method takes one path and gives back the paths it became. A decided branch gives one; an undecided one runs both
sides and joins them where their effects agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.branches import TAKEN, Branches
from configlint.launch.calls import Call
from configlint.launch.commands import handler_of
from configlint.launch.commands.control import BUILTINS
from configlint.launch.conditions import Conditions
from configlint.launch.fields import TooMany
from configlint.launch.joins import Joiner
from configlint.launch.loops import Loops
from configlint.launch.machine import Machine, NotAnalysed
from configlint.launch.memo import Head
from configlint.launch.outcome import End
from configlint.launch.parameters import UnsetRequired
from configlint.launch.redirections import Redirections
from configlint.launch.settings import LARGE_RUN, MANY_LAYERS, MAX_NAMES, MAX_PATHS
from configlint.launch.shells import Shells
from configlint.launch.simple import assign, declare
from configlint.launch.spine import Checkpoint, Spine
from configlint.launch.state import Ending, Flow, Hidden, State
from configlint.launch.testgrammar import agree
from configlint.launch.values import options
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Node, Sequence, Word

States = list[State]
_PASSED = (0,)  # the status of a pipe of one command


class Interpreter:
    """Runs scripts in a machine."""

    def __init__(self, machine: Machine, head: Head[Checkpoint] | None = None) -> None:
        self.machine = machine
        self.conditions = Conditions(machine)
        self.redirections = Redirections(machine)
        self.shells = Shells(self)
        branches, loops = Branches(self), Loops(self)
        self.spine = Spine(self, branches, head)
        self._handlers: dict[type, Callable[[Any, State], States]] = {
            nodes.Simple: self._simple,
            nodes.Declaration: self._declaration,
            nodes.Conditional: self._conditional,
            nodes.If: branches.choose,
            nodes.AndOr: branches.and_or,
            nodes.Sequence: lambda node, state: self.sequence(node, [state]),
            nodes.Pipeline: self.shells.pipeline,
            nodes.Case: branches.case,
            nodes.For: loops.each,
            nodes.While: loops.repeat,
            nodes.ArithmeticFor: loops.arithmetic,
            nodes.ArithmeticCommand: self._arithmetic,
            nodes.Group: lambda node, state: self.redirected(node, state, lambda s: self.sequence(node.body, [s])),
            nodes.Subshell: self._subshell,
            nodes.Function: self._define,
            nodes.Background: self._background,
            nodes.Opaque: self._opaque,
        }

    # --- statements ---------------------------------------------------------------------------

    def sequence(self, node: Sequence, states: States, start: int = 0) -> States:
        """Statements one after the other (from an index on), on every path that is still running."""
        for command in node.commands[start:] if start else node.commands:
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
                states = self.bounded(states, command)
        return states

    def bounded(self, states: States, node: Node) -> States:
        """At most so many paths: those that still run are given up where joining does not help. Sinks are kept."""
        if len(states) <= MAX_PATHS:
            return states
        where = self.where(node, states[0])
        running = Joiner(self.machine.variable, where).merge([one for one in states if one.running])
        if len(running) > MAX_PATHS:
            running = Joiner(self.machine.variable, where, loose=True).merge(running)
        ended = [one for one in states if not one.running]
        if len(running) > MAX_PATHS or (running and len(running) + len(ended) > 2 * MAX_PATHS):
            running = [self.stop(running[0], node, f"more than {MAX_PATHS} paths")]
        return [*ended, *running]

    def merge(self, states: States, where: str) -> States:
        """Join the paths whose effects are the same."""
        if len(states) < 2:
            return states
        self.machine.spend(len(states) ** 2 * sum(map(State.size, states[:2])) >> 6)
        return Joiner(self.machine.variable, where).merge(states)

    def stop(self, state: State, node: Node, reason: str) -> State:
        """End a path as not analysed."""
        state.flow = Flow.STOP
        state.ending = Ending(End.NOT_ANALYSED, self.machine.place(state, node), reason)
        return state

    def command(self, node: Command, state: State, handler: Callable[[Any, State], States] | None = None) -> States:
        """One command, followed by its handler unless another is given.

        A cap or an unmodelled construct ends the path here, and says so.
        """
        machine = self.machine
        machine.work += 1
        if state.files.depth > MANY_LAYERS:  # a file is looked for in all of them
            machine.work += (state.files.depth - MANY_LAYERS) >> 3
        script = state.script
        if script is not None:
            machine.path = script.text.path
            spots = machine.world.spots
            machine.executed.add(spots.get(id(node)) or spots.setdefault(id(node), (machine.path, node.start)))
        state.doubtful = False
        try:
            if machine.work > LARGE_RUN and script is not None:
                machine.check_budget()
            return (handler or self._handlers[type(node)])(node, state)
        except NotAnalysed as fault:
            if script is not None:
                state.script = script
            place = fault.place or machine.place(state, node)
            state.flow, state.ending = Flow.STOP, Ending(End.NOT_ANALYSED, place, fault.reason)
        except RecursionError:
            state.script = script
            self.stop(state, node, "nested too deeply")
        except TooMany as fault:
            self.stop(state, node, str(fault))
        except UnsetRequired as fault:
            state.status, state.failure = 1, str(fault)
            self._die(state, node, str(fault))
        except Exception as fault:  # a fault of ours: this path ends here, the others and all other launches go on
            state.script = script
            self.stop(state, node, f"internal error: {type(fault).__name__}: {fault}"[:200])
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
        prints = self.machine.world.only_prints(node)
        unseen = prints is not None and state.captured is None and not state.options.nounset
        if unseen and prints not in state.functions:
            state.status, state.pipestatus = 0, _PASSED
            return [state]
        if not node.words:
            out = self._assign_only(node, state)
        elif not self.machine.world.substitutions(node) and not node.redirects:
            out = self._invoke(node, state)
        else:
            out = []
            for ready in self.shells.substitute(node, state):
                if ready.running:
                    expand = partial(Call, self, node=node)  # what the words assign stays if a redirection fails
                    out.extend(
                        self.redirections.run(
                            node, ready, lambda s: self._invoke(node, s), expand, forks=self._forks(node, ready)
                        )
                    )
                else:
                    out.append(ready)
        for after in out:
            status = after.status
            after.pipestatus = _PASSED if status == 0 else (status,)
            if status and after.options.errexit:
                self.check_errexit(after, node)
        return out

    @staticmethod
    def _forks(node: nodes.Simple, state: State) -> bool:
        """True for a command that surely runs as a process of its own."""
        name = node.words[0].literal
        return name is not None and name not in BUILTINS and name not in state.functions

    def _assign_only(self, node: nodes.Simple, state: State) -> States:
        """Assignments without a command, one after the other; the status is that of the last substitution."""
        substitutions = self.machine.world.substitutions
        if not node.redirects and not any(map(substitutions, node.assignments)):
            for assignment in node.assignments:
                assign(self.machine, state, assignment)
            state.substituted = state.doubtful = False
            state.status = 0
            return [state]
        state.substituted = False
        states = self.shells.substitute(node, state) if node.redirects else [state]
        for assignment in node.assignments:
            following: States = []
            for before in states:
                wanted = before.running and not node.redirects
                for ready in self.shells.substitute(assignment, before) if wanted else [before]:
                    if ready.running:
                        assign(self.machine, ready, assignment)
                        ready.doubtful = False
                    following.append(ready)
            states = following
        out: States = []
        for ready in states:
            if ready.running and not ready.substituted:
                ready.status = 0
            out.extend(self.redirected(node, ready, lambda s: [s]) if ready.running else [ready])
        return out

    def _invoke(self, node: nodes.Simple, state: State) -> States:
        call = Call(self, state, node)
        if not node.assignments:
            return self.dispatch(call)

        def bring() -> None:
            for assignment in node.assignments:
                assign(self.machine, state, assignment)

        return self.with_environment(state, [a.name for a in node.assignments], bring, lambda: self.dispatch(call))

    def with_environment(
        self, state: State, names: Iterable[str], bring: Callable[[], None], run: Callable[[], States]
    ) -> States:
        """Run a command with variables that ``bring`` sets for it alone."""
        saved = {name: Hidden(state.variables.get(name), name in state.unset) for name in names}
        bring()
        state.brought = frozenset(saved)
        exported, state.exported = state.exported, state.exported | saved.keys()
        states = run()
        for after in states:
            if after.flow not in (Flow.STOP, Flow.EXIT):  # at a sink everything stays as the sink sees it
                after.exported, after.brought = exported, frozenset()
                after.restore(saved)
        return states

    def dispatch(self, call: Call, *, functions: bool = True) -> States:
        """Run a call: a function (unless told otherwise), a command with a summary, or an opaque one."""
        if not call.words:
            call.ok()
            return [call.state]
        name = call.name
        function = call.state.functions.get(name) if functions else None
        if function is not None and call.words[0] == name:
            return self.shells.call_function(call, *function)
        states = handler_of(name)(call)
        return [call.state] if states is None else states

    def _declaration(self, node: nodes.Declaration, state: State) -> States:
        out: States = []
        for ready in self.shells.substitute(node, state):
            out.extend(self.redirected(node, ready, lambda s: self._declare(node, s)) if ready.running else [ready])
        return out

    def _declare(self, node: nodes.Declaration, state: State) -> States:
        state.status = 0
        declare(self.machine, state, node)
        state.pipestatus = (state.status,)
        self.check_errexit(state, node)
        return [state]

    def _conditional(self, node: nodes.Conditional, state: State) -> States:
        states = self.shells.substitute(node, state)
        for ready in states:
            if ready.running:
                verdict = self.conditions.conditional(node.expression, ready)
                ready.status = None if verdict is None else int(not verdict)
                ready.failure = "the test is false"
                ready.pipestatus = (ready.status,)
                self.machine.decide(ready, node, TAKEN[verdict])
                if ready.options.errexit:
                    self.check_errexit(ready, node)
        return states

    def _arithmetic(self, node: nodes.ArithmeticCommand, state: State) -> States:
        states = self.shells.substitute(node, state)
        for ready in states:
            if ready.running:
                ready.status, ready.failure = self.truth(node.expression, ready), "the arithmetic value is 0"
                ready.pipestatus = (ready.status,)
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
        if len(state.functions) > MAX_NAMES:
            raise NotAnalysed(None, f"more than {MAX_NAMES:,} functions")
        state.status = 0
        return [state]

    def _opaque(self, node: nodes.Opaque, state: State) -> States:
        raise NotAnalysed(self.machine.place(state, node), f"{node.kind} is not modelled")

    def _subshell(self, node: nodes.Subshell, state: State) -> States:
        states = self.redirected(node, state, lambda s: self.shells.subshell(node.body, s))
        for after in states:
            after.pipestatus = (after.status,)
            self.check_errexit(after, node)
        return states

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
        return self.merge(states, self.where(node, states[0]))

    def redirected(self, node: Any, state: State, run: Callable[[State], States]) -> States:
        return self.redirections.run(node, state, run) if node.redirects else run(state)
