"""What is known of upstream programs, by version: look it up, compare versions, and add one from its sources.

Sources are read in place (a wheel, a source archive, a folder, a git revision): never imported, built or run.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

from configlint.catalog.adding import Added, add, extracted
from configlint.catalog.compare import Difference, differences
from configlint.catalog.members import MembersError
from configlint.catalog.snapshot import Facts, Snapshot
from configlint.catalog.store import SHIPPED, Catalogs, data_root, encode, files, recorded
from configlint.catalog.tables import Table, TableError
from configlint.catalog.tools import TOOLS, Tool
from configlint.catalog.versions import is_version
from configlint.cli import schemas
from configlint.cli.errors import Exit, UsageError
from configlint.cli.tables import table as aligned
from configlint.lint.suggest import did_you_mean
from configlint.report.jsontext import dumped
from configlint.report.plain import count, one_line

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import Opener

_ACTIONS = ("list", "show", "diff", "check", "add")
_MAX_UNRESOLVED = 20
_MAX_VERSIONS = 40


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``catalog``."""
    parser.usage = (
        "configlint catalog list [TOOL[.TABLE]...]\n"
        "       configlint catalog show TABLE[@VERSION] [KEY...]\n"
        "       configlint catalog diff TOOL[.TABLE]@VERSION VERSION\n"
        "       configlint catalog check [TOOL@VERSION --from SOURCE]\n"
        "       configlint catalog add TOOL@VERSION --from WHEEL|SDIST|DIR|GIT[@REF] [--data DIR] [--allow-shrink]"
    )
    parser.add_argument("action", metavar="|".join(_ACTIONS), choices=_ACTIONS)
    parser.add_argument("words", nargs="*", default=[], metavar="WORD", help="tables, versions and keys, as above")
    parser.add_argument("--from", dest="source", metavar="SOURCE", help="a wheel, sdist, folder or GIT[@REF]")
    parser.add_argument("--data", type=Path, metavar="DIR", help="these data files only, and where `add` writes")
    parser.add_argument("--allow-shrink", action="store_true", help="add although a table lost many keys")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Do what the action says."""
    known = Catalogs((args.data,) if args.data else (SHIPPED, data_root(console.environment)))
    if args.source is not None and args.action not in ("add", "check"):
        raise UsageError(f"catalog {args.action}: --from belongs to add and check")
    try:
        match args.action:
            case "list":
                return _list(args, console, known)
            case "show":
                return _show(args, console, known)
            case "diff":
                return _diff(args, console, known)
            case "check":
                return _check(args, console, known)
        return _add(args, console, known)
    except (MembersError, TableError, OSError) as fault:
        raise UsageError(f"catalog {args.action}: {fault}") from None


# --- looking up -----------------------------------------------------------------------------------


def _list(args: Namespace, console: Console, known: Catalogs) -> int:
    with_schemas = args.data is None and (not args.words or schemas.NAME in args.words)
    row = schemas.listed() if with_schemas else None
    words = [word for word in args.words if row is None or word != schemas.NAME]
    names = _names(known, words) if words or not args.words else []
    tables = [table for name in names if (table := known.table(name)) is not None]
    if args.format == "json":
        document = [
            {"table": one.name, "versions": list(one.versions), "custom": list(one.customs), "keys": len(one.keys)}
            for one in tables
        ]
        console.write(dumped({"tables": document}))
        return Exit.CLEAN
    rows = [(one.name, str(len(one.keys)), str(len(one.known)), _span(one)) for one in tables]
    rows += [row] if row is not None else []
    console.write(aligned(("table", "keys", "versions", "are"), rows))
    return Exit.CLEAN


def _span(table: Table) -> str:
    ends = f"{table.versions[0]} to {table.newest}" if len(table.versions) > 1 else " ".join(table.versions)
    return ", ".join([*([ends] if ends else []), *table.customs])


def _names(known: Catalogs, words: Sequence[str]) -> list[str]:
    """Names of tables; a tool's name means all of its own. All where no word is given."""
    every = known.names()
    found = list(every) if not words else []
    for word in words:
        mine = [name for name in every if name == word or name.startswith(f"{word}.")]
        if word == schemas.NAME:
            raise UsageError(f"{word} holds recipe schemas, not flags: list and show know it")
        if not mine:
            raise UsageError(f"no table is called {word!r}{did_you_mean(word, every)}")
        found += mine
    return found


