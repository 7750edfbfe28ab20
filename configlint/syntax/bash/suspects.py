"""Where a script that does not parse may have gone wrong: hints for people, after bash has refused it.

Bash complains where it loses hope, often far below the slip. Layout tells more: a string that runs over lines and ends
right before a word was probably meant to end earlier; a block inside another at the same indentation was probably meant
to follow it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from configlint.source.text import Span

_HERE = re.compile(r"<<(-?)[ \t]*(['\"\\]?)([\w.]+)")
_KEYWORD = re.compile(
    r"(?:^|[;&|(]|\b(?:then|do|else)\b)[ \t]*"
    r"((?:if|for|while|until|case|select)(?=[\s;&|]|$)|(?:fi|done|esac)(?=[\s;&|)]|$))",
    re.MULTILINE,
)
_CLOSES = {"fi": ("if",), "done": ("for", "while", "until", "select"), "esac": ("case",)}
_SUSPECT = re.compile(r"[\w$/%]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A piece of the script that may be the slip, and what is odd about it."""

    span: Span
    what: str


def suspects(source: bytes) -> tuple[Suspect, ...]:
    """What looks wrong, most likely first; nothing where nothing does."""
    text = source.decode("latin-1")
    strings, masked = _strings(text)
    for start, end in strings:
        if "\n" in text[start:end] and _SUSPECT.match(text, end):
            line = text.count("\n", 0, end - 1) + 1
            opened = Suspect(Span(start, start + 1), f"this string ends on line {line} only")
            return opened, Suspect(Span(end - 1, end), "here the string ends, right before a word")
    return _open_block(masked)


def _strings(text: str) -> tuple[list[tuple[int, int]], str]:
    """The quoted strings, and the text with strings, comments and here-documents blanked out."""
    strings: list[tuple[int, int]] = []
    blanks: list[tuple[int, int]] = []
    waiting: list[tuple[bool, str]] = []  # here-documents whose bodies follow the line
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        start = at
        if char == "\\":
            at += 2
        elif char in "'\"":
            at = _closing(text, at)
            strings.append((start, at))
            blanks.append((start, at))
        elif char == "#" and (at == 0 or text[at - 1] in " \t\n;&|("):
            end = text.find("\n", at)
            at = size if end < 0 else end
            blanks.append((start, at))
        elif (here := _HERE.match(text, at)) and text[at - 1 : at] != "<" and text[at + 2 : at + 3] != "<":
            waiting.append((bool(here[1]), here[3]))
            at = here.end() + (here[2] in ("'", '"') and text[here.end() : here.end() + 1] == here[2])
        elif char == "\n" and waiting:
            for indented, word in waiting:
                at = _end_of_body(text, at, word, indented=indented)
            waiting.clear()
            blanks.append((start + 1, at))
        else:
            at += 1
    masked = list(text)
    for start, end in blanks:
        masked[start:end] = [c if c == "\n" else " " for c in text[start:end]]
    return strings, "".join(masked)


def _end_of_body(text: str, at: int, word: str, *, indented: bool) -> int:
    """The end of the line that closes a here-document whose body follows the newline at ``at``; else of the text."""
    while 0 <= at < len(text):
        end = text.find("\n", at + 1)
        line = text[at + 1 : end if end >= 0 else len(text)]
        if (line.lstrip("\t") if indented else line) == word:
            return at + 1 + len(line)
        at = end
    return len(text)


def _closing(text: str, start: int) -> int:
    """The offset behind the quote that ends the string at ``start``; the end of the text where none does."""
    quote, at = text[start], start + 1
    while at < len(text):
        if text[at] == "\\" and quote == '"':
            at += 1
        elif text[at] == quote:
            return at + 1
        at += 1
    return len(text)


def _open_block(masked: str) -> tuple[Suspect, ...]:
    """The first block that holds another one at its own indentation or left of it."""
    stack: list[tuple[str, int, int]] = []  # keyword, indentation, offset
    for found in _KEYWORD.finditer(masked):
        word, at = found[1], found.start(1)
        line = masked.rfind("\n", 0, at) + 1
        indent = len(masked[line:at]) if not masked[line:at].strip() else -1
        if word in _CLOSES:
            if stack and stack[-1][0] in _CLOSES[word]:
                stack.pop()
            elif stack:
                keyword, _, begin = stack[-1]
                return (
                    Suspect(Span(begin, begin + len(keyword)), f"this {keyword} is still open"),
                    Suspect(Span(at, at + len(word)), f"at this {word}"),
                )
        else:
            if stack and 0 <= indent <= stack[-1][1]:
                keyword, _, begin = stack[-1]
                return (
                    Suspect(Span(begin, begin + len(keyword)), f"this {keyword} is still open"),
                    Suspect(Span(at, at + len(word)), f"where this {word} begins at its indentation"),
                )
            stack.append((word, indent, at))
    if stack:
        keyword, _, begin = stack[-1]
        return (Suspect(Span(begin, begin + len(keyword)), f"this {keyword} is never closed"),)
    return ()
