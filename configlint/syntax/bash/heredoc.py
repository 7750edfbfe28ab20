"""Here-documents: the delimiter behind ``<<``, and the body below the line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from configlint.syntax.bash import modes, words
from configlint.syntax.bash.nodes import HereDocument, Literal, Opaque, Part, Redirect, Word
from configlint.syntax.bash.reader import Reader, SyntaxFault

_DELIMITER = re.compile(r"(?:[^ \t\r\n;&|<>()\\'\"]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\r(?!\n))+", re.DOTALL)
_QUOTE = re.compile(r"\\(.)|'([^']*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_TABS = re.compile(r"(?<=\n)\t+")


@dataclass(slots=True)
class Pending:
    """A here-document whose body has not been reached. The redirect is put into ``redirects`` at ``slot`` then."""

    start: int
    end: int
    fd: str | None
    delimiter: str
    quoted: bool
    strip_tabs: bool
    redirects: list[Redirect]
    slot: int


def delimiter(reader: Reader, at: int) -> tuple[str, bool, int] | None:
    """The delimiter word at ``at`` after quote removal, whether any of it was quoted, and the offset behind it."""
    match = _DELIMITER.match(reader.src, at, reader.end)
    if match is None:
        return None
    raw = match.group()
    plain = _QUOTE.sub(lambda quote: next((group for group in quote.groups() if group is not None), ""), raw)
    return plain, plain != raw, match.end()


def read_body(reader: Reader, at: int, pending: Pending, closing: str) -> int:
    """Read the body that starts at ``at``, complete the redirect; the offset behind the delimiter's line.

    ``closing`` ends the command list around it, and may stand behind the delimiter: ``EOF)``.
    """
    end, following = _extent(reader, at, pending, closing)
    if pending.quoted:
        text = reader.text(at, end)
        if pending.strip_tabs:
            text = _TABS.sub("", text.lstrip("\t"))
        body = Word(at, end, (Literal(at, end, text, True),))
    else:
        body = Word(at, end, _parts(reader, at, end, pending.strip_tabs))
    document = HereDocument(at, end, body, pending.delimiter, not pending.quoted, pending.strip_tabs)
    operator = "<<-" if pending.strip_tabs else "<<"
    pending.redirects[pending.slot] = Redirect(pending.start, pending.end, operator, document, pending.fd)
    return following


def _extent(reader: Reader, start: int, pending: Pending, closing: str) -> tuple[int, int]:
    """Where the body ends and where reading goes on behind its delimiter (the end of input delimits, too)."""
    src = reader.src
    tabs = "\t*" if pending.strip_tabs else ""
    last = rf"(?:\r?$|(?={re.escape(closing)}))" if closing else r"\r?$"
    line = re.compile(f"^{tabs}{re.escape(pending.delimiter)}{last}", re.MULTILINE)
    at = start
    while match := line.search(src, at, reader.end):
        end = match.end()
        if pending.quoted or match.start() == start or not _continues(src, start, match.start() - 1):
            return match.start(), end + 1 if src.startswith("\n", end, reader.end) else end
        at = end
    return reader.end, reader.end


def _continues(src: str, start: int, end: int) -> bool:
    """Does the line end in a backslash that is not itself quoted?"""
    backslashes = 0
    while end - backslashes > start and src[end - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


def _parts(reader: Reader, start: int, end: int, strip_tabs: bool) -> tuple[Part, ...]:
    outer, depth, faults = reader.end, reader.depth, len(reader.faults)
    reader.end = end
    try:
        parts, _ = words.segment(reader, start, modes.DOCUMENT)
    except SyntaxFault as fault:
        parts = [Opaque(fault.start, end, "here-document", reader.text(fault.start, end))]
    del reader.faults[faults:]  # bash parses the body when the command runs, so it is no fault of the script
    reader.end, reader.depth = outer, depth
    if strip_tabs:
        parts = [_stripped(reader, part, start) if isinstance(part, Literal) else part for part in parts]
        parts = [part for part in parts if not isinstance(part, Literal) or part.text]
    return tuple(parts)


def _stripped(reader: Reader, part: Literal, start: int) -> Literal:
    text = part.text
    if part.start == start or reader.src[part.start - 1] == "\n":
        text = text.lstrip("\t")
    return Literal(part.start, part.end, _TABS.sub("", text), True)
