"""Documents: the recipe a launch submits, as declared (checked in) and as effective (submitted)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.files import Status, below
from configlint.launch.outcome import Clone, Edit, Outcome
from configlint.launch.texts import VirtualText
from configlint.launch.world import World
from configlint.model.changes import Change, Loss
from configlint.model.composition import MAX_VARIANTS, BadSelector, Variant, variants
from configlint.model.edited import Edited, Memo
from configlint.model.idle import IdleEdit, idle_edits
from configlint.model.launches import Launch, Launches
from configlint.model.provenance import Provenance
from configlint.profile.globs import Globs
from configlint.profile.profile import Profile
from configlint.source.text import Place, Span, Text

if TYPE_CHECKING:
    from configlint.syntax.yaml import File, Node


@dataclass(frozen=True, eq=False)
class Settled:
    """A submitted variant as far as it is sure: without the paths that an edit of unknown effect may have changed."""

    variant: Variant
    touched: Globs

    def values(self, patterns: Iterable[str]) -> Iterator[tuple[str, Node]]:
        """The nodes at dotted paths in which the step ``*`` is any one key, where they are sure."""
        for pattern in patterns:
            for path, node in self.variant.matching(pattern):
                if not self.touched.matches(path):
                    yield path, node

    def value(self, path: str) -> Node | None:
        """The node at one dotted path, None where there is none or it is not sure."""
        return next((node for _, node in self.values((path,))), None) if path else None


class Document:
    """The document that a launch submits.

    ``unknown`` says why its effective text is not known; then only what is still certain can be asked.
    """

    def __init__(self, launch: Launch, outcome: Outcome, documents: Documents) -> None:
        self.launch, self.outcome, self._documents = launch, outcome, documents
        self.unknown = ""

    @cached_property
    def given(self) -> str | None:
        """The document as the launcher names it, selector included; None where that is not known."""
        sink = self.outcome.sink
        return self.launch.known(sink.config.value) if sink is not None and sink.config is not None else None

    @property
    def name(self) -> str | None:
        """The document as the launcher names it, without selector."""
        separator = self._documents.profile.launch.selector_separator
        return self.given.partition(separator)[0] if self.given is not None and separator else self.given

    @cached_property
    def selector(self) -> str | None:
        """What the name says after the path; None where it says nothing."""
        separator = self._documents.profile.launch.selector_separator
        given = self.given
        if given is None or not separator or separator not in given:
            return None
        return given.partition(separator)[2]

    @property
    def path(self) -> str | None:
        """Where the document stands in the virtual file system."""
        return self.outcome.sink.config_path if self.outcome.sink is not None else None

    @cached_property
    def clone(self) -> Clone | None:
        """The clone that the document is submitted from: the one it lies in, else the last."""
        clones = self.outcome.clones
        inside = [one for one in clones if self.path is not None and below(self.path, one.directory)]
        return inside[-1] if inside else clones[-1] if clones else None

    @property
    def world(self) -> World:
        """The tree and the outside repositories."""
        return self._documents.launches.world

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Everything that wrote to the document, in order."""
        return tuple(edit for edit in self.outcome.edits if edit.path == self.path)

    @cached_property
    def effective_text(self) -> VirtualText | None:
        """The text as submitted; None where it is not known or there is none."""
        if self.path is None:
            return None
        found = self.outcome.files.lookup(self.path)
        return self._documents.launches.world.content(found) if found.status is Status.FILE else None

    @cached_property
    def declared_text(self) -> VirtualText | None:
        """The text as somebody checked it in: before the first edit of its content."""
        copies = [index for index, edit in enumerate(self.edits) if edit.kind == "copy"]
        edits = self.edits[copies[-1] + 1 :] if copies else self.edits
        return edits[0].before if edits else self.effective_text

    @property
    def source(self) -> Text | None:
        """The checked-in file, here or in an outside repository."""
        declared = self.declared_text
        return declared.original.source if declared is not None else None

    @cached_property
    def effective(self) -> File | None:
        text = self.effective_text
        return self._documents.file(text) if text is not None else None

    @cached_property
    def declared(self) -> File | None:
        text = self.declared_text
        return self._documents.file(text) if text is not None else None

    @cached_property
    def selection(self) -> tuple[Variant, ...] | BadSelector:
        """The effective documents that are submitted, or what is wrong with the selector."""
        return self._variants(self.effective)

    @cached_property
    def declared_selection(self) -> tuple[Variant, ...] | BadSelector:
        """The same of the document as declared."""
        return self._variants(self.declared)

    @cached_property
    def selector_fault(self) -> BadSelector | None:
        """Why the document's name does not stand for exactly one document; None where it does or nobody knows."""
        found = self.selection if self.effective is not None else self.declared_selection
        if isinstance(found, BadSelector):
            return found
        if len(found) < 2:
            return None
        names = ", ".join(one.name for one in found[:3]) + (", ..." if len(found) > 3 else "")
        count = f"more than {len(found) - 1}" if self.is_cut else str(len(found))
        return BadSelector(f"this stands for {count} variants ({names}), and each becomes a job of its own")

    @property
    def is_cut(self) -> bool:
        """True if so many variants are submitted that not all of them are looked at."""
        return isinstance(self.selection, tuple) and len(self.selection) >= MAX_VARIANTS

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The effective documents that are submitted; none where that is not known."""
        found = self.selection
        return found if isinstance(found, tuple) else ()

    @cached_property
    def last_known(self) -> tuple[VirtualText | None, Globs]:
        """The last text that is known, and which dotted paths may have changed since."""
        if self.effective_text is not None:
            return self.effective_text, Globs((), ".")
        text: VirtualText | None = None
        touched: list[str] = []
        for edit in self.edits:
            if edit.after is None:
                text = edit.before if not touched else text
                touched += edit.touches or ("**",)
            else:
                text, touched = None, []
        return text, Globs(dict.fromkeys(touched), ".")

    @cached_property
    def settled(self) -> tuple[Settled, ...]:
        """The variants that are submitted, as far as they are sure, also where an edit of unknown effect came last."""
        text, touched = self.last_known
        file = self._documents.file(text) if text is not None else None
        found = self.selection if file is self.effective else self._variants(file)
        return tuple(Settled(variant, touched) for variant in found) if isinstance(found, tuple) else ()

    def _variants(self, file: File | None) -> tuple[Variant, ...] | BadSelector:
        root = file.root if file is not None else None
        if root is None or root.kind != "map" or (self.given is None):
            return ()
        try:
            return variants(root, self._documents.profile.documents.compose, self.selector)
        except BadSelector as fault:
            return fault

    # --- places -----------------------------------------------------------------------------------

    def place(self, node: Node) -> Place | None:
        """Where a node of the effective (or last known) document is written: a checked-in file or the launcher."""
        text = self.last_known[0]
        return place_in(text, node) if text is not None else None

    def declared_place(self, node: Node) -> Place | None:
        """Where a node of the declared document is written."""
        text = self.declared_text
        return place_in(text, node) if text is not None else None

    @property
    def top(self) -> Place | None:
        """The first line of the checked-in file."""
        source = self.source
        return Place(source, source.line_span(1)) if source is not None else None

    # --- edits ------------------------------------------------------------------------------------

    @cached_property
    def edited(self) -> Edited | None:
        """The document through its edits; None where no text of it is known."""
        text, touched = self.last_known
        if text is None or self.given is None:
            return None
        return Edited(
            self.edits, text, touched, self.selector, self._documents.profile.documents, self._documents.parse
        )

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Every value of the submitted variants that the edits changed, as far as that is certain."""
        return tuple(self.edited.changes(self._documents.differences)) if self.edited is not None else ()

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """The changes that lose what the document declares."""
        return tuple(self.edited.losses(self._documents.differences)) if self.edited is not None else ()

    @cached_property
    def idle_edits(self) -> tuple[IdleEdit, ...]:
        """The edits that miss the document, although it does not say what they want."""
        return tuple(idle_edits(self.edited, self._documents.profile.documents)) if self.edited is not None else ()


