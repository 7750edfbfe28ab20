"""The options of ``aiperf profile``: a function whose parameters are models, whose fields say how they are spelled.

``Annotated[type, Field(...), CLIParameter(name=("--a", "-a"), ...)]``; a field without such a parameter whose type is
another model stands for that model's fields. Read for cyclopts: a name that is not given is made of the field's.
"""

from __future__ import annotations

import ast

from configlint.catalog.extract.declarations import key_of
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import Symbols
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Facts, Json, Snapshot, Unresolved, is_plain
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Module

_PACKAGE = "aiperf"
_ENTRIES = (("aiperf.cli_commands.profile", "profile"), ("aiperf.cli", "profile"))
_SCALARS = {"bool": "bool", "int": "int", "float": "float", "str": "str"}
_LISTS = {"list", "tuple", "set", "typing.List", "typing.Tuple"}
_MAX_DEPTH = 12


def arguments(members: Members) -> dict[str, Snapshot]:
    """The table of ``profile``."""
    reader = _Reader(Sources(members, (_PACKAGE,)))
    for module_name, function in _ENTRIES:
        module = reader.sources.modules.module(module_name)
        found = reader.sources.modules.resolve(module, function) if module is not None else None
        if found is not None and isinstance(found.node, ast.FunctionDef):
            every = found.node.args
            for one in (*every.posonlyargs, *every.args, *every.kwonlyargs):
                reader.parameter(one, found.module)
            break
    else:
        reader.unresolved.append(Unresolved("no function profile"))
    unresolved = (*reader.unresolved, *reader.sources.unreadable)
    return {"profile": Snapshot(dict(sorted(reader.found.items())), unresolved, reader.seen)}


