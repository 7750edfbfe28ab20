"""Bash scripts as a small immutable tree (:mod:`configlint.syntax.bash.nodes`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from configlint.source.text import Span, Text
    from configlint.syntax.bash.nodes import Script


def parse(text: Text, span: Span | None = None) -> Script:
    """The script in ``text``, or in its part ``span`` (an embedded script); offsets are absolute either way.

    Never raises for bad input: what is not understood is an ``Opaque`` and a ``Fault``.
    """
    from configlint.syntax.bash import parser  # brings tree-sitter

    return parser.parse(text, span)


def parse_string(source: str) -> Script:
    """The script in a string without a file (a generated text, an argument of ``bash -c``)."""
    from configlint.syntax.bash import parser

    return parser.parse_string(source)
