"""What rules look at beside launches: entries, scripts, the repository as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.api.finding import EntryRef
from configlint.api.reports import Reports, entries_of, first_line
from configlint.source.base import Unreadable
from configlint.source.text import Place, Span, Text

if TYPE_CHECKING:  # a rule can be listed and explained without loading the model
    from configlint.model.branches import DeadBranch
    from configlint.model.layout import Fault
    from configlint.model.matrix import Entry as EntryModel
    from configlint.model.project import Model
    from configlint.model.references import MissingFile
    from configlint.model.runners import Launcher, Runners
    from configlint.model.shells import Unparsable
    from configlint.model.statements import Statement
    from configlint.model.unchecked import Unchecked
    from configlint.model.validation.entries import Judged
    from configlint.model.variables import Misspelt
    from configlint.profile.profile import Profile
    from configlint.source.trees import Tree
    from configlint.syntax.bash.nodes import Script as ScriptTree
    from configlint.syntax.yaml import File


_TEMPLATE = re.compile(rb"(?m)^[ \t]*\{[%{#]|^[ \t]*(?:- +)?[\w.\"'-]+: *\{\{")


class Entry(Reports):
    """A keyed benchmark definition of a matrix file."""

    def __init__(self, model: Model, entry: EntryModel) -> None:
        self.model, self.entry = model, entry

    @property
    def label(self) -> str:
        return self.entry.key

    @property
    def key(self) -> str:
        return self.entry.key

    @property
    def place(self) -> Place:
        return self.entry.place

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @cached_property
    def affected(self) -> tuple[EntryRef, ...]:
        return (EntryRef(self.entry.key, self.entry.place, sum(len(item.points) for item in self.entry.items)),)

    @property
    def runner(self) -> str:
        """The label of the runners that may take the entry's points."""
        return self.entry.label

    @property
    def runner_place(self) -> Place:
        """Where the entry names its label."""
        return self.field_place(self.entry.matrix.field("runner"))

    @property
    def launchers(self) -> tuple[Launcher, ...]:
        """The launchers behind the label, those that do not exist too."""
        return self.entry.launchers

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What the repository's own generator would stumble over."""
        return self.entry.faults

    @property
    def judged(self) -> Judged:
        """What the tree's own validation says of the entry."""
        return self.model.validation.of(self.entry)

    def field_place(self, name: str) -> Place:
        """Where the entry writes one of its own fields (the key where it does not)."""
        node = self.entry.node.get(name)
        return node.place if node is not None else self.place


class Script(Reports):
    """A shell script of the tree: its text, and its parsed form on demand."""

    def __init__(self, model: Model, path: str, text: Text) -> None:
        self.model, self.path, self.text = model, path, text

    @property
    def label(self) -> str:
        return self.path

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @property
    def is_launcher(self) -> bool:
        return self.model.profile.launchers.matches(self.path)

    @cached_property
    def tree(self) -> ScriptTree:
        """The parsed script."""
        found = self.model.launches.world.script(self.path)
        if isinstance(found, str):
            raise LookupError(found)
        return found

    @cached_property
    def affected(self) -> tuple[EntryRef, ...]:
        """The entries whose launches run through this script as their launcher."""
        if not self.is_launcher:
            return ()
        found = []
        for entry in self.model.entries.values():
            names = {self.model.tree.resolve(launcher.path) for launcher in entry.launchers if launcher.exists}
            if self.path in names:
                found.append(EntryRef(entry.key, entry.place, sum(len(item.points) for item in entry.items)))
        return tuple(found)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The script's simple commands, each with whether anything looks at its failure."""
        return self.model.scripts.statements(self.path)

    @cached_property
    def dead_branches(self) -> tuple[DeadBranch, ...]:
        """Branches of ``if`` and ``case`` that can never be taken."""
        from configlint.model.branches import dead_branches

        return tuple(dead_branches(self.tree))

    @property
    def missing_files(self) -> tuple[MissingFile, ...]:
        """Files of the tree that the script needs and that do not exist."""
        return self.model.scripts.missing(self.path)

    @property
    def starting(self) -> tuple[EntryRef, ...]:
        """The entries with launches that start this script."""
        return entries_of(self.model.scripts.starting(self.path))

    @property
    def unchecked(self) -> Iterator[tuple[Unchecked, tuple[EntryRef, ...]]]:
        """Checkouts of a pin, and edits of the document, whose failure nothing looks at, with the entries concerned."""
        for one in self.model.unlooked.of(self.path):
            yield one, entries_of(one.launches)

    def running(self, place: Place) -> tuple[EntryRef, ...]:
        """The entries with launches that run the command at a place of this launcher or library."""
        return entries_of(self.model.scripts.running(self.path, place.span.start))

    def file(self, path: str) -> Place | None:
        """The first line of a file of the tree; None where it cannot be read."""
        return first_line(self.model.tree, path)

    def place(self, start: int, end: int) -> Place:
        return Place(self.text, Span(start, end))


class Repository(Reports):
    """The whole tree."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def label(self) -> str:
        return self.model.tree.name

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @property
    def tree(self) -> Tree:
        return self.model.tree

    def files(self, *suffixes: str) -> Iterator[str]:
        """Paths with one of these endings, symlinks left out."""
        for path in self.model.paths:
            if path.endswith(suffixes) and not self.model.tree.is_symlink(path):
                yield path

    def yaml(self, path: str) -> File | None:
        """A parsed YAML file, None where it cannot be read (a diagnostic says so)."""
        return self.model.layout.document(path)

    def reads_otherwise(self, path: str) -> bool:
        """True if another YAML parser reads a file that has a fault: asked only where that matters."""
        from configlint.syntax.yaml.second_opinion import is_readable

        file = self.yaml(path)
        return file is not None and is_readable(file.text.raw)

    def is_template(self, path: str) -> bool:
        """True if a YAML file looks like a template from which another program makes YAML."""
        file = self.yaml(path)
        return file is not None and _TEMPLATE.search(file.text.raw) is not None

    def unparsable(self) -> Iterator[tuple[Unparsable, tuple[EntryRef, ...]]]:
        """Shell text that bash would not parse, with the entries that run through it as their launcher."""
        for one in self.model.shells.unparsable():
            yield one, Script(self.model, one.path, one.place.text).affected

    @property
    def matrices(self) -> tuple[str, ...]:
        """The matrix files."""
        return self.model.matrix.files

    @property
    def misspelt_variables(self) -> tuple[Misspelt, ...]:
        """Environment variables that the tree sets and no known program reads, though one of nearly that name is."""
        return self.model.misspelt_variables

    def naming(self, path: str) -> tuple[EntryRef, ...]:
        """The entries whose items name a document of the tree, by its path in the tree."""
        found = []
        for item in self.model.mentions.of(path):
            ids = frozenset((item.line << 20) + point.index for point in item.points)
            found.append(EntryRef(item.entry.key, item.entry.place, len(ids), ids))
        return tuple(found)

    @property
    def runners(self) -> Runners:
        """The runners file: labels, runners, hardware."""
        return self.model.runners

    def top(self, path: str) -> Place | None:
        """The first line of a file, None where it cannot be read."""
        try:
            text = self.tree.read(path)
        except (FileNotFoundError, Unreadable):
            return None
        return Place(text, text.line_span(1))

    def entries(self) -> Iterator[Entry]:
        for entry in self.model.entries.values():
            yield Entry(self.model, entry)
