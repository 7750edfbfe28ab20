"""JSON text: one line an object where there are many, so that it can be read, searched and written quickly.

(The indenting encoder of the standard library is several times slower than its compact one.)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from configlint.report.workflow import defused

_encode = json.JSONEncoder(ensure_ascii=False).encode


def dumped(document: Any, depth: int = 2) -> Iterator[str]:
    """The document in pieces of whole lines. Containers down to ``depth`` have a line for each element."""
    for line in _lines(document, depth, ""):
        yield defused(line) + "\n"


def _lines(value: Any, depth: int, margin: str) -> Iterator[str]:
    """The value's lines; the first one without its margin, for a key may stand before it."""
    if depth == 0 or not value or not isinstance(value, dict | list):
        yield _encode(value)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield opening
    inner = margin + "  "
    elements = value.items() if isinstance(value, dict) else ((None, element) for element in value)
    last = len(value) - 1
    for index, (key, element) in enumerate(elements):
        head = f"{inner}{_encode(key)}: " if key is not None else inner
        lines = list(_lines(element, depth - 1, inner))
        lines[0] = head + lines[0]
        lines[-1] += "" if index == last else ","
        yield from lines
    yield margin + closing
