"""What PyYAML's own parser says of a file that libyaml rejects: a second opinion before a fault is reported."""

from __future__ import annotations

import yaml

MAX_BYTES = 100_000
"""Larger files are not asked about: this parser takes about a second for so many bytes."""


def is_readable(raw: bytes) -> bool:
    """True if the parser that is written in Python reads every document of the file."""
    if len(raw) > MAX_BYTES:
        return False
    try:
        for _ in yaml.compose_all(raw, Loader=yaml.SafeLoader):
            pass
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return True
