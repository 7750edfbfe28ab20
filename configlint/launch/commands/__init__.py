"""Summaries of commands: what each does to the shell and to the virtual file system.

A command without a summary is opaque: assumed to succeed, its output unknown.
"""

from __future__ import annotations

from configlint.launch.calls import Handler
from configlint.launch.commands import (
    awk,
    control,
    directories,
    edits,
    files,
    filters,
    git,
    grep,
    output,
    probes,
    reading,
    sinks,
)
from configlint.launch.commands.fallback import opaque

HANDLERS: dict[str, Handler] = {
    **control.HANDLERS,
    **directories.HANDLERS,
    **reading.HANDLERS,
    **output.HANDLERS,
    **filters.HANDLERS,
    **probes.HANDLERS,
    **files.HANDLERS,
    **edits.HANDLERS,
    **git.HANDLERS,
    **grep.HANDLERS,
    **awk.HANDLERS,
    **sinks.HANDLERS,
}


def handler_of(name: str) -> Handler:
    """The summary of a command, or the one for opaque commands."""
    return HANDLERS.get(name, opaque)


__all__ = ["HANDLERS", "handler_of"]
