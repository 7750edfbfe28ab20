"""What ends a command early, and the exit codes."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; the format of the output never changes them."""

    CLEAN = 0
    FINDINGS = 1  # at or above --fail-on
    USAGE = 2  # usage or configuration error, or nothing to check
    INTERNAL = 3  # a crash, also of a rule whose other results are still printed; too little analysed
    INTERRUPTED = 130


class UsageError(Exception):
    """The invoker asked for something that does not exist or makes no sense; the text says what and how to go on."""
