"""What a command needs to know to open a project: the connection between the command line and the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `check` needs no view, and making thirty classes is felt at start-up
    from typing import Protocol

    from configlint.cli.views import Views
    from configlint.lint.project import Project

    class OpenedProject(Project, Views, Protocol):
        """Both sides of a project: subjects for rules, views for the other commands."""

    Opener = Callable[["Request"], OpenedProject]


@dataclass(frozen=True)
class Request:
    """A repository and how to read it.

    ``start``: a folder or file in it, or the repository itself where ``exact`` (``--repo``; it may be bare).
    ``revision``: None for the working tree. ``ref_sources``: as the user wrote them in options, ``environment_refs``:
    in ``CONFIGLINT_REFS``. ``profile``: a name or a file, None to find out. ``jobs``: processes, 0 for as many as
    make sense.
    """

    start: Path
    exact: bool = False
    revision: str | None = None
    ref_sources: tuple[str, ...] = ()
    environment_refs: tuple[str, ...] = ()
    profile: str | None = None
    jobs: int = 0


def open_project(request: Request) -> OpenedProject:
    """The model's project for a request: what an ``Opener`` does.

    Raises :class:`configlint.cli.errors.UsageError` where there is no repository or no such revision.
    """
    from configlint.cli.connect import connect  # the model, with everything below it

    return connect(request)
