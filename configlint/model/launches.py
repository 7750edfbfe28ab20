"""Launches: every point through every launcher that may run it, each distinct run made once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from configlint.launch import memo
from configlint.launch.outcome import Cell, End, Outcome
from configlint.launch.run import Outcomes, Runner
from configlint.launch.settings import OpaqueProgram, RefLookup, Settings, SubmitCommand
from configlint.launch.values import HOLE, INPUT, UNKNOWN, Choice, Value, choice, hole_name
from configlint.launch.world import World
from configlint.model.environment import Environment, Environments, Variable
from configlint.model.layout import Layout
from configlint.model.matrix import Entry, Item, Matrix, Point
from configlint.model.runners import Launcher
from configlint.model.step import StepScript, is_plain, pasted_script, step_script
from configlint.profile.profile import Profile
from configlint.source.text import Place
from configlint.syntax.bash.nodes import Script
from configlint.syntax.expressions import Template


@dataclass(frozen=True, eq=False)
class Launch:
    """The points of an item that one launcher runs alike, in one mode.

    ``outcomes`` holds one outcome for each way it can go; nearly always there is exactly one.
    """

    item: Item
    points: tuple[Point, ...]
    launcher: Launcher
    mode: str
    outcomes: Outcomes
    environment: LaunchEnvironment

    @property
    def entry(self) -> Entry:
        return self.item.entry

    @property
    def outcome(self) -> Outcome:
        """The one outcome, or the first of several."""
        return self.outcomes[0]

    @property
    def is_analysed(self) -> bool:
        return all(one.end is not End.NOT_ANALYSED for one in self.outcomes)

    def text(self, value: Value) -> str | None:
        """A value of the outcome with this launch's inputs filled in; None where it has alternatives.

        Unknown holes stay.
        """
        bound = self.bind(value)
        return bound if isinstance(bound, str) else None

    def bind(self, value: Value) -> Value:
        """A value of the outcome with this launch's inputs filled in."""
        if isinstance(value, Choice):
            return choice([self._fill(option) for option in value.options], "a value")
        return self._fill(value)

    def _fill(self, text: str) -> str:
        if INPUT not in text:
            return text
        return HOLE.sub(
            lambda hole: (
                memo.answer(self.environment, hole_name(hole)) or "" if hole.group(0)[0] == INPUT else hole.group(0)
            ),
            text,
        )

    def known(self, value: Value) -> str | None:
        """Like :meth:`text`, but None as soon as a part is unknown."""
        text = self.text(value)
        return None if text is None or UNKNOWN in text else text

    def sources(self, cell: Cell) -> Iterator[Cell]:
        """The cells that a cell was made from, itself included, each once."""
        seen: set[int] = set()
        pending = [cell]
        while pending:
            current = pending.pop()
            if id(current) not in seen:
                seen.add(id(current))
                yield current
                pending.extend(current.via)

    def depends_on(self, cell: Cell, names: frozenset[str] | set[str]) -> bool:
        """True if an environment variable of these names went into the cell."""
        return any(one.what == "input" and one.name in names for one in self.sources(cell))

    def setting(self, name: str) -> tuple[str, Place] | None:
        """The value that the row gives to a variable which the launch step exports, and where (``NAME=VALUE``)."""
        run = self.environment.inner.run
        found = None
        for one in run.substitutions if run is not None else ():
            for match in re.finditer(rf"(?<!\S){re.escape(name)}=(\S*)", one.piece.text):
                found = match[1], one.span.start + len(one.piece.text[: match.start()].encode())
        return (found[0], run.place_at(found[1])) if run is not None and found is not None else None

    def named_at(self, cell: Cell) -> Place | None:
        """Where the row names the file that a value is about: the setting that went into the value."""
        text = self.text(cell.value) or ""
        for one in self.sources(cell):
            setting = self.setting(one.name) if one.name else None
            if setting is not None and setting[0] == self.text(one.value) and setting[0].rpartition("/")[2] in text:
                return setting[1]
        return None

    def matrix_places(self, name: str) -> tuple[Place, ...]:
        """Where the matrix says what is behind an environment variable."""
        return self.environment.places(name)


class LaunchEnvironment:
    """The environment as the interpreter asks for it: variables, and the parameters that stand for expressions."""

    __slots__ = ("inner", "parameters")

    def __init__(self, inner: Environment, parameters: dict[str, Template]) -> None:
        self.inner = inner
        self.parameters = parameters

    @property
    def is_pasted(self) -> bool:
        """True if the row's text is part of the launch step's script, because parameters could not stand for it."""
        run = self.inner.run
        return not self.parameters and run is not None and bool(run.substitutions)

    def value(self, name: str) -> str | None:
        template = self.parameters.get(name)
        if template is not None:
            return self.inner.expression(name, template)
        variable = self.inner.get(name)
        return None if variable is None or variable.kind == "operator" else variable.value

    def is_set(self, name: str) -> bool:
        if name in self.parameters or self.inner.is_set(name):
            return True
        return self.value(name) is not None

    def is_nonempty(self, name: str) -> bool:
        return name not in self.parameters and self.inner.is_nonempty(name)

    def varies(self, name: str) -> bool:
        """True unless the variable is the same for all points of the item."""
        return self.inner.varies(name)

    def variable(self, name: str) -> Variable | None:
        return self.inner.get(name)

    def spelling(self, name: str) -> str:
        """A name as the workflow has it: the expression that a parameter stands for, any other name as it is."""
        template = self.parameters.get(name)
        return name if template is None else template.source

    def places(self, name: str) -> tuple[Place, ...]:
        if name in self.parameters:
            self.value(name)  # evaluated, it is known as a variable
        variable = self.inner.get(name)
        return self.inner.places(variable) if variable is not None else ()