class _Reader:
    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.modules = sources.modules
        self.symbols = Symbols(sources.modules, lambda *_: UNKNOWN)
        self.found: dict[str, Facts] = {}
        self.unresolved: list[Unresolved] = []
        self.seen = 0

    def parameter(self, node: ast.arg, module: Module) -> None:
        """A parameter of the command: a model, or an option of its own."""
        if node.annotation is not None:
            self._field(node.arg, node.annotation, None, module, 0)

    def _model(self, found: Found, depth: int) -> None:
        if depth > _MAX_DEPTH:
            return
        names: set[str] = set()
        for one in self.modules.bases(found) or (found,):
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                    continue
                if node.target.id not in names and not node.target.id.startswith("_"):
                    names.add(node.target.id)
                    self._field(node.target.id, node.annotation, node.value, one.module, depth)

    def _field(self, name: str, annotation: ast.expr, default: ast.expr | None, module: Module, depth: int) -> None:
        parts = self._annotated(annotation, module)
        settings = self._settings(parts[1:], module)
        if settings is not None and self.symbols.value(settings.get("parse"), module, {}) is False:
            return
        model = self._class(parts[0], module)
        if model is not None and (settings is None or self._spelled(settings, module) == ["*"]):
            self._model(model, depth + 1)
            return
        if settings is None and depth:
            return  # a field that is no option
        self.seen += 1
        spelled = self._spelled(settings or {}, module) or [f"--{name.replace('_', '-')}"]
        names = [one if one.startswith("-") else f"--{one}" for one in spelled if isinstance(one, str)]
        if len(names) < len(spelled):
            self.unresolved.append(
                Unresolved(f"option of {name}", self.sources.path(module), annotation.lineno, "its name is not known")
            )
            return
        self._declare(names, self._kind(parts[0], module, 0), default, module)
        negative = self.symbols.value((settings or {}).get("negative"), module, {})
        for one in negative if isinstance(negative, list) else [negative]:
            if isinstance(one, str) and one.startswith("--"):
                self.seen += 1
                self.found.setdefault(key_of(one), {"k": "bool"})

    def _declare(self, names: list[str], facts: dict[str, Json], default: ast.expr | None, module: Module) -> None:
        first = next((name for name in names if name.startswith("--")), names[0])
        others = [name for name in names if name != first]
        if others:
            facts["al"] = list(others)
        value = self.symbols.value(default, module, {}) if default is not None else UNKNOWN
        if isinstance(value, EnumMember):
            value = UNKNOWN
        if value is not UNKNOWN and is_plain(value):
            facts["d"] = value  # type: ignore[assignment]  # is_plain says that it is JSON
        self.found.setdefault(key_of(first), facts)

    def _annotated(self, node: ast.expr, module: Module) -> list[ast.expr]:
        """The type and its metadata."""
        if isinstance(node, ast.Subscript) and self.modules.path(module, node.value).endswith("Annotated"):
            inner = node.slice
            return list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        return [node]

    def _settings(self, metadata: list[ast.expr], module: Module) -> dict[str, ast.expr] | None:
        """The keyword arguments of the parameter among the metadata; None where there is none."""
        for node in metadata:
            if isinstance(node, ast.Call) and self.modules.path(module, node.func).endswith("Parameter"):
                given = {one.arg: one.value for one in node.keywords if one.arg is not None}
                if node.args:
                    given.setdefault("name", node.args[0])
                return given
            if isinstance(node, ast.Name) and "parameter" in self.modules.path(module, node).lower():
                found = self.modules.resolve(module, node.id)
                if found is not None and isinstance(found.node, ast.Call):
                    return self._settings([found.node], found.module)
                return {"parse": ast.Constant(False)} if node.id.startswith("Disable") else {}
        return None

    def _spelled(self, settings: dict[str, ast.expr], module: Module) -> list[object]:
        value = self.symbols.value(settings.get("name"), module, {})
        if value is None:
            return []
        return value if isinstance(value, list) else [value]

    def _class(self, node: ast.expr, module: Module) -> Found | None:
        """A model of the sources that a type names, enumerations left out."""
        if isinstance(node, ast.BinOp):
            sides = [side for side in (node.left, node.right) if not _is_none(side)]
            return self._class(sides[0], module) if len(sides) == 1 else None
        if isinstance(node, ast.Subscript) and self.modules.path(module, node.value).endswith("Optional"):
            return self._class(node.slice, module)
        name = node.value if isinstance(node, ast.Constant) else getattr(node, "id", None)
        found = self.modules.resolve(module, name) if isinstance(name, str) else None
        if found is None or not isinstance(found.node, ast.ClassDef):
            return None
        is_enum = any("Enum" in base.rpartition(".")[2] for base in self.modules.outside_bases(found))
        return None if is_enum else found

    def _kind(self, node: ast.expr, module: Module, depth: int) -> dict[str, Json]:
        """The facts that a type tells."""
        if depth > _MAX_DEPTH:
            return {"k": "str"}
        if isinstance(node, ast.BinOp):
            sides = [side for side in (node.left, node.right) if not _is_none(side)]
            kinds = [self._kind(side, module, depth + 1) for side in sides]
            lists = [kind for kind in kinds if kind["k"] == "list"]
            return lists[0] if lists else kinds[0] if len(kinds) == 1 else {"k": "str"}
        path = self.modules.path(module, node.value if isinstance(node, ast.Subscript) else node)
        if isinstance(node, ast.Subscript):
            last = path.rpartition(".")[2]
            inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
            if path in _LISTS:
                return {"k": "list", "multi": True}
            if last == "Optional":
                return self._kind(inner[0], module, depth + 1)
            if last == "Literal":
                choices = [self.symbols.value(one, module, {}) for one in inner]
                sure: list[Json] = [one for one in choices if isinstance(one, str | int)]
                return {"k": "str", "ch": sure} if len(sure) == len(choices) else {"k": "str"}
            if last == "Annotated":
                return self._kind(inner[0], module, depth + 1)
            return {"k": "str"}
        if path in _SCALARS:
            return {"k": _SCALARS[path]}
        found = self.modules.resolve(module, node.id) if isinstance(node, ast.Name) else None
        if found is not None and isinstance(found.node, ast.Subscript | ast.BinOp):
            return self._kind(found.node, found.module, depth + 1)
        return {"k": "list", "multi": True} if path in _LISTS else {"k": "str"}


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
