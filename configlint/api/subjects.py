"""What rules look at: launches, documents, entries, scripts, the repository, changes.

Thin views of the model that add what every rule needs: how to yield an instance, and how to say that no verdict is
possible. The difficult words (edits, changes, variants, uses) are the model's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from configlint.api.finding import EntryRef, Instance, Location, OriginStep, PlaceKey, Role, Unknown, place_key
from configlint.launch.outcome import Cell, Clone, Edit, End, FileUse, Outcome, Sink
from configlint.launch.values import Value
from configlint.model.branches import DeadBranch, dead_branches
from configlint.model.containers import Container, containers
from configlint.model.documents import Change as ValueChange
from configlint.model.documents import Document as DocumentModel
from configlint.model.launches import Launch as LaunchModel
from configlint.model.matrix import Entry as EntryModel
from configlint.model.project import Model
from configlint.model.references import MissingFile
from configlint.model.runners import Launcher
from configlint.model.setup import SetupScript, setup_scripts
from configlint.model.starts import MissingScript, Rejection
from configlint.model.statements import Statement
from configlint.profile.profile import Profile
from configlint.source.text import Place, Span, Text
from configlint.source.trees import Tree, Unreadable
from configlint.syntax.bash.nodes import Script as ScriptTree
from configlint.syntax.yaml import Duplicate, File, path_to


class Reports:
    """Base of every subject: makes instances that carry the subject's entries.

    Places may be given bare; the cause then has the role *writer* and the victim *declared*.
    """

    @property
    def label(self) -> str:
        """The subject's name for people, in diagnostics (``ENTRY item 1 through runners/launch_x.sh``)."""
        return type(self).__name__

    @property
    def affected(self) -> tuple[EntryRef, ...]:
        """The entries that an instance about this subject concerns."""
        return ()

    def instance(
        self,
        message: str,
        *,
        cause: Place | Location,
        victim: Place | Location | None = None,
        related: Iterable[Place | Location] = (),
        **more: Any,
    ) -> Instance:
        """An instance about this subject; ``more`` are further fields of :class:`Instance`."""
        more.setdefault("entries", self.affected)
        return Instance(
            message=message,
            cause=located(cause, Role.WRITER),
            victim=None if victim is None else located(victim, Role.DECLARED),
            related=tuple(located(one, Role.OTHER) for one in related),
            **more,
        )

    def unknown(self, reason: str, at: Place | None = None) -> Unknown:
        """No verdict is possible, because ``reason``."""
        return Unknown(reason, at)


def located(where: Place | Location, role: Role) -> Location:
    """A bare place as a location with ``role``; a location as it is."""
    return where if isinstance(where, Location) else Location(where, role)


def entries_of(launches: Iterable[LaunchModel]) -> tuple[EntryRef, ...]:
    """The entries of launches, each with the points that the launches run."""
    ids: dict[str, tuple[EntryModel, set[int]]] = {}
    for launch in launches:
        _, found = ids.setdefault(launch.entry.key, (launch.entry, set()))
        found.update((launch.item.line << 20) + point.index for point in launch.points)
    return tuple(EntryRef(key, entry.place, len(found), frozenset(found)) for key, (entry, found) in ids.items())


def first_line(tree: Tree, path: str) -> Place | None:
    """The first line of a file; None where it cannot be read."""
    try:
        text = tree.read(path)
    except (Unreadable, FileNotFoundError):
        return None
    return Place(text, text.line_span(1))


