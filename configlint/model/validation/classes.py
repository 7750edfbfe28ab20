"""Pydantic classes as read from source: fields with aliases, shapes and limits, and the checks across fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from configlint.model.validation.shapes import (
    AnyOf,
    Anything,
    Bounded,
    Bounds,
    ListOf,
    Nothing,
    OneOf,
    Scalar,
    Shape,
    TableOf,
)
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Module, Modules

_LISTS = {"typing.List", "list", "typing.Sequence", "collections.abc.Sequence"}
_TABLES = {"typing.Dict", "dict", "typing.Mapping", "collections.abc.Mapping"}
_ANY = {"typing.Any", "object"}
_LIMITS = {"gt", "ge", "lt", "le", "min_length", "max_length"}
_HARMLESS = {"description", "title", "examples", "repr", "exclude", "json_schema_extra", "deprecated"}
_HARMLESS_CONFIG = {
    "title",
    "frozen",
    "json_schema_extra",
    "use_enum_values",
    "validate_default",
    "protected_namespaces",
}
_MAX_DEPTH = 20

MODEL_BASES = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})


@dataclass(frozen=True)
class ModelField:
    """One field: the attribute, the key in data, what it accepts. ``default`` is UNKNOWN where it cannot be told."""

    name: str
    key: str
    shape: Shape
    required: bool
    default: object = None


@dataclass(frozen=True)
class Validator:
    """A check that the class makes itself: of some fields, or (``fields`` empty) of the whole object."""

    name: str
    function: Found
    fields: tuple[str, ...]
    before: bool


@dataclass(frozen=True)
class ModelClass:
    """A model. ``extra`` is what becomes of unknown keys: ``forbid``, ``ignore``, ``allow``.

    ``by_name``: a field may also be given under its attribute. ``loose``: the class does what is not modelled, so
    that nothing certain can be said about its objects.
    """

    found: Found
    name: str
    fields: tuple[ModelField, ...]
    validators: tuple[Validator, ...]
    extra: str = "ignore"
    by_name: bool = False
    loose: bool = False

    @cached_property
    def of_whole(self) -> tuple[Validator, ...]:
        """The checks of the whole object."""
        return tuple(one for one in self.validators if not one.fields)

    @cached_property
    def of_field(self) -> dict[str, tuple[Validator, ...]]:
        """Field -> its checks."""
        return {
            field.name: tuple(one for one in self.validators if field.name in one.fields or "*" in one.fields)
            for field in self.fields
        }


@dataclass(eq=False)
class Classes:
    """The models of a source tree, each read once."""

    modules: Modules
    make: MakeShape
    _known: dict[int, ModelClass] = field(default_factory=dict)

    def is_model(self, found: Found) -> bool:
        return isinstance(found.node, ast.ClassDef) and bool(self.modules.outside_bases(found) & MODEL_BASES)

    def read(self, found: Found) -> ModelClass:
        key = id(found.node)
        if key not in self._known:
            self._known[key] = _Reader(self, found).model()
        return self._known[key]

    # --- annotations ------------------------------------------------------------------------------

    def shape(self, module: Module, node: ast.expr, strict: bool = False, depth: int = 0) -> Shape:
        """What an annotation accepts."""
        if depth > _MAX_DEPTH:
            return Anything()
        if isinstance(node, ast.Constant):
            return self._constant(module, node, strict, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union(module, [node.left, node.right], strict, depth)
        if isinstance(node, ast.Subscript):
            return self._subscript(module, node, strict, depth)
        return self._name(module, node, strict, depth)

    def _constant(self, module: Module, node: ast.Constant, strict: bool, depth: int) -> Shape:
        if node.value is None:
            return Nothing()
        if isinstance(node.value, str) and len(node.value) < 200:
            try:
                return self.shape(module, ast.parse(node.value, mode="eval").body, strict, depth + 1)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                pass
        return Anything()

    def _union(self, module: Module, nodes: list[ast.expr], strict: bool, depth: int) -> Shape:
        members: list[Shape] = []
        for node in nodes:
            one = self.shape(module, node, strict, depth + 1)
            members += one.members if isinstance(one, AnyOf) else [one]
        return Anything() if any(isinstance(one, Anything) for one in members) else AnyOf(tuple(members))

    def _subscript(self, module: Module, node: ast.Subscript, strict: bool, depth: int) -> Shape:
        name = self.modules.path(module, node.value)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "typing.Optional" and len(inner) == 1:
            return self._union(module, [inner[0], ast.Constant(None)], strict, depth)
        if name == "typing.Union":
            return self._union(module, inner, strict, depth)
        if name in ("typing.Literal", "typing_extensions.Literal"):
            values = tuple(self.modules.constant(module, one) for one in inner)
            return Anything() if UNKNOWN in values else OneOf(values)
        if name in _LISTS and len(inner) == 1:
            return ListOf(self.shape(module, inner[0], strict, depth + 1))
        if name in _TABLES and len(inner) == 2:
            key, element = (self.shape(module, one, strict, depth + 1) for one in inner)
            return TableOf(key, element)
        if name in ("typing.Annotated", "typing_extensions.Annotated"):
            calls = [one for one in inner[1:] if isinstance(one, ast.Call)]
            said = [FieldCall(self.modules, module, one) for one in calls]
            if len(calls) != len(inner) - 1 or not all(one.is_plain for one in said):
                return Anything()
            shape = self.shape(module, inner[0], strict or any(one.strict for one in said), depth + 1)
            for one in said:
                shape = one.limited(shape)
            return shape
        return Anything()

    def _name(self, module: Module, node: ast.expr, strict: bool, depth: int) -> Shape:
        name = self.modules.path(module, node)
        if name in ("str", "int", "float", "bool"):
            return Scalar(name, strict)
        if name in _LISTS:
            return ListOf(Anything(known=True))
        if name in _TABLES:
            return TableOf(Anything(known=True), Anything(known=True))
        if name in _ANY:
            return Anything(known=True)
        found = self.modules.resolve(module, node.id) if isinstance(node, ast.Name) else None
        if found is None:
            return Anything()
        if isinstance(found.node, ast.ClassDef):
            if self.is_model(found):
                return self.make(found)
            members = tuple(self.modules.members(found).values())
            return OneOf(members) if members and UNKNOWN not in members else Anything()
        if isinstance(found.node, ast.expr):  # an alias of a type
            return self.shape(found.module, found.node, strict, depth + 1)
        return Anything()


class MakeShape:
    """Makes the shape of objects of a class; set by whoever checks them."""

    def __call__(self, found: Found) -> Shape:
        raise NotImplementedError


@dataclass(frozen=True)
class FieldCall:
    """A call of ``Field(...)``."""

    modules: Modules
    module: Module
    node: ast.Call

    @property
    def is_plain(self) -> bool:
        """True if nothing is said that is not modelled."""
        name = self.modules.path(self.module, self.node.func)
        known = {"default", "default_factory", "alias", "strict", *_LIMITS, *_HARMLESS}
        return name in ("pydantic.Field", "pydantic.fields.Field") and {one.arg for one in self.node.keywords} <= known

    def get(self, name: str) -> object:
        """A keyword's value: None where it is not given, UNKNOWN where it cannot be told."""
        for one in self.node.keywords:
            if one.arg == name:
                return self.modules.constant(self.module, one.value)
        return None

    @property
    def strict(self) -> bool:
        return self.get("strict") is True

    def limited(self, shape: Shape) -> Shape:
        given = {name: self.get(name) for name in _LIMITS}
        limits = {name: value for name, value in given.items() if isinstance(value, int | float)}
        if not limits:
            return shape
        bounds = Bounds(**limits)  # type: ignore[arg-type]
        if isinstance(shape, AnyOf):  # of an optional the value is limited
            members = tuple(one if isinstance(one, Nothing) else Bounded(one, bounds) for one in shape.members)
            return AnyOf(members)
        return Bounded(shape, bounds)


