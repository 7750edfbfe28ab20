"""Fields: how one word becomes several arguments (braces, splitting, globs)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from configlint.launch import patterns
from configlint.launch.files import Files, Status, below, normalise
from configlint.launch.values import (
    HOLE,
    MAX_ALTERNATIVES,
    MAX_VALUE,
    UNKNOWN,
    Choice,
    Value,
    choice,
    clean,
    holes,
    options,
    shown,
    too_long,
    unknown,
)
from configlint.source.records import record
from configlint.syntax.bash.nodes import Literal, Part, Word

DEFAULT_SEPARATORS = " \t\n"
_BLANKS = re.compile(r"[ \t\n]+")
_MAX_BRACES = 1000
_MAX_BRACED = 500_000  # characters of all words on their way
_RANGE = re.compile(r"(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?")
_MAX_MATCHES = 2000
_OTHER_GLOBS = frozenset({"dotglob", "failglob", "globstar", "nocaseglob", "globskipdots"})
_OPEN_GLOB = "files matching "


@record
class Segment:
    """A piece of a field; ``quoted`` pieces neither split nor glob."""

    text: Value
    quoted: bool


@dataclass(slots=True)
class Builder:
    """Collects segments into fields."""

    done: list[list[Segment]] = field(default_factory=list)
    current: list[Segment] | None = None

    def add(self, text: Value, quoted: bool) -> None:
        if self.current is None:
            self.current = []
        self.current.append(Segment(text, quoted))

    def finish(self) -> None:
        if self.current is not None:
            self.done.append(self.current)
            self.current = None

    def split(self, value: Value, separators: str | None = DEFAULT_SEPARATORS) -> None:
        """Add an unquoted expansion: separators end fields, an empty value adds nothing. None: they are not known."""
        if isinstance(value, Choice):
            if any(not option or _splits(option, separators) for option in value.options):
                self._split_alternatives(value, separators)
            else:
                self.add(value, False)
            return
        if separators is None:
            if value:
                self.add(unknown("a value split in unknown ways"), False)
            return
        if separators != DEFAULT_SEPARATORS:
            self._split_at(value, separators)
            return
        pieces = _BLANKS.split(value)
        for index, piece in enumerate(pieces):
            if index:
                self.finish()
            if piece:
                self.add(piece, False)

    def _split_at(self, value: str, separators: str) -> None:
        """Other separators than blanks: each ends a field, an empty one as well; blanks among them only separate."""
        blanks = "".join(one for one in separators if one in DEFAULT_SEPARATORS)
        at = 0
        while at < len(value):
            end = at
            while end < len(value) and value[end] not in separators:
                end += 1
            if end > at:
                self.add(value[at:end], False)
            at = end
            while end < len(value) and value[end] in blanks:
                end += 1
            if end < len(value) and value[end] in separators:
                if self.current is None:
                    self.add("", True)
                end += 1
                while end < len(value) and value[end] in blanks:
                    end += 1
            if end > at:
                self.finish()
            at = end

    def _split_alternatives(self, value: Choice, separators: str | None) -> None:
        """Alternatives that split differently: keep them apart only where each is one field at most."""
        blanks = "".join(one for one in separators or "" if one in DEFAULT_SEPARATORS)
        trimmed = tuple(dict.fromkeys(option.strip(blanks) if blanks else option for option in value.options))
        if any(_splits(option, separators) for option in trimmed):
            self.add(unknown("a value that splits in several ways"), False)
        else:
            self.add(choice(trimmed, "a value"), False)


def _splits(text: str, separators: str | None) -> bool:
    return separators is None or any(one in text for one in separators)


def join_values(values: Sequence[Value], name: str) -> Value:
    """Concatenation; alternatives multiply, up to the cap."""
    if len(values) == 1:
        return values[0]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return "".join(texts) if len(texts) < 8 or sum(map(len, texts)) <= MAX_VALUE * 16 else too_long()
    count, size = 1, 0
    for value in values:
        found = options(value)
        count *= len(found)
        size += max(map(len, found))
        if count > MAX_ALTERNATIVES * 4:
            return unknown(name)
        if size > MAX_VALUE:
            return too_long()
    return choice(["".join(parts) for parts in product(*(options(value) for value in values))], name)


class TooMany(Exception):
    """A cap on the number of words was reached; the message says which."""


def braces(word: Word) -> list[Word]:
    """Brace expansion of the word's unquoted literals, one brace at a time, left to right. Raises :class:`TooMany`."""
    if not any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in word.parts):
        return [word]
    pending, done, size = [word], [], 0
    while pending:
        current = pending.pop()
        size += sum(len(part.text) for part in current.parts if isinstance(part, Literal))
        if size > _MAX_BRACED:
            raise TooMany(f"braces that make more than {_MAX_BRACED:,} characters")
        expanded = _one_brace(current)
        if expanded is None:
            done.append(current)
        else:
            pending.extend(reversed(expanded))
        if len(done) + len(pending) > _MAX_BRACES:
            raise TooMany(f"braces that make more than {_MAX_BRACES:,} words")
    return done


