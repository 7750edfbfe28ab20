"""Workflow templates and their callers, read once: what a launch step's environment is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.values import clean
from configlint.model.layout import Fault, Layout, child, elements, pairs, top
from configlint.profile.profile import Condition, Conventional
from configlint.profile.profile import Template as TemplateLayout
from configlint.source.records import entity
from configlint.source.text import Place, Span, Text
from configlint.syntax.expressions import Template
from configlint.syntax.expressions.nodes import Path

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

Constant = str | int | float | bool | None

MAX_EXPRESSION = 21_000  # characters, GitHub's own bound


class Scope(Enum):
    """Where a formula stands, which decides what ``inputs`` and ``env`` are in it."""

    CALLER = "caller"  # the inputs are the caller's own, no env
    DEFAULT = "default"  # neither
    EARLY = "early"  # env: of workflow or job: the template's inputs, no env
    STEP = "step"  # the template's inputs, and what workflow and job set


@entity
class Formula:
    """A value that may hold ``${{ }}``: a parsed template, or a constant. ``place`` is where it is written.

    ``path`` is set for a template that is nothing but a context path, which nearly all are. ``scope`` says which
    contexts it sees.
    """

    value: Template | Constant
    place: Place | None
    path: tuple[str, ...] = ()
    scope: Scope = Scope.STEP

    @property
    def is_constant(self) -> bool:
        return not isinstance(self.value, Template)


@dataclass(frozen=True, eq=False)
class Input:
    """An input of a workflow: its type, its default where it has one, and whether it must be given."""

    name: str
    kind: str  # "string", "boolean", "number"
    default: Formula | None
    required: bool = False


@dataclass(frozen=True, eq=False)
class RunStep:
    """The ``run:`` of a launch step. ``options`` are the shell's own (``-e``)."""

    text: str
    place: Place
    node: Node | None
    shell: str = "bash"
    options: tuple[str, ...] = ("-e",)


@dataclass(frozen=True, eq=False)
class LaunchTemplate:
    """A template workflow: ``early`` is what ``env:`` of workflow and job give, ``step`` what the launch step adds."""

    path: str
    multi: bool
    inputs: dict[str, Input]
    early: dict[str, Formula]
    step: dict[str, Formula]
    run: RunStep | None
    assumed: bool = False


@dataclass(frozen=True, eq=False)
class CallerJob:
    """A job of a caller workflow that uses a template for each row of its job matrix.

    ``rows`` is the expression of its job matrix. ``singles`` are row fields that the job writes in brackets, as
    in ``'[${{ matrix.config.x }}]'``: in the rows it gets they are one value, not a list. ``inputs`` are those of the
    caller itself.
    """

    name: str
    template: str
    rows: str
    place: Place
    values: dict[str, Formula] = field(default_factory=dict)
    singles: frozenset[str] = frozenset()
    inputs: dict[str, Input] = field(default_factory=dict)

    def literal(self, name: str) -> object:
        """What the job passes for an input, where it is a constant."""
        formula = self.values.get(name)
        return formula.value if formula is not None and formula.is_constant else None


