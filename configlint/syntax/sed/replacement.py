"""The right-hand side of ``s``: parsed into pieces, and put together for a match."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.escapes import ESCAPES, NUMBERED, numbered_escape
from configlint.syntax.sed.program import Piece


def parse(text: str, groups: int | None) -> tuple[Piece, ...]:
    """``text`` between the delimiters; ``groups`` is how many the expression has, None for the empty one."""
    pieces: list[Piece] = []
    plain: list[str] = []
    case = once = ""

    def emit(group: int | None = None) -> None:
        nonlocal case, once
        if plain:
            joined = "".join(plain)
            pieces.append(Piece(joined, None, case, once, joined.encode()))
            plain.clear()
            case = once = ""
        if group is not None:
            pieces.append(Piece("", group, case, once))
            case = once = ""

    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "&":
            emit(0)
        elif char != "\\":
            plain.append(char)
        elif at == len(text):
            raise Unsupported("trailing backslash in a replacement", at)
        else:
            char = text[at]
            at += 1
            if char in "0123456789":
                if groups is not None and int(char) > groups:
                    raise BadProgram(f"invalid reference \\{char} on s command's right-hand side", at)
                emit(int(char))
            elif char in "ULE":
                emit()
                case, once = char, ""
            elif char in "ul":
                emit()
                once = char
            elif char in NUMBERED:
                code, at = numbered_escape(text, at, char)
                if code in "\n\\":
                    raise Unsupported(f"\\{char} escape of a special character", at)
                plain.append(code)
            else:
                plain.append(ESCAPES.get(char, char))
    emit()
    if case or once:
        pieces.append(Piece("", None, case, once))
    return tuple(pieces)


def converted(pieces: Iterator[tuple[Piece, str]]) -> Iterator[str]:
    """The texts of the pieces after case conversion. Raises Unsupported for letters beyond ASCII that would change."""
    case = once = ""
    for piece, text in pieces:
        if piece.case:
            case = "" if piece.case == "E" else piece.case
            once = ""
        if piece.once:
            once = piece.once
        if not text:
            if piece.group is not None and not piece.once:
                once = ""  # \u waits behind the empty group that it stands at, but not behind the next
            yield text
            continue
        result = _case(text, case) if case else text
        if once:
            result = _case(text[0], once.upper()) + result[1:]
            once = ""
        yield result


def _case(text: str, case: str) -> str:
    if not text.isascii() and (text.upper() != text or text.lower() != text):
        for char in text:
            if not char.isascii() and (char.upper() != char or char.lower() != char):
                raise Unsupported("case conversion of a letter beyond ASCII")
    return text.upper() if case == "U" else text.lower()
