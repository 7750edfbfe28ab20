"""A program of one file with argparse: the benchmark client of the tree under review, read when it is checked."""

from __future__ import annotations

from configlint.catalog.extract.arguments import Arguments
from configlint.catalog.extract.sources import Sources
from configlint.catalog.members import MemoryMembers
from configlint.catalog.snapshot import Snapshot, Unresolved

_MODULE = "client"


def script_arguments(text: str, path: str = "") -> Snapshot:
    """The flags of a script, as running it would declare them. Never raises: what cannot be read is unresolved.

    Other files that the script imports are not read; a parser made by one of them is then missing from the facts.
    """
    collected = Arguments(Sources(MemoryMembers({f"{_MODULE}.py": text}), (_MODULE,)))
    collected.follow_module(_MODULE)
    found = collected.snapshot().sound()
    places = tuple(Unresolved(one.what, path, one.line, one.why) for one in found.unresolved)
    return Snapshot(found.facts, places, found.seen)
