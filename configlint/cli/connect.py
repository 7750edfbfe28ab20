"""Where the command line meets the model. The only module of the command line that imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from configlint.cli.request import OpenedProject, Request


def connect(request: Request) -> OpenedProject:
    """Open the project that the request describes. Raises UsageError where there is none."""
    raise NotImplementedError("the model is not connected yet")
