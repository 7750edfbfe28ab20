"""What annotations mean: the types they may hold, through aliases, unions and wrappers of the sources."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from configlint.catalog.snapshot import Json
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Module, Modules

_MAX_DEPTH = 25
_MAX_TYPES = 2000  # in one annotation, all that its aliases stand for
_SCALARS = {"str", "int", "float", "bool", "bytes", "complex"}
_COLLECTIONS = {
    "list": "list", "List": "list", "Sequence": "list", "MutableSequence": "list", "Iterable": "list",
    "Collection": "list", "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set", "frozenset": "set",
    "FrozenSet": "set", "AbstractSet": "set", "dict": "dict", "Dict": "dict", "Mapping": "dict",
    "MutableMapping": "dict", "OrderedDict": "dict", "DefaultDict": "dict", "defaultdict": "dict",
}  # fmt: skip
_WRAPPERS = {
    "Annotated", "SkipValidation", "Final", "Required", "NotRequired", "InitVar", "ClassVar", "Optional", "Json"
}  # fmt: skip
_CONSTRAINED = {
    "PositiveInt": "int", "NonNegativeInt": "int", "NegativeInt": "int", "NonPositiveInt": "int", "StrictInt": "int",
    "conint": "int", "PositiveFloat": "float", "NonNegativeFloat": "float", "NegativeFloat": "float",
    "NonPositiveFloat": "float", "StrictFloat": "float", "confloat": "float", "StrictBool": "bool", "StrictStr": "str",
    "constr": "str",
}  # fmt: skip
_HOLDERS = ("typing", "typing_extensions", "collections", "pydantic", "dataclasses")


@dataclass(frozen=True)
class Atom:
    """One type of a union.

    ``name`` is a builtin's (``none`` for None), ``literal`` with its ``values``, ``enum`` with those of its members,
    ``class`` of the sources, ``any``, or ``other``. ``elements`` are the unions inside of the brackets.
    """

    name: str
    values: tuple[Json, ...] = ()
    elements: tuple[tuple[Atom, ...], ...] = ()
    ellipsis: bool = False
    quoted: bool = False
    found: Found | None = field(default=None, compare=False)
    node: ast.AST | None = field(default=None, repr=False)  # of the class: two classes are two types

    @cached_property
    def class_name(self) -> str:
        """The name of a class of the sources."""
        return self.found.node.name if self.found is not None and isinstance(self.found.node, ast.ClassDef) else ""


Union = tuple[Atom, ...]
NONE, ANY, OTHER = Atom("none"), Atom("any"), Atom("other")


def has(union: Union, *names: str) -> bool:
    """Whether a union holds a type of one of these names."""
    return any(atom.name in names for atom in union)


def first(union: Union, name: str) -> Atom | None:
    """The first type of a name."""
    return next((atom for atom in union if atom.name == name), None)


@dataclass(eq=False)
class Types:
    """Reads annotations. ``enumerated`` gives the values of an enumeration where its members alone do not tell."""

    modules: Modules
    enumerated: Callable[[Found], dict[str, object]] | None = None
    _left: int = 0  # of the types of one annotation

    def union(self, module: Module, node: ast.AST, depth: int = 0, quoted: bool = False) -> Union:
        """The types that an annotation allows, each once."""
        self._left = _MAX_TYPES if depth == 0 else self._left - 1
        if depth > _MAX_DEPTH or self._left < 0:
            return (OTHER,)
        return tuple(dict.fromkeys(self._atoms(module, node, depth, quoted)))

    def _atoms(self, module: Module, node: ast.AST, depth: int, quoted: bool) -> list[Atom]:
        if isinstance(node, ast.Constant):
            return self._constant(module, node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return [
                *self.union(module, node.left, depth + 1, quoted),
                *self.union(module, node.right, depth + 1, quoted),
            ]
        if isinstance(node, ast.Subscript):
            return self._subscript(module, node, depth, quoted)
        if isinstance(node, ast.Call):  # conint(gt=0)
            name = self.modules.path(module, node.func).rpartition(".")[2]
            return [Atom(_CONSTRAINED[name])] if name in _CONSTRAINED else [OTHER]
        if isinstance(node, ast.Name):
            found = self.modules.resolve(module, node.id)
            if found is not None:
                return self._found(found, node, module, depth, quoted)
        path = self.modules.path(module, node)
        return [self._outside(path)]

    def _constant(self, module: Module, node: ast.Constant, depth: int) -> list[Atom]:
        if node.value is None:
            return [NONE]
        if isinstance(node.value, str) and len(node.value) < 2000:
            try:
                inner = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return [OTHER]
            return list(self.union(module, inner, depth + 1, True))
        return [OTHER]

    def _found(self, found: Found, node: ast.Name, module: Module, depth: int, quoted: bool) -> list[Atom]:
        if isinstance(found.node, ast.ClassDef):
            members = (self.enumerated or self.modules.members)(found)
            if members:
                values = [member.value for member in members.values() if isinstance(member, EnumMember)]
                plain = [value for value in values if isinstance(value, str | int)]
                known = tuple(plain) if len(plain) == len(members) <= _MAX_TYPES else ()
                return [Atom("enum", known, quoted=quoted, found=found, node=found.node)]
            outside = {name.rpartition(".")[2] for name in self.modules.outside_bases(found)}
            if outside & {"Enum", "StrEnum", "IntEnum", "EnumMeta", "Flag", "IntFlag"}:
                return [Atom("enum", quoted=quoted, found=found, node=found.node)]
            return [Atom("class", quoted=quoted, found=found, node=found.node)]
        if isinstance(found.node, ast.expr) and not (found.module is module and found.node is node):
            return list(self.union(found.module, found.node, depth + 1, quoted))
        return [OTHER]

    def _outside(self, path: str) -> Atom:
        head, _, name = path.rpartition(".")
        if not head:
            if name in _SCALARS:
                return Atom(name)
            if name in ("object", "Any"):
                return ANY
            return Atom(_COLLECTIONS[name]) if name in _COLLECTIONS else OTHER
        if head.partition(".")[0] not in _HOLDERS:
            return OTHER
        if name == "Any":
            return ANY
        if name in _CONSTRAINED:
            return Atom(_CONSTRAINED[name])
        return Atom(_COLLECTIONS[name]) if name in _COLLECTIONS else OTHER

    def _subscript(self, module: Module, node: ast.Subscript, depth: int, quoted: bool) -> list[Atom]:
        name = self.head(module, node.value)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Literal":
            return [self._literal(module, inner, depth)]
        if name == "Union":
            return [atom for one in inner for atom in self.union(module, one, depth + 1, quoted)]
        if name in _WRAPPERS and inner:
            made = list(self.union(module, inner[0], depth + 1, quoted))
            return [*made, NONE] if name == "Optional" else made
        if name in _COLLECTIONS:
            dots = [isinstance(one, ast.Constant) and one.value is Ellipsis for one in inner]
            elements = tuple(
                self.union(module, one, depth + 1, quoted)
                for one, is_dots in zip(inner, dots, strict=True)
                if not is_dots
            )
            return [Atom(_COLLECTIONS[name], elements=elements, ellipsis=any(dots))]
        found = self.modules.resolve(module, node.value.id) if isinstance(node.value, ast.Name) else None
        if found is not None and isinstance(found.node, ast.ClassDef):
            return [Atom("class", quoted=quoted, found=found, node=found.node)]
        return [OTHER]

    def head(self, module: Module, node: ast.AST) -> str:
        """The plain name behind what stands before brackets: ``Annotated`` for an ``A`` that is set to it."""
        for _ in range(_MAX_DEPTH):
            found = self.modules.resolve(module, node.id) if isinstance(node, ast.Name) else None
            if found is None or not isinstance(found.node, ast.Name | ast.Attribute):
                break
            module, node = found.module, found.node
        return self.modules.path(module, node).rpartition(".")[2]

    def _literal(self, module: Module, nodes: list[ast.expr], depth: int) -> Atom:
        values: list[Json] = []
        for node in nodes:
            if len(values) > _MAX_TYPES:
                return OTHER
            value = self.modules.constant(module, node)
            if isinstance(value, EnumMember):
                value = value.value
            if value is UNKNOWN:
                inner = self.union(module, node, depth + 1)
                if all(atom.name == "literal" for atom in inner):
                    values.extend(one for atom in inner for one in atom.values)
                    continue
                return OTHER
            if not isinstance(value, str | int | bool | None):
                return OTHER
            values.append(value)
        return Atom("literal", tuple(values))
