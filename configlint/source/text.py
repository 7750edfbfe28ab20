"""Source text with byte spans.

Every place configlint talks about is a :class:`Span` (half-open byte offsets) inside a :class:`Text`.
Parsers work on what suits them (tree-sitter on bytes, PyYAML on code points) and convert late.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from configlint.source.records import record

_CHUNK = 512  # bytes between two points of which both offsets are known


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
    _starts: array[int] = field(default_factory=lambda: array("Q"), repr=False)

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
    def line_starts(self) -> Sequence[int]:
        """Byte offset of the start of each line; lines end at LF only."""
        if not self._starts:
            starts = self._starts
            starts.append(0)
            at = self.raw.find(b"\n")
            while at != -1:
                starts.append(at + 1)
                at = self.raw.find(b"\n", at + 1)
        return self._starts

    @cached_property
    def _checkpoints(self) -> tuple[list[int], list[int]]:
        """Byte offsets every few hundred bytes, and the code-point index of each."""
        raw, bytes_, characters = self.raw, [0], [0]
        while (start := bytes_[-1]) + _CHUNK < len(raw):
            at = start + _CHUNK
            # Cut only where decoding starts afresh: not before a continuation byte, but the fourth one in a row
            # belongs to nothing.
            while raw[at] & 0xC0 == 0x80 and not all(byte & 0xC0 == 0x80 for byte in raw[at - 3 : at]):
                at -= 1
            characters.append(characters[-1] + len(raw[start:at].decode("utf-8", errors="replace")))
            bytes_.append(at)
        return bytes_, characters

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
        """The byte offset of a code-point index into :attr:`string` (clamped to the text)."""
        character = max(0, min(character, len(self.string)))
        if self._offsets_agree:
            return character
        bytes_, characters = self._checkpoints
        chunk = bisect_right(characters, character) - 1
        start = bytes_[chunk]
        end = bytes_[chunk + 1] if chunk + 1 < len(bytes_) else len(self.raw)
        return start + _encoded_length(self.raw[start:end], character - characters[chunk])

    def slice(self, span: Span) -> str:
        """The decoded text of a span."""
        return self.raw[span.start : span.end].decode("utf-8", errors="replace")


def _encoded_length(raw: bytes, characters: int) -> int:
    """How many bytes the first ``characters`` code points of ``raw`` take, decoded as :attr:`Text.string` does."""
    done = 0
    while True:
        try:
            whole = raw[done:].decode("utf-8")
            return done + len(whole[:characters].encode("utf-8"))
        except UnicodeDecodeError as fault:
            # Everything before the fault is sound; the faulty bytes together became one U+FFFD.
            sound = raw[done : done + fault.start].decode("utf-8")
            if characters <= len(sound):
                return done + len(sound[:characters].encode("utf-8"))
            characters -= len(sound) + 1
            done += fault.end


@record
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
