"""What expressions come to while the building of a parser is followed: constants, and names of what is no constant.

Not an interpreter: what is not one of the forms below is UNKNOWN and stays so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from configlint.syntax.python import UNKNOWN, EnumMember, Found, Module, Modules

Frame: TypeAlias = dict[str, object]

_MAX_DEPTH = 40
_ADDING = {"append", "extend", "add", "update", "insert"}
_FUEL = 1_000_000  # expressions
MAX_ITEMS = 2000
"""Longest list or dictionary that is followed."""
_MAX_TEXT = 20_000  # characters


@dataclass(frozen=True)
class Parser:
    """A parser or a group of one: what ``add_argument`` is called on. ``command`` names a subparser."""

    command: str = ""


@dataclass(frozen=True)
class Instance:
    """An object of a class of the sources; ``skip`` classes of its line of descent are passed over (``super()``)."""

    found: Found
    skip: int = 0


@dataclass(frozen=True)
class Function:
    """A function of the sources, with the variables around it and the object it is bound to."""

    found: Found
    frame: Frame = field(default_factory=dict, hash=False)
    bound: object = None


@dataclass(frozen=True)
class Ref:
    """Something outside of the sources, by its dotted name: ``int``, ``json.loads``."""

    path: str


@dataclass(frozen=True)
class FromEnvironment:
    """A value that an environment variable may replace."""

    variable: str
    default: object


@dataclass(eq=False)
class Symbols:
    """Evaluates expressions of one set of modules. ``called`` says what a call comes to."""

    modules: Modules
    called: Callable[[ast.Call, Module, Frame], object]
    fuel: int = _FUEL

    def value(self, node: ast.AST | None, module: Module, frame: Frame, depth: int = 0) -> object:
        """The value of an expression, UNKNOWN where it cannot be told."""
        if node is None:
            return None
        self.fuel -= 1
        if depth > _MAX_DEPTH or self.fuel < 0:
            return UNKNOWN
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            return UNKNOWN
        value: object = method(node, module, frame, depth + 1)
        return value

    def _constant(self, node: ast.Constant, module: Module, frame: Frame, depth: int) -> object:
        return node.value

    def _name(self, node: ast.Name, module: Module, frame: Frame, depth: int) -> object:
        if node.id in frame:
            return frame[node.id]
        return self._global(module, node.id, depth)

    def _global(self, module: Module, name: str, depth: int) -> object:
        found = self.modules.resolve(module, name)
        if found is None:
            return Ref(self.modules.origin(module, name))
        if isinstance(found.node, ast.FunctionDef):
            return Function(found)
        if isinstance(found.node, ast.ClassDef):
            return found
        return self.value(found.node, found.module, {}, depth)

    def imported(self, node: ast.Import | ast.ImportFrom, module: Module) -> Frame:
        """The names that an import inside of a function brings in."""
        alone = Module(module.name, ast.Module([node], []), module.is_package)
        made: Frame = {}
        for local, (origin, name) in alone.imports.items():
            below = self.modules.module(origin) if name else None
            made[local] = self._global(below, name, 0) if below is not None else Ref(f"{origin}.{name}".rstrip("."))
        return made

    def _attribute(self, node: ast.Attribute, module: Module, frame: Frame, depth: int) -> object:
        owner = self.value(node.value, module, frame, depth)
        if isinstance(owner, EnumMember) and node.attr in ("value", "name"):
            return owner.value if node.attr == "value" else owner.name
        if isinstance(owner, Instance):
            return self.method(owner, node.attr)
        if isinstance(owner, Found) and isinstance(owner.node, ast.ClassDef):
            member = self.modules.members(owner).get(node.attr, UNKNOWN)
            return self.method(Instance(owner), node.attr) if member is UNKNOWN else member
        if isinstance(owner, Ref):
            below = self.modules.module(owner.path)
            return self._global(below, node.attr, depth) if below is not None else Ref(f"{owner.path}.{node.attr}")
        return UNKNOWN

    def method(self, instance: Instance, name: str) -> object:
        """A method of an object, or the constant of its class; UNKNOWN where its class has none of the name."""
        for one in (self.modules.bases(instance.found) or ())[instance.skip :]:
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    decorators = {getattr(each, "id", "") for each in node.decorator_list}
                    bound = UNKNOWN if "staticmethod" in decorators else instance
                    return Function(Found(one.module, node), bound=bound)
            constants = _constants(one.node)
            if name in constants:
                return self._class_constant(one.module, constants, name, 0)
        return UNKNOWN

    def _class_constant(
        self, module: Module, constants: Mapping[str, ast.expr | None], name: str, depth: int
    ) -> object:
        """What a class's body sets a name to, where that may be made of other names of the body."""
        node = constants[name]
        self.fuel -= 1
        if node is None or depth > _MAX_DEPTH or self.fuel < 0:
            return UNKNOWN
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        inside = {
            one: self._class_constant(module, constants, one, depth + 1) for one in used & constants.keys() - {name}
        }
        return self.value(node, module, inside)

    def _dict(self, node: ast.Dict, module: Module, frame: Frame, depth: int) -> object:
        made: dict[object, object] = {}
        for key, inner in zip(node.keys, node.values, strict=True):
            value = self.value(inner, module, frame, depth)
            if key is None:
                if not isinstance(value, dict):
                    return UNKNOWN
                made.update(value)
                continue
            name = self.value(key, module, frame, depth)
            if not isinstance(name, str | int | EnumMember):
                return UNKNOWN
            made[name] = value
        return made

    def _list(self, node: ast.List | ast.Tuple | ast.Set, module: Module, frame: Frame, depth: int) -> object:
        made: list[object] = []
        for inner in node.elts:
            if isinstance(inner, ast.Starred):
                value = self.value(inner.value, module, frame, depth)
                made = joined(made, value if isinstance(value, list) else [UNKNOWN])
            else:
                made.append(self.value(inner, module, frame, depth))
        return made

    _tuple = _set = _list

    def _binop(self, node: ast.BinOp, module: Module, frame: Frame, depth: int) -> object:
        left = self.value(node.left, module, frame, depth)
        right = self.value(node.right, module, frame, depth)
        if isinstance(node.op, ast.Add):
            if isinstance(left, str) and isinstance(right, str):
                return left + right if len(left) + len(right) <= _MAX_TEXT else UNKNOWN
            if isinstance(left, list) or isinstance(right, list):
                before: list[object] = left if isinstance(left, list) else [UNKNOWN]
                after: list[object] = right if isinstance(right, list) else [UNKNOWN]
                return joined(before, after)
        if isinstance(left, int | float) and isinstance(right, int | float):
            return _arithmetic(node.op, left, right)
        return UNKNOWN

    def _unaryop(self, node: ast.UnaryOp, module: Module, frame: Frame, depth: int) -> object:
        value = self.value(node.operand, module, frame, depth)
        if isinstance(node.op, ast.USub) and isinstance(value, int | float):
            return -value
        if isinstance(node.op, ast.Not) and isinstance(value, bool):
            return not value
        return UNKNOWN

    def _joinedstr(self, node: ast.JoinedStr, module: Module, frame: Frame, depth: int) -> object:
        parts: list[str] = []
        for inner in node.values:
            if isinstance(inner, ast.FormattedValue) and (inner.format_spec is not None or inner.conversion != -1):
                return UNKNOWN
            expression = inner.value if isinstance(inner, ast.FormattedValue) else inner
            value = self.value(expression, module, frame, depth)
            if not isinstance(value, str | int):
                return UNKNOWN
            parts.append(str(value))
        whole = "".join(parts)
        return whole if len(whole) <= _MAX_TEXT else UNKNOWN

    def _ifexp(self, node: ast.IfExp, module: Module, frame: Frame, depth: int) -> object:
        test = self.value(node.test, module, frame, depth)
        if isinstance(test, bool):
            return self.value(node.body if test else node.orelse, module, frame, depth)
        return UNKNOWN

    def _compare(self, node: ast.Compare, module: Module, frame: Frame, depth: int) -> object:
        if len(node.ops) != 1:
            return UNKNOWN
        left = self.value(node.left, module, frame, depth)
        right = self.value(node.comparators[0], module, frame, depth)
        if left is UNKNOWN or right is UNKNOWN or isinstance(left, Ref) or isinstance(right, Ref):
            return UNKNOWN
        match node.ops[0]:
            case ast.In() if isinstance(right, dict | list | str) and isinstance(left, str):
                return left in right
            case ast.NotIn() if isinstance(right, dict | list | str) and isinstance(left, str):
                return left not in right
            case ast.Is():
                return left is right
            case ast.IsNot():
                return left is not right
            case ast.Eq():
                return left == right
            case ast.NotEq():
                return left != right
        return UNKNOWN

    def _subscript(self, node: ast.Subscript, module: Module, frame: Frame, depth: int) -> object:
        owner = self.value(node.value, module, frame, depth)
        at = self.value(node.slice, module, frame, depth)
        if isinstance(owner, dict) and isinstance(at, str | int | EnumMember):
            return owner.get(at, UNKNOWN)
        if isinstance(owner, list) and isinstance(at, int) and -len(owner) <= at < len(owner):
            return owner[at]
        return UNKNOWN

    def _listcomp(self, node: ast.ListComp, module: Module, frame: Frame, depth: int) -> object:
        if len(node.generators) != 1:
            return UNKNOWN
        loop = node.generators[0]
        items = self.items(loop.iter, module, frame, depth)
        if items is None:
            return UNKNOWN
        made: list[object] = []
        for item in items:
            inner = dict(frame)
            bind(loop.target, item, inner)
            tests = [self.value(test, module, inner, depth) for test in loop.ifs]
            if all(test is True for test in tests):
                made.append(self.value(node.elt, module, inner, depth))
            elif False not in tests:
                return UNKNOWN
        return made

    _generatorexp = _setcomp = _listcomp

    def _call(self, node: ast.Call, module: Module, frame: Frame, depth: int) -> object:
        return self.called(node, module, frame)

    def items(self, node: ast.AST, module: Module, frame: Frame, depth: int = 0) -> list[object] | None:
        """What a loop over an expression goes through; None where that is not known."""
        value = self.value(node, module, frame, depth)
        if isinstance(value, Found) and isinstance(value.node, ast.ClassDef):
            members = list(self.modules.members(value).values())
            return members or None
        if isinstance(value, dict):
            value = list(value)
        return value[:MAX_ITEMS] if isinstance(value, list) else None


