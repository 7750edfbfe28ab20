"""SGLang: the arguments of ServerArgs, in both forms.

Until 0.5.13 plain ``add_argument`` calls; from 0.5.14 fields ``name: A[T, "help" or Arg(...)]`` of a dataclass, which
SGLang's ``add_cli_args_from_dataclass`` turns into arguments, and a few plain calls. Its rules are repeated here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from configlint.catalog.extract.arguments import Arguments, Special
from configlint.catalog.extract.declarations import Converts
from configlint.catalog.extract.records import Declared, Records
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import Frame, Instance, Ref
from configlint.catalog.extract.types import Types, Union, first
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Snapshot, Unresolved
from configlint.syntax.python import UNKNOWN, Found, Module

_MODULE = "sglang.srt.server_args"
_FUNCTION = "ServerArgs.add_cli_args"
_FROM_FIELDS = "sglang.srt.arg_groups.arg_utils.add_cli_args_from_dataclass"
_GIVEN = ("choices", "nargs", "const", "required", "action")  # what Arg hands on as it is

_CONVERTERS: Mapping[str, Converts] = {
    f"{home}.{name}": converts
    for home in ("sglang.srt.utils", "sglang.srt.utils.common", _MODULE)
    for name, converts in {
        "json_list_type": Converts("json"),
        "human_readable_int": Converts("int", units=True),
        "nullable_str": Converts("str", also=("None",)),
    }.items()
}


def arguments(members: Members) -> dict[str, Snapshot]:
    """The arguments of the server."""
    sources = Sources(members, ("sglang",))
    collected = Arguments(sources, _SPECIALS, _CONVERTERS)
    if not collected.follow(_MODULE, _FUNCTION):
        return {"server": Snapshot(unresolved=(Unresolved(f"no {_MODULE}.{_FUNCTION}"), *sources.unreadable))}
    return {"server": collected.snapshot()}


def _from_fields(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    owner = collected.symbols.value(node.args[1], module, frame) if len(node.args) > 1 else UNKNOWN
    found = owner.found if isinstance(owner, Instance) else owner
    if not isinstance(found, Found) or not isinstance(found.node, ast.ClassDef):
        collected.unsure("arguments of a class that is not known", node, module)
        return None
    only = next((one.value for one in node.keywords if one.arg == "fields"), None)
    wanted = collected.symbols.value(only, module, frame) if only is not None else None
    records = Records(collected.sources.modules, collected.symbols)
    for one in records.fields(found):
        if not isinstance(wanted, list) or one.name in wanted:
            _declare(collected, one)
    return None


def _declare(collected: Arguments, one: Declared) -> None:
    said = _metadata(collected, one)
    if said is None or said.get("no_cli") is True:
        return
    types = Types(collected.sources.modules)
    union = types.union(one.module, one.annotation)
    name = said.get("cli_name")
    names: list[object] = [name if isinstance(name, str) else f"--{one.name.replace('_', '-')}"]
    if name is UNKNOWN:
        names = [UNKNOWN]
    aliases = said.get("aliases")
    names += aliases if isinstance(aliases, list) else []
    collected.declare(names, _settings(said, union, one), one.annotation, one.module)


def _settings(said: Mapping[str, object], union: Union, one: Declared) -> dict[str, object]:
    settings: dict[str, object] = {} if one.is_required else {"default": one.default}
    settings.update((key, said[key]) for key in _GIVEN if said.get(key) is not None)
    if said.get("open") is True:
        settings["open"] = True
    if said.get("action") is not None:
        more = said.get("action_kwargs")
        settings.update(more if isinstance(more, dict) else {})
        settings.pop("choices", None)
        return settings
    inner = [atom for atom in union if atom.name != "none"]
    alone = inner[0] if len(inner) == 1 else None
    parser = said.get("type_parser")
    if alone is not None and alone.name == "literal":
        settings.setdefault("choices", list(alone.values))
        ints = all(isinstance(value, int) for value in alone.values)
        settings["type"] = parser if parser is not None else Converts("int" if ints else "str")
    elif alone is not None and alone.name == "list" and parser is None:
        settings.setdefault("nargs", "+")
        settings["type"] = Converts(_scalar(alone.elements[0] if alone.elements else ()))
    elif alone is not None and alone.name == "bool":
        settings["action"] = "store_true"
    else:
        settings["type"] = parser if parser is not None else Converts(_scalar(tuple(inner)))
        if one.is_required and said.get("required") is None:
            settings["required"] = True
    return settings


def _scalar(union: Union) -> str:
    """The kind that SGLang infers: int and float alone, str for everything else."""
    return next((n for n in ("int", "float") if len(union) == 1 and first(union, n) is not None), "str")


def _metadata(collected: Arguments, one: Declared) -> dict[str, object] | None:
    """What stands beside the type in ``A[T, ...]``: the words of Arg; None where nothing makes it an argument."""
    node, module = one.annotation, one.module
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return None
    if not _is_annotated(collected, module, node.value):
        return None
    for inner in node.slice.elts[1:]:
        if isinstance(inner, ast.Call):
            path = collected.sources.modules.path(module, inner.func)
            if path.rpartition(".")[2] == "Arg":
                return _words(collected, inner, module)
            continue
        value = collected.symbols.value(inner, module, {})
        if isinstance(inner, ast.JoinedStr | ast.BinOp) or isinstance(value, str):
            return {}
    return None


def _words(collected: Arguments, call: ast.Call, module: Module) -> dict[str, object]:
    said = collected.settings(call, module, {})
    for keyword in call.keywords:
        if keyword.arg == "type_parser" and isinstance(keyword.value, ast.Lambda):
            said["type_parser"] = Ref("lambda")
    return said


def _is_annotated(collected: Arguments, module: Module, node: ast.expr) -> bool:
    return Types(collected.sources.modules).head(module, node) == "Annotated"


_SPECIALS: Mapping[str, Special] = {_FROM_FIELDS: _from_fields}