def place_in(text: VirtualText, node: Node) -> Place | None:
    """The place behind a node of a virtual text: its own span where the line is as written, else the writer's line."""
    own = node.file.text
    position = own.position(node.span.start)
    line = text.line(position.line - 1)
    if line is None:
        return None
    place, span = line.place, line.place.span
    written = place.text.raw[span.start : span.end]
    if line.edited or written != own.raw[slice(*own.line_span(position.line))]:
        blanks = len(written) - len(written.lstrip())
        return Place(place.text, Span(min(span.start + blanks, span.end), span.end))
    start = span.start + position.column - 1
    end = start + (node.span.end - node.span.start) if node.kind == "scalar" else span.end
    return Place(place.text, Span(min(start, span.end), max(start, min(end, span.end))))


@dataclass(eq=False)
class Documents:
    """The documents of a tree's launches; texts are parsed once."""

    launches: Launches
    profile: Profile
    differences: Memo = field(default_factory=dict)
    _files: dict[str, File] = field(default_factory=dict)
    _documents: dict[tuple[int, int], Document] = field(default_factory=dict)

    @cached_property
    def provenance(self) -> Provenance:
        """What went into the lines that launchers write."""
        return Provenance(self.launches.world)

    def of(self, launch: Launch) -> tuple[Document, ...]:
        """The documents a launch submits: one for each of its outcomes that submits one."""
        found = []
        for index, outcome in enumerate(launch.outcomes):
            if outcome.sink is not None and outcome.sink.config is not None:
                key = (id(launch), index)
                if key not in self._documents:
                    self._documents[key] = Document(launch, outcome, self)
                found.append(self._documents[key])
        return tuple(found)

    def file(self, text: VirtualText) -> File:
        """The parsed form of a virtual text."""
        return self.parse(text.text)

    def parse(self, text: str) -> File:
        """The parsed form of a text."""
        if text not in self._files:
            from configlint.syntax.yaml import load_string

            self._files[text] = load_string(text)
        return self._files[text]

    def generated(self, outcome: Outcome, name: str) -> tuple[VirtualText, File] | None:
        """A file that the launcher generates in its working directory (the cluster file), as it is at the end."""
        found = outcome.files.lookup(f"{outcome.cwd}/{name}")
        text = self.launches.world.content(found) if found.status is Status.FILE else None
        return (text, self.file(text)) if text is not None else None
