"""Data against models: what pydantic would raise, with the place of each fault in the data."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from configlint.model.validation.classes import Classes, MakeShape, ModelClass, Validator
from configlint.model.validation.shapes import Path, Shape, Wrong, shown
from configlint.syntax.python import UNKNOWN, Evaluator, Found, Modules, Raised, Record, Unsure

_MAX_DEPTH = 30  # models in models


@dataclass
class Verdict:
    """What became of one value: what is wrong with it, and why more could not be told."""

    wrong: list[Wrong] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)


class _Rejected(Exception):
    """An object that the function under evaluation wants to make is refused."""


@dataclass(eq=False)
class Checker(MakeShape):
    """Checks data by a function of the tree that makes objects of the tree's models from it."""

    modules: Modules

    def __post_init__(self) -> None:
        self.classes = Classes(self.modules, self)
        self.evaluator = Evaluator(self.modules, self._construct)
        self._verdict = Verdict()
        self._at: Path = ()
        self._depth = 0

    def __call__(self, found: Found) -> Shape:
        return _Object(self, found)

    def run(self, function: Found, data: object, at: Path = ()) -> Verdict:
        """What the function raises about the data; the objects it makes are made of what lies at ``at``."""
        self._verdict = verdict = Verdict()
        self._at = at
        try:
            self.evaluator.call(function, data)
        except _Rejected:
            pass
        except Raised as fault:
            verdict.wrong.append(Wrong(at, fault.message))
        except Unsure as reason:
            verdict.unsure.append(str(reason))
        return verdict

    def _construct(self, found: Found, named: Mapping[str, object]) -> object:
        if not self.classes.is_model(found):
            raise Unsure("an object of another class")
        before = len(self._verdict.wrong)
        made = self.make(found, dict(named), self._at, self._verdict.wrong)
        if len(self._verdict.wrong) > before:
            raise _Rejected
        return made

    def make(self, found: Found, data: object, path: Path, wrong: list[Wrong]) -> object:
        """An object of a model from data."""
        if data is UNKNOWN or self._depth > _MAX_DEPTH:
            return UNKNOWN
        if not isinstance(data, dict):
            wrong.append(Wrong(path, f"{shown(data)} is not a mapping"))
            return UNKNOWN
        model = self.classes.read(found)
        if model.loose:
            assert isinstance(found.node, ast.ClassDef)
            self._verdict.unsure.append(f"{model.name} does what is not known here")
            return UNKNOWN
        self._depth += 1
        try:
            return self._made(model, data, path, wrong)
        finally:
            self._depth -= 1

    def _made(self, model: ModelClass, data: dict[object, object], path: Path, wrong: list[Wrong]) -> object:
        before = len(wrong)
        values: dict[str, object] = {}
        given: set[str] = set()
        used: set[object] = set()
        for one in model.fields:
            key = one.key if one.key in data or not model.by_name or one.name not in data else one.name
            if key in data:
                used.add(key)
                given.add(one.name)
                values[one.name] = self._valid(model, one.name, one.shape, data[key], (*path, key), wrong)
            elif one.required:
                wrong.append(Wrong(path, f"{one.key} is missing"))
            else:
                values[one.name] = one.default
        if model.extra == "forbid":
            unknown = [str(one) for one in data if one not in used]
            wrong += [Wrong((*path, name), self._unknown(model, name, data), key=True) for name in unknown]
        if len(wrong) > before:
            return UNKNOWN
        made: object = Record(model.name, values, frozenset(given))
        for validator in model.of_whole:
            if made is not UNKNOWN:
                made = self._run(validator, (made,), path, wrong)
        return made

    def _valid(
        self, model: ModelClass, name: str, shape: Shape, value: object, path: Path, wrong: list[Wrong]
    ) -> object:
        before = len(wrong)
        own = model.of_field[name]
        if not own:
            return shape.check(value, path, wrong)
        if any(one.before for one in own):
            return UNKNOWN
        found = shape.check(value, path, wrong)
        for validator in own if len(wrong) == before else ():
            found = self._run(validator, (UNKNOWN, found), path, wrong)  # the first argument is the class
            if len(wrong) > before:
                break
        return found

    def _run(self, validator: Validator, arguments: tuple[object, ...], path: Path, wrong: list[Wrong]) -> object:
        """What a check of the class gives back; it may change the value."""
        try:
            return self.evaluator.call(validator.function, *arguments)
        except Raised as fault:
            wrong.append(Wrong(path, fault.message))
        except Unsure as reason:
            self._verdict.unsure.append(f"{validator.name}: {reason}")
        return UNKNOWN

    @staticmethod
    def _unknown(model: ModelClass, key: str, data: Mapping[object, object]) -> str:
        from difflib import get_close_matches

        free = [one.key for one in model.fields if one.key not in data]
        near = get_close_matches(key, free, 1, 0.75)
        return f"{key} is not accepted here" + (f"; did you mean {near[0]}?" if near else "")


@dataclass(frozen=True, eq=False)
class _Object:
    """An object of a model."""

    checker: Checker
    found: Found

    def check(self, value: object, path: Path, wrong: list[Wrong]) -> object:
        return self.checker.make(self.found, value, path, wrong)
