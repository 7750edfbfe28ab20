"""Where rules come from: the built-in pack and the packages that installed distributions announce.

A pack is announced by an entry point of the group ``configlint.rules`` whose value names a package (or a module); the
built-in pack ``configlint_rules`` is announced the same way. Asking :mod:`importlib.metadata` costs more than the whole
start-up budget, nearly all of it for machinery and for metadata of distributions that announce nothing. So:

- the built-in pack is imported by its name, without looking anything up;
- for others, the folders of ``sys.path`` are listed and each distribution's ``entry_points.txt`` is read as plain text
  (one ``open`` a distribution); the file format is a fixed, simple one;
- only where ``sys.path`` holds something else than folders (a zip archive) is :mod:`importlib.metadata` asked.

A distribution that is known only to a custom import finder is not seen (its package can be named to
:func:`configlint.lint.registry.load`).

The current folder is never looked at, though ``python -m`` puts it on ``sys.path``: it is mostly the tree under
review, which must not be able to announce code that then runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

GROUP = "configlint.rules"
BUILT_IN = "configlint_rules"

_MAX_METADATA = 1 << 20  # bytes of an entry_points.txt; larger ones are not ours


@dataclass(frozen=True)
class Pack:
    """A package of rules: the entry point's name, the package's name, and the distribution that announces it."""

    name: str
    package: str
    distribution: str


def packs(search: Sequence[str] | None = None) -> tuple[Pack, ...]:
    """The built-in pack first, then all announced ones, sorted, each package once."""
    folders, others = _split(sys.path if search is None else search)
    found = {BUILT_IN: Pack("builtin", BUILT_IN, "configlint")}
    announced = [pack for folder in folders for pack in _announced(folder)]
    if others:
        announced += _ask_metadata()
    for pack in sorted(announced, key=lambda pack: (pack.package, pack.distribution)):
        found.setdefault(pack.package, pack)
    return tuple(found.values())


def _split(search: Iterable[str]) -> tuple[list[str], list[str]]:
    """Folders to list, and existing entries that are none; without the current folder."""
    here = os.path.realpath(os.curdir)
    folders, others = [], []
    for entry in dict.fromkeys(search):
        if os.path.isdir(entry or os.curdir):
            if os.path.realpath(entry or os.curdir) != here:
                folders.append(entry)
        elif os.path.exists(entry):
            others.append(entry)
    return folders, others


def _announced(folder: str) -> Iterator[Pack]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return
    for name in sorted(names):
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                raw = file.read(_MAX_METADATA)
        except OSError:
            continue  # most distributions announce nothing
        if GROUP.encode() in raw:
            yield from parse(raw.decode("utf-8", errors="replace"), name.rpartition(".")[0])


def parse(text: str, distribution: str) -> Iterator[Pack]:
    """The packs of an ``entry_points.txt``: ``[group]`` sections with ``name = package:attribute [extras]`` lines."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        elif section == GROUP and "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            package = value.partition("[")[0].partition(":")[0].strip()
            if package:
                yield Pack(name.strip(), package, distribution)


def _ask_metadata() -> list[Pack]:
    from importlib.metadata import entry_points  # slow, see above

    points = entry_points(group=GROUP)
    return [Pack(point.name, point.module, point.dist.name if point.dist else "?") for point in points]