class Launch(Reports):
    """One way that points of an item go through a launcher, in one mode: what is cloned, edited, submitted or started."""

    def __init__(self, model: Model, launch: LaunchModel, outcome: Outcome) -> None:
        self.model, self.launch, self.outcome = model, launch, outcome

    @property
    def label(self) -> str:
        return f"{self.entry.key} through {self.launch.launcher.path}"

    @cached_property
    def affected(self) -> tuple[EntryRef, ...]:
        return entries_of([self.launch])

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @property
    def tree(self) -> Tree:
        return self.model.tree

    @property
    def entry(self) -> EntryModel:
        return self.launch.entry

    @property
    def row(self) -> Place:
        """The matrix item that causes this launch."""
        return self.launch.item.place

    @property
    def mode(self) -> str:
        """``throughput`` or ``eval``."""
        return self.launch.mode

    @property
    def launcher(self) -> Launcher:
        return self.launch.launcher

    @property
    def end(self) -> End:
        return self.outcome.end

    @property
    def sink(self) -> Sink | None:
        return self.outcome.sink

    @property
    def clones(self) -> tuple[Clone, ...]:
        return self.outcome.clones

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every change to a file of the virtual file system, in order."""
        return self.outcome.edits

    @property
    def uses(self) -> tuple[FileUse, ...]:
        """Every file operand that was read, tested, copied, sourced or run, in order."""
        return self.outcome.uses

    @cached_property
    def recipe(self) -> Document | None:
        """The document this launch submits; None where it submits none."""
        for document in self.model.documents_of(self.launch):
            if document.outcome is self.outcome:
                return Document(self, document)
        return None

    def known(self, value: Value) -> str | None:
        """A value with this launch's inputs filled in; None where a part of it is unknown or has alternatives."""
        return self.launch.known(value)

    def text(self, value: Value) -> str | None:
        """The same with unknown parts left in as holes; None where it has alternatives."""
        return self.launch.text(value)

    def variable(self, name: str) -> str | None:
        """What the environment of the launch starts with; None where unset or not known."""
        value = self.launch.environment.value(name)
        return None if value is None else self.launch.known(value)

    def matrix_place(self, *fields: str) -> Place:
        """Where the matrix writes a field of the row (the item where it is not written)."""
        places = self.launch.points[0].places(*fields)
        return places[0] if places else self.row

    def field(self, name: str) -> object:
        """A field of the row, by its role in the profile (``image``, ``framework``...)."""
        return self.launch.points[0].get(self.entry.matrix.field(name), self.mode)

    def field_place(self, role: str) -> Place:
        """Where the matrix writes the field that plays a role."""
        return self.matrix_place(self.entry.matrix.field(role))

    def depends_on(self, cell: Cell, names: Iterable[str]) -> bool:
        """True if one of these environment variables went into the value."""
        return self.launch.depends_on(cell, set(names))

    @property
    def missing_script(self) -> MissingScript | None:
        """The benchmark script whose absence ends this launch."""
        return self.model.starts.missing_script(self.launch, self.outcome)

    @property
    def rejection(self) -> Rejection | None:
        """How the launcher turns this launch away, for another reason than a missing file."""
        return self.model.starts.rejection(self.launch, self.outcome)

    def behind(self, variables: Iterable[str]) -> tuple[Location, ...]:
        """Where the matrix says what is behind environment variables, each place once."""
        found: dict[PlaceKey, Location] = {}
        for name in variables:
            for place in self.launch.matrix_places(name):
                note = f"behind {name}" if name[:1] != "_" else ""
                found.setdefault(place_key(place), Location(place, Role.MATRIX, note))
        return tuple(found.values())

    def file(self, path: str) -> Place | None:
        """The first line of a file of the tree; None where it cannot be read."""
        return first_line(self.tree, path)

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """The containers that the engine runs in, as far as the launcher decides them."""
        return tuple(containers(self.launch, self.outcome, self.model.documents))

    def origin(self, cell: Cell) -> tuple[OriginStep, ...]:
        """How a value came to be, oldest first."""
        steps = [
            OriginStep(one.at, f"{one.name} {one.what}".strip())
            for one in self.launch.sources(cell)
            if one.at is not None
        ]
        return tuple(reversed(steps))

    def generated(self, name: str) -> Generated | None:
        """A YAML file that the launcher generates in its working directory, as it is when the launch ends."""
        found = self.model.documents.generated(self.outcome, name)
        return None if found is None else Generated(self, *found)

    def expanded(self, place: Place, *, value_only: bool = False) -> tuple[Cell, ...] | None:
        """The variables that a line of a script expands, as they are at the end; None where that is not known.

        ``value_only``: only those behind the first ``key: `` of the line.
        """
        return self.model.documents.provenance.behind(self.launch, self.outcome, place, value_only=value_only)


class Generated:
    """A generated YAML file whose lines lead back to the launcher."""

    def __init__(self, launch: Launch, text: Any, file: File) -> None:
        self.launch, self.text, self.file = launch, text, file

    def table(self, key: str) -> dict[str, tuple[str, Place | None]] | None:
        """A table of scalars: key -> (value, the launcher's line); None where there is no such mapping."""
        root = self.file.root
        node = root.get(key) if root is not None and root.kind == "map" else None
        if node is None or node.kind != "map":
            return None
        return {name: (value.text, self.place(value)) for name, value in node.pairs().items() if value.kind == "scalar"}

    def place(self, node: Any) -> Place | None:
        """The launcher's line that wrote a node."""
        from configlint.model.documents import place_in

        return place_in(self.text, node)

    @property
    def duplicates(self) -> Iterator[tuple[str, Duplicate]]:
        """Keys that stand twice in one mapping, each with its dotted path."""
        for one in self.file.duplicates():
            steps = path_to(self.file.root, one.mapping)
            yield ".".join((*steps, one.key)), one


class Document(Reports):
    """The document that a launch submits: as declared (checked in) and as effective (submitted)."""

    def __init__(self, launch: Launch, document: DocumentModel) -> None:
        self.launch, self.document = launch, document

    def __getattr__(self, name: str) -> Any:
        """Everything the model knows of it: path, selector, edits, changes, variants, place()..."""
        return getattr(self.document, name)

    @property
    def label(self) -> str:
        return f"{self.document.given or 'a document'} of {self.launch.label}"

    @property
    def affected(self) -> tuple[EntryRef, ...]:
        return self.launch.affected

    @property
    def setup_scripts(self) -> tuple[SetupScript, ...]:
        """The setup scripts that its job runs before the server."""
        return tuple(setup_scripts(self.document, self.launch.profile))

    @property
    def changes(self) -> tuple[ValueChange, ...]:
        return self.document.changes


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
        return tuple(dead_branches(self.tree))

    @property
    def missing_files(self) -> tuple[MissingFile, ...]:
        """Files of the tree that the script needs and that do not exist."""
        return self.model.scripts.missing(self.path)

    @property
    def starting(self) -> tuple[EntryRef, ...]:
        """The entries with launches that start this script."""
        return entries_of(self.model.scripts.starting(self.path))

    def running(self, place: Place) -> tuple[EntryRef, ...]:
        """The entries with launches that run the command at a place of this launcher or library."""
        return entries_of(self.model.scripts.running(self.path, place.span.start))

    def edited_by(self, place: Place) -> tuple[EntryRef, ...]:
        """The entries with launches in which the command at a place changes a file."""
        return entries_of(self.model.scripts.editing(self.path, place.span.start))

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

    def entries(self) -> Iterator[Entry]:
        for entry in self.model.entries.values():
            yield Entry(self.model, entry)


class Change(Reports):
    """What differs between a base and the tree: exists only where there is a base."""
