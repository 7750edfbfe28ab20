"""Launches that start no benchmark: a script that does not exist, or a launcher that turns the entry away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from configlint.launch.outcome import ArrayCell, Cell, End, FileUse, Outcome
from configlint.launch.values import input_hole, unknown
from configlint.model.launches import Launch, Launches
from configlint.profile.profile import Profile
from configlint.source.text import Place
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Script
from configlint.syntax.bash.walk import commands, parameters

_SEPARATOR = re.compile(r"[_.-]")
_BRANCHES = (nodes.If, nodes.Case, nodes.AndOr)
_PlaceKey = tuple[str, int]


@dataclass(frozen=True)
class MissingScript:
    """A benchmark script that a launch needs and that does not exist.

    ``tried`` are the paths that were looked for, in order; the last one is what is started. ``at`` is where it is
    started, or where the launcher gives up because it is missing (``refused``). ``made_at`` is where its
    name is put together, ``from_inputs`` the environment variables that went into it. ``works_for_others``: the same
    place makes names that do exist for other launches. ``whole_entry``: all rows of the entry lack theirs.
    ``near`` are existing scripts with similar names.
    """

    tried: tuple[str, ...]
    at: Place
    made_at: Place
    refused: bool
    from_inputs: tuple[str, ...]
    works_for_others: bool
    whole_entry: bool
    near: tuple[str, ...]


@dataclass(frozen=True)
class Rejection:
    """A launch that the launcher ends before it starts anything.

    ``at`` is where it ends (None: it runs to its end), ``deciding`` the variables of the tests around that place, the
    nearest first, with their values (empty where unset), ``from_inputs`` the environment variables behind them.
    ``starts_others``: the launcher does start something for other launches.
    """

    at: Place | None
    status: int | None
    reason: str
    deciding: tuple[tuple[str, str], ...]
    from_inputs: tuple[str, ...]
    starts_others: bool

    @property
    def fails(self) -> bool:
        """True if the launcher surely ends with a failure."""
        return self.status is not None and self.status > 0


@dataclass(eq=False)
class Starts:
    """Answers for the launches of one tree."""

    launches: Launches
    profile: Profile
    _chains: dict[_PlaceKey, tuple[str, ...]] = field(default_factory=dict)

    # --- scripts ------------------------------------------------------------------------------------

    def missing_script(self, launch: Launch, outcome: Outcome) -> MissingScript | None:
        """The benchmark script whose absence ends this launch; None where there is none."""
        wanted = self._wanted(outcome)
        if wanted is None:
            return None
        use, refused = wanted
        tried = [path for one in outcome.uses if one.exists is False and (path := self._script(one)) is not None]
        path = self._script(use)
        if path is None:
            return None
        made_at = self._made_at(launch, use.operand) or use.at
        names = tuple(dict.fromkeys([*(one for one in tried if one != path), path]))
        return MissingScript(
            names,
            use.at if not refused or outcome.at is None else outcome.at,
            made_at,
            refused,
            _inputs(launch, [use.operand]),
            _key(made_at) in self._working,
            all(self._lacks_script(one) for other in self.launches.of(launch.entry) for one in other.outcomes),
            self._near(names),
        )

    def _lacks_script(self, outcome: Outcome) -> bool:
        wanted = self._wanted(outcome)
        return wanted is not None and self._script(wanted[0]) is not None

    def _wanted(self, outcome: Outcome) -> tuple[FileUse, bool] | None:
        """The use of an absent script that ends the launch, and whether the launcher looked before."""
        if not outcome.uses:
            return None
        last = outcome.uses[-1]
        if last.exists is not False:
            return None
        if outcome.end is End.SCRIPT and last.how == "run":
            return last, False
        if outcome.end in (End.EXIT, End.FALLTHROUGH) and last.how == "test":
            return last, True
        return (last, False) if outcome.end is End.ABORT and last.how == "run" else None

    def _script(self, use: FileUse) -> str | None:
        """The tree's path of a script that a use is about."""
        inside = self.launches.world.tree_path(use.path) if use.path is not None else None
        return inside if inside is not None and self.profile.scripts.matches(inside) else None

    @staticmethod
    def _made_at(launch: Launch, operand: Cell) -> Place | None:
        """Where the last part of a path is put together: the first of the values it came from that has it whole."""
        cell, name = operand, _last_part(launch, operand)
        for _ in range(20):
            before = next((one for one in cell.via if one.at is not None and _last_part(launch, one) == name), None)
            if before is None:
                break
            cell = before
        return cell.at

    @cached_property
    def _working(self) -> frozenset[_PlaceKey]:
        """Places that make names of scripts which exist."""
        found = set()
        for launch in self.launches.all:
            for outcome in launch.outcomes:
                use = outcome.uses[-1] if outcome.end is End.SCRIPT and outcome.uses else None
                if use is not None and use.exists:
                    found.add(_key(self._made_at(launch, use.operand) or use.at))
        return frozenset(found)

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        return tuple(self.profile.scripts.select(self.launches.world.tree.files()))

    def _near(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Up to three scripts with one of the names elsewhere, or beside it with a name that differs in a late part."""
        scored: dict[str, int] = {}
        for path in names:
            folder, _, name = path.rpartition("/")
            parts = _SEPARATOR.split(name)
            for other in self._scripts:
                its_folder, _, its_name = other.rpartition("/")
                if its_name == name:
                    scored[other] = -1000
                elif its_folder == folder and (at := _only_difference(parts, _SEPARATOR.split(its_name))):
                    scored.setdefault(other, -at)
        return tuple(sorted(scored, key=lambda other: (scored[other], other))[:3])

    # --- rejections -----------------------------------------------------------------------------------

    def rejection(self, launch: Launch, outcome: Outcome) -> Rejection | None:
        """How the launcher turns the launch away; None where it does not, or where a missing file is the reason."""
        if outcome.end not in (End.EXIT, End.FALLTHROUGH, End.ABORT) or self._lacks_a_file(launch, outcome):
            return None
        names = self._tests_around(outcome.at) if outcome.at is not None else ()
        cells = {name: _variable(launch, outcome, name) for name in names}
        deciding = tuple((name, known) for name, cell in cells.items() if (known := _known(launch, cell)) is not None)
        inputs = _inputs(launch, [cell for cell in cells.values() if cell is not None])
        reason = outcome.reason if outcome.end is End.ABORT else ""
        starts_others = launch.launcher.path in self._starting
        return Rejection(outcome.at, outcome.status, reason, deciding, inputs, starts_others)

    @cached_property
    def _starting(self) -> frozenset[str]:
        """The launchers that start something for some launch."""
        return frozenset(one.launcher.path for one in self.launches.all if any(o.sink for o in one.outcomes))

    def _lacks_a_file(self, launch: Launch, outcome: Outcome) -> bool:
        """True if the launch ends over a document, a script or another file that is not there."""
        last = outcome.uses[-1] if outcome.uses else None
        if last is None or last.exists is not False:
            return False
        if outcome.end is End.ABORT:
            return outcome.at is not None and _key(last.at) == _key(outcome.at)
        document = self.profile.launch.document_variable
        return self._script(last) is not None or any(one.name == document for one in launch.sources(last.operand))

    def _tests_around(self, place: Place) -> tuple[str, ...]:
        """The variables in the conditions that lead to a place, those of the nearest chain first."""
        key = _key(place)
        if key not in self._chains:
            script = self.launches.world.script(place.text.path) if not place.text.origin else ""
            self._chains[key] = tuple(_names_around(script, place)) if isinstance(script, Script) else ()
        return self._chains[key]


def _names_around(script: Script, place: Place) -> Iterator[str]:
    offset = place.span.start
    around = [one for one in commands(script.body) if isinstance(one, _BRANCHES) and one.start <= offset < one.end]
    seen: set[str] = set()
    for command in reversed(around):
        for condition in _conditions(command, offset):
            for name in parameters(condition):
                if name not in seen and name.isidentifier():
                    seen.add(name)
                    yield name


def _conditions(command: Command, offset: int) -> Iterator[nodes.Node]:
    """What was tested on the way to an offset inside a branching command."""
    if isinstance(command, nodes.If):
        for clause in command.clauses:
            if clause.condition.start <= offset:
                yield clause.condition
    elif isinstance(command, nodes.Case):
        yield command.subject
    elif isinstance(command, nodes.AndOr) and command.right.start <= offset:
        yield command.left


def _variable(launch: Launch, outcome: Outcome, name: str) -> Cell | None:
    """A variable as it is at the end; None where it is not set."""
    variable = outcome.variables.get(name)
    if isinstance(variable, ArrayCell):
        return Cell(unknown(name), name, variable.at)
    if variable is None and launch.environment.value(name) is not None:
        return Cell(input_hole(name), name, None, "input")
    return variable


def _known(launch: Launch, cell: Cell | None) -> str | None:
    return "" if cell is None else launch.known(cell.value)


def _inputs(launch: Launch, cells: list[Cell]) -> tuple[str, ...]:
    """The environment variables that went into cells."""
    found = (one.name for cell in cells for one in launch.sources(cell) if one.what == "input")
    return tuple(dict.fromkeys(found))


def _last_part(launch: Launch, cell: Cell) -> str | None:
    text = launch.text(cell.value)
    return None if text is None else text.rpartition("/")[2]


def _key(place: Place) -> _PlaceKey:
    return place.path, place.span.start


def _only_difference(one: list[str], other: list[str]) -> int:
    """The index of the one part that was changed, added or left out; 0 where it is the first, or more differs."""
    shorter, longer = sorted((one, other), key=len)
    if len(longer) - len(shorter) > 1:
        return 0
    at = next((i for i, (left, right) in enumerate(zip(shorter, longer, strict=False)) if left != right), len(shorter))
    return at if shorter[at + (len(shorter) == len(longer)) :] == longer[at + 1 :] else 0
