"""Shell patterns, three-valued: does a text with holes match, surely not, or who knows.

Matching is the two-pointer algorithm over tokens: no regular expression, so no blow-up on hostile patterns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from configlint.launch.values import END, HOLE, INPUT, MAX_VALUE, UNKNOWN

STAR, ANY, HOLE_TOKEN = "*", "?", "hole"
MAX_STEPS = 200_000
"""Comparisons of characters that one pattern may need; what needs more stays open."""

_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "blank": lambda c: c in " \t",
    "punct": lambda c: c.isprintable() and not c.isalnum() and not c.isspace(),
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "word": lambda c: c.isalnum() or c == "_",
}


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A bracket expression."""

    negated: bool
    characters: frozenset[str]
    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]

    def matches(self, character: str) -> bool:
        inside = (
            character in self.characters
            or any(low <= character <= high for low, high in self.ranges)
            or any(_CLASSES[name](character) for name in self.classes)
        )
        return inside != self.negated


@dataclass(frozen=True, slots=True)
class Char:
    """One character that stands for itself."""

    character: str


Token = Char | CharacterSet | str
Pattern = tuple[Token, ...]


class UnsupportedPattern(Exception):
    """An extended glob or something else that is not modelled."""


@lru_cache(maxsize=4096)
def compile_pattern(segments: tuple[tuple[str, bool], ...]) -> Pattern:
    """Tokens of a pattern given as (text, quoted) segments; holes become tokens of their own.

    Raises :class:`UnsupportedPattern` for extended globs.
    """
    tokens: list[Token] = []
    scanned = 0
    for text, quoted in segments:
        at = 0
        while at < len(text):
            character = text[at]
            if character in (UNKNOWN, INPUT):
                at = text.index(END, at) + 1
                tokens.append(HOLE_TOKEN)
            elif quoted:
                tokens.append(Char(character))
                at += 1
            elif character == "\\" and at + 1 < len(text):
                tokens.append(Char(text[at + 1]))
                at += 2
            elif character == "\\":
                raise UnsupportedPattern("a backslash at the end")
            elif character in "*?+@!" and text[at + 1 : at + 2] == "(":
                raise UnsupportedPattern(text)
            elif character == "*":
                if not tokens or tokens[-1] != STAR:
                    tokens.append(STAR)
                at += 1
            elif character == "?":
                tokens.append(ANY)
                at += 1
            elif character == "[":
                parsed = _bracket(text, at)
                if parsed is None:
                    scanned += len(text) - at
                    if scanned > MAX_STEPS:
                        raise UnsupportedPattern("many brackets that are not closed")
                    tokens.append(Char("["))
                    at += 1
                else:
                    token, at = parsed
                    tokens.append(token)
            else:
                tokens.append(Char(character))
                at += 1
    return tuple(tokens)


def _bracket(text: str, start: int) -> tuple[CharacterSet, int] | None:
    at = start + 1
    negated = text[at : at + 1] in ("!", "^")
    at += negated
    characters: set[str] = set()
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    first = True
    while at < len(text):
        character = text[at]
        if character == "]" and not first:
            return CharacterSet(negated, frozenset(characters), tuple(ranges), tuple(classes)), at + 1
        first = False
        if character == "[" and text[at + 1 : at + 2] == ":":
            close = text.find(":]", at)
            if close == -1 or text[at + 2 : close] not in _CLASSES:
                return None
            classes.append(text[at + 2 : close])
            at = close + 2
            continue
        if character == "\\" and at + 1 < len(text):
            at += 1
            character = text[at]
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text) and text[at + 2] != "]":
            ranges.append((character, text[at + 2]))
            at += 3
        else:
            characters.add(character)
            at += 1
    return None


def _one(token: Token, character: str) -> bool:
    if isinstance(token, Char):
        return token.character == character
    if isinstance(token, CharacterSet):
        return token.matches(character)
    return token == ANY


def _fits(pattern: Pattern, text: str) -> bool:
    """Plain matching; STAR and holes in the pattern both stand for any text."""
    index = at = 0
    star, mark = -1, 0
    while at < len(text):
        token = pattern[index] if index < len(pattern) else None
        if token is not None and token in (STAR, HOLE_TOKEN):
            star, mark = index, at
            index += 1
        elif token is not None and _one(token, text[at]):
            index += 1
            at += 1
        elif star != -1:
            mark += 1
            index, at = star + 1, mark
        else:
            return False
    return all(token in (STAR, HOLE_TOKEN) for token in pattern[index:])


