"""Classes that are records (dataclasses, pydantic's models): their fields with inheritance, defaults and bounds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from configlint.catalog.extract.symbols import Frame, FromEnvironment, Symbols
from configlint.catalog.facts import BOUNDS
from configlint.syntax.python import UNKNOWN, Found, Module, Modules

_HARMLESS = {"isinstance", "dict", "len", "list", "type", "hasattr", "getattr"}
_LOOSENING = {"before", "wrap", "plain"}  # validators that see a value before its type is looked at


@dataclass(frozen=True)
class Declared:
    """One field: where it is written, its annotation and what is assigned to it.

    ``default`` is UNKNOWN where it cannot be told; ``is_required`` that there is none. ``bounds`` are pydantic's.
    """

    name: str
    module: Module = field(compare=False)
    annotation: ast.expr = field(compare=False)
    default: object = UNKNOWN
    is_required: bool = False
    is_given: bool = True  # False for init=False: nobody can set it from outside
    aliases: tuple[str, ...] = ()
    bounds: tuple[tuple[str, float], ...] = ()


@dataclass(eq=False)
class Records:
    """Reads record classes of one set of modules. ``environment`` is the module whose attributes the user sets."""

    modules: Modules
    symbols: Symbols
    environment: str = ""

    def is_dataclass(self, found: Found, decorators: frozenset[str] = frozenset()) -> bool:
        """Whether a class or one above it is decorated as a dataclass, or by one of the decorators by dotted name."""
        for one in self.modules.bases(found) or (found,):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.decorator_list:
                called = node.func if isinstance(node, ast.Call) else node
                path = self.modules.path(one.module, called)
                if path.rpartition(".")[2] == "dataclass" or path in decorators:
                    return True
        return False

    def is_model(self, found: Found) -> bool:
        """Whether a class is a pydantic model."""
        return any(
            name.rpartition(".")[2] in ("BaseModel", "BaseSettings", "RootModel")
            for name in self.modules.outside_bases(found)
        )

    def fields(self, found: Found) -> list[Declared]:
        """The fields of a record in order, those of its bases first, each as the nearest class has it."""
        made: dict[str, Declared] = {}
        private = self.is_model(found)  # a model's names that begin with an underscore are no fields
        for one in reversed(self.modules.bases(found) or (found,)):
            assert isinstance(one.node, ast.ClassDef)
            for node in _statements(one.node.body):
                if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                    continue
                if private and node.target.id.startswith("_"):
                    continue
                if not self._is_class_variable(one.module, node.annotation):
                    made[node.target.id] = self._declared(one.module, node.target.id, node)
        return list(made.values())

    def _is_class_variable(self, module: Module, node: ast.expr) -> bool:
        head = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(head, ast.Constant) and isinstance(head.value, str):
            return head.value.startswith(("ClassVar", "typing.ClassVar"))
        return self.modules.path(module, head).rpartition(".")[2] in ("ClassVar", "PrivateAttr", "KW_ONLY")

    def _declared(self, module: Module, name: str, node: ast.AnnAssign) -> Declared:
        value = node.value
        beside = [one for one in _metadata(node.annotation) if isinstance(one, ast.Call)]
        given = [one for one in beside if self._is_field(module, one)]
        if isinstance(value, ast.Call) and self._is_field(module, value):
            given.append(value)
            default, required = self._default_of(module, value)
        elif value is None:
            default, required = UNKNOWN, True
        else:
            default, required = self.value(module, value), False
        aliases: list[str] = []
        bounds: dict[str, float] = {}
        is_given = True
        for call in given:
            said = {one.arg: one.value for one in call.keywords if one.arg is not None}
            if "default" in said or "default_factory" in said:
                required = False
            for key in BOUNDS:
                bound = self.value(module, said[key]) if key in said else None
                if isinstance(bound, int | float) and not isinstance(bound, bool):
                    bounds[key] = bound
            for key in ("alias", "validation_alias"):
                aliases += self._aliases(module, said.get(key))
            if "init" in said and self.value(module, said["init"]) is False:
                is_given = False
        return Declared(
            name, module, node.annotation, default, required, is_given,
            tuple(dict.fromkeys(aliases)), tuple(sorted(bounds.items())),
        )  # fmt: skip

    def _aliases(self, module: Module, node: ast.expr | None) -> list[str]:
        if node is None:
            return []
        if isinstance(node, ast.Call):  # AliasChoices("a", "b")
            return [alias for one in node.args for alias in self._aliases(module, one)]
        value = self.value(module, node)
        return [value] if isinstance(value, str) else []

    def _is_field(self, module: Module, call: ast.Call) -> bool:
        return self.modules.path(module, call.func).rpartition(".")[2] in ("field", "Field", "PydanticField")

    def _default_of(self, module: Module, call: ast.Call) -> tuple[object, bool]:
        said = {one.arg: one.value for one in call.keywords if one.arg is not None}
        positional = call.args[0] if call.args else None
        node = said.get("default", positional)
        if node is not None:
            if isinstance(node, ast.Constant) and node.value is Ellipsis:
                return UNKNOWN, True
            return self.value(module, node), False
        factory = said.get("default_factory")
        return (UNKNOWN, True) if factory is None else (self._made(module, factory), False)

    def _made(self, module: Module, factory: ast.expr) -> object:
        """What a factory of defaults makes."""
        if isinstance(factory, ast.Lambda):
            return self.value(module, factory.body)
        empty: dict[str, object] = {"list": [], "dict": {}, "set": [], "tuple": []}
        return empty.get(self.modules.path(module, factory), UNKNOWN)

    def value(self, module: Module, node: ast.expr, frame: Frame | None = None) -> object:
        """The value of an expression; one of the program's environment module comes from a variable."""
        owner = self.modules.path(module, node.value) if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.Attribute) and owner and owner == self.environment:
            return FromEnvironment(node.attr, UNKNOWN)
        return self.symbols.value(node, module, {} if frame is None else frame)

    # --- what loosens -----------------------------------------------------------------------------

    def loosened(self, found: Found) -> frozenset[str]:
        """The fields whose value a validator sees before its type is checked; ``*`` for all of them."""
        names: set[str] = set()
        for one in self.modules.bases(found) or (found,):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if not isinstance(node, ast.FunctionDef):
                    continue
                for call in node.decorator_list:
                    names |= self._loosened_by(one.module, call)
        return frozenset(names)

    def _loosened_by(self, module: Module, call: ast.expr) -> set[str]:
        if not isinstance(call, ast.Call):
            return set()
        name = self.modules.path(module, call.func).rpartition(".")[2]
        mode = next((self.value(module, one.value) for one in call.keywords if one.arg == "mode"), None)
        if mode not in _LOOSENING:
            return set()
        if name == "model_validator":
            return {"*"}
        if name != "field_validator":
            return set()
        return {value for one in call.args if isinstance(value := self.value(module, one), str)}

    def renamed(self, found: Found) -> frozenset[str] | None:
        """Keys that a validator of the whole may take before fields are looked at; None where that cannot be told."""
        names: set[str] = set()
        for one in self.modules.bases(found) or (found,):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef) and any(
                    "*" in self._loosened_by(one.module, each) for each in node.decorator_list
                ):
                    if _hands_on(node):
                        return None
                    words = (
                        inner.value for part in node.body for inner in ast.walk(part) if isinstance(inner, ast.Constant)
                    )
                    names.update(word for word in words if isinstance(word, str) and word.isidentifier())
        return frozenset(names)

    def extra(self, found: Found, forbidding: frozenset[str] = frozenset()) -> str:
        """What a record does with a key it does not know: ``forbid``, ``allow``, ``ignore``; empty if not known.

        ``forbidding`` are decorators, by dotted name, that forbid where nothing else is said. A class that says
        nothing of it does what the one above it does.
        """
        for one in self.modules.bases(found) or (found,):
            assert isinstance(one.node, ast.ClassDef)
            said = [self._extra_of(one.module, value) for value in _configurations(one.node)]
            for decorator in one.node.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                path = self.modules.path(one.module, call.func if call is not None else decorator)
                config = next((each.value for each in call.keywords if each.arg == "config"), None) if call else None
                said.append(self._extra_of(one.module, config) if config is not None else None)
                said.append("forbid" if path in forbidding else None)
            known = next((each for each in said if each is not None), None)
            if known is not None:
                return known
        return "ignore" if self.is_model(found) else ""

    def _extra_of(self, module: Module, node: ast.expr) -> str | None:
        """``extra`` of a pydantic configuration; None where it says nothing, empty where it is not known."""
        if isinstance(node, ast.Call):
            said = next((one.value for one in node.keywords if one.arg == "extra"), None)
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            said = next((value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "extra"), None)
        else:
            return ""
        if said is None:
            return None
        value = self.value(module, said)
        return value if isinstance(value, str) else ""


def _hands_on(node: ast.FunctionDef) -> bool:
    """Whether a function gives its last argument, the data, to another one that may do anything with it."""
    data = {one.arg for one in node.args.args[-1:]}
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and not (isinstance(call.func, ast.Name) and call.func.id in _HARMLESS):
            given = [*call.args, *(one.value for one in call.keywords)]
            if any(isinstance(one, ast.Name) and one.id in data for one in given):
                return True
    return False


def _configurations(node: ast.ClassDef) -> Iterator[ast.expr]:
    """What a class sets up as pydantic's configuration, the older ``class Config`` too."""
    for inner in node.body:
        if isinstance(inner, ast.ClassDef) and inner.name == "Config":
            pairs = [pair for statement in inner.body for pair in _assigned(statement)]
            yield ast.Dict([ast.Constant(name) for name, _ in pairs], [value for _, value in pairs])
        yield from (value for target, value in _assigned(inner) if target == "model_config")


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value


def _metadata(annotation: ast.expr) -> list[ast.expr]:
    """What stands in an annotation's brackets after the type: looked at only where it is called."""
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        return annotation.slice.elts[1:]
    return []


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from _statements(node.body)
            yield from _statements(node.orelse)
