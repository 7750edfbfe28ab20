"""What rules look at: launches, documents, entries, scripts, the repository, changes.

Thin views of the model that add what every rule needs: how to yield an instance, and how to say that no verdict is
possible. The difficult words (edits, changes, variants, uses) are the model's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from configlint.api.finding import EntryRef, Location, OriginStep, PlaceKey, Role, place_key
from configlint.api.reports import Reports, entries_of, first_line
from configlint.api.submission import Submission
from configlint.source.text import Place, Span

if TYPE_CHECKING:  # a rule can be listed and explained without loading the model
    from configlint.launch.outcome import Cell, Clone, Edit, End, FileUse, Outcome, Sink
    from configlint.launch.values import Value
    from configlint.model.aliases import Aliases
    from configlint.model.changes import Change as ValueChange
    from configlint.model.changes import Loss
    from configlint.model.clients import UnknownFlag
    from configlint.model.composition import BadSelector
    from configlint.model.containers import Container
    from configlint.model.documents import Document as DocumentModel
    from configlint.model.idle import IdleEdit
    from configlint.model.images import Image
    from configlint.model.launches import Launch as LaunchModel
    from configlint.model.matrix import Entry as EntryModel
    from configlint.model.missing import MissingDocument
    from configlint.model.overlays import Slip
    from configlint.model.project import Model
    from configlint.model.recipes.pins import Refusal
    from configlint.model.runners import Launcher
    from configlint.model.selectors import UnstrippedName
    from configlint.model.setup import SetupScript
    from configlint.model.starts import MissingScript, Rejection
    from configlint.model.submitted import Submitted
    from configlint.model.workers.jobs import Job
    from configlint.profile.profile import Profile
    from configlint.source.trees import Tree
    from configlint.syntax.yaml import Duplicate, File, Node


class Launch(Reports):
    """One way that points of an item go through a launcher, in one mode: what it clones, edits, submits or starts."""

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
    def row_line(self) -> Place:
        """The first line of the matrix item."""
        text, span = self.row.text, self.row.span
        return Place(text, Span(span.start, max(span.start, min(span.end, text.line_span(self.row.line).end))))

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

    def named_at(self, cell: Cell) -> Place:
        """Where the matrix names the file that a value is about: the setting behind it, else the item."""
        return self.launch.named_at(cell) or self.row

    @cached_property
    def missing(self) -> MissingDocument | None:
        """The document that the launch ends for want of; None where it has one or ends otherwise."""
        from configlint.model.missing import missing_document

        return missing_document(self.launch, self.outcome, self.tree, self.profile)

    @property
    def unstripped_names(self) -> tuple[UnstrippedName, ...]:
        """The commands that take the document's name for a path although a selector stands behind it.

        Where no row that comes through the launcher has one: the commands that could not cope with it.
        """
        from configlint.model.selectors import unstripped_names

        found = tuple(unstripped_names(self.launch, self.outcome, self.profile))
        selecting = bool(found) and self.tree.resolve(self.launcher.path) in self.model.selecting_launchers
        return tuple(one for one in found if one.selector or not selecting)

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
        from configlint.model.containers import containers

        return tuple(containers(self.launch, self.outcome, self.model.documents))

    def origin(self, cell: Cell) -> tuple[OriginStep, ...]:
        """How a value came to be, oldest first."""
        steps = [
            OriginStep(one.at, f"{one.name} {one.what}".strip())
            for one in self.launch.sources(cell)
            if one.at is not None
        ]
        return tuple(reversed(steps))

    @cached_property
    def aliases(self) -> Aliases | None:
        """The names that the submitted document may use; None where it is not known which there are."""
        found = self.model.documents.generated(self.outcome, self.profile.aliases.file)
        from configlint.model.aliases import Aliases

        return Aliases(self.launch, self.outcome, *found, self.profile) if found is not None else None

    @cached_property
    def submitted(self) -> tuple[Submitted, ...]:
        """The variants this launch submits, names looked up, as far as they are sure (see :attr:`obscure`)."""
        recipe, aliases = self.recipe, self.aliases
        if recipe is None or aliases is None:
            return ()
        document = recipe.document
        from configlint.model.submitted import Submitted

        return tuple(Submitted(document, one, aliases, self.profile) for one in document.settled)

    @property
    def obscure(self) -> str:
        """Why nothing is sure about what this launch submits; empty where something is, or where it submits nothing."""
        if self.recipe is None or self.submitted:
            return ""
        return "the submitted document is not known" if self.aliases else "the cluster file is not known"

    @property
    def siblings(self) -> Iterator[Launch]:
        """All launches of the entry, this one too."""
        for launch in self.model.launches.of(self.entry):
            for outcome in launch.outcomes:
                yield Launch(self.model, launch, outcome)

    @property
    def image(self) -> Image | None:
        """The image that the matrix publishes; None where it says none."""
        value = self.field("image")
        from configlint.model.images import parse_image

        return parse_image(value) if isinstance(value, str) else None

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

    def are_written_alike(self, one: Place, other: Place) -> bool:
        """True if behind ``key: `` two lines write the same expression, so that they cannot come to differ."""
        first, second = (at.text.slice(at.text.line_span(at.line)).partition(": ")[2].strip() for at in (one, other))
        return bool(first) and first == second

    @property
    def duplicates(self) -> Iterator[tuple[str, Duplicate]]:
        """Keys that stand twice in one mapping, each with its dotted path."""
        for one in self.file.duplicates():
            from configlint.syntax.yaml import path_to

            steps = path_to(self.file.root, one.mapping)
            yield ".".join((*steps, one.key)), one


class Document(Submission):
    """The document that a launch submits: as declared (checked in) and as effective (submitted)."""

    def __init__(self, launch: Launch, document: DocumentModel) -> None:
        self.launch, self.document = launch, document

    @property
    def label(self) -> str:
        return f"{self.document.given or 'a document'} of {self.launch.label}"

    @property
    def affected(self) -> tuple[EntryRef, ...]:
        return self.launch.affected

    @property
    def setup_scripts(self) -> tuple[SetupScript, ...]:
        """The setup scripts that its job runs before the server."""
        from configlint.model.setup import setup_scripts

        return tuple(setup_scripts(self.document, self.launch.profile))

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """What each submitted variant starts: its command lines, and the versions of the programs they meet."""
        return self.launch.model.jobs.of(self.document, self.launch.submitted)

    @property
    def changes(self) -> tuple[ValueChange, ...]:
        """Every value that the launcher's edits changed."""
        return self.document.changes

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What the loader of the revision that the launcher checks out refuses of the document."""
        return self.launch.model.pins.refusals(self.document)

    @property
    def has_known_schema(self) -> bool:
        """True if the schema of the revision that is checked out is known."""
        return self.launch.model.pins.is_known(self.document)

    @property
    def unknown_client_flags(self) -> tuple[UnknownFlag, ...]:
        """Flags in the command of its benchmark client that the client does not have."""
        return tuple(self.launch.model.clients.unknown_flags(self.document))

    @property
    def selector_fault(self) -> BadSelector | None:
        """Why the name that is submitted does not stand for exactly one document, if it does not."""
        return self.document.selector_fault

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The changes that lose what the document declares."""
        return self.document.losses

    @property
    def idle_edits(self) -> tuple[IdleEdit, ...]:
        """The edits that miss the document, although it does not say what they want."""
        return self.document.idle_edits

    @property
    def slips(self) -> tuple[Slip, ...]:
        """Steps that undo what was put in place for the document, or that miss it."""
        from configlint.model.overlays import slips

        return tuple(slips(self.document))

    def declared_at(self, node: Node, note: str = "") -> Location:
        """Where a node of the declared document is written, as the location of who reviewed it."""
        document = self.document
        return Location(document.declared_place(node) or document.top or self.launch.row, Role.DECLARED, note)

    def effective_at(self, node: Node | None, role: Role, note: str = "") -> tuple[Location, ...]:
        """Where a node of the submitted document is written, if there is one and that is known."""
        place = self.document.place(node) if node is not None else None
        return (Location(place, role, note),) if place is not None else ()

    def is_undone_for_evaluation(self, edit: Edit) -> bool:
        """True if this is an evaluation, and throughput jobs of the same points do not run the edit."""
        launch = self.launch
        statement = (edit.at.text.path, edit.at.span.start)
        others = list(launch.model.launches.in_other_modes(launch.launch)) if launch.mode == "eval" else []
        return bool(others) and all(statement not in one.executed for other in others for one in other.outcomes)


class Change(Reports):
    """What differs between a base and the tree: exists only where there is a base."""