def _is_costly(pattern: Pattern, text: str, rounds: int = 1) -> bool:
    """True if so many rounds of matching take too long: each star may try every place again."""
    again = len(pattern) if STAR in pattern or HOLE_TOKEN in pattern else 1
    return rounds * len(text) * again > MAX_STEPS


def steps(pattern: Pattern, text: str, *, cut: bool = False) -> int:
    """How many comparisons a match may need; ``cut``: pieces of the text are tried, too."""
    if not any(token in (STAR, HOLE_TOKEN) for token in pattern[1:-1]):
        return len(text)
    return min(len(text) * len(pattern) * (len(text) if cut else 1), MAX_STEPS)


def matches(pattern: Pattern, text: str) -> bool | None:
    """Whether the whole text matches; None where holes on either side leave it open, or it takes too long."""
    if pattern == (STAR,):
        return True
    if len(text) > 64 and _is_costly(pattern, text):
        return None
    open_pattern = HOLE_TOKEN in pattern
    if UNKNOWN not in text and INPUT not in text:
        fits = _fits(pattern, text)
        return fits if not open_pattern or not fits else None
    head, _, _ = _split_holes(text)
    if not _prefix_possible(pattern, head):
        return False
    tail = HOLE.split(text)[-1]
    if not _prefix_possible(tuple(reversed(pattern)), tail[::-1]):
        return False
    return None


def _split_holes(text: str) -> tuple[str, str, str]:
    found = HOLE.search(text)
    if found is None:
        return text, "", ""
    return text[: found.start()], found.group(0), text[found.end() :]


def _prefix_possible(pattern: Pattern, prefix: str) -> bool:
    for index, character in enumerate(prefix):
        if index >= len(pattern):
            return False
        token = pattern[index]
        if token in (STAR, HOLE_TOKEN):
            return True
        if not _one(token, character):
            return False
    return True


def equal(left: str, right: str) -> bool | None:
    """Whether two texts are the same; None where holes leave it open."""
    if left == right:
        return True
    if not any(mark in text for text in (left, right) for mark in (UNKNOWN, INPUT)):
        return False
    heads = _split_holes(left)[0], _split_holes(right)[0]
    tails = HOLE.split(left)[-1], HOLE.split(right)[-1]
    short = min(len(heads[0]), len(heads[1]))
    if heads[0][:short] != heads[1][:short]:
        return False
    short = min(len(tails[0]), len(tails[1]))
    if short and tails[0][-short:] != tails[1][-short:]:
        return False
    for fixed, other in ((left, right), (right, left)):
        if not HOLE.search(fixed):
            pieces = HOLE.split(other)[::2]
            if sum(map(len, pieces)) > len(fixed):
                return False
            tokens: Pattern = compile_pattern(((other, True),))
            if not _fits(tokens, fixed):
                return False
    return None


def remove(value: str, operator: str, pattern: Pattern) -> str | None:
    """``${value#pattern}`` and its kin (``# ## % %%``); None where holes leave the result open."""
    if HOLE_TOKEN in pattern:
        return None
    if UNKNOWN in value or INPUT in value:
        return _remove_open(value, operator, pattern)
    quick = _remove_quickly(value, operator, pattern)
    if quick is not None:
        return quick
    if _is_costly(pattern, value, len(value)):
        return None
    cuts = range(len(value) + 1)
    if operator == "#":
        return next((value[cut:] for cut in cuts if _fits(pattern, value[:cut])), value)
    if operator == "##":
        return next((value[cut:] for cut in reversed(cuts) if _fits(pattern, value[:cut])), value)
    if operator == "%":
        return next((value[:cut] for cut in reversed(cuts) if _fits(pattern, value[cut:])), value)
    return next((value[:cut] for cut in cuts if _fits(pattern, value[cut:])), value)


