"""vLLM: the engine's arguments, those of ``vllm serve`` alone, and the records behind its JSON arguments.

Most arguments are ``group.add_argument("--x", **kwargs["field"])``, where vLLM itself makes ``kwargs`` from the
annotations of a configuration class. So its rules for that (``get_kwargs``) are repeated here on what is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from configlint.catalog.extract.arguments import Arguments, Special
from configlint.catalog.extract.configs import config_facts
from configlint.catalog.extract.declarations import Converts
from configlint.catalog.extract.records import Declared, Records
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import Frame, Instance, Ref
from configlint.catalog.extract.types import Atom, Types, Union, first, has
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Snapshot, Unresolved
from configlint.syntax.python import UNKNOWN, Found, Module

_ARGUMENTS = "vllm.engine.arg_utils"
_FRONTEND = "vllm.entrypoints.openai.cli_args"
_DECORATORS = frozenset({"vllm.config.utils.config", "vllm.config.config"})
_NEGATABLE = "argparse.BooleanOptionalAction"
_NOTHING = ("", "None")  # what optional_type makes None of

_INT = Converts("int", units=True)
_CONVERTERS: Mapping[str, Converts] = {
    f"{home}.{name}": converts
    for home in ("vllm.utils.argparse_utils", _ARGUMENTS)
    for name, converts in {
        "human_readable_int": _INT,
        "human_readable_int_or_auto": Converts("int", also=("auto", "-1"), units=True),
        "union_dict_and_str": Converts("str"),
    }.items()
}


@dataclass(eq=False)
class _Reader:
    """Both parsers of one version, and the records that their arguments name."""

    sources: Sources
    records: dict[str, Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.types = Types(self.sources.modules)
        specials: Mapping[str, Special] = {
            f"{_ARGUMENTS}.get_kwargs": self._kwargs,
            f"{_ARGUMENTS}._compute_kwargs": self._kwargs,
            f"{_ARGUMENTS}.optional_type": _optional,
            f"{_ARGUMENTS}.parse_type": _plain,
        }
        self.ladder = _ladder(self.sources)
        self._new: Callable[[], Arguments] = lambda: Arguments(self.sources, specials, _CONVERTERS)

    def read(self, module: str, name: str) -> Snapshot:
        """The flags that one function declares."""
        collected = self._new()
        if not collected.follow(module, name):
            return Snapshot(unresolved=(Unresolved(f"no {module}.{name}"), *self.sources.unreadable))
        return collected.snapshot()

    def _kwargs(self, collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
        owner = collected.symbols.value(node.args[0], module, frame) if len(node.args) == 1 else UNKNOWN
        found = owner.found if isinstance(owner, Instance) else owner
        if not isinstance(found, Found) or not isinstance(found.node, ast.ClassDef):
            collected.unsure("arguments of a class that is not known", node, module)
            return UNKNOWN
        records = Records(self.sources.modules, collected.symbols, "vllm.envs")
        made: dict[str, object] = {}
        for one in records.fields(found):
            settings = self._settings(records, one)
            if settings is None:
                collected.unsure(f"the type of {found.node.name}.{one.name}", one.annotation, one.module)
                settings = {"type": Converts("str", is_loose=True)}
            settings["default"] = one.default
            made[one.name] = settings
        return made

    def _settings(self, records: Records, one: Declared) -> dict[str, object] | None:
        """The rungs of vLLM's own ladder, in its order; None where no rung is sure."""
        union = self.types.union(one.module, one.annotation)
        record = next((atom for atom in union if self._is_record(records, atom)), None)
        settings: dict[str, object]
        if record is not None and record.found is not None:
            self.records.setdefault(record.class_name, record.found)
            settings = {
                "type": Converts("json", units=self.ladder.expands, cls=record.class_name),
                "cls": record.class_name,
            }
        elif {atom.name for atom in union} == {"bool", "str", "none"} and self.ladder.has_optional_value:
            return {"type": Converts("str"), "nargs": "?", "const": True}
        elif has(union, "bool"):
            return {"action": Ref(_NEGATABLE)}
        elif has(union, "literal"):
            settings = _choices(union)
        elif (collection := next(filter(None, (first(union, n) for n in ("tuple", "list", "set"))), None)) is not None:
            settings = _collection(collection)
        elif has(union, "int"):
            settings = {"type": self.ladder.number(one.name)}
        elif has(union, "float"):
            settings = {"type": Converts("float")}
        elif has(union, "dict"):
            others = [atom for atom in union if atom.name not in ("dict", "none")]
            settings = {"type": Converts("str" if others else "json", is_loose=bool(others))}
        elif any(atom.name != "none" for atom in union):
            settings = {"type": Converts("str")}
        else:
            return None
        if has(union, "none"):
            settings["type"] = _or_nothing(settings["type"])
            if isinstance(settings.get("choices"), list):
                settings["choices"] = [*_listed(settings["choices"]), "None"]
        return settings

    def _is_record(self, records: Records, atom: Atom) -> bool:
        return (
            atom.name == "class" and not atom.quoted and atom.found is not None
            and records.is_dataclass(atom.found, _DECORATORS)
        )  # fmt: skip


