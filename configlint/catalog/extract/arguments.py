"""Follows how a program builds its argument parser, and collects what it declares.

Calls are followed where a parser is handed on or one is made; loops over what is known are unrolled; both sides of a
branch are taken unless its condition is known. So the result is what the program *can* accept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from configlint.catalog.extract.declarations import Converts, converts, flags
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import (
    Frame,
    FromEnvironment,
    Function,
    Instance,
    Parser,
    Ref,
    Symbols,
    bind,
    grows,
    joined,
)
from configlint.catalog.snapshot import Facts, Snapshot, Unresolved
from configlint.syntax.python import UNKNOWN, Found, Module

_MAX_CALLS = 25  # deep
_FUEL = 100_000  # statements
_GROUPS = {"add_argument_group", "add_mutually_exclusive_group", "add_subparsers"}
_LOOKUPS = {"os.environ.get", "os.getenv", "environ.get"}

Special = Callable[["Arguments", ast.Call, Module, Frame], object]
"""Declares what a call of a known helper function stands for, and gives its value."""


@dataclass(eq=False)
class Arguments:
    """Collects flags. ``specials`` are helper functions by dotted name whose calls are understood as they are.

    ``converters`` tell what the functions of the sources that are given as ``type`` take.
    """

    sources: Sources
    specials: Mapping[str, Special] = field(default_factory=dict)
    converters: Mapping[str, Converts] = field(default_factory=dict)
    found: dict[str, Facts] = field(default_factory=dict)
    unresolved: list[Unresolved] = field(default_factory=list)
    seen: int = 0
    _fuel: int = _FUEL
    _depth: int = 0
    _builders: dict[int, bool] = field(default_factory=dict)
    _returned: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.symbols = Symbols(self.sources.modules, self._call)

    def follow(self, module: str, name: str) -> bool:
        """Follow a function, or a class's ``method`` given as ``Class.method``. False where the sources lack it."""
        here = self.sources.modules.module(module)
        owner, _, method = name.rpartition(".")
        found = self._entry(here, owner or name) if here is not None else None
        if found is None:
            return False
        function: object = Function(found)
        if owner:
            function = self.symbols.method(Instance(found), method)
        if not isinstance(function, Function) or not isinstance(
            function.found.node, ast.FunctionDef | ast.AsyncFunctionDef
        ):
            return False
        first = function.found.node.args
        names = [one.arg for one in (*first.posonlyargs, *first.args, *first.kwonlyargs)]
        given: dict[str, object] = {one: Parser() for one in names if one in ("parser", "argparser", "arg_parser")}
        before = self.seen
        self._guarded(lambda: self._run(function, [], given), function.found.node, function.found.module)
        if self.seen == before:
            self.unsure(f"{module}.{name} was not seen to declare anything", function.found.node, function.found.module)
        return True

    def follow_module(self, name: str) -> bool:
        """Follow the statements of a module, as running it would. False where the sources lack it."""
        module = self.sources.modules.module(name)
        if module is None:
            return False
        self._returned.append(None)
        self._guarded(lambda: self._body(module.tree.body, module, {}), module.tree, module)
        self._returned.pop()
        return True

    def _guarded(self, follow: Callable[[], object], node: ast.AST, module: Module) -> None:
        """Follow something, however deep it is nested."""
        try:
            follow()
        except RecursionError:
            self.unsure("nested too deeply", node, module)

    def _entry(self, module: Module, name: str) -> Found | None:
        """A name of a module; a coroutine too, which other modules do not import to build a parser."""
        for node in module.tree.body:
            if isinstance(node, ast.AsyncFunctionDef) and node.name == name:
                return Found(module, node)
        return self.sources.modules.resolve(module, name)

    def snapshot(self) -> Snapshot:
        """What was found so far."""
        return Snapshot(
            dict(sorted(self.found.items())), (*self.unresolved, *self.sources.unreadable), self.seen
        )  # fmt: skip

    def declare(self, names: list[object], settings: Mapping[str, object], node: ast.AST, module: Module) -> None:
        """Record one declaration."""
        self.seen += 1
        known = [name for name in names if isinstance(name, str)]
        if len(known) < len(names) or not known:
            self.unsure("a flag whose name is not known", node, module)
            return
        for key, facts in flags(self.sources.modules, known, settings, self.converters).items():
            self.found.setdefault(key, facts)

    def unsure(self, what: str, node: ast.AST, module: Module) -> None:
        """Record something that could not be read off."""
        one = Unresolved(what, self.sources.path(module), getattr(node, "lineno", 0))
        if one not in self.unresolved:
            self.unresolved.append(one)

    def converted(self, given: object) -> Converts:
        """What a value given as ``type`` takes."""
        return converts(given, self.converters)

    def settings(self, node: ast.Call, module: Module, frame: Frame) -> dict[str, object]:
        """The keyword arguments of a call, ``**`` ones too."""
        made: dict[str, object] = {}
        for keyword in node.keywords:
            if keyword.arg == "help":
                continue
            value = self.symbols.value(keyword.value, module, frame)
            if keyword.arg is not None:
                made[keyword.arg] = value
                if keyword.arg == "choices" and grows(self.sources.modules, module, keyword.value):
                    made["open"] = True
            elif isinstance(value, dict):
                made.update((name, one) for name, one in value.items() if isinstance(name, str))
        return made

    # --- statements -------------------------------------------------------------------------------

    def _body(self, nodes: list[ast.stmt], module: Module, frame: Frame) -> None:
        for node in nodes:
            self._fuel -= 1
            if self._fuel < 0:
                self.unsure("more statements than are followed", node, module)
                return
            self._statement(node, module, frame)

    def _statement(self, node: ast.stmt, module: Module, frame: Frame) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                frame[node.name] = Function(Found(module, node), frame)
            case ast.Assign():
                value = self.symbols.value(node.value, module, frame)
                for target in node.targets:
                    self._assign(target, value, module, frame)
            case ast.AnnAssign() if node.value is not None:
                self._assign(node.target, self.symbols.value(node.value, module, frame), module, frame)
            case ast.AugAssign():
                sum_of = ast.BinOp(node.target, node.op, node.value)  # the target is read as it is written
                self._assign(node.target, self.symbols.value(sum_of, module, frame), module, frame)
            case ast.Delete():
                for target in node.targets:
                    self._delete(target, module, frame)
            case ast.Expr():
                self.symbols.value(node.value, module, frame)
            case ast.Return():
                self._returned[-1] = self.symbols.value(node.value, module, frame)
            case ast.If():
                test = self.symbols.value(node.test, module, frame)
                for branch, taken in ((node.body, True), (node.orelse, False)):
                    if not isinstance(test, bool) or test is taken:
                        self._body(branch, module, frame)
            case ast.Import() | ast.ImportFrom():
                frame.update(self.symbols.imported(node, module))
            case ast.For():
                self._loop(node, module, frame)
            case ast.With() | ast.AsyncWith():
                self._body(node.body, module, frame)
            case ast.Try():
                for part in (node.body, *(one.body for one in node.handlers), node.orelse, node.finalbody):
                    self._body(part, module, frame)
            case ast.While():
                self._body(node.body, module, frame)
            case _:
                pass

    def _assign(self, target: ast.AST, value: object, module: Module, frame: Frame) -> None:
        if isinstance(target, ast.Subscript):
            owner = self.symbols.value(target.value, module, frame)
            key = self.symbols.value(target.slice, module, frame)
            if isinstance(owner, dict) and isinstance(key, str):
                owner[key] = value
            return
        bind(target, value, frame)

    def _delete(self, target: ast.AST, module: Module, frame: Frame) -> None:
        if isinstance(target, ast.Subscript):
            owner = self.symbols.value(target.value, module, frame)
            key = self.symbols.value(target.slice, module, frame)
            if isinstance(owner, dict) and isinstance(key, str):
                owner.pop(key, None)

    def _loop(self, node: ast.For, module: Module, frame: Frame) -> None:
        items = self.symbols.items(node.iter, module, frame)
        if items is None:
            items = [UNKNOWN]
        for item in items:
            bind(node.target, item, frame)
            self._body(node.body, module, frame)

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, module: Module, frame: Frame) -> object:
        called = node.func
        if isinstance(called, ast.Attribute):
            done, value = self._method(node, called, module, frame)
            if done:
                return value
        if isinstance(called, ast.Name) and called.id == "super" and not node.args:
            owner = frame.get("self", frame.get("cls"))
            return Instance(owner.found, owner.skip + 1) if isinstance(owner, Instance) else UNKNOWN
        function = self.symbols.value(called, module, frame)
        path = function.path if isinstance(function, Ref) else ""
        if isinstance(function, Function):
            path = f"{function.found.module.name}.{getattr(function.found.node, 'name', '')}"
        special = self.specials.get(path)
        if special is not None:
            return special(self, node, module, frame)
        if path.endswith("ArgumentParser") or _is_parser(self.sources, function):
            return Parser()
        if isinstance(function, Found):
            return Instance(function)
        arguments = self._positional(node, module, frame)
        if isinstance(function, Ref):
            return _outside(function.path, arguments)
        if not isinstance(function, Function):
            return next((one for one in arguments if isinstance(one, Parser)), UNKNOWN)
        given = self.settings(node, module, frame)
        handed = any(isinstance(one, Parser | dict) for one in (*arguments, *given.values()))  # dict: of arguments
        if handed or self._builds(function.found.node):
            return self._run(function, arguments, given)
        return UNKNOWN

    def _positional(self, node: ast.Call, module: Module, frame: Frame) -> list[object]:
        """The positional arguments of a call; what is starred and not known is left out."""
        made: list[object] = []
        for one in node.args:
            if isinstance(one, ast.Starred):
                value = self.symbols.value(one.value, module, frame)
                made = joined(made, value if isinstance(value, list) else [])
            else:
                made.append(self.symbols.value(one, module, frame))
        return made

    def _method(self, node: ast.Call, called: ast.Attribute, module: Module, frame: Frame) -> tuple[bool, object]:
        """A call of something that parsers, dictionaries and lists have, done here."""
        owner = self.symbols.value(called.value, module, frame)
        if isinstance(owner, Parser):
            if called.attr == "add_argument":
                names: list[object] = []
                for one in node.args:
                    inner = one.value if isinstance(one, ast.Starred) else one
                    value = self.symbols.value(inner, module, frame)
                    names.extend(value if isinstance(one, ast.Starred) and isinstance(value, list) else [value])
                self.declare(names, self.settings(node, module, frame), node, module)
                return True, UNKNOWN
            if called.attr in _GROUPS:
                return True, owner
            if called.attr == "add_parser":
                name = self.symbols.value(node.args[0], module, frame) if node.args else ""
                return True, Parser(name if isinstance(name, str) else "")
            return True, UNKNOWN
        if isinstance(owner, dict):
            if called.attr == "items":
                return True, [[key, value] for key, value in owner.items()]
            if called.attr in ("keys", "values"):
                return True, list(owner if called.attr == "keys" else owner.values())
            if called.attr == "get" and node.args:
                key = self.symbols.value(node.args[0], module, frame)
                default = self.symbols.value(node.args[1], module, frame) if len(node.args) > 1 else None
                return True, owner.get(key, default) if isinstance(key, str) else UNKNOWN
            if called.attr == "pop" and node.args:
                key = self.symbols.value(node.args[0], module, frame)
                default = self.symbols.value(node.args[1], module, frame) if len(node.args) > 1 else None
                return True, owner.pop(key, default) if isinstance(key, str) else UNKNOWN
            if called.attr == "copy":
                return True, dict(owner)
            if called.attr == "update":
                owner.update(self.settings(node, module, frame))
                return True, None
        if isinstance(owner, list) and called.attr in ("append", "add", "extend") and len(node.args) == 1:
            value = self.symbols.value(node.args[0], module, frame)
            owner[:] = joined(owner, value if called.attr == "extend" and isinstance(value, list) else [value])
            return True, None
        if isinstance(owner, str) and called.attr in ("replace", "lower", "upper", "lstrip", "strip"):
            words = [self.symbols.value(one, module, frame) for one in node.args]
            if all(isinstance(word, str) for word in words) and len(words) <= 2:
                return True, getattr(owner, called.attr)(*words)
        return False, UNKNOWN

    def _builds(self, node: ast.AST) -> bool:
        """Whether a function makes a parser itself."""
        known = self._builders.get(id(node))
        if known is None:
            known = self._builders[id(node)] = any(
                str(getattr(inner, "id", getattr(inner, "attr", ""))).endswith(("ArgumentParser", "add_argument"))
                for inner in ast.walk(node)
                if isinstance(inner, ast.Name | ast.Attribute)
            )
        return known

    def _run(self, function: Function, arguments: list[object], given: Mapping[str, object]) -> object:
        node, module = function.found.node, function.found.module
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or self._depth >= _MAX_CALLS:
            return UNKNOWN
        shape = node.args
        names = [one.arg for one in (*shape.posonlyargs, *shape.args)]
        if function.bound is not None and function.bound is not UNKNOWN:
            arguments = [function.bound, *arguments]
        frame: Frame = dict(function.frame)
        defaults = dict(zip(reversed(names), reversed(shape.defaults), strict=False))
        defaults.update(
            (one.arg, value)
            for one, value in zip(shape.kwonlyargs, shape.kw_defaults, strict=True)
            if value is not None
        )
        for name in (*names, *(one.arg for one in shape.kwonlyargs)):
            default = defaults.get(name)
            frame[name] = self.symbols.value(default, module, {}) if default is not None else UNKNOWN
        frame.update(zip(names, arguments, strict=False))
        every = {*names, *(one.arg for one in shape.kwonlyargs)}
        frame.update((name, value) for name, value in given.items() if name in every)
        if shape.vararg is not None:
            frame[shape.vararg.arg] = arguments[len(names) :]
        if shape.kwarg is not None:
            frame[shape.kwarg.arg] = {name: value for name, value in given.items() if name not in every}
        self._depth += 1
        self._returned.append(None)
        self._body(node.body, module, frame)
        self._depth -= 1
        return self._returned.pop()


