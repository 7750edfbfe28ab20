"""Where the command line meets the model: opens the tree, the ref sources and the profile that a request names."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from configlint.api.finding import Diagnostic
from configlint.cli.errors import UsageError
from configlint.cli.opened import Opened
from configlint.model.project import Model
from configlint.profile.builtins import NAMES, builtin, custom, detect, generation
from configlint.profile.profile import Generation, Profile, ProfileError
from configlint.profile.toml import BadToml, read
from configlint.source.base import SourceError
from configlint.source.git import GitTree, Repository, find_repository
from configlint.source.refs import RefSources
from configlint.source.trees import Tree, Unreadable, WorkingTree
from configlint.source.urls import cache_root, split_spec

if TYPE_CHECKING:
    from configlint.cli.request import OpenedProject, Request

CONFIG = "configlint.toml"
_RECURSION = 12_000  # interpreting nested bash is recursive; its own caps are well below
_PLAIN = Generation("plain", ())


def connect(request: Request) -> OpenedProject:
    """Open the project that the request describes. Raises UsageError where there is none."""
    gc.disable()  # one analysis, then the process ends: collecting cycles of syntax trees only costs
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
    try:
        root, tree = _tree(request)
        settings = _configuration(tree)
        refs = RefSources.gather(
            request.ref_sources, {}, _inside(settings.get("ref-sources", []), root), root, cache_root()
        )
        if isinstance(tree, GitTree) and request.revision is not None:
            refs.as_of = tree.repository.committed_at(tree.commit)
        profile, layout = _profile(request.profile, settings.get("profile"), tree)
    except SourceError as fault:
        raise UsageError(str(fault)) from fault
    except Unreadable as fault:
        raise UsageError(f"{fault.path or request.start}: {fault.reason}") from fault
    notes = []
    if root is None and settings.get("ref-sources"):
        notes.append(
            Diagnostic("ref-unavailable", f"ref-sources of {CONFIG} are read in a working tree only", path=CONFIG)
        )
    return Opened(Model(tree, profile, layout, refs.lookup), root, notes, refs)


def _tree(request: Request) -> tuple[Path | None, Tree]:
    start = request.start
    if not start.exists():
        raise UsageError(f"{start}: no such file or folder")
    if request.exact:
        if request.revision is None and not _is_bare(start):
            return start, WorkingTree(start)
        repository = Repository(start)
        return (None if repository.is_bare else start), repository.tree(request.revision or "HEAD")
    root = _root(start)
    if request.revision is None:
        return root, WorkingTree(root)
    return root, Repository(root).tree(request.revision)


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


def _configuration(tree: Tree) -> dict[str, object]:
    """The tree's configuration. Raises UsageError where it is no valid one."""
    try:
        text = tree.read(CONFIG).string
    except FileNotFoundError:
        return {}
    try:
        data = read(text)
    except BadToml as fault:
        raise UsageError(f"{CONFIG}: {fault}") from fault
    sources = data.get("ref-sources", [])
    if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
        raise UsageError(f"{CONFIG}: ref-sources must be a list of strings like URL=PATH or URL@REF=DIR")
    if not isinstance(data.get("profile", ""), str):
        raise UsageError(f"{CONFIG}: profile must be a name")
    return data


def _inside(specs: object, root: Path | None) -> tuple[str, ...]:
    """The configured ref sources. They come with the tree, maybe from a stranger: only folders inside it count."""
    if root is None or not isinstance(specs, list):
        return ()
    real = root.resolve()
    for spec in specs:
        path = split_spec(spec)[-1]
        target = (root / path).resolve()
        if target != real and real not in target.parents:
            raise UsageError(f"{CONFIG}: the ref source {spec} lies outside the repository: give it with --ref-source")
    return tuple(specs)


def _profile(asked: str | None, configured: object, tree: Tree) -> tuple[Profile, Generation]:
    """The profile that was asked for, or the tree's own choice: that is a file of the tree, or a built-in one."""
    paths = tree.files()
    name = asked or configured
    if name is None:
        found = detect(paths)
        return found if found is not None else (builtin(NAMES[0]), _PLAIN)
    if name in NAMES:
        profile = builtin(str(name))
    else:
        try:
            text = Path(asked).read_text(encoding="utf-8") if asked else tree.read(str(name)).string
            profile = custom(text)
        except (OSError, Unreadable, UnicodeDecodeError) as fault:
            why = getattr(fault, "reason", "") or getattr(fault, "strerror", "") or "no such file"
            known = ", ".join(NAMES)
            raise UsageError(f"no profile {name} (built in: {known}), nor can it be read: {why}") from fault
        except ProfileError as fault:
            raise UsageError(f"{name}: {fault}") from fault
    return profile, generation(profile, paths) or _PLAIN