@dataclass(eq=False)
class _Reader:
    """Reads one class with what it inherits."""

    classes: Classes
    found: Found
    loose: bool = False

    def model(self) -> ModelClass:
        modules = self.classes.modules
        chain = modules.bases(self.found)
        fields: dict[str, ModelField] = {}
        validators: dict[str, Validator] = {}
        config: dict[str, object] = {}
        if chain is None:
            self.loose, chain = True, (self.found,)
        for one in reversed(chain):
            config.update(self._config(one))
        if set(config) - {"extra", "populate_by_name", "validate_by_name", "strict", *_HARMLESS_CONFIG}:
            self.loose = True
        strict = config.get("strict") is True
        for one in reversed(chain):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    read = self._field(one.module, node.target.id, node, strict)
                    if read is not None:
                        fields[read.name] = read
                elif isinstance(node, ast.FunctionDef):
                    for validator in self._validators(one.module, node):
                        validators[validator.name] = validator
        assert isinstance(self.found.node, ast.ClassDef)
        extra = config.get("extra", "ignore")
        if not isinstance(extra, str | EnumMember):
            extra = "ignore"
        by_name = bool({config.get("populate_by_name"), config.get("validate_by_name")} & {True})
        name = self.found.node.name
        extra = str(extra.value) if isinstance(extra, EnumMember) else extra
        return ModelClass(
            self.found, name, tuple(fields.values()), tuple(validators.values()), extra, by_name, self.loose
        )

    def _config(self, found: Found) -> Iterator[tuple[str, object]]:
        """What ``model_config`` or an inner ``Config`` says."""
        modules = self.classes.modules
        assert isinstance(found.node, ast.ClassDef)
        for node in found.node.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Name) and target.id == "model_config" and isinstance(node, ast.Assign):
                value = node.value
                if isinstance(value, ast.Call) and modules.path(found.module, value.func) == "pydantic.ConfigDict":
                    for keyword in value.keywords:
                        yield str(keyword.arg), modules.constant(found.module, keyword.value)
                elif isinstance(value, ast.Dict):
                    for key, one in zip(value.keys, value.values, strict=True):
                        name = modules.constant(found.module, key) if key is not None else None
                        yield str(name), modules.constant(found.module, one)
                else:
                    self.loose = True
            elif isinstance(node, ast.ClassDef) and node.name == "Config":
                for inner in node.body:
                    if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                        yield inner.targets[0].id, modules.constant(found.module, inner.value)

    def _field(self, module: Module, name: str, node: ast.AnnAssign, strict: bool) -> ModelField | None:
        modules = self.classes.modules
        annotation = node.annotation
        if isinstance(annotation, ast.Subscript) and modules.path(module, annotation.value) == "typing.ClassVar":
            return None
        if name.startswith("_") or name == "model_config":
            return None
        value = node.value
        if not isinstance(value, ast.Call):
            shape = self.classes.shape(module, annotation, strict)
            default = modules.constant(module, value) if value is not None else None
            required = value is None or default is Ellipsis
            return ModelField(name, name, shape, required, default)
        call = FieldCall(modules, module, value)
        key = call.get("alias")
        if not call.is_plain or key is UNKNOWN:
            self.loose = True
            return ModelField(name, name, Anything(), required=False, default=UNKNOWN)
        shape = call.limited(self.classes.shape(module, annotation, strict or call.strict))
        given = {one.arg for one in value.keywords}
        default = call.get("default")
        if value.args:
            default = modules.constant(module, value.args[0])
        required = default is Ellipsis or not (value.args or given & {"default", "default_factory"})
        if "default_factory" in given:
            default = UNKNOWN
        return ModelField(name, key if isinstance(key, str) else name, shape, required, default)

    def _validators(self, module: Module, node: ast.FunctionDef) -> Iterator[Validator]:
        modules = self.classes.modules
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            name = modules.path(module, call.func if call is not None else decorator)
            if name in ("classmethod", "staticmethod", "property"):
                continue
            known = name in ("pydantic.field_validator", "pydantic.model_validator", "functools.cached_property")
            if not known or call is None:
                self.loose = self.loose or name.startswith("pydantic.") or not known
                continue
            modes = [one.value for one in call.keywords if one.arg == "mode"]
            mode = modules.constant(module, modes[0]) if modes else "after"
            fields = tuple(modules.constant(module, one) for one in call.args)
            if mode not in ("before", "after") or not all(isinstance(one, str) for one in fields):
                self.loose = True
                continue
            if mode == "before" and not fields:
                self.loose = True
                continue
            yield Validator(node.name, Found(module, node), tuple(map(str, fields)), mode == "before")
