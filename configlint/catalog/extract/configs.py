"""Records that JSON values are made into, as facts: what keys they take, and of what kind each value is.

``Class`` has ``extra`` (forbid, ignore, allow: what is done with a key that the record does not know), not there where
that is not known, and ``also``: keys that it may take beside its fields. ``Class.field`` has the kind ``k`` (``any``
where it is not one of the known), ``or`` further kinds, ``null``, ``ch``, ``open``, ``d``, ``cls`` the record inside
(for a list or mapping that of its values; a list of names where it may be one of several), ``req``, ``al`` and bounds.
"""

from __future__ import annotations

from collections.abc import Mapping

from configlint.catalog.extract.declarations import is_small, plain, writable
from configlint.catalog.extract.records import Declared, Records
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.symbols import FromEnvironment
from configlint.catalog.extract.types import Types, Union, has
from configlint.catalog.snapshot import Facts, Json, Snapshot, Unresolved, is_plain
from configlint.syntax.python import UNKNOWN, Found

_KINDS = {"str": "str", "int": "int", "float": "float", "bool": "bool", "list": "list", "set": "list", "tuple": "list",
          "dict": "json", "class": "json"}  # fmt: skip
_MAX_CLASSES = 500


def config_facts(
    records: Records, types: Types, start: Mapping[str, Found], decorators: frozenset[str], sources: Sources
) -> Snapshot:
    """The facts of some records and of all that they hold."""
    facts: dict[str, Facts] = {}
    unresolved: list[Unresolved] = []
    pending = dict(sorted(start.items()))
    done: dict[str, Found] = {}
    seen = 0
    while pending and len(done) < _MAX_CLASSES:
        name, found = next(iter(pending.items()))
        del pending[name]
        if name in done:
            if done[name].node is not found.node:
                unresolved.append(Unresolved(name, sources.path(found.module), why="two records of this name"))
            continue
        done[name] = found
        fields = records.fields(found)
        loose = records.loosened(found)
        facts[name] = _of_record(records, found, decorators, frozenset(one.name for one in fields))
        for one in fields:
            seen += 1
            if not one.is_given:
                continue
            union = types.union(one.module, one.annotation)
            says, inner = _facts(records, one, union, decorators, is_loose=bool(loose & {"*", one.name}))
            facts[f"{name}.{one.name}"] = says
            for below in inner:
                pending.setdefault(getattr(below.node, "name", ""), below)
    if pending:
        name, found = next(iter(pending.items()))
        unresolved.append(Unresolved(name, sources.path(found.module), why="more records than are followed"))
    return Snapshot(dict(sorted(facts.items())), tuple(unresolved), seen)


def _of_record(records: Records, found: Found, decorators: frozenset[str], fields: frozenset[str]) -> Facts:
    """The facts of a record itself."""
    extra, renamed = records.extra(found, decorators), records.renamed(found)
    if not extra or renamed is None:
        return {}
    also: list[Json] = [*sorted(renamed - fields)]
    facts: dict[str, Json] = {"extra": extra, "also": also} if also else {"extra": extra}
    return facts if is_plain(facts) else {}


def _facts(
    records: Records, one: Declared, union: Union, decorators: frozenset[str], is_loose: bool
) -> tuple[dict[str, Json], list[Found]]:
    facts: dict[str, Json] = {}
    kinds: list[str] = []
    choices: list[Json] = []
    inner: list[Found] = []
    for atom in union:
        below = [atom] if atom.name == "class" else [each for element in atom.elements for each in element]
        classes = [each.found for each in below if each.name == "class" and each.found is not None]
        inner += [each for each in classes if _is_record(records, each, decorators)]
        if atom.name == "none":
            facts["null"] = True
        elif atom.name in ("literal", "enum"):
            choices += [value for value in atom.values if value is not None]
            kinds += [_kind_of(value) for value in atom.values if value is not None] or ["any"]
            if None in atom.values:
                facts["null"] = True
        elif atom.name == "class" and not (atom.found is not None and _is_record(records, atom.found, decorators)):
            kinds.append("any")
        else:
            kinds.append(_KINDS.get(atom.name, "any"))
    kinds = list(dict.fromkeys(kinds))
    if "any" in kinds or not kinds or is_loose:
        facts["open"] = True
        kinds = [kind for kind in kinds if kind != "any"] or ["any"]
    facts["k"] = kinds[0]
    names = list(dict.fromkeys(getattr(below.node, "name", "") for below in inner))
    if names:
        facts["cls"] = names[0] if len(names) == 1 else list(names)
    if len(kinds) > 1:
        facts["or"] = list(kinds[1:])
    if choices:
        facts["ch"] = list(dict.fromkeys(choices))
        if has(union, "str", "any", "other") or len(choices) < 1:
            facts["open"] = True
    default = one.default.default if isinstance(one.default, FromEnvironment) else one.default
    default = plain(default) if is_small(default) else UNKNOWN
    if isinstance(one.default, FromEnvironment):
        facts["env"] = one.default.variable
    if not one.is_required and default is not UNKNOWN and is_plain(default):
        facts["d"] = default  # type: ignore[assignment]  # is_plain says that it is JSON
    if one.is_required:
        facts["req"] = True
    if one.aliases:
        facts["al"] = list(one.aliases)
    facts.update(one.bounds)
    return writable(facts), inner


def _kind_of(value: Json) -> str:
    if isinstance(value, bool):
        return "bool"
    return "int" if isinstance(value, int) else "str"


def _is_record(records: Records, found: Found, decorators: frozenset[str]) -> bool:
    return records.is_dataclass(found, decorators) or records.is_model(found)
