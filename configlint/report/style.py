"""How a report is written: the few things that the reader's terminal and options decide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """``width`` is the number of columns for quoted source, ``root`` the folder that hyperlinks lead into.

    ``root`` is empty where there must be no links: not a terminal, or no working tree. ``timings`` asks for figures
    that differ from run to run, which are kept out of reports otherwise.
    """

    color: bool = False
    root: str = ""
    width: int = 140
    verbose: bool = False
    timings: bool = False
