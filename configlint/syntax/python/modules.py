"""Modules of one source tree and the names in them, followed through imports, classes and constants."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from configlint.source.records import record

_MAX_HOPS = 8  # imports of imports
_MAX_BASES = 20
_MAX_DEPTH = 30  # constants made of constants


@record
class EnumMember:
    """A member of an enumeration: ``Colour.RED`` with the value behind it."""

    owner: str
    name: str
    value: object
    mixes: bool = False  # the class is a str or int as well: the member equals its value


class _Nothing:
    """No value could be read off."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Nothing()
"""What stands for a value that the source does not tell."""


@dataclass(eq=False)
class Module:
    """One module: its top-level names. The last definition of a name counts; one made twice or in a branch does too."""

    name: str
    tree: ast.Module
    is_package: bool = False

    @cached_property
    def names(self) -> dict[str, ast.AST]:
        """Classes, functions, and the expressions that names are set to."""
        found: dict[str, ast.AST] = {}
        for node in _top_level(self.tree.body):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign):
                found.update((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
                found[node.target.id] = node.value
        return found

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """Local name -> (module, name in it); the name is empty for a module."""
        found: dict[str, tuple[str, str]] = {}
        for node in _top_level(self.tree.body):
            if isinstance(node, ast.Import):
                for one in node.names:
                    found[one.asname or one.name.partition(".")[0]] = (
                        one.name if one.asname else one.name.partition(".")[0],
                        "",
                    )
            elif isinstance(node, ast.ImportFrom):
                origin = self._origin(node)
                found.update((one.asname or one.name, (origin, one.name)) for one in node.names)
        return found

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        steps = self.name.split(".")
        package = steps[: len(steps) - node.level + self.is_package]
        return ".".join([*package, *([node.module] if node.module else [])])


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, branches included."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from _top_level(node.body)
            yield from _top_level(node.orelse)
        elif isinstance(node, ast.Try):
            for part in (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                yield from _top_level(part)


@dataclass(frozen=True, eq=False)
class Found:
    """What a name stands for, and the module in which that is written."""

    module: Module
    node: ast.AST


@dataclass(eq=False)
class Modules:
    """The modules of a source tree, read on demand. ``read`` gives a module by its dotted name, None where absent."""

    read: Callable[[str], Module | None]
    _modules: dict[str, Module | None] = field(default_factory=dict)

    def module(self, name: str) -> Module | None:
        if name not in self._modules:
            self._modules[name] = self.read(name)
        return self._modules[name]

    def resolve(self, module: Module, name: str) -> Found | None:
        """What a name of a module stands for, through imports inside the source tree."""
        for _ in range(_MAX_HOPS):
            if name in module.names:
                return Found(module, module.names[name])
            origin, name = module.imports.get(name, ("", ""))
            below = self.module(origin) if origin and name else None
            if below is None:
                return None
            module = below
        return None

    def origin(self, module: Module, name: str) -> str:
        """The dotted name behind a local one: ``typing.Optional``; the name itself for a builtin."""
        for _ in range(_MAX_HOPS):
            if name in module.names or name not in module.imports:
                return f"{module.name}.{name}" if name in module.names else name
            origin, inner = module.imports[name]
            below = self.module(origin) if inner else None
            if below is None:
                return f"{origin}.{inner}" if inner else origin
            module, name = below, inner
        return name

    def path(self, module: Module, node: ast.AST) -> str:
        """The dotted name that an expression spells (``t.Optional``), its first part looked up; empty for others."""
        if isinstance(node, ast.Name):
            return self.origin(module, node.id)
        if isinstance(node, ast.Attribute):
            before = self.path(module, node.value)
            return f"{before}.{node.attr}" if before else ""
        return ""

    def bases(self, found: Found) -> tuple[Found, ...] | None:
        """A class and the classes of the source tree that it inherits from, nearest first.

        None where one cannot be found; a base outside of the tree is left out.
        """
        chain: list[Found] = []
        pending = [found]
        while pending:
            one = pending.pop(0)
            if not isinstance(one.node, ast.ClassDef) or len(chain) > _MAX_BASES:
                return None
            chain.append(one)
            for base in one.node.bases:
                inner = self.resolve(one.module, base.id) if isinstance(base, ast.Name) else None
                if inner is not None:
                    pending.append(inner)
                elif not self.path(one.module, base):
                    return None
        return tuple(chain)

    def outside_bases(self, found: Found) -> frozenset[str]:
        """Dotted names of the classes outside the source tree that a class inherits from, at any distance."""
        names = set()
        for one in self.bases(found) or ():
            assert isinstance(one.node, ast.ClassDef)
            for base in one.node.bases:
                if not isinstance(base, ast.Name) or self.resolve(one.module, base.id) is None:
                    names.add(self.path(one.module, base))
        return frozenset(names)

    # --- constants --------------------------------------------------------------------------------

    def constant(self, module: Module, node: ast.AST, depth: int = 0) -> object:
        """What an expression of literals, constants and members of enumerations is; UNKNOWN for any other."""
        if depth > _MAX_DEPTH:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.constant(module, node.operand, depth + 1)
            return -value if isinstance(value, int | float) else UNKNOWN
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            values = [self.constant(module, one, depth + 1) for one in node.elts]
            if any(value is UNKNOWN for value in values):
                return UNKNOWN
            return values if isinstance(node, ast.List) else tuple(values)
        if isinstance(node, ast.Name):
            found = self.resolve(module, node.id)
            return UNKNOWN if found is None else self._of(found, depth + 1)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name):
                found = self.resolve(module, node.value.id)
                if found is not None and isinstance(found.node, ast.ClassDef):
                    return self.members(found).get(node.attr, UNKNOWN)
            owner = self.constant(module, node.value, depth + 1)
            if isinstance(owner, EnumMember) and node.attr in ("value", "name"):
                return owner.value if node.attr == "value" else owner.name
        return UNKNOWN

    def _of(self, found: Found, depth: int) -> object:
        if isinstance(found.node, ast.expr):
            return self.constant(found.module, found.node, depth)
        return UNKNOWN

    def members(self, found: Found) -> dict[str, object]:
        """The members of an enumeration by name; nothing for any other class."""
        assert isinstance(found.node, ast.ClassDef)
        outside = self.outside_bases(found)
        mixing = {"enum.StrEnum", "enum.IntEnum", "strenum.StrEnum"}
        if not outside & {"enum.Enum", *mixing}:
            return {}
        mixes = bool(outside & {"str", "int", *mixing})
        members: dict[str, object] = {}
        for node in found.node.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                value = self.constant(found.module, node.value)
                members[name] = UNKNOWN if value is UNKNOWN else EnumMember(found.node.name, name, value, mixes)
        return members
