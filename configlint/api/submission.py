"""What is known of a submitted document as such: its name, its texts, its variants and where they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from configlint.api.reports import Reports
from configlint.source.text import Place, Text

if TYPE_CHECKING:  # a rule can be listed and explained without loading the model
    from configlint.launch.outcome import Clone, Edit, Outcome
    from configlint.launch.texts import VirtualText
    from configlint.launch.world import World
    from configlint.model.composition import BadSelector, Variant
    from configlint.model.documents import Document as DocumentModel
    from configlint.model.documents import Settled
    from configlint.model.edited import Edited
    from configlint.profile.globs import Globs
    from configlint.syntax.yaml import File, Node


class Submission(Reports):
    """The part of :class:`configlint.api.Document` that passes on what the model says, typed."""

    document: DocumentModel

    # --- names ------------------------------------------------------------------------------------

    @property
    def given(self) -> str | None:
        """The document as the launcher names it, selector included; None where that is not known."""
        return self.document.given

    @property
    def name(self) -> str | None:
        """The same without selector."""
        return self.document.name

    @property
    def selector(self) -> str | None:
        """What the name says after the path; None where it says nothing."""
        return self.document.selector

    @property
    def path(self) -> str | None:
        """Where the document stands in the virtual file system."""
        return self.document.path

    # --- how it came about --------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome:
        """The run of the launcher that submits it."""
        return self.document.outcome

    @property
    def clone(self) -> Clone | None:
        """The clone that it is submitted from."""
        return self.document.clone

    @property
    def world(self) -> World:
        """The tree and the outside repositories."""
        return self.document.world

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Everything that wrote to the document, in order."""
        return self.document.edits

    @property
    def edited(self) -> Edited | None:
        """The document through its edits; None where no text of it is known."""
        return self.document.edited

    # --- what it says -------------------------------------------------------------------------------

    @property
    def declared_text(self) -> VirtualText | None:
        """The text as checked in; None where it is not known."""
        return self.document.declared_text

    @property
    def effective_text(self) -> VirtualText | None:
        """The text as submitted; None where it is not known or there is none."""
        return self.document.effective_text

    @property
    def source(self) -> Text | None:
        """The checked-in file, here or in an outside repository."""
        return self.document.source

    @property
    def declared(self) -> File | None:
        """The document as checked in, parsed."""
        return self.document.declared

    @property
    def effective(self) -> File | None:
        """The document as submitted, parsed."""
        return self.document.effective

    @property
    def selection(self) -> tuple[Variant, ...] | BadSelector:
        """The effective documents that are submitted, or what is wrong with the selector."""
        return self.document.selection

    @property
    def declared_selection(self) -> tuple[Variant, ...] | BadSelector:
        """The same of the document as declared."""
        return self.document.declared_selection

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The effective documents that are submitted; none where that is not known."""
        return self.document.variants

    @property
    def settled(self) -> tuple[Settled, ...]:
        """The variants as far as they are sure, also where an edit of unknown effect came last."""
        return self.document.settled

    @property
    def last_known(self) -> tuple[VirtualText | None, Globs]:
        """The last text that is known, and which dotted paths may have changed since."""
        return self.document.last_known

    # --- places -------------------------------------------------------------------------------------

    def place(self, node: Node) -> Place | None:
        """Where a node of the effective (or last known) document is written: a checked-in file or the launcher."""
        return self.document.place(node)

    def declared_place(self, node: Node) -> Place | None:
        """Where a node of the declared document is written."""
        return self.document.declared_place(node)

    @property
    def top(self) -> Place | None:
        """The first line of the checked-in file."""
        return self.document.top
