"""A project from an example: the tree in memory, the outside repositories beside it."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.api.project import Project
from configlint.lint.examples import Example
from configlint.model.project import Model
from configlint.profile.builtins import NAMES, builtin, detect
from configlint.profile.globs import Globs
from configlint.profile.profile import Generation
from configlint.source.trees import MemoryTree, Tree
from configlint.source.urls import normalise_url


@dataclass(frozen=True)
class Answer:
    """What an example says about a revision of another repository."""

    tree: Tree | None
    commit: str | None
    kind: str
    name: str


class Outside:
    """The outside repositories of an example, by URL and ref; ``main`` is the default branch."""

    def __init__(self, example: Example) -> None:
        self._trees = {
            (normalise_url(url), ref): MemoryTree(dict(files), name=f"{url}@{ref}", origin=f"{_short(url)}@{ref}")
            for (url, ref), files in example.outside.items()
        }

    def lookup(self, url: str, ref: str | None) -> Answer:
        """The tree at a ref, or that it cannot be read."""
        name = ref or "main"
        tree = self._trees.get((normalise_url(url), name))
        kind = "unknown" if tree is None else "default" if ref is None else _kind(name)
        return Answer(tree, None, kind, name)


def _kind(ref: str) -> str:
    if ref[:1] == "v" and ref[1:2].isdigit():
        return "tag"
    return "commit" if len(ref) >= 7 and all(c in "0123456789abcdef" for c in ref) else "branch"


def _short(url: str) -> str:
    return url.removesuffix(".git").split("://", 1)[-1].partition("/")[2] or url


def project_of(example: Example) -> Project:
    """The project that an example describes: what a ``ProjectFactory`` does.

    An example with the launcher that a profile's scaffold names, and without a matrix, gets the scaffold's.
    """
    files = dict(example.files)
    for name in NAMES:
        scaffold = builtin(name).scaffold
        if scaffold is not None and scaffold.launcher in files and detect(files) is not None:
            has_matrix = any(Globs(one.matrices).select(files) for one in builtin(name).generations if one.matrices)
            files |= {} if has_matrix else {scaffold.path: scaffold.text}
    tree = MemoryTree(files, symlinks=dict(example.symlinks))
    found = detect(tree.files())
    profile, layout = found if found is not None else (builtin(NAMES[0]), Generation("plain", ()))
    return Project(Model(tree, profile, layout, Outside(example).lookup))
