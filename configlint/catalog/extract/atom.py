"""ATOM: the arguments of its server.

Its own parser, where a version has it, takes ``-`` and ``_`` in a flag for the same; before that, a flag is spelled as
it is declared.
"""

from __future__ import annotations

import ast

from configlint.catalog.extract.arguments import Arguments
from configlint.catalog.extract.declarations import key_of
from configlint.catalog.extract.sources import Sources
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Facts, Snapshot, Unresolved
from configlint.syntax.python import Module

_ENTRIES = ("atom.entrypoints.openai.api_server", "atom.entrypoints.openai_server")
_FLEXIBLE = "atom.utils.arg_parser.FlexibleArgumentParser"


def arguments(members: Members) -> dict[str, Snapshot]:
    """The arguments of the server, those of its engine too."""
    sources = Sources(members, ("atom",))
    for name in _ENTRIES:
        collected = Arguments(sources)
        if collected.follow(name, "main"):
            made = collected.snapshot()
            module = sources.modules.module(name)
            if module is not None and _is_flexible(sources, module):
                made = Snapshot({key: _both(key, says) for key, says in made.facts.items()}, made.unresolved, made.seen)
            return {"server": made}
    return {"server": Snapshot(unresolved=(Unresolved(f"no main in {' or '.join(_ENTRIES)}"), *sources.unreadable))}


def _is_flexible(sources: Sources, module: Module) -> bool:
    return any(
        isinstance(node, ast.Name) and sources.modules.origin(module, node.id) == _FLEXIBLE
        for node in ast.walk(module.tree)
    )


def _both(key: str, says: Facts) -> Facts:
    """The facts of a flag without the spellings of its own name."""
    made = {name: value for name, value in says.items() if name not in ("sp", "al")}
    aliases = says.get("al")
    others = (
        [one for one in aliases if isinstance(one, str) and key_of(one) != key] if isinstance(aliases, list) else []
    )
    return {**made, "al": list(others)} if others else made
