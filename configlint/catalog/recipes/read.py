"""srtctl's recipe schema as facts, read from its sources: dataclasses that marshmallow_dataclass turns into schemas.

A fact is keyed ``Class.field`` (the name in YAML) and holds ``t`` the type, ``req`` required, ``null`` null accepted,
``d`` the default where it is a literal, ``ch`` the values that are accepted later, ``pop`` taken out before loading.
Types are ``str int float bool any``, ``[list, T]``, ``[map, K, V]``, ``[union, T...]``, ``[choice, value...]``,
``[class, Name]``, and ``[by, key, default, {value: Name}]`` for the class that a key of the mapping itself chooses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from configlint.catalog.recipes.schema import ROOT, Facts, Json
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Module, Modules, Unparsable, parse

ROOT_MODULE = "srtctl.core.schema"
_FOLDERS = ("src/", "")
_SCALARS = {"str", "int", "float", "bool"}
_FIELDS: dict[str, Json] = {
    "String": "str", "Str": "str", "Integer": "int", "Int": "int", "Float": "float", "Boolean": "bool",
    "Bool": "bool", "List": ["list", "any"], "Dict": ["map", "any", "any"], "Mapping": ["map", "any", "any"],
}  # fmt: skip
_MAX_DEPTH = 20


class NoSchema(Exception):
    """The sources hold no recipe schema, or one that cannot be read."""


def read_schema(read: Callable[[str], str | None]) -> tuple[Facts, tuple[str, ...]]:
    """The facts of one revision, and what could not be resolved. ``read`` gives a file's text by path."""

    def module(name: str) -> Module | None:
        for folder in _FOLDERS:
            for path, package in (
                (f"{name.replace('.', '/')}.py", False),
                (f"{name.replace('.', '/')}/__init__.py", True),
            ):
                source = read(folder + path) if name.startswith("srtctl") else None
                if source is not None:
                    try:
                        return Module(name, parse(source), package)
                    except Unparsable as fault:
                        raise NoSchema(f"{folder}{path}: {fault.reason}") from None
        return None

    modules = Modules(module)
    root = modules.module(ROOT_MODULE)
    found = modules.resolve(root, ROOT) if root is not None else None
    if found is None or not isinstance(found.node, ast.ClassDef):
        raise NoSchema(f"no class {ROOT} in {ROOT_MODULE}")
    reader = _Reader(modules)
    reader.add(found)
    reader.finish()
    return reader.facts, tuple(reader.unresolved)