def _is_parser(sources: Sources, value: object) -> bool:
    """Whether a class of the sources is an argument parser."""
    if not isinstance(value, Found) or not isinstance(value.node, ast.ClassDef):
        return False
    return any(name.endswith("ArgumentParser") for name in sources.modules.outside_bases(value))


def _outside(path: str, arguments: list[object]) -> object:
    """What a call of something outside the sources comes to."""
    parser = next((one for one in arguments if isinstance(one, Parser)), None)
    if parser is not None:
        return parser  # a function that adds flags of another program gives the parser back
    if path in _LOOKUPS and arguments and isinstance(arguments[0], str):
        return FromEnvironment(arguments[0], arguments[1] if len(arguments) > 1 else None)
    if path in ("list", "tuple", "sorted", "set") and len(arguments) == 1 and isinstance(arguments[0], list | dict):
        items = list(arguments[0])
        return sorted(items) if path in ("sorted", "set") and all(isinstance(one, str) for one in items) else items
    if path == "dict" and not arguments:
        return {}
    if path in ("str", "int", "float", "bool") and len(arguments) == 1:
        value = arguments[0]
        if isinstance(value, FromEnvironment):
            return value
        if path == "str" and isinstance(value, str):
            return value
        if path in ("int", "float") and isinstance(value, int | float):
            return int(value) if path == "int" else float(value)
    return UNKNOWN
