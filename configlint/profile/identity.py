"""The part of a profile that says how documents name what they run, for readers of the results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pin:
    """Where a document says which version of a program is installed at start.

    ``sources`` are dotted paths of version numbers or commits, the first that is set counts. Nothing is installed where
    the value at ``installed`` is false.
    """

    program: str
    sources: tuple[str, ...]
    installed: str = ""


@dataclass(frozen=True)
class Identity:
    """What a document says about itself for readers of the results; the submitting program does not act on it.

    ``image`` is the path of the container image, ``frameworks`` of a table of programs with their versions.
    """

    image: str = ""
    frameworks: str = ""
    pins: tuple[Pin, ...] = ()