@dataclass(eq=False)
class _Reader:
    modules: Modules
    facts: Facts = field(default_factory=dict)
    unresolved: list[str] = field(default_factory=list)
    _classes: dict[str, Found] = field(default_factory=dict)

    def add(self, found: Found) -> str:
        """A class with all that it names; its own name."""
        assert isinstance(found.node, ast.ClassDef)
        name = found.node.name
        if name in self._classes:
            return name
        self._classes[name] = found
        chain = self.modules.bases(found) or (found,)
        for one in reversed(chain):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    self._field(name, one.module, node.target.id, node)
        for one in chain:
            for key, values in self._choices(one):
                if f"{name}.{key}" in self.facts:
                    self.facts[f"{name}.{key}"]["ch"] = values
        return name

    def _field(self, owner: str, module: Module, name: str, node: ast.AnnAssign) -> None:
        annotation = node.annotation
        if isinstance(annotation, ast.Subscript) and self._path(module, annotation.value) == "typing.ClassVar":
            return
        default, required, given = self._default(module, node.value)
        key = name
        if given is not None:
            data_key = self._keyword(module, given, "data_key")
            key = data_key if isinstance(data_key, str) else name
            kind, null = self._declared(module, given)
        else:
            kind, null = self._type(module, annotation)
        if kind is None:
            self.unresolved.append(f"{owner}.{key}: {ast.unparse(annotation)[:80]}")
            kind = "any"
        facts: dict[str, Json] = {"t": kind}
        if required:
            facts["req"] = True
        if null or (not required and default is None):
            facts["null"] = True
        if not required and isinstance(default, str | int | float):
            facts["d"] = default
        self.facts[f"{owner}.{key}"] = facts

    def _default(self, module: Module, value: ast.expr | None) -> tuple[object, bool, ast.Call | None]:
        """Default, whether the field is required, and the marshmallow field that is given for it."""
        if value is None:
            return UNKNOWN, True, None
        if not isinstance(value, ast.Call) or self._path(module, value.func) != "dataclasses.field":
            return self.modules.constant(module, value), False, None
        default: object = UNKNOWN
        given = None
        named = {one.arg: one.value for one in value.keywords}
        if "default" in named:
            default = self.modules.constant(module, named["default"])
        metadata = named.get("metadata")
        if isinstance(metadata, ast.Dict):
            for key, one in zip(metadata.keys, metadata.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "marshmallow_field" and isinstance(one, ast.Call):
                    given = one
        return default, not named.keys() & {"default", "default_factory"}, given

    def _keyword(self, module: Module, call: ast.Call, name: str) -> object:
        values = [one.value for one in call.keywords if one.arg == name]
        return self.modules.constant(module, values[0]) if values else None

    def _path(self, module: Module, node: ast.AST) -> str:
        return self.modules.path(module, node)

    # --- types ------------------------------------------------------------------------------------

    def _type(self, module: Module, node: ast.expr, depth: int = 0) -> tuple[Json, bool]:
        """The type behind an annotation (None where it is not known), and whether null is accepted."""
        if depth > _MAX_DEPTH:
            return None, False
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                try:
                    return self._type(module, ast.parse(node.value, mode="eval").body, depth + 1)
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return None, False
            return None, node.value is None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union(module, [node.left, node.right], depth)
        if isinstance(node, ast.Subscript):
            return self._subscript(module, node, depth)
        name = self._path(module, node)
        if name in _SCALARS:
            return name, False
        if name in ("typing.Any", "object"):
            return "any", True
        if name in ("dict", "typing.Dict"):
            return ["map", "any", "any"], False
        if name in ("list", "typing.List", "tuple"):
            return ["list", "any"], False
        found = self.modules.resolve(module, node.id) if isinstance(node, ast.Name) else None
        if found is None:
            return None, False
        if isinstance(found.node, ast.ClassDef):
            members = self.modules.members(found)
            if members:
                return ["choice", *sorted(members)], False
            return ["class", self.add(found)], False
        return self._type(found.module, found.node, depth + 1) if isinstance(found.node, ast.expr) else (None, False)

    def _union(self, module: Module, nodes: list[ast.expr], depth: int) -> tuple[Json, bool]:
        members: list[Json] = []
        null = False
        for node in nodes:
            if isinstance(node, ast.Constant) and node.value is None:
                null = True
                continue
            kind, also = self._type(module, node, depth + 1)
            if kind is None:
                return None, True
            null = null or also
            members += kind[1:] if isinstance(kind, list) and kind[0] == "union" else [kind]
        return (members[0] if len(members) == 1 else ["union", *members]), null

    def _subscript(self, module: Module, node: ast.Subscript, depth: int) -> tuple[Json, bool]:
        name = self._path(module, node.value)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in ("typing.Optional", "typing.Union"):
            more = [ast.Constant(None)] if name == "typing.Optional" else []
            return self._union(module, [*inner, *more], depth)
        if name == "typing.Literal":
            values = [self.modules.constant(module, one) for one in inner]
            plain = [one for one in values if isinstance(one, str | int | float | bool)]
            return (["choice", *plain], False) if len(plain) == len(values) else (None, False)
        if name == "typing.Annotated":
            call = inner[1] if len(inner) == 2 and isinstance(inner[1], ast.Call) else None
            return self._declared(module, call) if call is not None else (None, False)
        if name in ("list", "typing.List") and len(inner) == 1:
            return ["list", self._inner(module, inner[0], depth)], False
        if name in ("tuple", "typing.Tuple") and isinstance(inner[-1], ast.Constant) and inner[-1].value is Ellipsis:
            return ["list", self._inner(module, inner[0], depth)], False
        if name in ("dict", "typing.Dict") and len(inner) == 2:
            return ["map", *(self._inner(module, one, depth) for one in inner)], False
        return None, False

    def _inner(self, module: Module, node: ast.expr, depth: int) -> Json:
        """The type of an element; one that may be null is a union with it, one that is not known is anything."""
        kind, null = self._type(module, node, depth + 1)
        if kind is None or kind == "any":
            return "any"
        return ["union", kind, "null"] if null else kind

    def _declared(self, module: Module, call: ast.Call) -> tuple[Json, bool]:
        """The type that a marshmallow field stands for."""
        null = self._keyword(module, call, "allow_none") is True
        found = self.modules.resolve(module, call.func.id) if isinstance(call.func, ast.Name) else None
        if found is not None and isinstance(found.node, ast.ClassDef):
            return self._custom(found), null
        name = self._path(module, call.func).rpartition(".")[2]
        if name == "Enum" and call.args and isinstance(call.args[0], ast.Name):
            owner = self.modules.resolve(module, call.args[0].id)
            members = self.modules.members(owner) if owner is not None else {}
            by_value = self._keyword(module, call, "by_value") is True
            values = [one.value if by_value else one.name for one in members.values() if isinstance(one, EnumMember)]
            plain = [one for one in values if isinstance(one, str)]
            return (["choice", *plain] if plain and len(plain) == len(members) else "any"), null
        return _FIELDS.get(name, "any"), null

    def _custom(self, found: Found) -> Json:
        """What a field class of srtctl's own accepts, by its ``_deserialize``; ``any`` where its form is not known."""
        assert isinstance(found.node, ast.ClassDef)
        body = next((one for one in found.node.body if getattr(one, "name", "") == "_deserialize"), None)
        if not isinstance(body, ast.FunctionDef) or len(body.args.args) < 2:
            return "any"
        value = body.args.args[1].arg
        kinds = {name for node in ast.walk(body) for name in _kinds(node, value)}
        chosen = self._chosen(found.module, body, value)
        if chosen is not None:
            return chosen
        return "str" if kinds == {"str"} else ["map", "any", "any"] if kinds == {"dict"} else "any"

    def _chosen(self, module: Module, body: ast.FunctionDef, value: str) -> Json:
        """``by`` where the class to load with is chosen by a key of the value."""
        variable, key, default = "", "", ""
        table: dict[str, Json] = {}
        for node in ast.walk(body):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and isinstance(node.targets[0], ast.Name)
            ):
                call = node.value
                of_value = isinstance(call.func, ast.Attribute) and _is_name(call.func.value, value)
                words = [self.modules.constant(module, one) for one in call.args]
                if of_value and len(words) == 2 and all(isinstance(one, str) for one in words):
                    variable, key, default = node.targets[0].id, str(words[0]), str(words[1])
        for node in ast.walk(body):
            literal = _equals(node.test, variable) if isinstance(node, ast.If) and variable else None
            if literal is None:
                continue
            assert isinstance(node, ast.If)
            inside = [below for one in node.body for below in ast.walk(one)]
            for below in inside:
                if isinstance(below, ast.Attribute) and below.attr == "Schema" and isinstance(below.value, ast.Name):
                    owner = self.modules.resolve(module, below.value.id)
                    if owner is not None and isinstance(owner.node, ast.ClassDef):
                        table[literal] = self.add(owner)
        return ["by", key, default, table] if table else None

    # --- what other functions say -----------------------------------------------------------------

    def _choices(self, found: Found) -> Iterator[tuple[str, list[Json]]]:
        """Fields that ``__post_init__`` holds to a tuple of the class: ``if self.x not in self._X: raise``."""
        assert isinstance(found.node, ast.ClassDef)
        constants = {}
        for node in found.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                constants[node.target.id] = self.modules.constant(found.module, node.value)
        for below in ast.walk(found.node):
            if not isinstance(below, ast.If) or not any(isinstance(one, ast.Raise) for one in below.body):
                continue
            test = below.test.values[-1] if isinstance(below.test, ast.BoolOp) else below.test
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn):
                left, right = test.left, test.comparators[0]
                of_self = all(isinstance(one, ast.Attribute) and _is_name(one.value, "self") for one in (left, right))
                values = constants.get(right.attr) if of_self and isinstance(right, ast.Attribute) else None
                if isinstance(values, tuple) and isinstance(left, ast.Attribute):
                    yield left.attr, [one for one in values if isinstance(one, str)]

    def finish(self) -> None:
        """The frontends that can be made, and the top-level keys that are taken out before loading."""
        base = self.modules.module("srtctl.frontends.base")
        made = self.modules.resolve(base, "get_frontend") if base is not None else None
        kind = self.facts.get(f"{ROOT}.frontend", {}).get("t")
        if made is not None and isinstance(made.node, ast.FunctionDef) and isinstance(kind, list):
            names = [
                literal
                for node in ast.walk(made.node)
                if isinstance(node, ast.If) and (literal := _equals(node.test, made.node.args.args[0].arg)) is not None
            ]
            facts = self.facts.get(f"{kind[1]}.type")
            if facts is not None and names:
                facts["ch"] = [*sorted(names)]
        config, sweep = self.modules.module("srtctl.core.config"), self.modules.module("srtctl.core.sweep")
        load = self.modules.resolve(config, "load_config") if config is not None else None
        for node in (load.node if load is not None else None, sweep.tree if sweep is not None else None):
            for key in _taken(node) if node is not None else ():
                self.facts.setdefault(f"{ROOT}.{key}", {"t": "any", "null": True, "pop": True})


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _equals(test: ast.expr, variable: str) -> str | None:
    """The text that a variable is compared with."""
    if isinstance(test, ast.Compare) and _is_name(test.left, variable) and isinstance(test.ops[0], ast.Eq):
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and isinstance(right.value, str):
            return right.value
    return None


def _kinds(node: ast.AST, value: str) -> Iterator[str]:
    """The builtin types that ``isinstance(value, ...)`` asks for."""
    if isinstance(node, ast.Call) and _is_name(node.func, "isinstance") and _is_name(node.args[0], value):
        kind = node.args[1]
        if isinstance(kind, ast.Name) and kind.id in ("str", "dict", "list", "int", "float", "bool"):
            yield kind.id


def _taken(function: ast.AST) -> Iterator[str]:
    """Keys that a function takes out: ``config.pop("x", ...)``, ``del config["x"]``."""
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "pop"
            and node.args
        ):
            key = node.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                index = target.slice if isinstance(target, ast.Subscript) else None
                if isinstance(index, ast.Constant) and isinstance(index.value, str):
                    yield index.value
