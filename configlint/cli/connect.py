"""Where the command line meets the model: opens the tree, the ref sources and the profile that a request names."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from configlint.api.finding import Diagnostic, Severity
from configlint.cli.configuration import FILE as CONFIG
from configlint.cli.configuration import configuration
from configlint.cli.errors import UsageError
from configlint.cli.opened import Opened
from configlint.model.absence import absence
from configlint.model.project import Model
from configlint.model.versions.accepted import AcceptedFlags, BadSetting
from configlint.profile.builtins import NAMES, builtin, custom, detect, generation
from configlint.profile.profile import Generation, Profile, ProfileError
from configlint.source.base import SourceError
from configlint.source.git import GitTree, Repository, find_repository
from configlint.source.refs import RefSources
from configlint.source.trees import Tree, Unreadable, WorkingTree
from configlint.source.urls import cache_root, split_spec

if TYPE_CHECKING:
    from configlint.cli.request import OpenedProject, Request

_RECURSION = 12_000  # interpreting nested bash is recursive; its own caps are well below
_PLAIN = Generation("plain", ())


def connect(request: Request) -> OpenedProject:
    """Open the project that the request describes. Raises UsageError where there is none."""
    gc.disable()  # one analysis, then the process ends: collecting cycles of syntax trees only costs
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
    try:
        root, tree = _tree(request)
        settings = configuration(tree)
        refs = RefSources.gather(
            request.ref_sources, request.environment_refs, _inside(settings.ref_sources, root), root, cache_root()
        )
        if isinstance(tree, GitTree) and request.revision is not None:
            refs.as_of = tree.repository.committed_at(tree.commit)
        accepted = AcceptedFlags.read(settings.accepted_flags)
        profile, layout = _profile(request.profile, settings.profile, tree)
    except SourceError as fault:
        raise UsageError(str(fault)) from fault
    except Unreadable as fault:
        raise UsageError(f"{fault.path or request.start}: {fault.reason}") from fault
    except BadSetting as fault:
        raise UsageError(f"{CONFIG}: {fault}") from fault
    notes = []
    if root is None and settings.ref_sources:
        notes.append(
            Diagnostic("ref-unavailable", f"ref-sources of {CONFIG} are read in a working tree only", path=CONFIG)
        )
    model = Model(tree, profile, layout, refs.lookup, accepted)
    if not layout.matrices:
        notes.append(Diagnostic("no-matrix", absence(model, root), severity=Severity.INFO))
    return Opened(model, root, notes, refs)


def _tree(request: Request) -> tuple[Path | None, Tree]:
    start = request.start
    if not start.exists():
        raise UsageError(f"{start}: no such file or folder")
    root = start if request.exact else _root(start)
    if request.exact and _is_bare(start):
        return None, Repository(start).tree(request.revision or "HEAD")
    if request.revision is None:
        return root, WorkingTree(root, _name(root))
    return root, _at(root, request.revision)


def _at(root: Path, revision: str) -> Tree:
    """The folder as it was at a revision of the repository around it."""
    around = find_repository(root)
    if around is None:
        raise UsageError(f"{_name(root)} lies in no git repository, so it has no revision {revision}")
    folder = os.path.relpath(os.path.realpath(root), os.path.realpath(around)).replace(os.sep, "/")
    return Repository(around).tree(revision, folder="" if folder == "." else folder)


def _name(root: Path) -> str:
    """A folder for people: as it was given, but where that is only dots its own name."""
    return str(root) if root.name.strip(".") else root.resolve().name or str(root)


def _is_bare(path: Path) -> bool:
    return (path / "objects").is_dir() and (path / "HEAD").is_file() and not (path / ".git").exists()


def _root(start: Path) -> Path:
    """The nearest folder with a configuration or a repository; the folder itself where there is none."""
    folder = start if start.is_dir() else start.parent
    for candidate in (folder.absolute(), *folder.absolute().parents):
        if (candidate / CONFIG).is_file() or (candidate / ".git").exists():
            return candidate
    found = find_repository(folder)
    return Path(found) if found is not None else folder


def _inside(specs: tuple[str, ...], root: Path | None) -> tuple[str, ...]:
    """The configured ref sources. They come with the tree, maybe from a stranger: only folders inside it count."""
    if root is None:
        return ()
    real = root.resolve()
    for spec in specs:
        try:
            path = split_spec(spec)[-1]
        except SourceError as fault:
            raise UsageError(f"{CONFIG}: {fault}") from fault
        target = (root / path).resolve()
        if target != real and real not in target.parents:
            raise UsageError(f"{CONFIG}: the ref source {spec} lies outside the repository: give it with --ref-source")
    return specs


def _profile(asked: str | None, configured: str | None, tree: Tree) -> tuple[Profile, Generation]:
    """The profile that was asked for, or the tree's own choice: that is a file of the tree, or a built-in one."""
    paths = tree.files()
    name = asked or configured
    if name is None:
        found = detect(paths)
        return found if found is not None else (builtin(NAMES[0]), _PLAIN)
    if name in NAMES:
        profile = builtin(name)
    else:
        try:
            text = Path(asked).read_text(encoding="utf-8") if asked else tree.read(name).string
            profile = custom(text)
        except (OSError, Unreadable, UnicodeDecodeError) as fault:
            why = getattr(fault, "reason", "") or getattr(fault, "strerror", "") or "no such file"
            known = ", ".join(NAMES)
            raise UsageError(f"no profile {name} (built in: {known}), nor can it be read: {why}") from fault
        except ProfileError as fault:
            raise UsageError(f"{name}: {fault}") from fault
    return profile, generation(profile, paths) or _PLAIN
