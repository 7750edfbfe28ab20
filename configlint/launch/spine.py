"""Sharing the beginnings of runs.

Runs that have had the same answers so far have done the same. While a launcher's statements run on a single path, a
run can leave a checkpoint before a statement; a later run that parts from it further on starts there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.launch.machine import Progress
from configlint.launch.memo import Head
from configlint.launch.state import State
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Sequence

if TYPE_CHECKING:
    from configlint.launch.branches import Branches
    from configlint.launch.interpret import Interpreter

States = list[State]
_SPARED = 6
"""A checkpoint costs about as much as this many commands: nearer ones do not pay."""


@dataclass(frozen=True, eq=False, slots=True)
class Checkpoint:
    """A run before a statement of a launcher.

    ``trail``: the sequences it is in, outermost first, each with the statement's index. ``outer``: the statement of the
    step that starts the launcher, and the state before it.
    """

    trail: tuple[tuple[Sequence, int], ...]
    state: State
    progress: Progress
    outer: tuple[int, State]


class Spine:
    """Follows the statements of a launcher, and of the branches it surely takes, as long as there is one path."""

    def __init__(self, interpreter: Interpreter, branches: Branches, head: Head[Checkpoint] | None) -> None:
        self._interpreter, self._branches, self._machine = interpreter, branches, interpreter.machine
        self._head = head
        self._begun = head is None
        self._trail: list[tuple[Sequence, int]] = []
        self._outer: tuple[int, State] | None = None
        self._last = 0  # the run's work at the last checkpoint

    def step(self, body: Sequence, state: State) -> States:
        """Run the statements of the script that starts the launcher, from the launcher on if there is a checkpoint."""
        head, first = self._head, 0
        if head is not None and head.start is not None:
            first, before = head.start.outer
            state = before.fork()
        states = [state]
        for index in range(first, len(body.commands)):
            if len(states) != 1 or self._begun:
                return self._interpreter.sequence(body, states, index)
            if not states[0].running:
                return states
            if head is not None and head.parting >= 0:
                self._outer = index, states[0].fork()
            states = self._interpreter.command(body.commands[index], states[0])
        return states

    def run(self, body: Sequence, state: State) -> States:
        """Run a launcher's statements, from the checkpoint if there is one. Only the first launcher of a run is one."""
        if self._begun or self._head is None:
            return self._interpreter.sequence(body, [state])
        self._begun = True
        start = self._head.start
        if start is None:
            return self._follow(body, [state])
        self._machine.resume(start.progress)
        self._last = self._machine.work
        self._trail = list(start.trail)
        states = [start.state.fork()]
        while self._trail:  # the statements that are left of the innermost sequence, then those around it
            sequence, index = self._trail.pop()
            states = self._follow(sequence, states, index)
        return states

    def _follow(self, sequence: Sequence, states: States, start: int = 0) -> States:
        """The statements of a sequence, from an index on."""
        trail = self._trail
        for index in range(start, len(sequence.commands)):
            if len(states) != 1:
                return self._interpreter.sequence(sequence, states, index)
            state = states[0]
            if not state.running:
                return states
            self._leave(sequence, index, state)
            command = sequence.commands[index]
            if type(command) is nodes.If and not command.redirects:
                trail.append((sequence, index + 1))
                states = self._interpreter.command(command, state, self._choose)
                trail.pop()
            else:
                states = self._interpreter.command(command, state)
        return states

    def _choose(self, node: nodes.If, state: State) -> States:
        return self._branches.choose(node, state, lambda body, only: self._follow(body, [only]))

    def _leave(self, sequence: Sequence, index: int, state: State) -> None:
        """Leave a checkpoint, if a later run may want this one."""
        head, machine, outer = self._head, self._machine, self._outer
        if head is None or outer is None:
            return
        if len(machine.inputs.asked) > head.parting or machine.work < self._last + _SPARED:
            return
        self._last = machine.work
        head.left = Checkpoint((*self._trail, (sequence, index)), state.fork(), machine.progress(), outer)
