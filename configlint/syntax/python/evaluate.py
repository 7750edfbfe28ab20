"""What a small, pure function comes to, worked out by rules of our own: nothing of the source is ever run.

Made for checks that a source tree writes about its own data (``if self.a and not self.b: raise ValueError(...)``).
The forms that occur are known: constants, attributes of records, comparisons, ``and``/``or``/``not``, arithmetic,
comprehensions, ``any``/``all``/``len``/``getattr`` and the like, calls of other such functions, ``if``, ``for``,
``return``, ``raise``. A value that cannot be told is UNKNOWN and spreads; where it would decide a branch, or a form is
not known, the evaluation ends in :class:`Unsure`. What it may cost is bounded by :class:`Fuel`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from configlint.source.records import record
from configlint.syntax.python.expressions import Expressions, always, size
from configlint.syntax.python.modules import Found, Module, Modules
from configlint.syntax.python.operations import Unsure, text_of, truth
from configlint.syntax.python.values import Frame, Fuel, Raised, items

Step: TypeAlias = Callable[[Frame], "_Return | None"]

_MAX_CALLS = 20  # deep


@record
class _Return:
    value: object


@dataclass(eq=False)
class Evaluator:
    """Evaluates functions of a source tree. ``construct`` makes the object for a call of a class."""

    modules: Modules
    construct: Callable[[Found, Mapping[str, object]], object] | None = None
    fuel: Fuel = field(default_factory=Fuel)
    _functions: dict[int, _Function] = field(default_factory=dict)
    _depth: int = 0

    def call(self, found: Found, *arguments: object, **named: object) -> object:
        """The value that a function returns. Raises :class:`Raised` where it raises, :class:`Unsure`."""
        node = found.node
        if not isinstance(node, ast.FunctionDef):
            raise Unsure("not a function")
        if self._depth >= _MAX_CALLS:
            raise Unsure("calls nested too deeply")
        function = self._functions.get(id(node))
        if function is None:
            function = self._functions[id(node)] = self._prepared(found.module, node)
        self.fuel.burn(function.cost)
        frame = function.frame(arguments, named)
        self._depth += 1
        try:
            done = function.body(frame)
        finally:
            self._depth -= 1
        return done.value if done is not None else None

    def called(self, found: Found, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        """The value of a call inside of an evaluation."""
        if isinstance(found.node, ast.FunctionDef) and not found.node.decorator_list:
            return self.call(found, *arguments, **named)
        if not isinstance(found.node, ast.ClassDef):
            raise Unsure("a call of a decorated function")
        if self.construct is None or arguments:
            raise Unsure(f"an object of {found.node.name}")
        return self.construct(found, named)

    def _prepared(self, module: Module, node: ast.FunctionDef) -> _Function:
        given = node.args
        if given.vararg or given.kwarg:
            raise Unsure("a function with * or **")
        names = [one.arg for one in (*given.posonlyargs, *given.args)]
        defaults = dict(zip(reversed(names), reversed(given.defaults), strict=False))
        for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            if value is not None:
                defaults[one.arg] = value
        values = {name: self.modules.constant(module, value) for name, value in defaults.items()}
        every = frozenset([*names, *(one.arg for one in given.kwonlyargs)])
        return _Function(tuple(names), every, values, size(node), _Statements(self, module).body(node.body))


@dataclass(frozen=True, slots=True)
class _Function:
    """A function ready to be called. ``names`` are its parameters by position, ``every`` all of them."""

    names: tuple[str, ...]
    every: frozenset[str]
    defaults: Mapping[str, object]
    cost: int
    body: Step

    def frame(self, arguments: tuple[object, ...], named: Mapping[str, object]) -> Frame:
        """The local variables that a call starts with."""
        frame: Frame = dict(zip(self.names, arguments, strict=False))
        if named or not len(arguments) == len(self.names) == len(self.every):
            frame = {**self.defaults, **frame, **named}
            if len(arguments) > len(self.names) or frame.keys() != self.every:
                raise Unsure("a call that does not fit the parameters")
        return frame


class _Statements(Expressions):
    """The statements of one module, turned into closures."""

    def body(self, nodes: list[ast.stmt]) -> Step:
        steps = [step for node in nodes if (step := self._statement(node)) is not None]

        def run(frame: Frame) -> _Return | None:
            for step in steps:
                done = step(frame)
                if done is not None:
                    return done
            return None

        return run

    def _statement(self, node: ast.stmt) -> Step | None:
        if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom):
            return None
        method = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if method is None:
            return _unsure(f"a {type(node).__name__.lower()} statement")
        step: Step | None = method(node)
        return step

    def _do_expr(self, node: ast.Expr) -> Step | None:
        if isinstance(node.value, ast.Constant):
            return None
        value = self.value(node.value)

        def run(frame: Frame) -> None:
            value(frame)

        return run

    def _do_return(self, node: ast.Return) -> Step:
        value = self.value(node.value) if node.value is not None else always(None)
        return lambda frame: _Return(value(frame))

    def _do_assign(self, node: ast.Assign) -> Step:
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, ast.Name):
            return _unsure("an assignment to more than a name")
        return self._set(target.id, node.value)

    def _do_annassign(self, node: ast.AnnAssign) -> Step | None:
        if node.value is None:
            return None
        return self._set(node.target.id, node.value) if isinstance(node.target, ast.Name) else _unsure("an assignment")

    def _set(self, name: str, node: ast.expr) -> Step:
        value = self.value(node)

        def run(frame: Frame) -> None:
            frame[name] = value(frame)

        return run

    def _do_if(self, node: ast.If) -> Step:
        test, then, other = self.value(node.test), self.body(node.body), self.body(node.orelse)
        return lambda frame: then(frame) if truth(test(frame)) else other(frame)

    def _do_for(self, node: ast.For) -> Step:
        if node.orelse or not isinstance(node.target, ast.Name | ast.Tuple):
            return _unsure("this form of loop")
        source, bind, body = self.value(node.iter), self.target(node.target), self.body(node.body)
        fuel, cost = self.evaluator.fuel, size(node)

        def run(frame: Frame) -> _Return | None:
            for item in items(source(frame)):
                fuel.burn(cost)
                bind(frame, item)
                done = body(frame)
                if done is _CONTINUE:
                    continue
                if done is _BREAK:
                    break
                if done is not None:
                    return done
            return None

        return run

    def _do_continue(self, _: ast.Continue) -> Step:
        return _jump(_CONTINUE)

    def _do_break(self, _: ast.Break) -> Step:
        return _jump(_BREAK)

    def _do_raise(self, node: ast.Raise) -> Step:
        call = node.exc
        made = call.func if isinstance(call, ast.Call) else call
        kind = self.evaluator.modules.path(self.module, made) if made is not None else ""
        message = self.value(call.args[0]) if isinstance(call, ast.Call) and call.args else always("")

        def run(frame: Frame) -> None:
            raise Raised(kind.rpartition(".")[2], text_of(message(frame)))

        return run

    def _do_try(self, node: ast.Try) -> Step:
        """A ``try`` whose handlers all raise again changes the exception only."""
        if node.finalbody or not all(isinstance(one.body[-1], ast.Raise) for one in node.handlers):
            return _unsure("a try statement")
        return self.body([*node.body, *node.orelse])


_CONTINUE, _BREAK = _Return("continue"), _Return("break")


def _jump(where: _Return) -> Step:
    def run(_: Frame) -> _Return:
        return where

    return run


def _unsure(what: str) -> Step:
    def run(_: Frame) -> None:
        raise Unsure(what)

    return run
