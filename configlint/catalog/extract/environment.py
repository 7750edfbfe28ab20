"""Environment names that a package mentions: string constants that look like one of a family."""

from __future__ import annotations

import ast
import re

from configlint.catalog.extract.sources import Sources
from configlint.catalog.members import Members, MembersError
from configlint.catalog.snapshot import Facts, Snapshot, Unresolved

_OLD = "_print_deprecated_env"  # called with the new name and the old one
_VLLM = re.compile(r"VLLM_[A-Z0-9_]*[A-Z0-9]")
_TESTS = re.compile(r"(?:^|/)(?:tests?|testing)/|(?:^|/)test_|_test\.py$")


def names_read(members: Members, package: str, prefixes: tuple[str, ...]) -> Snapshot:
    """Every whole string of the package's sources, its tests left out, that is a name with one of the prefixes.

    Strings and not calls: names pass through constants, helpers and tables before they reach ``os.environ``.
    """
    name = re.compile(rf"(?:{'|'.join(map(re.escape, prefixes))})[A-Z0-9_]*[A-Z0-9]")
    sources = Sources(members)
    found: dict[str, Facts] = {}
    for path in members.files(package):
        if not path.endswith(".py") or _TESTS.search(path) or not _mentions(members, path, prefixes):
            continue
        module = sources.modules.module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        if module is None:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and name.fullmatch(node.value):
                found[node.value] = {}
    return Snapshot(dict(sorted(found.items())), tuple(sources.unreadable), len(found))


def _mentions(members: Members, path: str, prefixes: tuple[str, ...]) -> bool:
    """Whether parsing a file is worth it. One that cannot be read is: parsing says why."""
    try:
        text = members.read(path)
    except (FileNotFoundError, MembersError):
        return True
    return any(prefix in text for prefix in prefixes)


def vllm(members: Members) -> dict[str, Snapshot]:
    """The names of vLLM: the keys of the table in ``envs.py``, which is complete."""
    sources = Sources(members, ("vllm",))
    module = sources.modules.module("vllm.envs")
    table = module.names.get("environment_variables") if module is not None else None
    if not isinstance(table, ast.Dict):
        return {"env": Snapshot(unresolved=(Unresolved("no table of environment variables"), *sources.unreadable))}
    found: dict[str, Facts] = {}
    unresolved: list[Unresolved] = []
    for key in table.keys:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found[key.value] = {}
        else:
            line = getattr(key, "lineno", table.lineno)
            unresolved.append(Unresolved("a key of the table", "vllm/envs.py", line, "not a string"))
    for node in ast.walk(table):  # older names that a value falls back to
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _VLLM.fullmatch(node.value):
            found.setdefault(node.value, {})
    return {"env": Snapshot(dict(sorted(found.items())), tuple(unresolved), len(found) + len(unresolved))}


def sglang(members: Members) -> dict[str, Snapshot]:
    """The names of SGLang: those that the package mentions, and the fields of its ``Envs``. The list is open."""
    mentioned = names_read(members, "sglang", ("SGLANG_", "SGL_"))
    found = dict(mentioned.facts)
    sources = Sources(members, ("sglang",))
    module = sources.modules.module("sglang.srt.environ")
    for node in ast.walk(module.tree) if module is not None else ():
        if isinstance(node, ast.ClassDef) and node.name == "Envs":
            for one in node.body:
                for target in one.targets if isinstance(one, ast.Assign) else ():
                    if isinstance(target, ast.Name) and isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                        found.setdefault(target.id, {})
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _OLD:
            words = [word.value for word in node.args if isinstance(word, ast.Constant)]
            if len(words) == 2 and all(isinstance(word, str) for word in words):
                found[str(words[1])] = {"dep": str(words[0])}
    return {"env": Snapshot(dict(sorted(found.items())), mentioned.unresolved, len(found))}
