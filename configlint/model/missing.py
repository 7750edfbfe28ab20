"""Documents that a launch needs and cannot have: what it looked for, where, and how the job ends over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from configlint.launch.files import Copied, Files, below
from configlint.launch.outcome import Cell, Clone, End, FileUse, Outcome
from configlint.profile.profile import Profile
from configlint.source.trees import Tree

if TYPE_CHECKING:
    from configlint.model.launches import Launch

_NEAR = 3  # names that are suggested


@dataclass(frozen=True, eq=False)
class MissingDocument:
    """A document that is nowhere.

    ``name`` is its path as the launch gives it, without selector, ``cell`` the variable that holds it. ``use`` is the
    command that cannot do without it, ``others`` the earlier ones that looked for it in vain, one a path, and
    ``failed`` copies of something else that is not there. ``clone`` is the repository it should be in (None: the
    checkout), ``copies`` are the directories laid over that, with the copying command where that is known. ``here``
    are files of the reviewed tree with the same name, ``near`` names in the same directory that are like it.
    """

    name: str
    cell: Cell
    use: FileUse
    others: tuple[FileUse, ...]
    failed: tuple[FileUse, ...]
    clone: Clone | None
    copies: tuple[tuple[str, FileUse | None], ...]
    here: tuple[str, ...]
    near: tuple[str, ...]
    ends: str

    @property
    def where(self) -> str:
        """Where it was looked for."""
        clone = self.clone
        if clone is None:
            return "is not in the checkout"
        revision = f"{clone.url.split('://', 1)[-1].removesuffix('.git')} at {clone.ref}"
        if clone.commit is not None and not clone.commit.startswith(clone.ref[:7]):
            revision += f" ({clone.commit[:8]} here)"  # a branch may have been somewhere else
        if not self.copies:
            return f"is not in {revision}, and the launcher copies nothing there"
        return f"is neither in {revision} nor in what the launcher copies there"


def missing_document(launch: Launch, outcome: Outcome, tree: Tree, profile: Profile) -> MissingDocument | None:
    """The document that this launch ends for want of; None where it has one, ends otherwise, or nobody knows."""
    variable, separator = profile.launch.document_variable, profile.launch.selector_separator
    found = _needed(outcome)
    cell = outcome.variables.get(variable) if outcome.end is not End.SUBMIT else None
    if outcome.sink is not None and outcome.sink.config is not None:
        cell = outcome.sink.config
    if found is None or found.path is None or not isinstance(cell, Cell):
        return None
    given = launch.text(cell.value)
    name = given.partition(separator)[0] if given is not None and separator else given
    if not name or not _ends_with(found.path, name):
        return None
    vain = [one for one in outcome.uses if one.exists is False and one.path and _ends_with(one.path, name)]
    others = {one.path: one for one in reversed(vain) if one.path != found.path}
    clones = [one for one in outcome.clones if below(found.path, one.directory)]
    directory, _, base = found.path.rpartition("/")
    return MissingDocument(
        name=name,
        cell=cell,
        use=found,
        others=tuple(reversed(others.values())),
        failed=tuple(one for one in outcome.uses if one.how == "copy" and one.exists is False and one not in vain),
        clone=clones[-1] if clones else None,
        copies=tuple(_copies(outcome, found.path)),
        here=tuple(_here(tree, base)),
        near=tuple(_near(outcome.files, directory, base)),
        ends=_ending(outcome, found),
    )


def _needed(outcome: Outcome) -> FileUse | None:
    """The use of a file that is not there, over which the launch ends."""
    last = outcome.uses[-1] if outcome.uses else None
    if last is None or last.exists is not False:
        return None
    if outcome.end is End.SUBMIT:
        return last if last.how == "submit" else None
    if outcome.end is End.ABORT:
        return last
    return last if outcome.end is End.EXIT and outcome.status and last.how == "test" else None


def _ending(outcome: Outcome, use: FileUse) -> str:
    line = outcome.at.line if outcome.at is not None else use.at.line
    if outcome.end is End.SUBMIT:
        return f"{use.command} is told to submit it at line {line}"
    if outcome.end is End.ABORT:
        return f"{use.command} fails at line {line}, and errexit ends the job"
    return f"the launcher gives up at line {line}"


def _ends_with(path: str, name: str) -> bool:
    return path.rsplit("/", 1)[-1] == name.rsplit("/", 1)[-1]


def _copies(outcome: Outcome, path: str) -> Iterator[tuple[str, FileUse | None]]:
    """The directories that were copied to where the path would be, the last first."""
    copying = {use.path: use for use in outcome.uses if use.how == "copy"}
    for layer in outcome.files.layers():
        if isinstance(layer, Copied) and layer.at is None and below(path, layer.prefix):
            yield layer.source, copying.get(layer.source)


def _here(tree: Tree, base: str) -> list[str]:
    return [path for path in tree.files() if _ends_with(path, base)]


def _near(files: Files, directory: str, base: str) -> list[str]:
    names, _ = files.children(directory)
    return get_close_matches(base, names, _NEAR, 0.9)
