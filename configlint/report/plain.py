"""Text that is safe to print: quoted source must not steer a terminal or reorder what stands around it."""

from __future__ import annotations

import re

# C0 and C1 controls (ESC and the one-byte CSI among them), line and paragraph separators, and the marks that
# change the direction of text. Tab and line feed are matched too: callers expand or split before.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
LIMIT = 2000  # characters of a message or name; a quoted value may be as long as a file
_BLANKS = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")


def stripped(text: str) -> str:
    """The text without control characters."""
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub("", text)


def is_printable(name: str) -> bool:
    """True if nothing would be lost of a name on its way to a terminal, line ends aside."""
    return len(stripped(name)) == len(name) - name.count("\n") - name.count("\r")


def one_line(text: str) -> str:
    """The text on one line: line ends and tabs become a blank, other control characters vanish, the end is cut off."""
    if len(text) > LIMIT:
        text = text[: LIMIT - 1] + "…"
    return stripped(_BLANKS.sub(" ", text))


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 point``, ``5 points``; ``plural`` for a noun that does not just take an ``s``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: list[str], limit: int) -> str:
    """The first items, joined, and how many more there are."""
    more = len(items) - limit
    return ", ".join(items if more <= 0 else [*items[:limit], f"{more} more"])


def path_bytes(path: str) -> bytes:
    """The bytes of a path for a URI: a name that is no UTF-8 was decoded with surrogate escapes."""
    try:
        return path.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", errors="replace")
