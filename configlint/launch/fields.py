"""Fields: how one word becomes several arguments (braces, splitting, globs)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from configlint.launch import patterns
from configlint.launch.files import Files, Status, below, normalise
from configlint.launch.values import HOLE, MAX_ALTERNATIVES, UNKNOWN, Choice, Value, choice, options, unknown
from configlint.syntax.bash.nodes import Literal, Part, Word

_GLOB = re.compile(r"[*?\[]")
_BLANKS = re.compile(r"[ \t\n]+")
_MAX_BRACES = 64
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})")
_MAX_MATCHES = 2000


@dataclass(frozen=True, slots=True)
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

    def split(self, value: Value) -> None:
        """Add an unquoted expansion: blanks separate fields, an empty value adds nothing."""
        if isinstance(value, Choice):
            if any(not option or _BLANKS.search(option) for option in value.options):
                self._split_alternatives(value)
            else:
                self.add(value, False)
            return
        pieces = _BLANKS.split(value)
        for index, piece in enumerate(pieces):
            if index:
                self.finish()
            if piece:
                self.add(piece, False)

    def _split_alternatives(self, value: Choice) -> None:
        """Alternatives that split differently: keep them apart only where each is one field at most."""
        trimmed = tuple(dict.fromkeys(option.strip(" \t\n") for option in value.options))
        if any(_BLANKS.search(option) for option in trimmed):
            self.add(unknown("a value that splits in several ways"), False)
        else:
            self.add(choice(trimmed, "a value"), False)


def join_values(values: Sequence[Value], name: str) -> Value:
    """Concatenation; alternatives multiply, up to the cap."""
    if len(values) == 1:
        return values[0]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return "".join(texts)
    count = 1
    for value in values:
        count *= len(options(value))
        if count > MAX_ALTERNATIVES * 4:
            return unknown(name)
    return choice(["".join(parts) for parts in product(*(options(value) for value in values))], name)


def braces(word: Word) -> list[Word]:
    """Brace expansion of the word's unquoted literals, one brace at a time, left to right."""
    pending: list[Word] = [word]
    done: list[Word] = []
    while pending:
        current = pending.pop(0)
        expanded = _one_brace(current)
        if expanded is None or len(done) + len(pending) > _MAX_BRACES:
            done.append(current)
        else:
            pending = [*expanded, *pending]
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
            first, last = int(found[1]), int(found[2])
            step = 1 if last >= first else -1
            if abs(last - first) < _MAX_BRACES:
                numbers = range(first, last + step, step)
                return [(Literal(inner[0].start, inner[0].end, str(number), False),) for number in numbers]
    return None


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


def has_glob(field: Sequence[Segment]) -> bool:
    """True if an unquoted piece holds a glob character."""
    return any(
        not segment.quoted and isinstance(segment.text, str) and _GLOB.search(HOLE.sub("", segment.text)) is not None
        for segment in field
    )


def glob(field: Sequence[Segment], files: Files, cwd: str) -> list[str] | None:
    """Paths that match, sorted; empty where surely none does; None where that is not known."""
    if any(isinstance(segment.text, Choice) for segment in field):
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
        following: list[str] = []
        for directory in found:
            if literal is not None:
                following.append(f"{directory}/{literal}" if directory or not absolute else literal)
                continue
            names, complete = files.children(normalise(directory or "/"))
            if not complete:
                return None
            try:
                tokens = patterns.compile_pattern(tuple((str(s.text), s.quoted) for s in component))
            except patterns.UnsupportedPattern:
                return None
            hidden = isinstance(tokens[0], patterns.Char) and tokens[0].character == "."
            following += [
                f"{directory}/{name}"
                for name in names
                if (hidden or not name.startswith(".")) and patterns.matches(tokens, name)
            ]
            if len(following) > _MAX_MATCHES:
                return None
        found = following
    existing = []
    for path in found:
        status = files.lookup(normalise(path)).status
        if status is Status.UNKNOWN:
            return None
        if status is not Status.ABSENT:
            existing.append(path)
    prefix = cwd + "/"
    return sorted(path if absolute else path[len(prefix) :] for path in existing if absolute or below(path, cwd))


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
