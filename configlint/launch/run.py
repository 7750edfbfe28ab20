"""Running a launcher in the abstract: from an environment to outcomes."""

from __future__ import annotations

from configlint.launch.interpret import Interpreter
from configlint.launch.joins import Joiner, join_records
from configlint.launch.machine import Machine
from configlint.launch.memo import Environment, Head, Inputs, Leaf, Memo
from configlint.launch.outcome import End, Outcome
from configlint.launch.spine import Checkpoint
from configlint.launch.state import DEFAULT_OPTIONS, Ending, Flow, Options, State
from configlint.launch.world import World
from configlint.syntax.bash.nodes import Script

Outcomes = tuple[Outcome, ...]


def run(
    world: World,
    script: Script,
    inputs: Inputs,
    options: Options = DEFAULT_OPTIONS,
    *,
    step: bool = False,
    tracing: bool = False,
    head: Head[Checkpoint] | None = None,
) -> Outcomes:
    """Follow a script to all its ends. ``step``: it is the workflow step that starts the launcher."""
    machine = Machine(world, inputs, tracing=tracing)
    machine.prelude = script if step else None
    interpreter = Interpreter(machine, head)
    start = State(world.files(), world.root, script=script, options=options)
    states = interpreter.spine.step(script.body, start)
    ended = _settle(machine, states)
    return tuple(_outcome(machine, state) for state in ended)


def _settle(machine: Machine, states: list[State]) -> list[State]:
    """Paths that exit are dropped where another reaches a sink; equal ones are joined."""
    joiner = Joiner(machine.variable, "the end")
    sinks = [state for state in states if state.ending is not None and state.ending.sink is not None]
    unclear = [state for state in states if state.ending is not None and state.ending.end is End.NOT_ANALYSED]
    if sinks:
        return _unique([*sinks, *unclear], joiner)
    return unclear or joiner.merge(states)


def _unique(states: list[State], joiner: Joiner) -> list[State]:
    """One path for each different hand-over; variables that differ become alternatives."""
    kept: dict[object, list[State]] = {}
    for state in states:
        same = kept.setdefault(_hand_over(state), [])
        for other in same:
            variables = joiner.variables(other, state)
            if variables is not None:
                other.variables = variables
                join_records(other, state)
                break
        else:
            same.append(state)
    return [state for same in kept.values() for state in same]


def _hand_over(state: State) -> object:
    """What a path hands over, and how it came to it."""
    ending = state.ending
    assert ending is not None
    sink = ending.sink
    config = sink.config.value if sink is not None and sink.config is not None else None
    words = tuple(cell.value for cell in sink.argv) if sink is not None else ()
    clones = tuple((clone.url, clone.ref) for clone in state.clones)
    edits = tuple((edit.at, edit.path) for edit in state.edits)
    return ending.end, ending.at, ending.reason, config, sink and sink.script_path, words, clones, edits


def _outcome(machine: Machine, state: State) -> Outcome:
    ending = state.ending or Ending(End.FALLTHROUGH, None, "the launcher ends without starting anything")
    if state.flow is Flow.NEXT and state.ending is None:
        ending = Ending(End.FALLTHROUGH, None, "the launcher ends without starting anything")
    return Outcome(
        ending.end, ending.at, ending.reason, state.status, ending.sink, state.clones, state.edits, state.uses,
        state.decisions, state.assumptions, state.variables, state.files, state.cwd,
        frozenset(machine.reads), frozenset(machine.executed),
    )  # fmt: skip


class Runner:
    """Runs one script for many environments, sharing runs whose questions have the same answers."""

    def __init__(self, world: World, script: Script, *, step: bool, options: Options | None = None) -> None:
        self._world, self._script, self._step = world, script, step
        self._options = options or Options()
        self.memo: Memo[Outcomes, Checkpoint] = Memo()

    def leaf(self, environment: Environment) -> Leaf[Outcomes]:
        """The outcomes for an environment, with the questions that lead to them."""
        return self.memo.get(environment, self._run)

    def trace(self, environment: Environment) -> Outcomes:
        """The same, once more, with every decision recorded."""
        return self._run(Inputs(environment), None, tracing=True)

    def _run(self, inputs: Inputs, head: Head[Checkpoint] | None, *, tracing: bool = False) -> Outcomes:
        return run(self._world, self._script, inputs, self._options, step=self._step, tracing=tracing, head=head)
