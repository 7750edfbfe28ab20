"""Commands of a launcher whose failure nothing looks at, although what is submitted depends on them.

The checkout of a pin, and a program that edits the document. What a launch comes to when the checkout fails is asked
of the clone's first revision: without the document it submits nothing, and with the very branch it loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from configlint.launch.outcome import Clone, Outcome
from configlint.launch.settings import RefLookup
from configlint.model.documents import Documents
from configlint.model.launches import Launch
from configlint.model.scripts import Scripts
from configlint.model.statements import Statement
from configlint.profile.profile import Profile
from configlint.source.base import Kind
from configlint.source.text import Place, Span


@dataclass(frozen=True, eq=False)
class Unchecked:
    """A command whose failure goes unseen: what then happens, and the launches to which it does.

    ``unsure`` says why that is not known; empty where it is.
    """

    at: Place
    consequence: str
    launches: tuple[Launch, ...]
    unsure: str = ""


class Unlooked:
    """Finds them in one launcher."""

    def __init__(self, scripts: Scripts, documents: Documents, refs: RefLookup, profile: Profile) -> None:
        self._scripts, self._documents, self._refs, self._profile = scripts, documents, refs, profile

    def of(self, path: str) -> Iterator[Unchecked]:
        """The unchecked commands of a launcher, in order."""
        statements = self._scripts.statements(path)
        programs = {one.program for one in self._profile.launch.opaque}
        clones: dict[int, Statement] = {}
        last: Statement | None = None
        for index, one in enumerate(statements):
            if one.cloned is not None:
                clones[one.block] = last = one
            if one.checked:
                continue
            at = Place(one.text, Span(*one.node.span))
            edits = next((program for program in programs if one.mentions(program)), None)
            if one.pin is not None and one.pin not in self._started(last):
                yield from self._pin(one, at, clones.get(one.block), statements[index + 1 :])
            elif one.pin is None and edits is not None:
                launches = tuple(self._scripts.editing(path, at.span.start))
                yield Unchecked(at, f"if {edits} fails, the launcher submits the recipe as it was before", launches)

    def _started(self, clone: Statement | None) -> tuple[str, ...]:
        """The branches that a clone may be at: the one it names, the default one, or what that may be."""
        if clone is None:
            return ()
        if clone.cloned:
            return (clone.cloned,)
        answer = self._refs(clone.source, None) if clone.source else None
        return (answer.name,) if answer is not None and answer.tree is not None else ("main", "master")

    def _pin(
        self, one: Statement, at: Place, clone: Statement | None, rest: Iterable[Statement]
    ) -> Iterator[Unchecked]:
        branch = clone.cloned if clone is not None else None
        left = f"the branch {branch}" if branch else "the revision that the clone is at"
        if branch == "":
            left = "the default branch"
        consequence = f"if {one.pin} cannot be checked out, the launcher goes on with {left}"
        running = tuple(self._scripts.running(at.text.path, at.span.start))
        affected = tuple(launch for launch in running if self._goes_on(launch, at, branch))
        if running and not affected:
            return
        guard = any(other.block == one.block and other.checked and other.applies_patch for other in rest)
        unsure = "a patch that is applied to the clone next may stop the launcher" if guard else ""
        yield Unchecked(at, consequence, affected, unsure)

    def _goes_on(self, launch: Launch, at: Place, branch: str | None) -> bool:
        """False where a launch would end without its document, or be at the very revision that it wants."""
        for outcome in launch.outcomes:
            clone = _pinned(outcome, at)
            if clone is None or branch is None:
                return True
            fallback = self._refs(clone.url, branch or None)
            if clone.ref == (branch or fallback.name):
                continue
            document = next((one for one in self._documents.of(launch) if one.outcome is outcome), None)
            source = document.source if document is not None else None
            if (
                source is None
                or not source.origin
                or fallback.tree is None
                or fallback.tree.kind(source.path) is Kind.FILE
            ):
                return True
        return False


def _pinned(outcome: Outcome, at: Place) -> Clone | None:
    """The clone that the command at a place puts at its revision."""
    for one in outcome.clones:
        named = one.named_at
        if named.text.path == at.text.path and at.span.start <= named.span.start < at.span.end:
            return one
    return None
