"""The environment of a launch, derived the way the repository does it.

Row -> ``with:`` of the caller's job -> inputs and ``env:`` of the template -> ``env:`` of the launch step -> the step's
``run:``. Nothing is evaluated before it is asked for; what depends only on fields that all points of an item share is
evaluated once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from configlint.launch.values import is_known, unknown
from configlint.model.contexts import nested, shown
from configlint.model.evaluation import Evaluator
from configlint.model.layout import Fault, Layout
from configlint.model.matrix import EVAL, SWEEP, THROUGHPUT, Item, Point
from configlint.model.script import Piece, RunScript, build
from configlint.model.workflows import CallerJob, Formula, LaunchTemplate, Workflows, path_of
from configlint.profile.profile import Profile
from configlint.profile.rows import Path
from configlint.source.records import entity
from configlint.source.text import Place
from configlint.syntax.expressions import Template


@entity
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
        self.names = (*template.early, *(name for name in template.step if name not in template.early))
        self.rows = tuple(owner.profile.workflows.rows_context.split("."))
        self.contexts = nested(owner.profile.workflows.contexts)
        self.constants: dict[str, Variable] = {}
        self.settled: set[str] = set()  # names that are the same for all points
        self.by_fields: dict[str, _ByFields] = {}
        self.shared: dict[tuple[Item, str], _Shared] = {}


class _ByFields:
    """A variable's value by the row fields it was made of.

    Evaluation is deterministic: rows that agree on the fields that were read give the same value.
    """

    __slots__ = ("names", "values")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.values: dict[tuple[object, ...], Variable] = {}


class _Shared:
    """What is the same for all points of an item on one runner."""

    __slots__ = ("run", "settled", "variables")

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.settled: set[str] = set()
        self.run: RunScript | None = None


class Environment:
    """The variables of one launch, evaluated when asked for."""

    __slots__ = (
        "_evaluator",
        "_found",
        "_plan",
        "_run",
        "_shared",
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
        self._evaluator = Evaluator(plan.template, plan.job, plan.rows, plan.contexts, point, runner, mode)
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
            self._run = build(self._plan.template.run, self._piece, self.point)
            reads = [path for one in self._run.substitutions for path in one.piece.reads]
            if not any(path[0] in self._varying for path in reads):
                self._shared.run = self._run
        return self._run

    def _piece(self, template: Template) -> Piece:
        value, reads, *_ = self._evaluator.resolve(Formula(template, None, path_of(template)))
        return Piece(shown(value), reads)

    def expression(self, name: str, template: Template) -> str:
        """The text of an expression of the launch step; ``name`` is the parameter that stands for it."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._evaluated(name, Formula(template, None, path_of(template)), "expression")
        return found.value

    def is_set(self, name: str) -> bool:
        """True if the workflow sets the variable; others may be set by the host."""
        return name in self._plan.template.step or name in self._plan.template.early

    def is_nonempty(self, name: str) -> bool:
        """True if a variable is known not to be empty; its value is looked at only where that is not plain."""
        formula = self._plan.template.step.get(name) or self._plan.template.early.get(name)
        template = formula.value if formula is not None and name not in self._plan.owner.pins else None
        if isinstance(template, Template) and any(isinstance(part, str) and part for part in template.parts):
            return True
        variable = self.get(name)
        return variable is not None and variable.is_nonempty

    def varies(self, name: str) -> bool:
        """True unless the variable (asked for before) is the same for all points of the item."""
        if name in self._plan.settled or name in self._shared.settled:
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
        plan, key = self._plan, f"{kind} {name}"
        known = plan.constants.get(key) or self._shared.variables.get(key)
        if known is not None:
            return known
        remembered = plan.by_fields.get(key)
        fields = None if remembered is None else self._fields(remembered.names)
        if remembered is not None and fields in remembered.values:
            known = remembered.values[fields]
        else:
            value, reads, through, on_runner = self._evaluator.resolve(formula)
            known = Variable(name, shown(value), kind, formula.place, through, reads)
            if not on_runner:
                names = tuple(dict.fromkeys(str(path[0]) for path in reads))
                if remembered is None or remembered.names != names:
                    remembered = plan.by_fields[key] = _ByFields(names)
                remembered.values[self._fields(names)] = known
            if not reads and not on_runner:
                plan.constants[key] = known
                plan.settled.add(name)
        if known.reads and not any(path[0] in self._varying for path in known.reads):
            self._shared.variables[key] = known
            self._shared.settled.add(name)
        return known

    def _fields(self, names: tuple[str, ...]) -> tuple[object, ...]:
        """The values of row fields as a key; what cannot be one stands as its text."""
        values = (self.point.get(name, self.mode) for name in names)
        return tuple(repr(one) if isinstance(one, (list, dict)) else (type(one), one) for one in values)