def _remove_quickly(value: str, operator: str, pattern: Pattern) -> str | None:
    """The usual shapes (``text``, ``text*``, ``*text``) by searching; None for any other."""
    head = bool(pattern) and pattern[0] == STAR
    tail = bool(pattern) and pattern[-1] == STAR
    middle = pattern[head : len(pattern) - tail]
    if (head and tail) or not middle or not all(isinstance(token, Char) for token in middle):
        return None
    text = "".join(token.character for token in middle if isinstance(token, Char))
    if operator in ("#", "##"):
        if not head:
            return (value[len(text) :] if not tail or operator == "#" else "") if value.startswith(text) else value
        at = value.find(text) if operator == "#" else value.rfind(text)
        return value if at < 0 else value[at + len(text) :]
    if not tail:
        return (value[: -len(text)] if not head or operator == "%" else "") if value.endswith(text) else value
    at = value.rfind(text) if operator == "%" else value.find(text)
    return value if at < 0 else value[:at]


def _remove_open(value: str, operator: str, pattern: Pattern) -> str | None:
    """Only what is sure without knowing the holes: a cut wholly inside the known end."""
    if not pattern:
        return value
    head_star, tail_star = bool(pattern) and pattern[0] == STAR, bool(pattern) and pattern[-1] == STAR
    middle = pattern[head_star : len(pattern) - tail_star]
    if not middle or (head_star and tail_star) or not all(isinstance(token, Char) for token in middle):
        return None
    if head_star or tail_star:
        literal = "".join(token.character for token in middle if isinstance(token, Char))
        return _cut_open(value, operator, literal) if head_star is (operator in ("#", "##")) else None
    literal = "".join(token.character for token in pattern if isinstance(token, Char))
    if operator in ("#", "##"):
        head = _split_holes(value)[0]
        if head.startswith(literal):
            return value[len(literal) :]
        return value if not _prefix_possible(pattern, head) else None
    tail = HOLE.split(value)[-1]
    if tail.endswith(literal) and literal:
        return value[: -len(literal)]
    return value if not _prefix_possible(tuple(reversed(pattern)), tail[::-1]) else None


def _cut_open(value: str, operator: str, literal: str) -> str | None:
    """``##*/`` and ``%/*`` cut at the last occurrence, ``#*/`` and ``%%/*`` at the first: sure if at the known end."""
    if operator in ("##", "%"):
        tail = HOLE.split(value)[-1]
        at = tail.rfind(literal)
        if at < 0:
            return None
        at += len(value) - len(tail)
    else:
        at = _split_holes(value)[0].find(literal)
        if at < 0:
            return None
    return value[at + len(literal) :] if operator in ("#", "##") else value[:at]


def replace(value: str, operator: str, pattern: Pattern, by: str) -> str | None:
    """``${value/pattern/by}`` with ``/ // /# /%``; None where holes leave the result open.

    Bash replaces the longest match at the first place where one exists.
    """
    if HOLE_TOKEN in pattern:
        return None
    if UNKNOWN in value or INPUT in value:
        return None
    if _is_plain(pattern) and operator in ("/", "//"):
        return _replace_text(value, "".join(one.character for one in pattern if isinstance(one, Char)), by, operator)
    fixed = STAR not in pattern
    if _is_costly(pattern, value, 1 if fixed else len(value)) or len(by) * len(value) > MAX_VALUE * 16:
        return None
    if operator == "/#":
        for cut in range(len(value), -1, -1):
            if _fits(pattern, value[:cut]):
                return by + value[cut:]
        return value
    if operator == "/%":
        for cut in range(len(value) + 1):
            if _fits(pattern, value[cut:]):
                return value[:cut] + by
        return value
    if not value:
        return by if pattern and _fits(pattern, "") else ""
    out: list[str] = []
    at = 0
    while at < len(value):
        ends = (at + len(pattern),) if fixed else range(len(value), at, -1)
        end = next((end for end in ends if at < end <= len(value) and _fits(pattern, value[at:end])), None)
        if end is None:
            out.append(value[at])
            at += 1
            continue
        out.append(by)
        at = end
        if operator == "/":
            break
    return "".join(out) + value[at:]


def _is_plain(pattern: Pattern) -> bool:
    """True for a pattern that is one text."""
    return all(isinstance(token, Char) for token in pattern)


def _replace_text(value: str, text: str, by: str, operator: str) -> str | None:
    """Replace a plain text; None where the result is longer than any value that is followed."""
    if not text:
        return value
    count = value.count(text) if operator == "//" else 1
    if len(value) + count * (len(by) - len(text)) > MAX_VALUE * 16:
        return None
    return value.replace(text, by) if operator == "//" else value.replace(text, by, 1)
