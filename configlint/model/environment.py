"""The environment of a launch, derived the way the repository does it.

Row -> ``with:`` of the caller's job -> inputs and ``env:`` of the template -> ``env:`` of the launch step -> the step's
``run:``. Nothing is evaluated before it is asked for; what depends only on fields that all points of an item share is
evaluated once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from configlint.launch.values import holes, is_known, unknown
from configlint.model.contexts import Lazy, Partial, nested, shown, typed
from configlint.model.layout import Fault, Layout
from configlint.model.matrix import EVAL, SWEEP, THROUGHPUT, Item, Point
from configlint.model.script import Piece, RunScript, build
from configlint.model.workflows import CallerJob, Formula, LaunchTemplate, Workflows
from configlint.profile.profile import Profile
from configlint.profile.rows import Path
from configlint.source.text import Place
from configlint.syntax.expressions import Template, UnknownValue, evaluate


@dataclass(frozen=True, eq=False, slots=True)
class Variable:
    """A variable of a launch's environment.

    ``value`` may have holes. ``place`` is the template line that sets it, ``through`` the caller's ``with:`` lines it
    came by, ``reads`` the paths of the row behind it (see :meth:`Point.places`). ``kind``: ``template`` (workflow or
    job ``env:``), ``step``, ``workspace``, ``fixed``, ``host`` (set, not empty, value unknown), ``operator`` (may be
    set by whoever runs the machines), ``pinned``.
    """

    name: str
    value: str
    kind: str
    place: Place | None = None
    through: tuple[Place, ...] = ()
    reads: tuple[Path, ...] = ()

    @property
    def is_nonempty(self) -> bool:
        """True if the value is known not to be empty."""
        return self.kind in ("host", "workspace") or (self.value != "" and is_known(self.value))


class Environments:
    """The environments of a tree's launches."""

    def __init__(self, layout: Layout, workspace: str | None = None, pins: Mapping[str, str] | None = None) -> None:
        self.profile: Profile = layout.profile
        self.workflows = Workflows(layout)
        self.workspace = workspace
        self.pins = dict(pins or {})
        self._plans: dict[tuple[bool, str, str, str], _Plan] = {}
        self._throughput = THROUGHPUT if self.workflows.evaluates() else SWEEP
        self._can_evaluate: dict[tuple[bool, str], bool] = {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(self.workflows.faults)

    def modes(self, point: Point) -> tuple[str, ...]:
        """The modes in which a point is launched."""
        if not point.is_evaluated:
            return (THROUGHPUT,)
        item = point.item
        key = (item.multi, item.scenario)
        if key not in self._can_evaluate:
            self._can_evaluate[key] = self.workflows.can_evaluate(multi=item.multi, scenario=item.scenario)
        return (THROUGHPUT, EVAL) if self._can_evaluate[key] else (THROUGHPUT,)

    def of(self, point: Point, runner: str, mode: str = THROUGHPUT) -> Environment:
        """The environment of a point on a concrete runner."""
        item = point.item
        key = (item.multi, item.scenario, item.sequence, mode)
        plan = self._plans.get(key)
        if plan is None:
            job = self.workflows.job(multi=item.multi, scenario=item.scenario, sequence=item.sequence, mode=mode)
            plan = self._plans[key] = _Plan(self, self.workflows.template(item.multi), job)
        return Environment(plan, point, runner, EVAL if mode == EVAL else self._throughput)


class _Plan:
    """A template and the job that calls it, with what was evaluated per item."""

    def __init__(self, owner: Environments, template: LaunchTemplate, job: CallerJob | None) -> None:
        self.owner = owner
        self.template = template
        self.job = job
        self.singles = job.singles if job is not None else frozenset()
        self.names = (*template.early, *(name for name in template.step if name not in template.early))
        self.rows_context = tuple(owner.profile.workflows.rows_context.split("."))
        self.contexts = nested(owner.profile.workflows.contexts)
        self.shared: dict[tuple[Item, str], _Shared] = {}


class _Shared:
    """What is the same for all points of an item on one runner."""

    __slots__ = ("run", "variables")

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.run: RunScript | None = None


class Environment:
    """The variables of one launch, evaluated when asked for."""

    __slots__ = (
        "_fields",
        "_found",
        "_inputs",
        "_plan",
        "_reads",
        "_run",
        "_shared",
        "_through",
        "_varying",
        "mode",
        "point",
        "runner",
    )

    def __init__(self, plan: _Plan, point: Point, runner: str, mode: str) -> None:
        self._plan = plan
        self.point = point
        self.runner = runner
        self.mode = mode
        self._found: dict[str, Variable | None] = {}
        self._inputs: dict[str, tuple[object, tuple[Path, ...], tuple[Place, ...]]] = {}
        self._fields: dict[str, bool] = {}  # row fields read by the template at hand, True if it writes them out
        self._reads: dict[Path, None] = {}
        self._through: dict[Place, None] = {}
        self._run: RunScript | None = None
        self._varying = point.item.varying(mode)
        shared = plan.shared.get((point.item, runner))
        if shared is None:
            shared = plan.shared[point.item, runner] = _Shared()
        self._shared = shared

    @property
    def template(self) -> LaunchTemplate:
        return self._plan.template

    @property
    def job(self) -> CallerJob | None:
        """The caller's job that dispatches the point; None where none was found."""
        return self._plan.job

    def names(self) -> tuple[str, ...]:
        """The variables that the workflow sets."""
        return self._plan.names

    def get(self, name: str) -> Variable | None:
        """A variable; None where nothing is known to set it."""
        found = self._found
        if name not in found:
            found[name] = self._find(name)
        return found[name]

    def places(self, variable: Variable) -> tuple[Place, ...]:
        """Where the matrix says what is behind a variable."""
        return tuple(dict.fromkeys(place for path in variable.reads for place in self.point.places(*path)))

    @property
    def run(self) -> RunScript | None:
        """The launch step's script, expressions substituted; None where there is none."""
        if self._run is None:
            self._run = self._shared.run
        if self._run is None and self._plan.template.run is not None:
            before = self._begin()
            self._run = build(self._plan.template.run, self._piece, self.point)
            if self._is_shared():
                self._shared.run = self._run
            self._end(before)
        return self._run

    def expression(self, name: str, template: Template) -> str:
        """The text of an expression of the launch step; ``name`` is the parameter that stands for it."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._evaluated(name, Formula(template, None), "expression")
        assert found is not None
        return found.value

    def varies(self, name: str) -> bool:
        """True unless the variable (asked for before) is the same for all points of the item."""
        shared = self._shared.variables
        if any(f"{kind} {name}" in shared for kind in ("template", "step", "expression")):
            return False
        template = self._plan.template
        formula = template.step.get(name) or template.early.get(name)
        return name.startswith("_") if formula is None else isinstance(formula.value, Template)

    # Finding variables

    def _find(self, name: str) -> Variable | None:
        owner, template = self._plan.owner, self._plan.template
        if name in owner.pins:
            return Variable(name, owner.pins[name], "pinned")
        if name in template.step:
            return self._evaluated(name, template.step[name], "step")
        if name in template.early:
            return self._evaluated(name, template.early[name], "template")
        variables = owner.profile.variables
        if name in variables.workspace:
            return Variable(name, unknown(name) if owner.workspace is None else owner.workspace, "workspace")
        if name in variables.fixed:
            return Variable(name, variables.fixed[name], "fixed")
        if name in variables.runner:
            return Variable(name, self.runner, "fixed")
        if variables.is_host(name):
            return Variable(name, unknown(name), "host")
        if variables.is_operator(name):
            return Variable(name, unknown(name), "operator")
        return None

    def _evaluated(self, name: str, formula: Formula, kind: str) -> Variable:
        if not isinstance(formula.value, Template):
            return Variable(name, shown(formula.value), kind, formula.place)
        shared = self._shared.variables
        key = f"{kind} {name}"
        if key in shared:
            return shared[key]
        before = self._begin()
        value = self._text(formula.value)
        variable = Variable(name, value, kind, formula.place, tuple(self._through), tuple(self._reads))
        if self._is_shared():
            shared[key] = variable
        self._end(before)
        return variable

    # Recording what was read, one evaluation inside another

    def _begin(self) -> tuple[dict[Path, None], dict[Place, None]]:
        before = (self._reads, self._through)
        self._reads, self._through = {}, {}
        return before

    def _end(self, before: tuple[dict[Path, None], dict[Place, None]]) -> None:
        reads, through = before
        reads.update(self._reads)
        through.update(self._through)
        self._reads, self._through = reads, through

    def _is_shared(self) -> bool:
        """True if what was just evaluated is the same for all points of the item."""
        return not any(path[0] in self._varying for path in self._reads)

    # Evaluation

    def _value(self, template: Template) -> object:
        """The value of a template; what it reads of the row is recorded."""
        outer, self._fields = self._fields, {}
        value = evaluate(template, self._root)
        fields, self._fields = self._fields, outer
        if fields:
            depth = len(self._plan.rows_context)
            for path in template.references():
                if path[:depth] == self._plan.rows_context and len(path) > depth and path[depth] in fields:
                    self._reads[path[depth:]] = None
                    fields[path[depth]] = True
            self._reads.update({(name,): None for name, written in fields.items() if not written})
        return value

    def _text(self, template: Template) -> str:
        return shown(self._value(template))

    def _piece(self, template: Template) -> Piece:
        before = self._begin()
        piece = Piece(self._text(template), tuple(self._reads))
        self._end(before)
        return piece

    def _root(self, name: str) -> object:
        """What an expression sees under a context's name."""
        plan = self._plan
        if name == "inputs":
            return Lazy(plan.template.inputs.__contains__, self._input)
        if name == "env":
            return Lazy(plan.template.early.__contains__, self._early)
        if name == plan.rows_context[0]:
            return self._rows
        known = plan.contexts.get(name)
        if name == "runner":
            return Partial(name, {**(known or {}), "name": self.runner})
        return UnknownValue(name) if known is None else Partial(name, known)

    @property
    def _rows(self) -> object:
        value: object = Lazy(lambda _: True, self._field)
        for step in reversed(self._plan.rows_context[1:]):
            value = Partial(step, {step: value})
        return value

    def _field(self, name: str) -> object:
        """A field of the row."""
        self._fields.setdefault(name, False)
        value = self.point.get(name, self.mode)
        if isinstance(value, list) and len(value) == 1 and name in self._plan.singles:
            value = value[0]
        if isinstance(value, str) and not is_known(value):
            return UnknownValue(holes(value)[0])
        return value

    def _early(self, name: str) -> object:
        """A variable of workflow or job, as the launch step's own ``env:`` sees it."""
        variable = self._evaluated(name, self._plan.template.early[name], "template")
        self._reads.update(dict.fromkeys(variable.reads))
        self._through.update(dict.fromkeys(variable.through))
        return variable.value if is_known(variable.value) else UnknownValue(f"env.{name}")

    def _input(self, name: str) -> object:
        known = self._inputs.get(name)
        if known is None:
            before = self._begin()
            value = self._passed(name)
            known = self._inputs[name] = (value, tuple(self._reads), tuple(self._through))
            self._end(before)
        value, reads, through = known
        self._reads.update(dict.fromkeys(reads))
        self._through.update(dict.fromkeys(through))
        return value

    def _passed(self, name: str) -> object:
        """The value of an input: what the caller passes, else the default, else the type's empty value."""
        plan = self._plan
        declared = plan.template.inputs[name]
        formula = plan.job.values.get(name) if plan.job is not None else None
        if formula is not None:
            if formula.place is not None:
                self._through[formula.place] = None
        else:
            if plan.job is None and (value := self._field(name)) is not None:
                self._reads[(name,)] = None
                return typed(value, declared.kind)  # nobody calls the template: callers pass fields under their names
            formula = declared.default
            if plan.job is None and formula is None:
                return UnknownValue(f"inputs.{name}")
        if formula is None:
            return {"boolean": False, "number": 0}.get(declared.kind, "")
        value = formula.value
        return typed(self._value(value) if isinstance(value, Template) else value, declared.kind)
