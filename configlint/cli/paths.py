"""From paths on the command line to paths in the tree under review."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from configlint.cli.errors import UsageError
from configlint.lint.project import Project
from configlint.lint.suggest import did_you_mean
from configlint.source.trees import Kind, Tree


def tree_paths(project: Project, paths: Sequence[str]) -> tuple[str, ...]:
    """The tree paths that the words mean; each exists. Raises :class:`UsageError` with a suggestion."""
    found = [tree_path(project, word) for word in paths]
    # A file that is reached through a symlink is analysed once, under its own name.
    return tuple(dict.fromkeys(one for path in found for one in (path, project.tree.resolve(path))))


def tree_path(project: Project, word: str) -> str:
    """A path relative to the current folder, or to the repository's root; the first that exists in the tree."""
    candidates = [path for path in (_from_here(project.root, word), _from_root(word)) if path is not None]
    if not candidates:
        where = os.path.abspath(project.root) if project.root is not None else project.tree.name
        raise UsageError(f"{word}: outside the repository {where}")
    for path in candidates:
        if path == "" or project.tree.kind(path) is not Kind.ABSENT:
            return path
    bare, line = line_of(word)
    places = (_from_here(project.root, bare), _from_root(bare)) if line is not None else ()
    if any(place and project.tree.kind(place) is Kind.FILE for place in places):
        raise UsageError(f"{word}: a path is wanted here, without a line (`configlint affects {word}` takes one)")
    raise UsageError(f"{word}: no such path in {project.tree.name}{_near(project.tree, candidates[0])}")


def _from_here(root: Path | None, word: str) -> str | None:
    """The word as the shell means it. Links in the folder's own name are followed, not those inside the tree."""
    if root is None:
        return None
    folder, name = os.path.split(os.path.abspath(word))
    for base in (os.path.abspath(root), os.path.realpath(root)):
        for full in (os.path.join(folder, name), os.path.join(os.path.realpath(folder), name)):
            if full == base:
                return ""
            if full.startswith(base.rstrip(os.sep) + os.sep):
                return os.path.relpath(full, base).replace(os.sep, "/")
    return None


def _from_root(word: str) -> str | None:
    """The word as a path of the tree."""
    if os.path.isabs(word):
        return None
    path = os.path.normpath(word).replace(os.sep, "/")
    if path == ".." or path.startswith("../"):
        return None
    return "" if path == "." else path


def _near(tree: Tree, path: str) -> str:
    """Names like the one that is missing, in its folder or anywhere."""
    folder, _, name = path.rpartition("/")
    here = [f"{folder}/{other}" if folder else other for other in tree.list(folder)]
    hint = did_you_mean(path, here)
    if hint:
        return hint
    return did_you_mean(path, [other for other in tree.files() if other.rpartition("/")[2] == name])


def line_of(word: str) -> tuple[str, int | None]:
    """``PATH[:LINE]`` apart; whether the file has such a line is not asked."""
    path, _, line = word.rpartition(":")
    if path and line.isascii() and line.isdigit():
        # Python refuses to read very long numbers, and no file has that many lines.
        return path, int(line) if len(line) < 10 else 10**9
    return word, None