def _at(table: Table, version: str) -> str:
    found = table.version(version)
    if found is None:
        names = [one.name for one in table.known]
        shown = names if len(names) <= _MAX_VERSIONS else [names[0], "...", *names[1 - _MAX_VERSIONS :]]
        hint = did_you_mean(version, names)
        raise UsageError(f"{table.name} has no version {version!r}{hint} (known: {', '.join(shown)})")
    return found.name


def _show(args: Namespace, console: Console, known: Catalogs) -> int:
    if not args.words:
        raise UsageError("catalog show: name a table (configlint catalog list)")
    name, _, version = args.words[0].partition("@")
    if name == schemas.NAME and args.data is None:
        told = schemas.shown(version, args.words[1:])
        console.write(dumped({"tables": {name: told}}) if args.format == "json" else schemas.lines(told))
        return Exit.CLEAN
    document: dict[str, object] = {}
    for one in _names(known, [name]):
        table = known.table(one)
        assert table is not None
        for key in args.words[1:]:
            if key not in table and len(_names(known, [name])) == 1:
                raise UsageError(f"{one} has no key {key!r}{did_you_mean(key, table.keys)}")
        wanted = [key for key in table.keys if not args.words[1:] or key in args.words[1:]]
        if version:
            facts = table.at(_at(table, version))
            document[one] = {key: facts[key] for key in wanted if key in facts}
        else:
            document[one] = {
                key: [{"first": each.first, "last": each.last, "facts": each.facts} for each in table.ranges(key)]
                + [
                    {"first": each, "last": each, "facts": table.facts(key, each)}
                    for each in table.customs
                    if table.facts(key, each) is not None
                ]
                for key in wanted
            }
    if args.format == "json":
        console.write(dumped({"tables": document}))
        return Exit.CLEAN
    console.fenced(line for one, keys in document.items() for line in _shown(one, keys, many=len(document) > 1))
    return Exit.CLEAN


def _shown(name: str, keys: object, *, many: bool) -> Iterator[str]:
    assert isinstance(keys, dict)
    if many:
        yield f"{name}\n"
    for key, told in keys.items():
        if isinstance(told, list):
            for each in told:
                ends = each["first"] if each["first"] == each["last"] else f"{each['first']} to {each['last']}"
                yield f"{one_line(key)}  {ends}  {_facts(each['facts'])}\n"
        else:
            yield f"{one_line(key)}  {_facts(told)}\n"


def _facts(facts: Facts | None) -> str:
    return one_line(" ".join(f"{name}={dumps(value)}" for name, value in sorted((facts or {}).items())))


def _diff(args: Namespace, console: Console, known: Catalogs) -> int:
    if len(args.words) != 2 or "@" not in args.words[0]:
        raise UsageError("catalog diff: say TOOL[.TABLE]@VERSION and the other VERSION")
    name, _, old = args.words[0].partition("@")
    told: dict[str, list[Difference]] = {}
    for one in _names(known, [name]):
        table = known.table(one)
        assert table is not None
        told[one] = list(differences(table.at(_at(table, old)), table.at(_at(table, args.words[1]))))
    _print_differences(args, console, told)
    return Exit.CLEAN


def _print_differences(args: Namespace, console: Console, told: dict[str, list[Difference]]) -> None:
    if args.format == "json":
        document = {
            name: [{"key": one.key, "before": one.before, "after": one.after} for one in found]
            for name, found in told.items()
        }
        console.write(dumped({"tables": document}))
        return
    console.fenced(line for name, found in told.items() if found for line in _difference_lines(name, found))


def _difference_lines(name: str, found: list[Difference]) -> Iterator[str]:
    yield f"{name}\n"
    for one in found:
        if one.sign == "~":
            before, after = one.before or {}, one.after or {}
            parts = (f"{each}: {_said(before, each)} -> {_said(after, each)}" for each in one.changed())
            yield f"  ~ {one_line(one.key)}  {one_line(', '.join(parts))}\n"
        else:
            yield f"  {one.sign} {one_line(one.key)}  {_facts(one.after if one.before is None else one.before)}\n"


def _said(facts: Facts, name: str) -> str:
    return dumps(facts[name]) if name in facts else "not known"


# --- sources --------------------------------------------------------------------------------------