def _constants(node: ast.ClassDef) -> dict[str, ast.expr | None]:
    """What a class's body assigns, by name."""
    made: dict[str, ast.expr | None] = {}
    for inner in node.body:
        targets = [inner.target] if isinstance(inner, ast.AnnAssign) else getattr(inner, "targets", [])
        value = inner.value if isinstance(inner, ast.Assign | ast.AnnAssign) else None
        made.update((target.id, value) for target in targets if isinstance(target, ast.Name))
    return made


def joined(first: list[object], second: list[object]) -> list[object]:
    """Two lists as one, which says that it is not all there where it would be too long."""
    return [*first, *second] if len(first) + len(second) <= MAX_ITEMS else [*first[: MAX_ITEMS - 1], UNKNOWN]


def grows(modules: Modules, module: Module, node: ast.AST) -> bool:
    """Whether an expression names a collection that its module lets others extend while the program runs."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and modules.resolve(module, inner.id) is not None:
            home, _, name = modules.origin(module, inner.id).rpartition(".")
            below = modules.module(home)
            if below is not None and name in _extended(below):
                return True
    return False


def _extended(module: Module) -> frozenset[str]:
    """Names of a module's own collections that some of its code adds to, or hands out the method that does."""
    return frozenset(
        node.value.id
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in _ADDING and isinstance(node.value, ast.Name)
    ) & frozenset(module.names)


def bind(target: ast.AST, value: object, frame: Frame) -> None:
    """Set the names of an assignment's target; what does not fit becomes UNKNOWN."""
    if isinstance(target, ast.Name):
        frame[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        fits = isinstance(value, list) and len(value) == len(target.elts)
        for index, inner in enumerate(target.elts):
            bind(inner, value[index] if fits and isinstance(value, list) else UNKNOWN, frame)


def _arithmetic(operator: ast.operator, left: float, right: float) -> object:
    if abs(left) > 1 << 40 or abs(right) > 1 << 40:
        return UNKNOWN
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() if right:
            return left / right
        case ast.Pow() if isinstance(right, int) and 0 <= right <= 40 and abs(left) <= 1024:
            return left**right
        case ast.LShift() if isinstance(left, int) and isinstance(right, int) and 0 <= right <= 40:
            return left << right
    return UNKNOWN
