"""The setup scripts that a document's job runs first: where they are looked for, and whether they are there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configlint.launch.files import Status
from configlint.launch.outcome import Clone
from configlint.launch.values import UNKNOWN
from configlint.model.documents import Document
from configlint.profile.profile import Profile
from configlint.source.text import Place
from configlint.source.trees import Unreadable


@dataclass(frozen=True)
class SetupScript:
    """A setup script. ``searched`` are the paths in the clone, in order; ``exists`` is None where one is not known.

    ``by_launcher``: the launcher names it on the command line, and then what the document says does not count.
    ``uncopied`` are files of that name in the reviewed tree.
    """

    name: str
    at: Place
    clone: Clone
    searched: tuple[str, ...]
    exists: bool | None
    by_launcher: bool = False
    uncopied: tuple[Place, ...] = ()


def setup_scripts(document: Document, profile: Profile) -> Iterator[SetupScript]:
    """The setup scripts of the submitted variants, each once."""
    clone = document.clone
    if clone is None or not profile.documents.setup_script:
        return
    given = _given(document, profile)
    if given is not None:
        yield _found(document, profile, clone, *given, by_launcher=True)
        return
    seen = set()
    for variant in document.variants:
        node = variant.node(profile.documents.setup_script)
        at = document.place(node) if node is not None and node.kind == "scalar" and node.value else None
        if node is not None and at is not None and node.text not in seen:
            seen.add(node.text)
            yield _found(document, profile, clone, node.text, at)


def _given(document: Document, profile: Profile) -> tuple[str, Place] | None:
    """The script that the submitting command names, and where."""
    sink = document.outcome.sink
    options = {option for submit in profile.launch.submits for option in submit.setup}
    words = [] if sink is None else [(document.launch.text(cell.value), cell) for cell in sink.argv]
    for index, (word, cell) in enumerate(words):
        option, equals, value = (word or "").partition("=")
        if option in options:
            if not equals and index + 1 < len(words):
                value, cell = words[index + 1][0] or UNKNOWN, words[index + 1][1]
            return value, cell.at if cell.at is not None else document.outcome.sink.at  # type: ignore[union-attr]
    return None


def _found(
    document: Document, profile: Profile, clone: Clone, name: str, at: Place, *, by_launcher: bool = False
) -> SetupScript:
    searched = tuple(f"{folder}{name}" for folder in profile.documents.setup_search or ("",))
    found = [document.outcome.files.lookup(f"{clone.directory}/{path}").status for path in searched]
    exists: bool | None = Status.FILE in found
    if not exists and (Status.UNKNOWN in found or UNKNOWN in name):
        exists = None
    uncopied = _uncopied(document, name) if exists is False else ()
    return SetupScript(name, at, clone, searched, exists, by_launcher, uncopied)


def _uncopied(document: Document, name: str) -> tuple[Place, ...]:
    """The first lines of the tree's files of this name."""
    tree = document.world.tree
    found = []
    for path in tree.files():
        if path.endswith("/" + name) or path == name:
            try:
                text = tree.read(path)
            except (Unreadable, FileNotFoundError):
                continue
            found.append(Place(text, text.line_span(1)))
    return tuple(found)
