"""Run a script text in the abstract interpreter, and ask what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from configlint.launch.interpret import Interpreter
from configlint.launch.machine import Machine
from configlint.launch.memo import Inputs
from configlint.launch.outcome import ArrayCell, Outcome, Variable
from configlint.launch.run import Runner, run
from configlint.launch.settings import OpaqueProgram, Settings, SubmitCommand
from configlint.launch.state import Options, State
from configlint.launch.values import Value, shown
from configlint.launch.world import World
from configlint.source.text import Text
from configlint.source.trees import MemoryTree, Tree
from configlint.syntax.bash import parse
from configlint.syntax.bash.nodes import Script

WORKSPACE = "WORKSPACE"
HOST = frozenset({"HOST_DIR", "HOST_NAME"})  # set by the host, not empty, value unknown
Files = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Env:
    """An environment from a mapping. ``asked`` collects the names that were looked at."""

    values: Mapping[str, str]
    nonempty: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def value(self, name: str) -> str | None:
        self.asked.append(name)
        return self.values.get(name)

    def is_set(self, name: str) -> bool:
        self.asked.append(name)
        return name in self.values

    def is_nonempty(self, name: str) -> bool:
        return name in self.nonempty or name in HOST


@dataclass(frozen=True)
class Answer:
    """What the test's ref source says."""

    tree: Tree | None
    commit: str | None
    kind: str = "branch"
    name: str = "main"


Refs = Mapping[tuple[str, str | None], Files | Answer]


def settings(opaque: Sequence[OpaqueProgram] = (), creates: Mapping[tuple[str, ...], str] | None = None) -> Settings:
    """Launchers of the tests: ``submit apply -f FILE`` submits, scripts below ``bench/`` are sinks."""
    return Settings(
        workspace=WORKSPACE,
        is_host=HOST.__contains__,
        submit=(SubmitCommand(("submit", "apply"), ("-f", "--file")),),
        is_script=lambda path: path.startswith("bench/") and path.endswith(".sh"),
        script_prefixes=("bench/",),
        mounts=("/workspace",),
        opaque=tuple(opaque),
        creates=creates or {},
    )


def lookup(refs: Refs) -> Callable[[str, str | None], Answer]:
    """A ref source from (url, ref) -> files."""

    def ask(url: str, ref: str | None) -> Answer:
        found = refs.get((url, ref))
        if found is None:
            return Answer(None, None, "unknown", ref or "main")
        if isinstance(found, Answer):
            return found
        return Answer(MemoryTree(found, origin=url), "c" * 40, "branch", ref or "main")

    return ask


def world(
    files: Files | None = None,
    refs: Refs | None = None,
    symlinks: Mapping[str, str] | None = None,
    opaque: Sequence[OpaqueProgram] = (),
    tree: Tree | None = None,
    creates: Mapping[tuple[str, ...], str] | None = None,
) -> World:
    """A world around a small tree."""
    return World(tree or MemoryTree(files or {}, symlinks=symlinks), settings(opaque, creates), lookup(refs or {}))


def parsed(script: str | bytes, path: str = "run.sh") -> Script:
    """The script as if it stood in the tree."""
    return parse(Text(path, script.encode() if isinstance(script, str) else script))


@dataclass(frozen=True)
class Result:
    """The outcomes of one script."""

    outcomes: tuple[Outcome, ...]

    @property
    def one(self) -> Outcome:
        """The only outcome."""
        assert len(self.outcomes) == 1, [(o.end, o.reason) for o in self.outcomes]
        return self.outcomes[0]

    @property
    def end(self) -> str:
        return self.one.end.value

    def __getitem__(self, name: str) -> str:
        """The variable as :func:`configlint.launch.values.shown` prints it; ``<unset>`` where it is not set."""
        return text_of(self.one.variables.get(name))

    def words(self) -> list[str]:
        """The sink's arguments."""
        assert self.one.sink is not None, (self.end, self.one.reason)
        return [shown(cell.value) for cell in self.one.sink.argv]

    def file(self, path: str) -> str | None:
        """The text of a file of the checkout at the end; None where it is not a file with a known text."""
        return file_text(self.world, self.one, path)

    world: World = field(default_factory=world)


def file_text(world: World, outcome: Outcome, path: str) -> str | None:
    """The text of a file at the end of a path (relative to the checkout)."""
    found = outcome.files.lookup(path if path.startswith("/") else f"{world.root}/{path}")
    content = world.content(found) if found.status.value == "file" else None
    return None if content is None else shown(content.text)


def text_of(variable: Variable | None) -> str:
    if variable is None:
        return "<unset>"
    if isinstance(variable, ArrayCell):
        return "(" + " ".join(f"[{key}]={shown(cell.value)}" for key, cell in variable.items) + ")"
    return shown(variable.value)


def launch(
    script: str | bytes,
    env: Mapping[str, str] | None = None,
    *,
    files: Files | None = None,
    refs: Refs | None = None,
    symlinks: Mapping[str, str] | None = None,
    opaque: Sequence[OpaqueProgram] = (),
    options: Options | None = None,
    within: World | None = None,
    step: bool = False,
    tracing: bool = False,
) -> Result:
    """Run a script in the abstract. Its text is called ``run.sh``."""
    here = within or world(files, refs, symlinks, opaque)
    inputs = Inputs(Env(env or {}))
    return Result(run(here, parsed(script), inputs, options or Options(), step=step, tracing=tracing), here)


def runner(script: str | bytes, within: World | None = None, *, step: bool = False) -> Runner:
    """A runner that shares runs between environments."""
    return Runner(within or world(), parsed(script), step=step)


@dataclass(frozen=True)
class Ended:
    """The states of all paths at their ends, with the machine that knows what is unset and what is an input."""

    machine: Machine
    states: tuple[State, ...]

    def variable(self, state: State, name: str) -> Value | dict[str, Value] | None:
        """A scalar, an array as a dictionary, or None where the variable is not set; inputs are looked up."""
        found = self.machine.variable(state, name)
        if found is None:
            return None
        if isinstance(found, ArrayCell):
            return {key: self.forced(cell.value) for key, cell in found.items}
        return self.forced(found.value)

    def forced(self, value: Value) -> Value:
        if isinstance(value, str):
            return self.machine.force(value)
        return type(value)(tuple(self.machine.force(option) for option in value.options))


def ended(script: Script, env: Mapping[str, str], within: World | None = None) -> Ended:
    """Like :func:`launch`, one step earlier: the states before they become outcomes."""
    here = within or world()
    machine = Machine(here, Inputs(Env(env)))
    states = Interpreter(machine).sequence(script.body, [State(here.files(), here.root, script=script)])
    return Ended(machine, tuple(states))