@dataclass(frozen=True)
class _Ladder:
    """How one version's ``get_kwargs`` differs from another's: read off its own source."""

    has_optional_value: bool
    expands: bool
    readable: frozenset[str]

    def number(self, name: str) -> Converts:
        """How a field that is an int is converted."""
        if name == "max_model_len":
            return _CONVERTERS[f"{_ARGUMENTS}.human_readable_int_or_auto"]
        return _INT if name in self.readable else Converts("int")


def _ladder(sources: Sources) -> _Ladder:
    module = sources.modules.module(_ARGUMENTS)
    functions = [
        node
        for name in ("_compute_kwargs", "get_kwargs")
        if module is not None and isinstance(node := module.names.get(name), ast.FunctionDef)
    ]
    constants = {
        node.value
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    called = {node.id for function in functions for node in ast.walk(function) if isinstance(node, ast.Name)}
    return _Ladder(
        "const" in constants,
        "_expand_json_human_readable_numbers" in called,
        frozenset(one for one in constants if one.isidentifier()) if "human_readable_int" in called else frozenset(),
    )


def _choices(union: Union) -> dict[str, object]:
    values = [value for atom in union if atom.name == "literal" for value in atom.values]
    kind = "int" if values and all(isinstance(one, int) for one in values) else "str"
    settings: dict[str, object] = {"type": Converts(kind), "choices": sorted(dict.fromkeys(values), key=_sortable)}
    if has(union, "str"):
        settings["open"] = True
    return settings


def _sortable(value: object) -> tuple[bool, object]:
    return isinstance(value, str), value


def _collection(atom: Atom) -> dict[str, object]:
    element = atom.elements[0] if atom.elements else ()
    count: object = "+"
    if atom.name == "tuple" and not atom.ellipsis:
        count = len(atom.elements) or "+"
    if has(element, "literal"):
        return {**_choices(element), "nargs": count}
    kinds = [one.name for one in element]
    kind = kinds[0] if len(kinds) == 1 and kinds[0] in ("int", "float") else "str"
    return {"type": Converts(kind), "nargs": count}


def _or_nothing(given: object) -> object:
    if not isinstance(given, Converts):
        return given
    also = tuple(dict.fromkeys((*given.also, *_NOTHING)))
    return Converts(given.kind, also, given.units, given.cls, given.is_loose)


def _listed(value: object) -> Iterator[object]:
    return iter(value) if isinstance(value, list) else iter(())


def _plain(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    return collected.symbols.value(node.args[0], module, frame) if node.args else UNKNOWN


def _optional(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    return _or_nothing(collected.converted(_plain(collected, node, module, frame)))


def arguments(members: Members) -> dict[str, Snapshot]:
    """The engine's arguments; what ``vllm serve`` takes beside them; the records of JSON values."""
    reader = _Reader(Sources(members, ("vllm",)))
    engine = reader.read(_ARGUMENTS, "AsyncEngineArgs.add_cli_args")
    serve = reader.read(_FRONTEND, "make_arg_parser")
    own = {key: says for key, says in serve.facts.items() if key not in engine.facts}
    unresolved = tuple(one for one in serve.unresolved if one not in engine.unresolved)
    frontend = Snapshot(own, unresolved, max(serve.seen - engine.seen, 0))
    collected = Arguments(reader.sources)
    records = Records(reader.sources.modules, collected.symbols, "vllm.envs")
    config = config_facts(records, reader.types, reader.records, _DECORATORS, reader.sources)
    return {"engine": engine, "frontend": frontend, "config": config}
