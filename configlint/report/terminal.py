"""Colours and hyperlinks of a terminal, and whether there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from configlint.report.plain import path_bytes
from configlint.report.style import Style

_CODES: Mapping[str, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "frame": "1;34",
    "bold": "1",
    "dim": "2",
}


def wants_color(choice: str, is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """Colour or not: an explicit choice, then ``NO_COLOR``, then ``FORCE_COLOR``, then whether it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR")
    if forced is not None and forced != "":
        return forced.lower() not in ("0", "false", "no")
    return is_terminal and environment.get("TERM") != "dumb"


@dataclass(frozen=True)
class Paint:
    """Writes text in a colour or as a link, or plainly, as the style says."""

    style: Style

    def __call__(self, kind: str, text: str) -> str:
        """The text in the colour of ``kind`` (a severity's label, ``frame``, ``bold``, ``dim``)."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.style.color and text else text

    def link(self, path: str, text: str) -> str:
        """The text, leading to a file of the working tree (OSC 8)."""
        if not self.style.root:
            return text
        from urllib.parse import quote  # slow to import, and only terminals need it

        target = quote(path_bytes(f"{self.style.root}/{path}"))
        return f"\x1b]8;;file://{target}\x1b\\{text}\x1b]8;;\x1b\\"
