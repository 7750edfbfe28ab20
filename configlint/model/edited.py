"""A document through its edits: the same text before and after each of them.

Launchers give the job a name, which differs from runner to runner. It is left as declared here, so that launches which
differ in nothing else are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.outcome import Edit
from configlint.launch.texts import VirtualText
from configlint.model.changes import Change, Comparison, Difference, Loss, Step, difference
from configlint.model.composition import BadSelector, Variant, is_composed, variants
from configlint.profile.globs import Globs
from configlint.profile.profile import Documents as Schema

if TYPE_CHECKING:
    from configlint.syntax.yaml import File

Read = Callable[[str], "File"]
Memo = dict[tuple[int, int, str], tuple[Difference, ...]]


class Edited:
    """The edits of a document's content, and its variants between them.

    ``last`` is the last text that is known, ``touched`` the dotted paths that may have changed since. Nodes that come
    from here have their places in the texts they are of (names apart, the same lines).
    """

    def __init__(
        self,
        edits: tuple[Edit, ...],
        last: VirtualText,
        touched: Globs,
        selector: str | None,
        schema: Schema,
        read: Read,
    ) -> None:
        copies = [index for index, edit in enumerate(edits) if edit.kind == "copy"]
        self.edits = edits[copies[-1] + 1 :] if copies else edits
        self.last, self.touched = last, touched
        self._selector, self._schema, self._read = selector, schema, read
        self._texts: dict[int, str] = {}

    @cached_property
    def declared(self) -> VirtualText | None:
        """The text as somebody checked it in; None where there was none."""
        return self.edits[0].before if self.edits else self.last

    @cached_property
    def is_renamed_only(self) -> bool:
        """True if the edits changed nothing, or nothing but the job's name."""
        return self.declared is None or self.text(self.last) == self.declared.text

    def text(self, text: VirtualText) -> str:
        """A text of the document, with the job's name as declared."""
        if id(text) not in self._texts:
            self._texts[id(text)] = self._as_declared(text)
        return self._texts[id(text)]

    def _as_declared(self, text: VirtualText) -> str:
        declared = self.declared
        if declared is None or text.text == declared.text:
            return text.text
        head = f"{self._schema.name}:"
        lines, old = text.text.split("\n"), declared.text.split("\n")
        for index, (new, line) in enumerate(zip(lines, old, strict=False)):
            if new != line and new.startswith(head) and line.startswith(head):
                lines[index] = line
        return "\n".join(lines)

    def file(self, text: VirtualText) -> File:
        """The parsed form of a text."""
        return self._read(self.text(text))

    def variants(self, text: VirtualText) -> tuple[Variant, ...]:
        """The variants of a text that the selector chooses."""
        return self._chosen(text, self._selector)

    def variant(self, text: VirtualText, name: str) -> Variant | None:
        """One of them."""
        return next((one for one in self.variants(text) if one.name == name), None)

    def all_variants(self, text: VirtualText) -> tuple[Variant, ...]:
        """All variants of a text, whatever the selector; none where it has no variants."""
        composed = is_composed(self.file(text).root, self._schema.compose)
        return self._chosen(text, None) if composed else ()

    def _chosen(self, text: VirtualText, selector: str | None) -> tuple[Variant, ...]:
        root = self.file(text).root
        if root is None or root.kind != "map":
            return ()
        try:
            return variants(root, self._schema.compose, selector)
        except BadSelector:
            return ()

    # --- from declared to submitted ---------------------------------------------------------------

    def changes(self, memo: Memo) -> Iterator[Change]:
        """Every value of the submitted variants that the edits changed, as far as that is certain."""
        for one in self._comparisons(memo):
            yield from one.changes()

    def losses(self, memo: Memo) -> Iterator[Loss]:
        """The changes that lose what the document declares."""
        for one in self._comparisons(memo):
            yield from one.losses()

    def _comparisons(self, memo: Memo) -> Iterator[Comparison]:
        if self.is_renamed_only or self.declared is None:
            return
        files = id(self.file(self.declared)), id(self.file(self.last))
        before = {one.name: one for one in self.variants(self.declared)}
        for after in self.variants(self.last):
            old = before.get(after.name)
            if old is not None:
                key = (*files, f"{self._selector} {after.name}")
                if key not in memo:
                    memo[key] = tuple(difference(old.values, after.values))
                steps = self._steps_of(after.name)
                yield Comparison(old, after, memo[key], steps, self.touched, self._schema)

    def _steps_of(self, name: str) -> Callable[[], Iterator[Step]]:
        def steps() -> Iterator[Step]:
            for edit in self.edits:
                if edit.after is not None:
                    yield Step(edit, self.variant(edit.after, name))

        return steps
