"""What PyYAML's own parser says of a file that libyaml rejects: a second opinion before a fault is reported."""

from __future__ import annotations

import yaml

MAX_BYTES = 100_000
"""Larger files are not asked about: this parser takes about a second for so many bytes."""
_MAX_DEPTH = 200  # its time grows with the square of the depth


class _Shallow(yaml.SafeLoader):
    """Refuses to go deeper than a person would write."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.flow_level + len(self.indents) > _MAX_DEPTH:
            raise ValueError("nested too deep")
        node: yaml.Node | None = super().compose_node(parent, index)
        return node


def is_readable(raw: bytes) -> bool:
    """True if the parser that is written in Python reads every document of the file."""
    if len(raw) > MAX_BYTES:
        return False
    try:
        for _ in yaml.compose_all(raw, Loader=_Shallow):
            pass
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return True
