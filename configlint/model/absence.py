"""Why nothing is launched in a tree, in words that say how to go on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from configlint.profile.globs import Globs

if TYPE_CHECKING:
    from configlint.model.project import Model

_DEPTH = 6  # folders that are looked into for another matrix


def absence(model: Model, root: Path | None) -> str:
    """Why there are no launches; empty where there are. ``root`` is the folder of a working tree."""
    name, layout = model.tree.name, model.generation
    if not layout.requires:
        wanted = ", ".join(dict.fromkeys(glob for one in model.profile.generations for glob in one.requires))
        return f"no matrix and no launcher was found in {name} (looked for {wanted}){_elsewhere(model, root)}"
    if not layout.matrices:
        return f"no matrix was found in {name}, so nothing is launched; its launchers and scripts are read all the same"
    if not model.entries:
        return f"the matrix of {name} has no entries ({', '.join(model.matrix.files)})"
    if any(True for _ in model.launches_of()):
        return ""
    return f"no entry of {name} has points and a launcher that exists"


def _elsewhere(model: Model, root: Path | None) -> str:
    folder = nearest(model)
    if folder is None or root is None:
        return f"; {folder} has one" if folder is not None else "; --repo DIR names another repository"
    return f"; {folder} has one: add --repo {os.path.relpath(root / folder)}"


def nearest(model: Model) -> str | None:
    """The folder of the tree, nearest to its top, that the profile would fit; None where there is none."""
    wanted = [Globs(one.requires) for one in model.profile.generations if len(one.requires) == 1]
    folders = (
        (depth, "/".join(steps[:depth]))
        for steps in (path.split("/") for path in model.paths)
        for depth in range(1, min(_DEPTH, len(steps)))
        if any(one.matches("/".join(steps[depth:])) for one in wanted)
    )
    found = min(folders, default=None)
    return found[1] if found is not None else None
