"""One run: variables as the shell sees them, the budget, and what is recorded on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from configlint.launch import memo
from configlint.launch.arrays import open_array, with_element
from configlint.launch.expand import Expander
from configlint.launch.memo import Inputs
from configlint.launch.outcome import ArrayCell, Assumption, Cell, Decision, Edit, FileUse, Variable
from configlint.launch.settings import LARGE_RUN, MAX_EDITS, MAX_ELEMENTS, MAX_LARGE, MAX_NAMES, MAX_WORK
from configlint.launch.state import State, Status
from configlint.launch.values import (
    HOLE,
    INPUT,
    MAX_VALUE,
    UNKNOWN,
    Value,
    choice,
    hole_name,
    input_hole,
    options,
    too_long,
    unknown,
    whole,
)
from configlint.launch.world import FRAGMENT, World
from configlint.source.text import Place
from configlint.syntax.bash.nodes import Node, Script

_NEVER_EMPTY = frozenset({"process id", "job process id", "exit status", "UID", "EUID", "RANDOM", "HOSTNAME"})
_SHELL = frozenset(
    """
    PWD BASH_SOURCE FUNCNAME PIPESTATUS IFS _ SHLVL BASH_LINENO BASH_VERSINFO BASH_VERSION BASHOPTS SHELLOPTS OPTIND UID
    EUID RANDOM SECONDS LINENO PPID BASHPID EPOCHSECONDS
    """.split()
)
"""Variables that the shell itself sets as it starts, or whenever they are read."""


class NotAnalysed(Exception):
    """A cap was reached or a construct is not modelled; the path ends here, and says so."""

    def __init__(self, place: Place | None, reason: str) -> None:
        super().__init__(reason)
        self.place, self.reason = place, reason


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run has recorded by a statement, beside its state."""

    work: int
    reads: frozenset[str]
    executed: frozenset[tuple[str, int]]
    inputs: dict[str, Cell | None]
    used: tuple[Cell, ...]
    vanished: tuple[Value, ...]


