"""The formats of ``check``, by name. A format is a module with one function; it is imported when it is used.

To add one: write a module with ``render(result, style) -> Iterator[str]`` and name it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import cast

from configlint.lint.result import Result
from configlint.report.style import Style

Render = Callable[[Result, Style], Iterator[str]]

FORMATS: Mapping[str, str] = {
    "text": "configlint.report.text",
    "json": "configlint.report.jsonv1",
    "sarif": "configlint.report.sarif",
    "github": "configlint.report.github",
}
"""Format -> module. The order is the one in which help lists them."""


def render(name: str, result: Result, style: Style) -> Iterator[str]:
    """The report in pieces, each whole lines. ``name`` is a key of :data:`FORMATS`."""
    function = cast("Render", import_module(FORMATS[name]).render)
    return function(result, style)