class Launches:
    """All launches of a tree, made on demand, entry by entry."""

    def __init__(self, layout: Layout, matrix: Matrix, environments: Environments, refs: RefLookup) -> None:
        self.world = World(layout.tree, settings_of(layout.profile), refs)
        self._matrix, self._environments = matrix, environments
        self._steps: dict[int, StepScript] = {}
        self._runners: dict[int, Runner] = {}
        self._launches: dict[str, tuple[Launch, ...]] = {}

    @property
    def runs(self) -> int:
        """How many distinct runs were made."""
        return sum(runner.memo.runs for runner in self._runners.values())

    @cached_property
    def all(self) -> tuple[Launch, ...]:
        return tuple(launch for entry in self._matrix.entries.values() for launch in self.of(entry))

    def of(self, entry: Entry) -> tuple[Launch, ...]:
        """The launches of an entry, in order of items, launchers and modes."""
        if entry.key not in self._launches:
            self._launches[entry.key] = tuple(self._of(entry))
        return self._launches[entry.key]

    def _of(self, entry: Entry) -> Iterator[Launch]:
        for item in entry.items:
            for launcher in entry.launchers:
                if launcher.exists:
                    yield from self._item(item, launcher)

    def _item(self, item: Item, launcher: Launcher) -> Iterator[Launch]:
        by_mode: dict[str, list[Point]] = {}
        for point in item.points:
            for mode in self._environments.modes(point):
                by_mode.setdefault(mode, []).append(point)
        for mode, points in by_mode.items():
            groups: dict[int, tuple[Outcomes, LaunchEnvironment, list[Point]]] = {}
            leaves: list[memo.Leaf[Outcomes]] = []
            doubtful: tuple[str, ...] | None = None
            for point in points:
                environment, runner = self._prepare(point, launcher.runner, mode, doubtful)
                if doubtful is None and environment.parameters:  # what is plain for one and does not vary is for all
                    doubtful = tuple(filter(environment.varies, environment.parameters))
                leaf = next((one for one in leaves if one.fits(environment, environment.varies)), None)
                if leaf is None:
                    leaf = runner.leaf(environment)
                    leaves.append(leaf)
                groups.setdefault(id(leaf), (leaf.result, environment, []))[2].append(point)
            for outcomes, environment, shared in groups.values():
                yield Launch(item, tuple(shared), launcher, mode, outcomes, environment)

    def in_other_modes(self, launch: Launch) -> Iterator[Launch]:
        """The launches of the same points through the same launcher in another mode."""
        points = {point.index for point in launch.points}
        for other in self.of(launch.entry):
            same = other.item is launch.item and other.launcher.path == launch.launcher.path
            if same and other.mode != launch.mode and any(point.index in points for point in other.points):
                yield other

    def trace(self, launch: Launch) -> Outcomes:
        """The launch once more, with every decision recorded."""
        _, runner = self._prepare(launch.points[0], launch.launcher.runner, launch.mode)
        return runner.trace(launch.environment)

    def _prepare(
        self, point: Point, runner: str, mode: str, doubtful: tuple[str, ...] | None = None
    ) -> tuple[LaunchEnvironment, Runner]:
        """The environment of a point with what runs it. ``doubtful``: expressions that may not be plain, if not all."""
        inner = self._environments.of(point, runner, mode)
        step = inner.template.run
        if step is None:
            raise LookupError("the layout has no step that starts launchers")
        key = id(step)
        if key not in self._steps:
            self._steps[key] = step_script(step)
            self._runners[key] = Runner(
                self.world, self._steps[key].script, step=True, options=self._steps[key].options
            )
        prepared = self._steps[key]
        environment = LaunchEnvironment(inner, prepared.parameters)
        if all(
            is_plain(environment.value(name) or "") for name in (prepared.parameters if doubtful is None else doubtful)
        ):
            return environment, self._runners[key]
        script = pasted_script(inner, step)
        assert script is not None
        return LaunchEnvironment(inner, {}), self._pasted(script, prepared)

    def _pasted(self, script: Script, prepared: StepScript) -> Runner:
        runner = Runner(self.world, script, step=True, options=prepared.options)
        self._runners[id(script)] = runner
        return runner


def settings_of(profile: Profile) -> Settings:
    """What the interpreter needs to know of a profile."""
    launch = profile.launch
    return Settings(
        workspace=profile.variables.workspace[0] if profile.variables.workspace else "PWD",
        is_host=profile.variables.is_host,
        submit=tuple(SubmitCommand(one.command, one.document, launch.selector_separator) for one in launch.submits),
        is_script=profile.scripts.matches,
        script_prefixes=tuple(pattern.partition("*")[0] for pattern in launch.scripts),
        mounts=launch.mounts,
        opaque=tuple(
            OpaqueProgram(
                one.program, one.document - 1, one.touches, {one.when.variable: one.when.equals} if one.when else {}
            )
            for one in launch.opaque
        ),
        creates={tuple(one.command): one.path for one in launch.creates},
    )
