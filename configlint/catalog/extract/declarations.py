"""From the arguments of ``add_argument`` to the facts of a flag."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from configlint.catalog.extract.symbols import FromEnvironment, Function, Ref
from configlint.catalog.snapshot import Facts, Json, is_plain
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Modules

_SWITCHES = {"store_true", "store_false", "store_const", "append_const", "count", "help", "version"}
_KINDS = {"int": "int", "float": "float", "json.loads": "json", "orjson.loads": "json"}
_MAX_DEPTH = 10
_MAX_PARTS = 2000
_NEGATABLE = "BooleanOptionalAction"


def key_of(name: str) -> str:
    """The key of a flag: no dashes before it, ``-`` inside."""
    return name.lstrip("-").replace("_", "-")


def flags(modules: Modules, names: list[str], settings: Mapping[str, object]) -> dict[str, Facts]:
    """The facts of a declared flag by its key; none for a positional argument."""
    names = [name for name in names if name.startswith("-")]
    if not names:
        return {}
    first = next((name for name in names if name.startswith("--")), names[0])
    facts = _facts(modules, settings)
    others = [name for name in names if name != first]
    if others:
        facts["al"] = list(others)
    if first != f"--{key_of(first)}" and first.startswith("--"):
        facts["sp"] = first
    return {key_of(first): facts}


def _facts(modules: Modules, settings: Mapping[str, object]) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    action = settings.get("action", "store")
    nargs = settings.get("nargs")
    kind = _KINDS.get(_path(settings.get("type")), "str")
    if _is_negatable(modules, action):
        kind = "bool+no"
    elif (isinstance(action, str) and action in _SWITCHES) or nargs == 0:
        kind = "bool"
    elif nargs in ("+", "*") or (isinstance(nargs, int) and nargs > 0):
        kind = "list"
        facts["nargs"] = str(nargs)
    elif nargs == "?":
        facts["nargs"] = "?"
    facts["k"] = kind
    if action in ("append", "extend"):
        facts["multi"] = True
    deprecated = settings.get("deprecated")
    if isinstance(deprecated, str | bool) and deprecated:
        facts["dep"] = deprecated
    elif "deprecated" in _path(action).lower():
        facts["dep"] = True
    if settings.get("required") is True:
        facts["req"] = True
    _add_choices(facts, settings.get("choices"))
    _add_default(facts, settings, kind, action)
    return facts


def _add_choices(facts: dict[str, Json], choices: object) -> None:
    if choices is None:
        return
    if isinstance(choices, dict):
        choices = list(choices)
    known = [_plain(one) for one in choices] if isinstance(choices, list) and _is_small(choices) else [UNKNOWN]
    sure: list[Json] = [one for one in known if isinstance(one, str | int | float)]
    if len(sure) < len(known):
        facts["open"] = True
    if sure:
        facts["ch"] = sure


def _add_default(facts: dict[str, Json], settings: Mapping[str, object], kind: str, action: object) -> None:
    missing: object = UNKNOWN
    if action in ("store_true", "store_false"):
        missing = action == "store_false"
    elif kind != "bool" and "default" not in settings:
        missing = None
    default = settings.get("default", missing)
    if isinstance(default, FromEnvironment):
        facts["env"] = default.variable
        default = default.default
    default = _plain(default) if _is_small(default) else UNKNOWN
    if default is not UNKNOWN and is_plain(default):
        facts["d"] = default  # type: ignore[assignment]  # is_plain says that it is JSON


def _plain(value: object, depth: int = 0) -> object:
    """A value as JSON has it; UNKNOWN where it has none, or is nested so that nobody would write it out."""
    if isinstance(value, EnumMember):
        return _plain(value.value, depth + 1) if value.mixes else UNKNOWN
    if value is None or isinstance(value, str | int | float):
        return value
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if isinstance(value, list | tuple):
        made = [_plain(one, depth + 1) for one in value]
        return UNKNOWN if any(one is UNKNOWN for one in made) else made
    if isinstance(value, dict):
        pairs = {key: _plain(one, depth + 1) for key, one in value.items()}
        bad = any(one is UNKNOWN or not isinstance(key, str) for key, one in pairs.items())
        return UNKNOWN if bad else pairs
    return UNKNOWN


def _is_small(value: object) -> bool:
    """Whether a value, written out, is of a size that defaults have: parts that are shared count each time."""
    left, pending = _MAX_PARTS, [value]
    while pending and left >= 0:
        left -= 1
        one = pending.pop()
        if isinstance(one, dict):
            pending.extend(one.values())
        elif isinstance(one, list | tuple):
            pending.extend(one)
    return left >= 0


def _path(value: object) -> str:
    """The dotted name of what is no constant."""
    if isinstance(value, Ref):
        return value.path
    if isinstance(value, Function):
        return f"{value.found.module.name}.{getattr(value.found.node, 'name', '')}"
    if isinstance(value, Found) and isinstance(value.node, ast.ClassDef):
        return f"{value.module.name}.{value.node.name}"
    return ""


def _is_negatable(modules: Modules, action: object) -> bool:
    if isinstance(action, Found) and isinstance(action.node, ast.ClassDef):
        return any(name.rpartition(".")[2] == _NEGATABLE for name in modules.outside_bases(action))
    return _path(action).rpartition(".")[2] == _NEGATABLE
