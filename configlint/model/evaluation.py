"""Evaluation of a workflow's formulas for one point: values with what they were made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from configlint.launch.values import holes, is_known
from configlint.model.contexts import Lazy, Partial, shown, typed
from configlint.model.matrix import Point
from configlint.model.workflows import CallerJob, Formula, LaunchTemplate, Scope
from configlint.profile.rows import Path
from configlint.source.text import Place
from configlint.syntax.expressions import Template, UnknownValue, evaluate

Steps = tuple[str, ...]

_TEMPLATE = (Scope.EARLY, Scope.STEP)
_EMPTY: dict[str, object] = {"boolean": False, "number": 0}


class Resolved(NamedTuple):
    """A value, the paths of the row that were read for it, and the caller's lines it came through.

    ``on_runner``: the runner's name went into it, too.
    """

    value: object
    reads: tuple[Path, ...] = ()
    through: tuple[Place, ...] = ()
    on_runner: bool = False


class Evaluator:
    """Evaluates formulas of a template and of the job that calls it, for the row of one point.

    ``rows`` is the context path under which the job sees its row, ``contexts`` what is known of other contexts.
    """

    __slots__ = ("_contexts", "_inputs", "_job", "_mode", "_point", "_record", "_rows", "_runner", "_template")

    def __init__(
        self,
        template: LaunchTemplate,
        job: CallerJob | None,
        rows: Steps,
        contexts: Mapping[str, dict[str, object]],
        point: Point,
        runner: str,
        mode: str,
    ) -> None:
        self._template = template
        self._job = job
        self._rows = rows
        self._contexts = contexts
        self._point = point
        self._runner = runner
        self._mode = mode
        self._inputs: dict[str, Resolved] = {}
        self._record: _Record | None = None

    def resolve(self, formula: Formula) -> Resolved:
        """The value of a formula. Paths alone, which nearly all are, take a short way."""
        path = formula.path
        if not path:
            value = formula.value
            return self._general(value, formula.scope) if isinstance(value, Template) else Resolved(value)
        if len(path) == 2 and path[0] == "inputs" and formula.scope in _TEMPLATE:
            return self._input(path[1])
        depth = len(self._rows)
        if len(path) > depth and path[:depth] == self._rows:
            return Resolved(self._below(path[depth:]), (path[depth:],))
        assert isinstance(formula.value, Template)
        return self._general(formula.value, formula.scope)

    def _below(self, path: Steps) -> object:
        value = self._field(path[0])
        for step in path[1:]:
            if isinstance(value, dict):
                value = value.get(step)
            else:
                return value if isinstance(value, UnknownValue) else None
        return value

    def _general(self, template: Template, scope: Scope) -> Resolved:
        outer, record = self._record, _Record()
        self._record = record
        value = evaluate(template, lambda name: self._root(name, scope))
        self._record = outer
        if record.fields:
            depth, found = len(self._rows), set(record.fields)
            for path in _references(template):
                if len(path) > depth and path[:depth] == self._rows and path[depth] in record.fields:
                    record.reads[path[depth:]] = None
                    found.discard(path[depth])
            record.reads.update({(name,): None for name in record.fields if name in found})
        return Resolved(value, tuple(record.reads), tuple(record.through), record.on_runner)

    def _note(self, resolved: Resolved) -> object:
        """What one more part of the template at hand was made of."""
        if self._record is not None:
            self._record.reads.update(dict.fromkeys(resolved.reads))
            self._record.through.update(dict.fromkeys(resolved.through))
            self._record.on_runner |= resolved.on_runner
        return resolved.value

    # Contexts

    def _root(self, name: str, scope: Scope) -> object:
        """What an expression sees under a context's name."""
        if name == "inputs" and scope in _TEMPLATE:
            return Lazy(self._template.inputs.__contains__, lambda name: self._note(self._input(name)))
        if name == "inputs" and scope is Scope.CALLER and self._job is not None:
            return Lazy(self._job.inputs.__contains__, lambda name: self._note(self._of_caller(name)))
        if name == "env" and scope is Scope.STEP:
            return Lazy(self._template.early.__contains__, lambda name: self._note(self._early(name)))
        if name == self._rows[0]:
            rows: object = Lazy(lambda _: True, self._noted_field)
            for step in reversed(self._rows[1:]):
                rows = Partial(step, {step: rows})
            return rows
        known = self._contexts.get(name)
        if name == "runner":
            if self._record is not None:
                self._record.on_runner = True
            return Partial(name, {**(known or {}), "name": self._runner})
        return UnknownValue(name) if known is None else Partial(name, known)

    def _noted_field(self, name: str) -> object:
        if self._record is not None:
            self._record.fields[name] = None
        return self._field(name)

    def _field(self, name: str) -> object:
        """A field of the row."""
        value = self._point.get(name, self._mode)
        if isinstance(value, list) and len(value) == 1 and self._job is not None and name in self._job.singles:
            value = value[0]
        if isinstance(value, str) and not is_known(value):
            return UnknownValue(holes(value)[0])
        return value

    def _early(self, name: str) -> Resolved:
        """A variable of workflow or job, as the launch step's own ``env:`` sees it."""
        found = self.resolve(self._template.early[name])
        text = shown(found.value)
        return found._replace(value=text if is_known(text) else UnknownValue(f"env.{name}"))

    def _input(self, name: str) -> Resolved:
        """An input: what the caller passes, else the default, else the type's empty value."""
        known = self._inputs.get(name)
        if known is None:
            known = self._inputs[name] = self._passed(name)
        return known

    def _passed(self, name: str) -> Resolved:
        declared = self._template.inputs.get(name)
        if declared is None:
            return Resolved(None)
        formula = self._job.values.get(name) if self._job is not None else None
        through: tuple[Place, ...] = () if formula is None or formula.place is None else (formula.place,)
        if formula is None:
            if self._job is None and (field := self._field(name)) is not None:
                # nobody calls the template: callers pass fields under their own names
                return Resolved(typed(field, declared.kind), ((name,),))
            formula = declared.default
            if self._job is None and formula is None:
                return Resolved(UnknownValue(f"inputs.{name}"))
        if formula is None:
            return Resolved(_EMPTY.get(declared.kind, ""))
        value, reads, _, on_runner = self.resolve(formula)
        return Resolved(typed(value, declared.kind), reads, through, on_runner)

    def _of_caller(self, name: str) -> Resolved:
        """An input of the caller itself: what it is when nobody says otherwise."""
        assert self._job is not None
        declared = self._job.inputs[name]
        if declared.default is not None:
            found = self.resolve(declared.default)
            return found._replace(value=typed(found.value, declared.kind))
        return Resolved(UnknownValue(f"inputs.{name}") if declared.required else _EMPTY.get(declared.kind, ""))


class _Record:
    """What was read while one template was evaluated."""

    __slots__ = ("fields", "on_runner", "reads", "through")

    def __init__(self) -> None:
        self.on_runner = False
        self.fields: dict[str, None] = {}
        self.reads: dict[Path, None] = {}
        self.through: dict[Place, None] = {}


@lru_cache(maxsize=1024)
def _references(template: Template) -> tuple[Steps, ...]:
    return template.references()
