"""Where the comments of a YAML file are. PyYAML drops them; suppressions are written in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from configlint.syntax.yaml.file import File

# Breaks of lines are those of libyaml, which has more of them than the rest of this program.
_MARK = re.compile(rb"#(?:(?<=\s#)|(?<=^#)|(?<=\A\xef\xbb\xbf#)|(?<=\xc2\x85#)|(?<=\xe2\x80[\xa8\xa9]#))", re.MULTILINE)
_REST = re.compile(rb"(?:(?!\xc2\x85|\xe2\x80[\xa8\xa9])[^\r\n])*")


class Comment(NamedTuple):
    """One comment. ``line`` and ``column`` count from 1, the column in bytes; ``text`` begins with ``#``."""

    line: int
    column: int
    text: str


def find_comments(file: File) -> Iterator[Comment]:
    """The comments of a file. Behind a fault, where nothing is known of scalars, only whole lines count."""
    raw = file.text.raw
    if b"#" not in raw:
        return
    starts, ends, known = _opaque(file)
    at = 0
    while found := _MARK.search(raw, at):
        at = found.start()
        if at >= known and not _stands_alone(raw, at):
            at += 1
            continue
        before = bisect_right(starts, at) - 1
        if before >= 0 and at < ends[before]:
            at = ends[before]
            continue
        rest = _REST.match(raw, at)
        end = rest.end() if rest else len(raw)
        position = file.text.position(at)
        yield Comment(position.line, position.column, raw[at:end].decode("utf-8", "replace").rstrip())
        at = end


def _stands_alone(raw: bytes, at: int) -> bool:
    return not raw[raw.rfind(b"\n", 0, at) + 1 : at].strip(b" \t\xef\xbb\xbf")


def _opaque(file: File) -> tuple[list[int], list[int], int]:
    """Where scalars may contain ``#`` (starts and ends, in order), and up to which offset that is all."""
    raw = file.text.raw
    spans = []
    known = 0
    for document in file.documents:
        if document is None:
            break
        known = file.offset(document.raw.end_mark.index)
        for node in document.walk():
            style = node.style if node.kind == "scalar" else ""
            if style:
                start, end = node.span
                if style in "|>":  # the line of the indicator may end in a comment
                    start = raw.find(b"\n", start, end) % (end + 1)
                spans.append((start, end))
    else:
        known = len(raw) + 1
    spans.sort()
    return [start for start, _ in spans], [end for _, end in spans], known
