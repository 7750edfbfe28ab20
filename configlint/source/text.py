"""Source text with byte spans.

Every place configlint talks about is a :class:`Span` (half-open byte offsets) inside a :class:`Text`.
Parsers work on what suits them (tree-sitter on bytes, PyYAML on code points) and convert late.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open range of byte offsets into the raw bytes of a file."""

    start: int
    end: int


class Position(NamedTuple):
    """1-based line and 1-based column, the column counted in UTF-8 bytes."""

    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Text:
    """The bytes of one file, with its path as shown to people.

    ``path`` is relative to the root of its tree, with ``/`` separators. ``origin`` is empty for the
    tree under review and names the outside repository and revision otherwise
    (``NVIDIA/srt-slurm@v1.0.38``).
    """

    path: str
    raw: bytes
    origin: str = ""
    _starts: list[int] = field(default_factory=list, repr=False)

    @property
    def shown(self) -> str:
        """The path as messages print it: ``origin:path``, or the bare path in the reviewed tree."""
        return f"{self.origin}:{self.path}" if self.origin else self.path

    @cached_property
    def string(self) -> str:
        """The text, decoded as UTF-8; undecodable bytes become U+FFFD. A BOM is kept."""
        return self.raw.decode("utf-8", errors="replace")

    @cached_property
    def _offsets_agree(self) -> bool:
        return self.raw.isascii()

    @property
    def line_starts(self) -> list[int]:
        """Byte offset of the start of each line; lines end at LF only."""
        if not self._starts:
            starts = self._starts
            starts.append(0)
            at = self.raw.find(b"\n")
            while at != -1:
                starts.append(at + 1)
                at = self.raw.find(b"\n", at + 1)
        return self._starts

    def position(self, offset: int) -> Position:
        """Line and column of a byte offset (clamped to the text)."""
        offset = max(0, min(offset, len(self.raw)))
        line = bisect_right(self.line_starts, offset) - 1
        return Position(line + 1, offset - self.line_starts[line] + 1)

    def line_span(self, line: int) -> Span:
        """The span of a 1-based line without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] - 1 if line < len(self.line_starts) else len(self.raw)
        if end > start and self.raw[end - 1 : end] == b"\r":
            end -= 1
        return Span(start, end)

    def byte_offset(self, character: int) -> int:
        """The byte offset of a code-point index into :attr:`string`."""
        if self._offsets_agree:
            return character
        return len(self.string[:character].encode("utf-8", errors="replace"))

    def slice(self, span: Span) -> str:
        """The decoded text of a span."""
        return self.raw[span.start : span.end].decode("utf-8", errors="replace")


@dataclass(frozen=True)
class Place:
    """A span in a text: what findings and origins point at."""

    text: Text
    span: Span

    @property
    def path(self) -> str:
        return self.text.shown

    @property
    def start(self) -> Position:
        return self.text.position(self.span.start)

    @property
    def end(self) -> Position:
        return self.text.position(self.span.end)

    @property
    def line(self) -> int:
        return self.start.line
