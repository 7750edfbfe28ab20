"""Where a tree's programs name a file of which nothing else is known: then it may be used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from configlint.source.text import Place, Span, Text
from configlint.source.trees import Kind, Unreadable

if TYPE_CHECKING:
    from configlint.model.project import Model

_READ_BY_PEOPLE = (".md", ".rst")
_PROGRAMS = (".sh", ".bash", ".slurm", ".py", ".yaml", ".yml", ".toml", ".j2")


def named_in(model: Model, path: str) -> Place | None:
    """The first line of a script, program, workflow or document that names a file or folder of the tree."""
    folder, _, name = path.rpartition("/")
    if not name or name.endswith(_READ_BY_PEOPLE):
        return None
    is_folder = model.tree.kind(path) is Kind.DIRECTORY
    near = _pattern(name, is_folder)
    far = near
    if sum(other.rpartition("/")[2] == name for other in model.paths) > 1:
        far = _pattern("/".join(path.split("/")[-2:]), is_folder)  # the name alone may mean the other one
    for other in model.paths:
        inside = other == path or (is_folder and other.startswith(f"{path}/"))
        if not inside and _takes_part(model, other) and not model.tree.is_symlink(other):
            found = _first(model, other, near if other.rpartition("/")[0] == folder else far)
            if found is not None:
                return found
    return None


def _pattern(name: str, is_folder: bool) -> re.Pattern[bytes]:
    wanted = rf"(?<![\w.-]){re.escape(name)}(?![\w-])"
    if is_folder:  # its name alone may be any word
        wanted = rf"(?<![\w.-]){re.escape(name)}/|/{re.escape(name)}(?![\w.-])"
    stem = name.rpartition("/")[2].removesuffix(".py")
    if name.endswith(".py") and stem != "__init__":
        wanted += rf"|(?:import|from|-m)[ \t][\w., \t]*\b{re.escape(stem)}\b"
    return re.compile(wanted.encode("utf-8", "surrogateescape"))


def _takes_part(model: Model, path: str) -> bool:
    """True for a program or document of the benchmarks, not for what only looks after the repository."""
    workflows = model.profile.workflows
    if path.startswith("."):
        return path in workflows.callers or any(path == one.path for one in workflows.templates)
    return path.endswith(_PROGRAMS)


def _first(model: Model, path: str, pattern: re.Pattern[bytes]) -> Place | None:
    try:
        text = model.tree.read(path)
    except (FileNotFoundError, Unreadable):
        return None
    for match in pattern.finditer(text.raw):
        if not _in_comment(text, match.start()):
            return Place(text, Span(match.start(), match.end()))
    return None


def _in_comment(text: Text, offset: int) -> bool:
    start = text.raw.rfind(b"\n", 0, offset) + 1
    return text.raw[start:offset].lstrip().startswith(b"#")