def _tool(args: Namespace) -> tuple[Tool, str]:
    """The tool and version that ``TOOL@VERSION`` (or ``TOOL==VERSION``) names."""
    word = args.words[0].replace("==", "@", 1) if args.words else ""
    name, _, version = word.partition("@")
    if len(args.words) != 1 or not version or args.source is None:
        raise UsageError(f"catalog {args.action}: say TOOL@VERSION --from SOURCE")
    if name not in TOOLS:
        raise UsageError(f"no tool is called {name!r}{did_you_mean(name, TOOLS)} (known: {', '.join(TOOLS)})")
    if not is_version(version):
        raise UsageError(f"{version!r} is no name for a version")
    return TOOLS[name], version


def _add(args: Namespace, console: Console, known: Catalogs) -> int:
    tool, version = _tool(args)
    folder = args.data or data_root(console.environment)
    done = add(extracted(tool, args.source), version, folder, known, force=args.allow_shrink)
    if args.format == "json":
        console.write(dumped({"tables": [_as_dict(one) for one in done]}))
    else:
        console.write(f"{line}\n" for one in done for line in _summary(one, version))
    for one in done:
        console.fenced(_complaints(one.table, one.snapshot), error=True)
    suspicious = [one for one in done if one.shrink is not None]
    for one in suspicious:
        console.fenced([f"{one_line(str(one.shrink))}\n"], error=True)
    if suspicious and not args.allow_shrink:
        console.note(
            "nothing was written: probably the sources have changed their form (--allow-shrink adds it all the same)"
        )
        return Exit.FINDINGS
    return Exit.CLEAN


def _summary(one: Added, version: str) -> Iterator[str]:
    where = f" -> {one.path}" if one.path is not None else ""
    snapshot = one.snapshot
    unresolved = f", {len(snapshot.unresolved)} unresolved" if snapshot.unresolved else ""
    declared = count(snapshot.seen, "declaration")
    yield f"{one.table} {version}: {count(len(snapshot.facts), 'key')} from {declared}{unresolved}{where}"


def _complaints(name: str, snapshot: Snapshot) -> Iterator[str]:
    for one in snapshot.unresolved[:_MAX_UNRESOLVED]:
        yield f"{name}: unresolved: {one_line(str(one))}\n"
    if len(snapshot.unresolved) > _MAX_UNRESOLVED:
        yield f"{name}: {len(snapshot.unresolved) - _MAX_UNRESOLVED} more unresolved\n"


def _as_dict(one: Added) -> dict[str, object]:
    return {
        "table": one.table,
        "keys": len(one.snapshot.facts),
        "declarations": one.snapshot.seen,
        "unresolved": [
            {"what": each.what, "path": each.path, "line": each.line, "why": each.why}
            for each in one.snapshot.unresolved
        ],
        "lost": list(one.shrink.lost) if one.shrink is not None else [],
        "written": str(one.path) if one.path is not None else None,
    }


def _check(args: Namespace, console: Console, known: Catalogs) -> int:
    """Without words the data files themselves; else whether a version says what its sources say."""
    if args.source is not None or args.words:
        return _check_version(args, console, known)
    faults = []
    names = known.names()
    for folder in known.folders:
        for path in files(folder):
            table = Catalogs((folder,)).table(path.stem)
            assert table is not None
            faults += [f"{path.name}: {fault}" for fault in table.check()]
            if table.name != path.stem:
                faults.append(f"{path.name}: holds the table {table.name}")
            elif path.read_text(encoding="utf-8") != encode(table.name, recorded(table)):
                faults.append(f"{path.name}: not as `catalog add` writes it")
    console.fenced([f"{one_line(fault)}\n" for fault in faults])
    console.note(f"{count(len(names), 'table')}, {count(len(faults), 'fault')}")
    return Exit.FINDINGS if faults else Exit.CLEAN


def _check_version(args: Namespace, console: Console, known: Catalogs) -> int:
    tool, version = _tool(args)
    told: dict[str, list[Difference]] = {}
    for name, snapshot in extracted(tool, args.source).items():
        table = known.table(name)
        if table is None:
            raise UsageError(f"there is no table {name} yet: `catalog add` makes it")
        told[name] = list(differences(table.at(_at(table, version)), snapshot.facts))
    _print_differences(args, console, told)
    return Exit.FINDINGS if any(told.values()) else Exit.CLEAN