def _one_brace(word: Word) -> list[Word] | None:
    """Expand the first brace that is complete and has a comma or a range; it may span parts."""
    opened: tuple[int, int] | None = None
    commas: list[tuple[int, int]] = []
    depth = 0
    for index, part in enumerate(word.parts):
        if not isinstance(part, Literal) or part.quoted:
            continue
        for at, character in enumerate(part.text):
            if character == "{":
                depth += 1
                if depth == 1:
                    opened, commas = (index, at), []
            elif character == "," and depth == 1:
                commas.append((index, at))
            elif character == "}" and depth:
                depth -= 1
                if depth == 0 and opened is not None:
                    choices = _choices(word, opened, commas, (index, at))
                    if choices is not None:
                        head, tail = _cut(word, None, opened), _cut(word, (index, at), None)
                        return [Word(word.start, word.end, (*head, *middle, *tail)) for middle in choices]
    return None


def _choices(
    word: Word, opened: tuple[int, int], commas: list[tuple[int, int]], closed: tuple[int, int]
) -> list[tuple[Part, ...]] | None:
    if commas:
        bounds = [opened, *commas, closed]
        return [_cut(word, left, right) for left, right in pairwise(bounds)]
    inner = _cut(word, opened, closed)
    if len(inner) == 1 and isinstance(inner[0], Literal):
        found = _RANGE.fullmatch(inner[0].text)
        if found:
            start, end = inner[0].start, inner[0].end
            return [(Literal(start, end, text, False),) for text in _range(found)]
    return None


def _range(found: re.Match[str]) -> list[str]:
    """The texts of ``{1..5}``, ``{01..10..3}`` or ``{a..e}``."""
    numbers = found[1] is not None
    low, high = (found[1], found[2]) if numbers else (found[3], found[4])
    first, last = (int(low), int(high)) if numbers else (ord(low), ord(high))
    step = abs(int(found[5])) if found[5] else 1
    span = range(first, last + 1, step or 1) if last >= first else range(first, last - 1, -(step or 1))
    if len(span) > _MAX_BRACES:
        raise TooMany(f"braces that make more than {_MAX_BRACES:,} words")
    if not numbers:
        return [chr(code) for code in span]
    padded = any(re.match(r"-?0\d", text) for text in (low, high))
    width = max(len(low), len(high)) if padded else 0
    return [f"{number:0{width}d}" for number in span]


def _cut(word: Word, left: tuple[int, int] | None, right: tuple[int, int] | None) -> tuple[Part, ...]:
    """The parts strictly between two positions (part index, character)."""
    found: list[Part] = []
    for index, part in enumerate(word.parts):
        low = -1 if left is None or index > left[0] else (left[1] if index == left[0] else None)
        high = None if right is not None and index > right[0] else (right[1] if right and index == right[0] else -1)
        if low is None or high is None:
            continue
        if not isinstance(part, Literal) or part.quoted:
            found.append(part)
            continue
        text = part.text[low + 1 : high if high >= 0 else None]
        if text:
            found.append(Literal(part.start, part.end, text, False))
    return tuple(found)


def open_glob(field: Sequence[Segment]) -> str:
    """The hole for the paths that match a glob, where they are not known."""
    return unknown(_OPEN_GLOB + "".join(shown(segment.text) for segment in field))


