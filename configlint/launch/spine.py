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
    """A run before a statement. ``trail``: the sequences it is in, outermost first, each with the statement's index."""

    trail: tuple[tuple[Sequence, int], ...]
    state: State
    progress: Progress


class Spine:
    """Follows the statements of a launcher, and of the branches it surely takes, as long as there is one path."""

    def __init__(self, interpreter: Interpreter, branches: Branches, head: Head[Checkpoint] | None) -> None:
        self._interpreter, self._branches, self._machine = interpreter, branches, interpreter.machine
        self._head = head
        self._begun = head is None
        self._trail: list[tuple[Sequence, int]] = []
        self._last = 0  # the run's work at the last checkpoint

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
        head, machine = self._head, self._machine
        if head is None or len(machine.inputs.asked) > head.parting or machine.work < self._last + _SPARED:
            return
        self._last = machine.work
        head.left = Checkpoint((*self._trail, (sequence, index)), state.fork(), machine.progress())
