"""Rebuild the shipped recipe schemas from a clone of srt-slurm: every tag, and the branches named.

    PYTHONPATH=. python tools/recipe_schemas.py CLONE [BRANCH...] > configlint/catalog/data/srt-slurm.jsonl

Reads blobs only; nothing is checked out, imported or run. The same clone gives the same bytes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from configlint.catalog.recipes.known import encode
from configlint.catalog.recipes.read import read_schema
from configlint.catalog.recipes.schema import Facts
from configlint.source.base import Tree, Unreadable
from configlint.source.refs import RefSources

URL = "https://github.com/NVIDIA/srt-slurm.git"
_TAG = re.compile(r"v\d+(?:\.\d+)*")


def facts_of(tree: Tree) -> Facts:
    """The facts of one revision; what cannot be resolved is told."""

    def read(path: str) -> str | None:
        try:
            return tree.read(path).string
        except (FileNotFoundError, Unreadable):
            return None

    facts, unresolved = read_schema(read)
    for one in unresolved:
        print(f"{tree.name}: {one}", file=sys.stderr)
    return facts


def main(clone: str, branches: list[str]) -> None:
    """Print the data file."""
    listed = subprocess.run(["git", "-C", clone, "tag"], capture_output=True, text=True, check=True).stdout.split()
    tags = sorted(filter(_TAG.fullmatch, listed), key=lambda name: [int(part) for part in name[1:].split(".")])
    with RefSources.parse([f"{URL}={Path(clone)}"]) as sources:
        found: list[dict[str, tuple[str, Facts]]] = []
        for names in (tags, branches):
            found.append({})
            for name in names:
                answer = sources.lookup(URL, name)
                if answer.tree is None or answer.commit is None:
                    sys.exit(f"{name}: {answer.reason}")
                found[-1][name] = (answer.commit, facts_of(answer.tree))
    print("\n".join(encode(*found)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", metavar="CLONE", help="a git repository of srt-slurm, may be bare")
    parser.add_argument("branches", metavar="BRANCH", nargs="*", default=[], help="branches beside the tags")
    given = parser.parse_args()
    main(given.clone, given.branches)