def is_open_glob(text: str) -> bool:
    """True if a text holds such a hole."""
    return UNKNOWN in text and any(name.startswith(_OPEN_GLOB) for name in holes(text))


def pattern_of(text: str) -> str | None:
    """The pattern of a text that is nothing but such a hole, as people read it; else None."""
    found = holes(text)
    whole = len(found) == 1 and text == unknown(found[0]) and found[0].startswith(_OPEN_GLOB)
    return found[0][len(_OPEN_GLOB) :] if whole else None


def has_glob(field: Sequence[Segment]) -> bool:
    """True if the unquoted pieces hold a glob: a star, a question mark, or a bracket that is closed."""
    found = False
    for segment in field:
        text = segment.text
        if segment.quoted:
            continue
        if isinstance(text, Choice):
            if any(one in option for option in text.options for one in "*?["):
                return True
        elif "*" in text or "?" in text:
            return True
        else:
            found |= "[" in text
    if not found:
        return False
    plain = "".join("\0" if one.quoted or isinstance(one.text, Choice) else HOLE.sub("\0", one.text) for one in field)
    return any(step.rfind("]") > step.find("[") + 1 > 0 for step in plain.split("/"))


def glob(
    field: Sequence[Segment],
    files: Files,
    cwd: str,
    extended: frozenset[str] = frozenset(),
    spend: Callable[[int], None] = lambda _: None,
) -> list[str] | None:
    """Paths that match, sorted; empty where surely none does; None where that is not known.

    ``extended``: the options of ``shopt`` that are on. ``spend`` is told the steps that it takes.
    """
    if any(isinstance(segment.text, Choice) for segment in field) or _OTHER_GLOBS & extended:
        return None
    text = "".join(segment.text for segment in field if isinstance(segment.text, str))
    components = _components(field)
    absolute = text.startswith(("/", UNKNOWN))
    if absolute and text.startswith("/"):
        components = components[1:]
        found = [""]
    else:
        found = ["" if absolute else cwd]
    for component in components:
        literal = _literal(component)
        if literal is not None:
            found = [f"{directory}/{literal}" if directory or not absolute else literal for directory in found]
            continue
        following: list[str] = []
        for directory in found:
            names = _matching(component, directory, files, spend)
            if names is None or len(following) + len(names) > _MAX_MATCHES:
                return None
            following += [f"{directory}/{name}" for name in names]
        found = following
    spend(len(found) >> 2)
    only_directories = text.endswith("/")
    existing = []
    for path in found:
        status = files.lookup(normalise(path)).status
        if status is Status.UNKNOWN:
            return None
        if status is Status.DIRECTORY or (status is Status.FILE and not only_directories):
            existing.append(path + "/" if only_directories else path)
    prefix = cwd + "/"
    return sorted(path if absolute else path[len(prefix) :] for path in existing if absolute or below(path, cwd))


def _matching(
    component: Sequence[Segment], directory: str, files: Files, spend: Callable[[int], None]
) -> list[str] | None:
    """The names in a directory that match one component of a glob; None where that is not known."""
    names, complete = files.children(normalise(directory or "/"))
    spend(len(names) >> 3)
    if not complete:
        return None
    try:
        tokens = patterns.compile_pattern(tuple((str(one.text), one.quoted) for one in component))
    except patterns.UnsupportedPattern:
        return None
    hidden = isinstance(tokens[0], patterns.Char) and tokens[0].character == "."
    found = []
    for name in names:
        verdict = patterns.matches(tokens, name) if hidden or not name.startswith(".") else False
        if verdict is None or name != clean(name):
            return None
        if verdict:
            found.append(name)
    return found


def _components(field: Sequence[Segment]) -> list[list[Segment]]:
    result: list[list[Segment]] = [[]]
    for segment in field:
        for index, piece in enumerate(str(segment.text).split("/")):
            if index:
                result.append([])
            if piece:
                result[-1].append(Segment(piece, segment.quoted))
    return [component for index, component in enumerate(result) if component or index == 0]


def _literal(component: Sequence[Segment]) -> str | None:
    if has_glob(component):
        return None
    return "".join(str(segment.text) for segment in component)
