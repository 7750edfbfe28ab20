"""Environment names that a package mentions: string constants that look like one of a family."""

from __future__ import annotations

import ast
import re

from configlint.catalog.extract.sources import Sources
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Facts, Snapshot

_TESTS = re.compile(r"(?:^|/)(?:tests?|testing|benchmarks?|examples?)/|(?:^|/)test_|_test\.py$")


def names_read(members: Members, package: str, prefixes: tuple[str, ...]) -> Snapshot:
    """Every whole string of the package's sources, its tests left out, that is a name with one of the prefixes.

    Strings and not calls: names pass through constants, helpers and tables before they reach ``os.environ``.
    """
    name = re.compile(rf"(?:{'|'.join(map(re.escape, prefixes))})[A-Z0-9_]*[A-Z0-9]")
    sources = Sources(members)
    found: dict[str, Facts] = {}
    for path in members.files(package):
        if not path.endswith(".py") or _TESTS.search(path):
            continue
        module = sources.modules.module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        if module is None:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and name.fullmatch(node.value):
                found[node.value] = {}
    return Snapshot(dict(sorted(found.items())), tuple(sources.unreadable), len(found))
