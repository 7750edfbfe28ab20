"""Which recipe schema a submitted document meets: the one of the revision that the launcher checks out.

Exact where the revision is one that is shipped (by tag, by commit, or a branch that the profile calls as good as a
tag), or can be read here: then its own sources say it. Where neither holds, only what every known revision refuses is
certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.outcome import Clone
from configlint.model.documents import Document, Settled
from configlint.profile.profile import Profile, Submit
from configlint.source.base import Tree, Unreadable
from configlint.source.text import Place
from configlint.source.urls import normalise_url

if TYPE_CHECKING:
    from configlint.catalog.recipes.known import Known, Revision
    from configlint.catalog.recipes.schema import Schema
    from configlint.model.recipes.verdict import Problem


@dataclass(frozen=True)
class Refusal:
    """One thing in a submitted document that its loader refuses.

    ``accepted``: the known revisions that take it, for people; empty where none does. ``by`` is ``exact`` where the
    revision that the launcher checks out refuses, ``upstream`` where that cannot be read here and every known one
    refuses, and ``fork`` where it is besides a revision of another repository, which may well know more.
    """

    kind: str
    path: str
    message: str
    at: Place
    pin: Place
    revision: str
    by: str
    accepted: str
    near: str = ""

    @property
    def whose(self) -> str:
        """Who refuses, for people."""
        if self.by == "exact":
            return self.revision
        if self.by == "upstream":
            return f"any known revision ({self.revision} cannot be read here)"
        return f"any known revision; {self.revision} of a fork, which cannot be read here, must have it"


@dataclass(eq=False)
class Pins:
    """The revisions and schemas that the launches of a tree meet."""

    profile: Profile
    _schemas: dict[tuple[str, str], Schema | None] = field(default_factory=dict)
    _verdicts: dict[tuple[int, str, str | None, str], tuple[Problem, ...]] = field(default_factory=dict)

    @cached_property
    def known(self) -> Known:
        from configlint.catalog.recipes.known import known

        return known()

    def refusals(self, document: Document) -> tuple[Refusal, ...]:
        """What the loader refuses of the submitted variants, each once."""
        clone = document.clone
        if clone is None or self._submit is None:
            return ()
        found = [one for settled in document.settled for one in self._of(document, settled, clone)]
        return tuple({(one.kind, one.path, one.message): one for one in found}.values())

    def is_known(self, document: Document) -> bool:
        """Whether the schema of the revision that is checked out is known."""
        return document.clone is not None and self.schema(document, document.clone) is not None

    @property
    def is_modelled(self) -> bool:
        """Whether what submits documents here is a program that is modelled."""
        return self._submit is not None

    @property
    def _submit(self) -> Submit | None:
        return next((one for one in self.profile.launch.submits if one.schema), None)

    # --- schemas ----------------------------------------------------------------------------------

    def schema(self, document: Document, clone: Clone) -> Schema | None:
        """The schema of a clone, None where it is not known."""
        key = (clone.url, clone.ref)
        if key not in self._schemas:
            self._schemas[key] = self._found(document, clone)
        return self._schemas[key]

    def _found(self, document: Document, clone: Clone) -> Schema | None:
        revision = self._revision(clone)
        if revision is not None:
            return revision.schema
        tree = document.world.ref(clone.url, None if clone.is_default else clone.ref).tree
        return _read(tree) if tree is not None else None

    def revision(self, document: Document) -> Revision | None:
        """The shipped revision that the launcher checks out; None where it is another one or not known."""
        return self._revision(document.clone) if document.clone is not None and self.is_modelled else None

    def _revision(self, clone: Clone) -> Revision | None:
        if clone.commit is not None:
            return self.known.by_commit(clone.commit)
        revision = self.known.by_commit(clone.ref) if set(clone.ref) <= set("0123456789abcdef") else None
        named = self.known.by_name(clone.ref) if self._is_official(clone) and revision is None else None
        if named is not None and (named.is_tag or self.profile.policy.is_release_branch(named.name)):
            return named
        return revision

    def _is_official(self, clone: Clone) -> bool:
        upstream = self._submit.upstream if self._submit is not None else ()
        return normalise_url(clone.url) in {normalise_url(one) for one in upstream}

    # --- refusals ---------------------------------------------------------------------------------

    def _of(self, document: Document, settled: Settled, clone: Clone) -> Iterator[Refusal]:
        schema = self.schema(document, clone)
        by = "exact" if schema is not None else "upstream" if self._is_official(clone) else "fork"
        for problem in self._candidates(schema, document, settled):
            if settled.touched.matches(problem.dotted):
                continue
            accepted = [
                one.name for one in self.known.revisions if not self._refuses(one.schema, document, settled, problem)
            ]
            if schema is None and accepted:
                continue
            at = _place(document, problem)
            if at is not None:
                yield Refusal(
                    problem.kind,
                    problem.dotted,
                    problem.message,
                    at,
                    clone.named_at,
                    clone.ref,
                    by,
                    self.known.spelled(accepted),
                    problem.near,
                )

    def _candidates(self, schema: Schema | None, document: Document, settled: Settled) -> tuple[Problem, ...]:
        """What the schema refuses; without one, what any of the known ones does, of which most is left out later.

        Nothing, if one of them takes the document: then it is not certain that anything is refused.
        """
        if schema is not None:
            return self._verdict(schema, document, settled)
        first: dict[tuple[str, ...], Problem] = {}
        for one in reversed(self.known.distinct):
            found = self._verdict(one, document, settled)
            if not found:
                return ()
            for problem in found:
                first.setdefault(problem.path, problem)
        return tuple(first.values())

    def _refuses(self, schema: Schema, document: Document, settled: Settled, problem: Problem) -> bool:
        """Whether a schema refuses the same thing, or what it is in."""
        return any(one.path == problem.path[: len(one.path)] for one in self._verdict(schema, document, settled))

    def _verdict(self, schema: Schema, document: Document, settled: Settled) -> tuple[Problem, ...]:
        from configlint.model.recipes.verdict import problems

        text, variant = document.last_known[0], settled.variant
        key = (id(schema), text.text if text is not None else "", document.selector, variant.name)
        if key not in self._verdicts:
            self._verdicts[key] = problems(schema, variant.values)
        return self._verdicts[key]


def _read(tree: Tree) -> Schema | None:
    """The schema in the sources of a revision; None where they hold none that can be read in full."""
    from configlint.catalog.recipes.read import NoSchema, read_schema
    from configlint.catalog.recipes.schema import Schema

    def read(path: str) -> str | None:
        try:
            return tree.read(path).string
        except (FileNotFoundError, Unreadable):
            return None

    try:
        facts, _ = read_schema(read)
    except NoSchema:
        return None
    return Schema(facts)


def _place(document: Document, problem: Problem) -> Place | None:
    """Where the key is written that a problem is about; the mapping for one that is missing."""
    from configlint.model.recipes.verdict import key_of
    from configlint.syntax.yaml import path_to

    node = key_of(problem.owner, problem.path[-1])
    value = problem.value
    if node is None and value is not None and not isinstance(value, dict):  # of a merged mapping: look it up
        steps = path_to(value.file.root, value)
        above = value.file.root.at(*steps[:-1]) if steps and value.file.root is not None else None
        node = above.key(steps[-1]) if above is not None and above.kind == "map" else value
    if node is None and not isinstance(problem.owner, dict):
        node = problem.owner
    return (document.place(node) if node is not None else None) or document.top