class Machine:
    """The context of one run: implements :class:`configlint.launch.parameters.Lookup`."""

    def __init__(self, world: World, inputs: Inputs, *, tracing: bool = False) -> None:
        self.world, self.inputs, self.tracing = world, inputs, tracing
        self.expander = Expander(self)
        self.prelude: Script | None = None  # the step that starts the launcher, where there is one
        self.path = ""  # of the script that is running
        self.work = 0
        self._told = 0  # steps that the world knows of
        self.reads: set[str] = set()
        self.executed: set[tuple[str, int]] = set()
        self._inputs: dict[str, Cell | None] = {}

    def progress(self) -> Progress:
        """What is recorded by now."""
        used, vanished = tuple(self.expander.used), tuple(self.expander.vanished)
        return Progress(self.work, frozenset(self.reads), frozenset(self.executed), dict(self._inputs), used, vanished)

    def resume(self, progress: Progress) -> None:
        """Go on where another run with the same answers was. Its steps are not made once more, so they are told."""
        self.work = self._told = progress.work
        self.reads, self.executed, self._inputs = set(progress.reads), set(progress.executed), dict(progress.inputs)
        self.expander.used, self.expander.vanished = list(progress.used), list(progress.vanished)

    # --- the budget ---------------------------------------------------------------------------

    def spend(self, steps: int) -> None:
        """Take steps off the budget. Raises :class:`NotAnalysed` where it is used up; who catches it has the place."""
        self.work += steps
        if self.work > LARGE_RUN and steps:
            self.check_budget()

    def spend_text(self, value: Value) -> None:
        """Take the making of a text off the budget."""
        if not isinstance(value, str):
            self.spend(sum(map(len, value.options)) >> 10)
        elif len(value) > 1024:
            self.spend(len(value) >> 10)

    def spend_pattern(self, size: int) -> None:
        """Take the making of a regular expression off the budget: of a long one each character is dear."""
        if size > 512:
            self.spend(size >> 3)

    def check_budget(self) -> None:
        """Raise :class:`NotAnalysed` if there has been enough of a script, which all its large runs share."""
        if self.work > MAX_WORK:
            raise NotAnalysed(None, f"more than {MAX_WORK:,} steps")
        large = self.world.large.get(self.path, 0) + self.work - self._told
        if large > MAX_LARGE:
            raise NotAnalysed(None, f"more than {MAX_LARGE:,} steps in all runs")
        self.world.large[self.path], self._told = large, self.work

    # --- places and records -------------------------------------------------------------------

    def place(self, state: State, node: Node) -> Place:
        """The place of a node of the script that is running."""
        places = self.world.places
        key = id(node)  # parsed scripts live as long as the world, so identities are stable
        found = places.get(key)
        if found is None:
            assert state.script is not None
            found = places[key] = Place(state.script.text, node.span)
        return found

    def assume(self, state: State, node: Node, text: str) -> None:
        """Record something that the run takes for granted."""
        state.assumptions = (*state.assumptions, Assumption(self.place(state, node), text))

    def decide(self, state: State, node: Node, taken: str, note: str = "") -> None:
        """Record a branch, with the cells that decided it; decided ones only while tracing."""
        if not self.tracing and taken in ("true", "false"):
            self.expander.drop_used()
            return
        cells = self.expander.take_used()
        if self.tracing or taken not in ("true", "false"):
            state.decisions = (*state.decisions, Decision(self.place(state, node), taken, cells, note))

    def record(self, state: State, edit: Edit) -> None:
        """Record an edit. Raises :class:`NotAnalysed` where a file is edited without end."""
        if len(state.edits) >= MAX_EDITS:
            self.spend(len(state.edits) >> 6)
            if sum(one.path == edit.path for one in state.edits) >= MAX_EDITS:
                raise NotAnalysed(edit.at, f"more than {MAX_EDITS} edits of one file")
        state.edits = (*state.edits, edit)

    def use(self, state: State, use: FileUse) -> None:
        state.uses = (*state.uses, use)

    # --- variables ----------------------------------------------------------------------------

    def ask(self, query: str) -> str | None:
        return self.inputs.ask(query)

    def force(self, text: str) -> str:
        return self.inputs.force(text) if INPUT in text else text

    def with_settings(self, value: Value) -> Value:
        """A word of a command, the settings in it looked up: its summary recognises options and paths by their text."""
        if isinstance(value, str):
            return self.inputs.with_settings(value) if INPUT in value else value
        return choice([self.inputs.with_settings(option) for option in value.options], "a word")

    def emptiness(self, text: str) -> str:
        """Whether a text is empty; an input is asked only that, not its value."""
        if not text:
            return memo.YES
        if HOLE.sub("", text):
            return memo.NO
        answers = []
        for hole in HOLE.finditer(text):
            name = hole_name(hole)
            if hole.group(0)[0] == UNKNOWN:
                answers.append(memo.NO if self._never_empty(name) else memo.MAYBE)
            elif "#" in name or "%" in name:
                answers.append(memo.emptiness(self.ask(name) or ""))
            else:
                answers.append(self.ask(name + memo.IS_EMPTY) or memo.MAYBE)
        if memo.NO in answers:
            return memo.NO
        return memo.YES if all(one == memo.YES for one in answers) else memo.MAYBE

    def variable(self, state: State, name: str) -> Variable | None:
        """The variable's cell, or None where it is not set."""
        found = state.variables.get(name)
        if found is not None:
            return found
        if name in state.unset:
            return None
        if not (name[:1].isalpha() or name[:1] == "_"):
            return self._special(state, name)
        if name in state.inherited:  # a variable of the outer shell comes along if it came with the environment
            return state.inherited[name] if self.ask(name + memo.IS_SET) == memo.YES else None
        if name in _SHELL:  # whatever the environment says of it
            return self._shell_variable(state, name)
        if name not in self._inputs:
            self._inputs[name] = self._input(name)
        cell = self._inputs[name]
        return Cell(unknown(name), name, None, "shell") if cell is None and name == "HOSTNAME" else cell

    def _input(self, name: str) -> Cell | None:
        settings = self.world.settings
        if name == settings.workspace:
            return Cell(self.world.root, name, None, "host")
        if self.ask(name + memo.IS_SET) == memo.YES:
            return Cell(input_hole(name), name, None, "input")
        return None

    def _never_empty(self, name: str) -> bool:
        settings = self.world.settings
        return name == settings.workspace or settings.is_host(name) or name in _NEVER_EMPTY

    def _special(self, state: State, name: str) -> Variable | None:
        if name.isdigit() and name != "0":
            index = whole(name) or 0
            return state.positional[index - 1] if 0 < index <= len(state.positional) else None
        if name in ("@", "*"):
            return ArrayCell(tuple((str(i), cell) for i, cell in enumerate(state.positional)), name)
        if name == "#":
            return Cell(str(len(state.positional)), name)
        if name == "?":
            return Cell(unknown("exit status") if state.doubtful else _status_text(state.status), name)
        if name == "0":
            return Cell(self._script_path(state, _outermost(state)), name)
        return Cell(unknown({"$": "process id", "!": "job process id"}.get(name, f"${name}")), name)

    def _shell_variable(self, state: State, name: str) -> Variable | None:
        if name == "PWD":
            return Cell(state.cwd, name, None, "shell")
        if name == "BASH_SOURCE":
            scripts = [script for script in _scripts(state) if script is None or script.text.path != FRAGMENT]
            return _listed(name, [self._script_path(state, script) for script in scripts])
        if name == "FUNCNAME":
            calls = _calls(state)
            return _listed(name, [*calls, "main"]) if calls else None
        if name == "PIPESTATUS":
            return _listed(name, [_status_text(one) for one in state.pipestatus])
        if name == "IFS":
            return Cell(" \t\n", name)
        return Cell(unknown(name), name, None, "shell")

    def _script_path(self, state: State, script: Script | None) -> Value:
        """The script as its caller named it."""
        if script is not None and id(script) in state.called:
            return state.called[id(script)]
        if script is None or script.text.path == FRAGMENT:
            return unknown("name of the shell")
        return f"{self.world.root}/{script.text.path}"

    def set(self, state: State, name: str, cell: Variable) -> None:
        """Assign; a local hides an outer variable until its function returns."""
        cell = self._bounded(cell, name)
        state.variables[name] = cell
        if len(state.variables) > MAX_NAMES:
            raise NotAnalysed(None, f"more than {MAX_NAMES:,} variables")
        if name in state.unset:
            self.spend(len(state.unset) >> 6)
            state.unset = state.unset - {name}
        if state.options.allexport:
            state.exported |= {name}

    def _bounded(self, cell: Variable, name: str) -> Variable:
        """The variable, cut down to what is followed."""
        if isinstance(cell, Cell):
            self.spend_text(cell.value)
            return _short(cell)
        self.spend(len(cell.items) >> 2)
        if len(cell.items) > MAX_ELEMENTS:
            of = f"an array of more than {MAX_ELEMENTS:,} elements"
            return open_array(name, of, cell.at, "assigned", associative=cell.associative)
        if any(_size(one) > MAX_VALUE for _, one in cell.items):
            items = tuple((key, _short(one)) for key, one in cell.items)
            return replace(cell, items=items)
        return cell

    def assign(self, state: State, name: str, value: Value) -> None:
        self.set(state, name, Cell(value, name, None, "assigned", self.expander.take_used()))

    def assign_element(self, state: State, name: str, key: str, value: Value) -> None:
        """``name[key]=value``."""
        cell = Cell(value, name, None, "assigned", self.expander.take_used())
        self.set(state, name, with_element(self.variable(state, name), name, key, cell))

    def unset(self, state: State, name: str) -> None:
        state.variables.pop(name, None)
        self.spend(len(state.unset) >> 6)
        state.unset = state.unset | {name}


def _size(cell: Cell) -> int:
    return sum(map(len, options(cell.value)))


def _short(cell: Cell) -> Cell:
    return replace(cell, value=too_long()) if _size(cell) > MAX_VALUE else cell


def _status_text(status: Status) -> str:
    return str(status) if status is not None and status >= 0 else unknown("exit status")


def _listed(name: str, texts: Sequence[Value]) -> ArrayCell:
    return ArrayCell(tuple((str(index), Cell(text, name)) for index, text in enumerate(texts)), name)


def _scripts(state: State) -> list[Script | None]:
    """The scripts of the calls that are going on, innermost first; the shell's own script last."""
    found = [state.script]
    for frame in reversed(state.frames):
        if frame.name == "bash":
            break
        found.append(frame.caller)
    return found


def _calls(state: State) -> list[str]:
    """The functions and sourced files that are running in this shell, innermost first."""
    found = []
    for frame in reversed(state.frames):
        if frame.name == "bash":
            break
        if frame.name != "eval":
            found.append(frame.name)
    return found


def _outermost(state: State) -> Script | None:
    return _scripts(state)[-1]
