"""sed's own escapes for characters, which it takes in expressions, replacements and texts alike."""

from __future__ import annotations

from configlint.syntax.sed.errors import Unsupported

ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
NUMBERED = frozenset("cdox")
_BASES = {"d": (10, 3, "0123456789"), "o": (8, 3, "01234567"), "x": (16, 2, "0123456789abcdefABCDEF")}


def numbered_escape(text: str, at: int, kind: str) -> tuple[str, int]:
    """The character of ``\\dNNN``, ``\\oNNN``, ``\\xHH`` whose digits begin at ``at``, and where they end.

    Raises Unsupported for control characters by letter (``\\cX``), bytes beyond ASCII and missing digits.
    """
    base, width, digits = _BASES.get(kind, (0, 0, ""))
    end = at
    while end < len(text) and end - at < width and text[end] in digits:
        end += 1
    if end == at or int(text[at:end], base) > 0x7E:
        raise Unsupported(f"escape \\{kind}", at)
    return chr(int(text[at:end], base)), end