class Workflows:
    """The templates of a tree and the jobs that call them."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._profile = layout.profile.workflows
        self.faults: list[Fault] = []
        self.templates: dict[bool, LaunchTemplate] = {}
        for one in self._profile.templates:
            template = self._template(one)
            if template is not None:
                self.templates.setdefault(one.multi, template)
        self.jobs = tuple(job for path in self._profile.callers for job in self._callers(path))

    def template(self, multi: bool) -> LaunchTemplate:
        """The template for single-node or multi-node points; a conventional one where the tree has none."""
        if multi not in self.templates:
            self.templates[multi] = conventional(self._profile.conventional, multi)
        return self.templates[multi]

    def job(self, *, multi: bool, scenario: str, sequence: str, mode: str) -> CallerJob | None:
        """The job that dispatches such points; None where no caller has one."""
        template = self.template(multi)
        jobs = [job for job in self.jobs if job.template == template.path]
        for one in self._profile.dispatch:
            if one.when.holds(multi=multi, scenario=scenario, mode=mode):
                wanted = one.rows.replace("{sequence}", sequence)
                for job in jobs:
                    if wanted in job.rows:
                        return job
        return None

    def can_evaluate(self, *, multi: bool, scenario: str) -> bool:
        """True if some caller has jobs for evaluations of such points, or nothing is known about callers."""
        if self.template(multi).assumed or not self.jobs:
            return True
        return self.job(multi=multi, scenario=scenario, sequence="", mode="eval") is not None

    def evaluates(self) -> bool:
        """True if evaluations are jobs of their own here, rather than a second part of a throughput job."""
        return any(
            self.can_evaluate(multi=multi, scenario=one.when.scenario or "")
            for multi in (False, True)
            for one in self._profile.dispatch
            if one.when.holds(multi=multi, scenario=one.when.scenario or "", mode="eval")
        )

    def _template(self, layout: TemplateLayout) -> LaunchTemplate | None:
        document = self._layout.document(layout.path)
        if document is None or document.root is None:
            return None
        root = document.root
        early = self._env(root, Scope.EARLY)
        for job in pairs(child(root, "jobs")).values():
            for step in elements(child(job, "steps")):
                run = child(step, "run")
                if run is None or run.kind != "scalar" or layout.step not in run.text:
                    continue
                early.update(self._env(job, Scope.EARLY))
                shell, options = shell_of(
                    child(step, "shell")
                    or child(job, "defaults", "run", "shell")
                    or child(root, "defaults", "run", "shell")
                )
                return LaunchTemplate(
                    layout.path,
                    layout.multi,
                    _inputs(root, "workflow_call"),
                    early,
                    self._env(step, Scope.STEP),
                    RunStep(clean(run.text), run.place, run, shell, options),
                )
        message = f"no step runs {layout.step!r}, so the environment of launches is taken from convention"
        self.faults.append(Fault(message, top(document), layout.path))
        return None

    def _env(self, node: Node, scope: Scope) -> dict[str, Formula]:
        env = child(node, "env")
        if env is not None and env.kind != "map":
            self.faults.append(Fault("env is no mapping", env.place, env.file.text.path))
        return {name: _formula(value, scope) for name, value in pairs(env).items()}

    def _callers(self, path: str) -> Iterator[CallerJob]:
        document = self._layout.document(path)
        if document is None or document.root is None:
            return
        inputs = _inputs(document.root, "workflow_dispatch", "workflow_call")
        for name, job in pairs(child(document.root, "jobs")).items():
            uses = child(job, "uses")
            if uses is None or uses.kind != "scalar":
                continue
            target = uses.text.split("@", 1)[0].removeprefix("./")
            rows = child(job, "strategy", "matrix", self._profile.rows_context.rpartition(".")[2])
            given = pairs(child(job, "with"))
            yield CallerJob(
                name,
                target,
                rows.text if rows is not None else "",
                uses.place,
                {key: _formula(value, Scope.CALLER) for key, value in given.items()},
                frozenset(found[1] for value in given.values() if (found := self._bracketed.fullmatch(value.text))),
                inputs,
            )

    @cached_property
    def _bracketed(self) -> re.Pattern[str]:
        return re.compile(r"\[\$\{\{ *" + re.escape(self._profile.rows_context) + r"\.([\w-]+) *\}\}\]")


def conventional(layout: Conventional, multi: bool) -> LaunchTemplate:
    """The template of a tree that has none."""
    text = Text("(conventional environment)", layout.run.encode())
    run = RunStep(layout.run, Place(text, Span(0, 0)), None) if layout.run else None
    step = {name: _parsed(value, None, Scope.STEP) for name, value in layout.env.items()}
    return LaunchTemplate("", multi, {}, {}, step, run, assumed=True)


def _formula(node: Node, scope: Scope) -> Formula:
    place = node.place
    if node.kind != "scalar":
        return Formula("", place)  # GitHub rejects it
    value = node.value
    return _parsed(value, place, scope) if isinstance(value, str) else Formula(value, place)


def _parsed(value: str, place: Place | None, scope: Scope) -> Formula:
    value = clean(value)
    if "${{" not in value:
        return Formula(value, place)
    template = Template.parse(value if len(value) <= MAX_EXPRESSION else "${{ too-long }}")
    return Formula(template, place, path_of(template), scope)


def path_of(template: Template) -> tuple[str, ...]:
    """The steps of a template that is a context path alone, ``()`` for any other."""
    if len(template.parts) == 1 and isinstance(only := template.parts[0], Path) and isinstance(only.base, str):
        steps = tuple(step for step in only.steps if isinstance(step, str))
        if len(steps) == len(only.steps):
            return (only.base, *steps)
    return ()


def _inputs(root: Node, *events: str) -> dict[str, Input]:
    """The inputs that a workflow declares for the first of some events that it has."""
    inputs = {}
    declared = next((found for event in events if (found := child(root, "on", event, "inputs"))), None)
    for name, node in pairs(declared).items():
        kind, default, required = child(node, "type"), child(node, "default"), child(node, "required")
        inputs[name] = Input(
            name,
            kind.text if kind is not None and kind.kind == "scalar" else "string",
            None if default is None else _formula(default, Scope.DEFAULT),
            required is not None and required.value is True,
        )
    return inputs


def shell_of(node: Node | None) -> tuple[str, tuple[str, ...]]:
    """The shell and its options as GitHub starts it: ``bash -e`` by default, more where bash is named."""
    if node is None or node.kind != "scalar":
        return "bash", ("-e",)
    words = node.text.split()
    if words == ["bash"]:
        return "bash", ("--noprofile", "--norc", "-e", "-o", "pipefail")
    if len(words) == 1:
        return words[0], ("-e",) if words == ["sh"] else ()
    return (words[0], tuple(word for word in words[1:] if word != "{0}")) if words else ("bash", ("-e",))


__all__ = ["CallerJob", "Condition", "Formula", "Input", "LaunchTemplate", "RunStep", "Workflows", "conventional"]
