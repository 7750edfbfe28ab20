"""From the arguments of ``add_argument`` to the facts of a flag."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from configlint.catalog.extract.symbols import FromEnvironment, Function, Ref
from configlint.catalog.snapshot import Facts, Json, is_plain
from configlint.syntax.python import UNKNOWN, EnumMember, Found, Modules

_SWITCHES = {"store_true", "store_false", "store_const", "append_const", "count", "help", "version"}
_KINDS = {"int": "int", "float": "float", "json.loads": "json", "orjson.loads": "json"}
_MAX_DEPTH = 10
_MAX_PARTS = 2000
_LARGE = ("ch", "d", "al", "also", "cls", "dep")
_NEGATABLE = "BooleanOptionalAction"


@dataclass(frozen=True)
class Converts:
    """What a function given as ``type`` takes: a kind, and ``also`` the words accepted beside it.

    ``units``: numbers may end in a letter (``8k``); ``cls`` is the record that a JSON object is made into;
    ``is_loose`` that nothing should be concluded from the kind or the choices.
    """

    kind: str
    also: tuple[str, ...] = ()
    units: bool = False
    cls: str = ""
    is_loose: bool = False


def key_of(name: str) -> str:
    """The key of a flag: no dashes before it, ``-`` inside."""
    return name.lstrip("-").replace("_", "-")


def flags(
    modules: Modules, names: list[str], settings: Mapping[str, object], converters: Mapping[str, Converts]
) -> dict[str, Facts]:
    """The facts of a declared flag by its key; none for a positional argument."""
    names = [name for name in names if name.startswith("-")]
    if not names:
        return {}
    first = next((name for name in names if name.startswith("--")), names[0])
    facts = _facts(modules, settings, converters)
    others = [name for name in names if name != first]
    if others:
        facts["al"] = list(others)
    if first != f"--{key_of(first)}" and first.startswith("--"):
        facts["sp"] = first
    return {key_of(first): facts}


def _facts(modules: Modules, settings: Mapping[str, object], converters: Mapping[str, Converts]) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    action = settings.get("action", "store")
    nargs = settings.get("nargs", _own_nargs(modules, action))
    takes = converts(settings.get("type"), converters)
    kind = takes.kind
    if _is_negatable(modules, action):
        kind = "bool+no"
    elif (isinstance(action, str) and action in _SWITCHES) or nargs == 0:
        kind = "bool"
    elif nargs in ("+", "*") or (isinstance(nargs, int) and nargs > 0):
        if kind in ("int", "float", "json"):
            facts["el"] = kind
        kind = "list"
        facts["nargs"] = str(nargs)
    elif nargs == "?":
        facts["nargs"] = "?"
    facts["k"] = kind
    if kind not in ("bool", "bool+no"):
        if takes.also and ("el" in facts or kind in ("int", "float", "json") or settings.get("choices") is not None):
            facts["also"] = list(takes.also)
        if takes.units:
            facts["units"] = True
        if takes.is_loose and settings.get("choices") is not None:
            facts["open"] = True
    cls = settings.get("cls", takes.cls)
    if isinstance(cls, str) and cls:
        facts["cls"] = cls
    if action in ("append", "extend"):
        facts["multi"] = True
    _add_deprecation(facts, settings, action)
    if settings.get("required") is True:
        facts["req"] = True
    if settings.get("open") is True:
        facts["open"] = True
    _add_choices(facts, settings.get("choices"))
    _add_default(facts, settings, kind, action)
    return writable(facts)


def writable(facts: dict[str, Json]) -> dict[str, Json]:
    """Facts that a data file can hold: what is too large is left out, so that the key itself is not."""
    for name in _LARGE:
        if is_plain(facts):
            break
        if facts.pop(name, None) is not None and name == "ch":
            facts["open"] = True
    return facts


def converts(given: object, converters: Mapping[str, Converts]) -> Converts:
    """What a ``type`` takes; loosely a string where that is not known."""
    if isinstance(given, Converts):
        return given
    if given is None:
        return Converts("str")
    path = _path(given)
    known = converters.get(path)
    if known is not None:
        return known
    return Converts(_KINDS.get(path, "str"), is_loose=path not in _KINDS and path != "str")


def _own_nargs(modules: Modules, action: object) -> object:
    """How many values an action of the sources takes by itself; None where it does not say."""
    if not isinstance(action, Found) or not isinstance(action.node, ast.ClassDef):
        return None
    for one in modules.bases(action) or ():
        assert isinstance(one.node, ast.ClassDef)
        for node in one.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                return _nargs_of(node)
    return None


def _nargs_of(node: ast.FunctionDef) -> object:
    shape = node.args
    names = [one.arg for one in (*shape.posonlyargs, *shape.args)]
    defaults = list(zip(reversed(names), reversed(shape.defaults), strict=False))
    defaults += [(one.arg, value) for one, value in zip(shape.kwonlyargs, shape.kw_defaults, strict=True) if value]
    inside = [
        (keyword.arg, keyword.value)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
        for keyword in call.keywords
    ]
    return next((v.value for name, v in [*defaults, *inside] if name == "nargs" and isinstance(v, ast.Constant)), None)


def _add_deprecation(facts: dict[str, Json], settings: Mapping[str, object], action: object) -> None:
    deprecated = settings.get("deprecated")
    if isinstance(deprecated, str | bool) and deprecated:
        facts["dep"] = deprecated
    elif "deprecated" in _path(action).lower():
        new = settings.get("new_flag")
        facts["dep"] = new.lstrip("-") if isinstance(new, str) and new.startswith("--") else True
        if settings.get("error_message") is not None:
            facts["gone"] = True  # it is known only to be refused with a word of explanation


def _add_choices(facts: dict[str, Json], choices: object) -> None:
    if choices is None:
        return
    if isinstance(choices, dict):
        choices = list(choices)
    known = [plain(one) for one in choices] if isinstance(choices, list) and is_small(choices) else [UNKNOWN]
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
    default = plain(default) if is_small(default) else UNKNOWN
    if default is not UNKNOWN and is_plain(default):
        facts["d"] = default  # type: ignore[assignment]  # is_plain says that it is JSON


def plain(value: object, depth: int = 0) -> object:
    """A value as JSON has it; UNKNOWN where it has none, or is nested so that nobody would write it out."""
    if isinstance(value, EnumMember):
        return plain(value.value, depth + 1) if value.mixes else UNKNOWN
    if value is None or isinstance(value, str | int | float):
        return value
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if isinstance(value, list | tuple):
        made = [plain(one, depth + 1) for one in value]
        return UNKNOWN if any(one is UNKNOWN for one in made) else made
    if isinstance(value, dict):
        pairs = {key: plain(one, depth + 1) for key, one in value.items()}
        bad = any(one is UNKNOWN or not isinstance(key, str) for key, one in pairs.items())
        return UNKNOWN if bad else pairs
    return UNKNOWN


def is_small(value: object) -> bool:
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
