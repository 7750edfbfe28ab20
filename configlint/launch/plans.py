"""What can be said of a statement before it runs: how its words expand, which substitutions it runs first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from configlint.syntax.bash.nodes import (
    Arithmetic,
    ArrayValue,
    Assignment,
    CommandSubstitution,
    Declaration,
    Literal,
    Node,
    Parameter,
    Part,
    Simple,
    Word,
)
from configlint.syntax.bash.walk import own_words

_SPECIAL = frozenset("*?[{~")
_DEFAULTS = frozenset({"-", ":-", "=", ":=", "?", ":?", "+", ":+"})
_EFFECTS = frozenset({"=", ":=", "?", ":?"})


class Planned(NamedTuple):
    """A word with how to expand it: its ``text`` where that is fixed, ``scalar`` where it is always one string."""

    word: Word
    text: str | None
    scalar: bool


class Guarded(NamedTuple):
    """A command substitution of a statement.

    ``guards``: it runs only where each of these takes its word (``${x:-$(date)}``). ``entangled``: something before it
    in the statement assigns a variable, which it may see.
    """

    node: CommandSubstitution
    guards: tuple[Parameter, ...]
    entangled: bool


class Declared(NamedTuple):
    """What a declaration does to its names, as its keyword and options say."""

    flags: str
    asks: bool  # it prints, or asks whether a function is there
    refers: bool  # it makes a reference to another variable
    exports: bool
    unexports: bool
    local: bool  # inside of a function
    shape: str  # the letters of -i, -u, -l
    what: str


def declared(node: Declaration) -> Declared:
    """What a declaration does."""
    texts = [item.literal or "" for item in node.items if isinstance(item, Word)]
    flags = "".join(text[1:] for text in texts if text[:1] in ("-", "+"))
    unexports = node.keyword == "export" and "n" in flags
    exports = (node.keyword == "export" and not unexports) or "x" in flags
    return Declared(
        flags,
        bool(set("fFp") & set(flags)) or not node.items,
        "n" in flags and node.keyword != "export",
        exports,
        unexports,
        node.keyword == "local" or (node.keyword in ("declare", "typeset") and "g" not in flags),
        "".join(one for one in flags if one in "iul"),
        "exported" if exports else "assigned",
    )


def only_prints(node: Simple) -> str | None:
    """The name of a command that does nothing but print, in words that change nothing; None for all others."""
    if not node.words or node.assignments or node.redirects:
        return None
    name = node.words[0].literal
    return name if name in ("echo", "true", ":") and not substitutions(node) and is_inert(node) else None


def plan(node: Simple) -> tuple[Planned, ...]:
    """How to expand each word of a command."""
    return tuple(map(_planned, node.words))


def _planned(word: Word) -> Planned:
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], Literal):
        part = parts[0]
        if part.quoted or not _SPECIAL.intersection(part.text) or part.text == "[":
            return Planned(word, part.text, False)
    return Planned(word, None, bool(parts) and all(map(_never_splits, parts)))


def _never_splits(part: Part) -> bool:
    """True for a part that is exactly one piece of a word: quoted, and not a list of words."""
    if isinstance(part, Literal):
        return part.quoted or not _SPECIAL.intersection(part.text)
    if isinstance(part, Parameter):
        if not part.quoted or part.name in ("@", "*") or part.index is not None or part.prefix or part.indirect:
            return False
        chosen = part.argument if part.operator.endswith(("-", "+")) else None  # "${1+"$@"}" is as many words as "$@"
        return chosen is None or all(map(_never_splits, chosen.parts))
    return isinstance(part, CommandSubstitution) and part.quoted


def is_inert(node: Simple) -> bool:
    """True if expanding a command's words changes nothing, so that a command whose output nobody sees need not."""
    return not any(map(_has_effect, node.words)) and not _assigns(node)


def _has_effect(word: Word) -> bool:
    """True if expanding the word may assign a variable or end the shell: ``${x:=a}``, ``${x:?}``, ``$((i++))``."""
    return any(map(_part_has_effect, word.parts))


def _part_has_effect(part: Part) -> bool:
    if isinstance(part, Arithmetic):
        return _computes(part.expression)
    if not isinstance(part, Parameter):
        return False
    if part.operator in _EFFECTS or part.indirect:
        return True
    inner = [one for one in (part.index, part.argument, part.replacement) if one is not None]
    if any(map(_has_effect, inner)) or (part.operator == ":" and any(map(_computes, inner))):
        return True
    return part.index is not None and _computes(part.index)


def _computes(word: Word) -> bool:
    """True if a subscript or an offset may assign, being arithmetic."""
    text = word.literal
    return text is None or "=" in text or "++" in text or "--" in text


def _assigns(node: Simple) -> bool:
    """``printf -v name``."""
    return len(node.words) > 1 and (node.words[1].literal or "").startswith("-v") and node.words[0].literal == "printf"


def substitutions(statement: Node) -> tuple[Guarded, ...]:
    """The command substitutions that a statement (or one assignment) runs itself, in order."""
    words = _assignment_words(statement) if isinstance(statement, Assignment) else own_words(statement)
    search = _Search()
    return tuple(found for word in words for found in search.word(word, ()))


def _assignment_words(assignment: Assignment) -> Iterator[Word]:
    if assignment.index is not None:
        yield assignment.index
    if isinstance(assignment.value, ArrayValue):
        for key, value in assignment.value.elements:
            if key is not None:
                yield key
            yield value
    elif assignment.value is not None:
        yield assignment.value


class _Search:
    """Walks words in order and remembers whether something has assigned a variable."""

    def __init__(self) -> None:
        self._entangled = False

    def word(self, word: Word, guards: tuple[Parameter, ...]) -> Iterator[Guarded]:
        for part in word.parts:
            if isinstance(part, CommandSubstitution):
                yield Guarded(part, guards, self._entangled)
            elif isinstance(part, Arithmetic):
                yield from self.word(part.expression, guards)
                self._entangled |= _computes(part.expression)
            elif isinstance(part, Parameter):
                yield from self._parameter(part, guards)

    def _parameter(self, part: Parameter, guards: tuple[Parameter, ...]) -> Iterator[Guarded]:
        inner = (*guards, part) if part.operator in _DEFAULTS else guards
        for word, own in ((part.index, guards), (part.argument, inner), (part.replacement, guards)):
            if word is not None:
                yield from self.word(word, own)
        self._entangled |= part.operator in ("=", ":=") or (
            part.operator == ":"
            and any(one is not None and _computes(one) for one in (part.argument, part.replacement))
        )
