"""Makes the shipped catalogs anew from packages and clones that lie in folders. Nothing is fetched, built or imported.

    python tools/rebuild_catalogs.py --needed                     # what to download, and how
    python tools/rebuild_catalogs.py DOWNLOADS [--clones CLONES] [--only TOOL] [--data DIR]

``tools/catalog_sources.toml`` says which versions. DOWNLOADS holds wheels or source archives, CLONES a git repository
for each tool that has no package. The same sources give the same bytes. Recipe schemas: ``tools/recipe_schemas.py``.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from configlint.catalog.adding import extracted  # noqa: E402
from configlint.catalog.members import MembersError  # noqa: E402
from configlint.catalog.snapshot import Snapshot  # noqa: E402
from configlint.catalog.store import SHIPPED, Recorded, decode, encode, shrink, write  # noqa: E402
from configlint.catalog.tables import Version  # noqa: E402
from configlint.catalog.tools import TOOLS, Tool  # noqa: E402
from configlint.catalog.versions import in_order  # noqa: E402

SOURCES = Path(__file__).with_name("catalog_sources.toml")
_NATIVE = "native"
_ARCHIVES = (".whl", ".tar.gz", ".zip")


@dataclass(frozen=True)
class Source:
    """One version of a tool: where it is, or None; and how to get it."""

    tool: Tool
    version: str
    at: str | None
    get: str


def sources(wanted: Mapping[str, Any], downloads: Path | None, clones: Path | None, only: str) -> Iterator[Source]:
    """Every version that is asked for, tools by name, versions in order."""
    for name in sorted(wanted):
        if name == _NATIVE or (only and name != only):
            continue
        tool, said = TOOLS[name], wanted[name]
        for version in in_order(said.get("versions", ())):
            at = package(downloads, tool.distribution, version) if downloads is not None else None
            get = f"pip download --no-deps --only-binary=:all: -d DOWNLOADS {tool.distribution}=={version}"
            yield Source(tool, version, at, get)
        for version in in_order(said.get("refs", ())):
            clone = clones / said["clone"] if clones is not None else None
            at = f"{clone}@{version}" if clone is not None and clone.is_dir() else None
            yield Source(tool, version, at, f"git clone {said['url']} CLONES/{said['clone']}")


def package(folder: Path, distribution: str, version: str) -> str | None:
    """The archive of a release in a folder: the first by name, wheels before source archives."""
    wanted = (_normal(distribution), version)
    found = [path for path in folder.iterdir() if path.name.endswith(_ARCHIVES) and _release(path.name) == wanted]
    found.sort(key=lambda path: (not path.name.endswith(".whl"), path.name))
    return str(found[0]) if found else None


def _release(name: str) -> tuple[str, str]:
    """Distribution and version that an archive's name tells."""
    if name.endswith(".whl"):
        parts = name.split("-")
        return (_normal(parts[0]), parts[1]) if len(parts) > 1 else ("", "")
    for suffix in _ARCHIVES:
        name = name.removesuffix(suffix)
    distribution, _, version = name.rpartition("-")
    return _normal(distribution), version


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def rebuild(found: list[Source], shrinks: Mapping[str, list[str]], folder: Path) -> list[str]:
    """Read all sources and write the tables they make; what speaks against it, else nothing."""
    tables: dict[str, dict[str, Recorded]] = {}
    faults: list[str] = []
    for source in found:
        try:
            snapshots = extracted(source.tool, str(source.at))
        except MembersError as fault:
            faults.append(f"{source.tool.name} {source.version}: {fault}")
            continue
        for name, snapshot in snapshots.items():
            versions = tables.setdefault(name, {})
            loss = shrink(decode(encode(name, versions)), name, source.version, snapshot.facts)
            if loss is not None and source.version not in shrinks.get(name, ()):
                faults.append(str(loss))
            versions[source.version] = Recorded.of(source.version, snapshot)
            _tell(name, source.version, snapshot)
    if not faults:
        for name, versions in sorted(tables.items()):
            write(folder, name, versions)
    return faults


def _tell(name: str, version: str, snapshot: Snapshot) -> None:
    print(f"{name} {version}: {len(snapshot.facts)} keys from {snapshot.seen} declarations", file=sys.stderr)
    for one in snapshot.unresolved:
        print(f"  unresolved: {one}", file=sys.stderr)


def native(said: Mapping[str, str], folder: Path) -> None:
    """The names that are chosen by hand, as one custom version."""
    names = sorted({name for text in said.values() for name in text.split()})
    write(folder, f"{_NATIVE}.env", {"by-hand": Recorded(Version("by-hand", len(names)), {name: {} for name in names})})


def main(arguments: list[str]) -> int:
    """Print what is needed, or rebuild."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("downloads", nargs="?", type=Path)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--data", type=Path, default=SHIPPED)
    parser.add_argument("--sources", type=Path, default=SOURCES)
    parser.add_argument("--only", default="", metavar="TOOL")
    parser.add_argument("--needed", action="store_true", help="print how to get what is not there yet")
    args = parser.parse_args(arguments)
    wanted = tomllib.loads(args.sources.read_text(encoding="utf-8"))
    every = list(sources(wanted, args.downloads, args.clones, args.only))
    missing = list(dict.fromkeys(one.get for one in every if one.at is None))
    if args.needed:
        print("\n".join(missing))
        return 0
    if missing:
        print("\n".join(["missing:", *missing]), file=sys.stderr)
        return 1
    shrinks = {f"{name}.{part}": list(versions) for name, said in wanted.items() if name != _NATIVE
               for part, versions in said.get("shrinks", {}).items()}  # fmt: skip
    faults = rebuild(every, shrinks, args.data)
    print("\n".join(faults), file=sys.stderr)
    if _NATIVE in wanted and not args.only:
        native(wanted[_NATIVE]["env"], args.data)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
