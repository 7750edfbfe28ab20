"""The arguments that dynamo's workers and frontend declare themselves, and the environment names they read.

Until 0.9 plain argparse and a dictionary of flags; from 1.0 classes of groups and helper functions with a name for the
environment. What the engines add (``add_cli_args`` of vLLM or SGLang) is theirs and not here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from configlint.catalog.extract.arguments import Arguments, Special
from configlint.catalog.extract.environment import names_read
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import Frame, FromEnvironment, Ref
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Snapshot, Unresolved
from configlint.syntax.python import UNKNOWN, Module

_PACKAGE = "dynamo"
# Table -> (module, function) that may build the parser: the first that a version has.
_ENTRIES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "vllm": (("dynamo.vllm.args", "parse_args"),),
    "sglang": (("dynamo.sglang.args", "parse_args"),),
    "trtllm": (
        ("dynamo.trtllm.args", "parse_args"),
        ("dynamo.trtllm.utils.trtllm_utils", "cmd_line_args"),
    ),
    "frontend": (("dynamo.frontend.main", "parse_args"),),
}
_UTILS = "dynamo.common.configuration.utils"


def arguments(members: Members) -> dict[str, Snapshot]:
    """The own arguments of each worker and of the frontend."""
    made: dict[str, Snapshot] = {}
    for table, entries in _ENTRIES.items():
        collected = Arguments(Sources(members, (_PACKAGE,)), _SPECIALS)
        if any(collected.follow(module, function) for module, function in entries):
            made[table] = collected.snapshot()
        else:
            wanted = " or ".join(f"{module}.{function}" for module, function in entries)
            made[table] = Snapshot(unresolved=(Unresolved(f"no {wanted}"), *collected.sources.unreadable))
    return made


def environment(members: Members) -> dict[str, Snapshot]:
    """The ``DYN_`` names that the Python side reads; many more are read in Rust, so the list is open."""
    return {"env": names_read(members, _PACKAGE, ("DYN_",))}


def _declare(collected: Arguments, node: ast.Call, module: Module, frame: Frame, negatable: bool) -> None:
    settings = collected.settings(node, module, frame)
    name = settings.pop("flag_name", UNKNOWN)
    obsolete = settings.pop("obsolete_flag", None)
    variable = settings.pop("env_var", None)
    kind = settings.pop("arg_type", Ref("str"))
    settings.pop("env_value_type", None)
    if kind is not None and not negatable:
        settings["type"] = kind  # a ``type`` that is handed on is overwritten
    if negatable:
        settings["action"] = Ref("argparse.BooleanOptionalAction")
    if isinstance(variable, str):
        settings["default"] = FromEnvironment(variable, settings.get("default"))
    collected.declare([name], settings, node, module)
    if isinstance(obsolete, str) and isinstance(name, str):
        old = {**settings, "deprecated": name.lstrip("-")}
        collected.declare([obsolete], old, node, module)


def _add_argument(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    _declare(collected, node, module, frame, negatable=False)
    return None


def _add_negatable(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    _declare(collected, node, module, frame, negatable=True)
    return None


def _from_environment(collected: Arguments, node: ast.Call, module: Module, frame: Frame) -> object:
    values = [collected.symbols.value(one, module, frame) for one in node.args]
    named = collected.settings(node, module, frame)
    values += [named[name] for name in ("env_var", "default")[len(values) :] if name in named]
    if len(values) < 2 or not isinstance(values[0], str):
        return UNKNOWN
    return FromEnvironment(values[0], values[1])


_SPECIALS: Mapping[str, Special] = {
    f"{_UTILS}.add_argument": _add_argument,
    f"{_UTILS}.add_negatable_bool_argument": _add_negatable,
    f"{_UTILS}.env_or_default": _from_environment,
}
