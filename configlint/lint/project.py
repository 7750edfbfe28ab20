"""What the engine needs of a project: the tree and its subjects, each made once and only when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from configlint.api.finding import Diagnostic
from configlint.source.trees import Tree


class Project(Protocol):
    """A repository at one revision, as rules see it.

    Every subject method may be called more than once and answers the same objects in the same order. A method
    computes what it answers on the first call and nothing else does, so that a run pays only for what its rules look
    at. None of them raises for bad input: what cannot be analysed is left out and becomes a diagnostic.
    """

    @property
    def tree(self) -> Tree:
        """The files under review."""

    @property
    def root(self) -> Path | None:
        """The folder that relative paths on the command line refer to; None for a bare repository."""

    @property
    def empty(self) -> str:
        """Why there is nothing to check (``no launcher, script or matrix file under ...``); empty if there is."""

    def launches(self) -> Iterable[Any]:
        """Distinct launches: point x launcher x mode, points that share a launch together."""

    def documents(self) -> Iterable[Any]: ...

    def entries(self) -> Iterable[Any]: ...

    def scripts(self) -> Iterable[Any]: ...

    def repository(self) -> Any: ...

    def changes(self) -> Iterable[Any]:
        """What differs from the base; empty where there is none."""

    def diagnostics(self) -> Sequence[Diagnostic]:
        """What could not be analysed so far; asked after all rules ran."""

    def counts(self) -> Mapping[str, int]:
        """Numbers for ``--stats``, without computing anything: how much *has been* computed.

        Known keys: ``files`` read, ``entries``, ``points``, ``launches`` (all), ``distinct_launches``,
        ``not_analysed`` (launches that ended in a cap or an unsupported construct).
        """


SUBJECT_METHODS: Mapping[str, str] = {
    "Repository": "repository",
    "Script": "scripts",
    "Document": "documents",
    "Entry": "entries",
    "Launch": "launches",
    "Change": "changes",
}
"""Subject type -> method of :class:`Project`; in the order in which rules run, cheap subjects first."""


def subjects(project: Project, kind: str) -> tuple[Any, ...]:
    """All subjects of a kind."""
    answer = getattr(project, SUBJECT_METHODS[kind])()
    return (answer,) if kind == "Repository" else tuple(answer)
