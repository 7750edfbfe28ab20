"""Regular expressions made executable: POSIX trees written for RE2, which answers in linear time.

Every expression has two forms. The *space* form is matched against a pattern space and may see newlines. The *line*
form is matched against a whole text of several lines and never crosses a newline: it finds the lines on which the
expression matches with one call into RE2 instead of one a line.

RE2 with ``longest_match`` finds the leftmost-longest match, as POSIX wants. What a *group* holds where several
readings give the same overall match is decided by glibc the way RE2 decides it (the first alternative, the greediest
repetition), not as POSIX says; the differential tests cover it. They differ on repetitions that can go round without a
character, so groups inside those are not used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from configlint.syntax.sed import charclass
from configlint.syntax.sed.charclass import CharSet
from configlint.syntax.sed.errors import SedError, Unsupported
from configlint.syntax.sed.posix import Anchor, Choice, Expression, Group, Repeat, Sequence, parse, walk
from configlint.syntax.sed.writer import Writer

MAX_MEMORY = 1 << 20  # bytes an RE2 object may use, its caches included
KEPT = 128  # RE2 objects in memory
MAX_PROGRAM = 5000  # RE2 instructions
MAX_PATTERN = 10_000  # characters
_FOLDING = frozenset("\u017f\u212a\u0130\u0131")  # non-ASCII characters that fold to ASCII letters


Spans: TypeAlias = list[tuple[int, int]]
"""Where a match and its groups lie, in bytes; (-1, -1) for a group that took no part."""

Search: TypeAlias = Callable[[bytes, int], Spans | None]


@dataclass(frozen=True, slots=True)
class Regex:
    """A translated expression. ``source`` is what the program says; the two forms are RE2 patterns.

    ``clear_groups``: up to this group glibc and RE2 surely agree on what a group holds. ``size``: RE2 instructions.
    ``longest``: bytes a match can have, None without a limit.
    """

    source: str
    groups: int
    clear_groups: int
    size: int
    longest: int | None
    space_form: str
    line_form: str
    uses_classes: bool
    uses_words: bool
    ignores_case: bool

    @property
    def search_space(self) -> Search:
        """``search(bytes, position) -> spans | None`` in a pattern space; the whole match only."""
        return compiled(self.space_form, False).search

    @property
    def search_groups(self) -> Search:
        """The same with groups, which is dearer."""
        return compiled(self.space_form, True).search

    @property
    def search_lines(self) -> Search:
        """The same without groups over a text of many lines; a match lies within one line."""
        return compiled(self.line_form, False).search

    def cost(self, length: int) -> int:
        """Steps that a search over so many bytes may take at worst: when RE2 has to follow all threads by hand."""
        return 8 + (length * self.size >> 6)

    def refusal(self, text: str) -> str:
        """Why the answer on a non-ASCII ``text`` cannot be trusted; "" where it can."""
        if self.uses_classes and (odd := charclass.odd_characters(text)):
            return f"character class against U+{ord(odd[0]):04X}"
        if self.uses_words and charclass.has_letters_beyond_ascii(text):
            return "word boundary in a text with letters beyond ASCII"
        if self.ignores_case and not _FOLDING.isdisjoint(text):
            return "case-insensitive match in a text with special letters"
        return ""


@lru_cache(maxsize=512)
def regex(source: str, extended: bool, ignore_case: bool, multiline: bool) -> Regex:
    """The expression, ready to run. Raises BadProgram or Unsupported, with offsets into ``source``."""
    if len(source) > MAX_PATTERN:
        raise Unsupported("regular expression too long")
    tree, groups = parse(source, extended, ignore_case=ignore_case)
    nodes = list(walk(tree))
    for node in nodes:
        if isinstance(node, Repeat) and node.most != 1 and any(isinstance(inner, Anchor) for inner in walk(node.body)):
            raise Unsupported("repeated anchor")  # glibc lets them match where they cannot
    if not multiline:
        _check_anchors(tree)
    if ignore_case and not source.isascii():
        raise Unsupported("case-insensitive match of characters beyond ASCII")
    space_form = Writer(ignore_case, multiline, lines=False).text(tree)
    return Regex(
        source=source,
        groups=groups,
        clear_groups=_clear_groups(nodes, groups),
        size=compiled(space_form, True).size,
        longest=_longest(tree),
        space_form=space_form,
        line_form=Writer(ignore_case, multiline, lines=True).text(tree),
        uses_classes=any(isinstance(node, CharSet) and bool(node.properties) for node in nodes),
        uses_words=any(isinstance(node, Anchor) and node.kind in "bB<>" for node in nodes),
        ignores_case=ignore_case,
    )


def _clear_groups(nodes: list[Expression], groups: int) -> int:
    """The groups before the first one inside a repetition that can go round without a character."""
    unclear = [
        inner.index
        for node in nodes
        if isinstance(node, Repeat) and node.most != 1 and _may_be_empty(node.body)
        for inner in walk(node.body)
        if isinstance(inner, Group)
    ]
    return min(unclear, default=groups + 1) - 1


def _may_be_empty(node: Expression) -> bool:
    if isinstance(node, CharSet):
        return False
    if isinstance(node, Group):
        return _may_be_empty(node.body)
    if isinstance(node, Repeat):
        return node.least == 0 or _may_be_empty(node.body)
    if isinstance(node, Choice):
        return any(_may_be_empty(option) for option in node.options)
    return isinstance(node, Anchor) or all(_may_be_empty(item) for item in node.items)


def _check_anchors(tree: Expression) -> None:
    # glibc takes a newline before a start anchor for a start, wherever the anchor stands.
    if _has_stray_anchor(tree, False, False):
        raise Unsupported("anchor in the middle of a regular expression")


def _has_stray_anchor(node: Expression, before: bool, after: bool) -> bool:
    """True if a start anchor may follow a character, or an end anchor precede one.

    ``before`` and ``after``: what surrounds the node may have characters.
    """
    if isinstance(node, Anchor):
        return (before and node.kind in "^`") or (after and node.kind in "$'")
    if isinstance(node, Group | Repeat):
        return _has_stray_anchor(node.body, before, after)
    if isinstance(node, Choice):
        return any(_has_stray_anchor(option, before, after) for option in node.options)
    if isinstance(node, Sequence):
        full = [index for index, item in enumerate(node.items) if _longest(item) != 0]
        first, last = (full[0], full[-1]) if full else (len(node.items), -1)
        return any(
            _has_stray_anchor(item, before or first < index, after or last > index)
            for index, item in enumerate(node.items)
        )
    return False


def _longest(node: Expression) -> int | None:
    if isinstance(node, Anchor):
        return 0
    if isinstance(node, CharSet):
        return 4
    if isinstance(node, Group):
        return _longest(node.body)
    if isinstance(node, Repeat):
        one = _longest(node.body)
        return None if one is None or node.most is None else one * node.most
    if isinstance(node, Choice):
        several = [_longest(option) for option in node.options]
        return None if None in several else max(length or 0 for length in several)
    several = [_longest(item) for item in node.items]
    return None if None in several else sum(length or 0 for length in several)


Untranslatable = SedError


def translate(pattern: str, *, extended: bool) -> str:
    """A POSIX pattern of grep or bash (no escapes of sed's) as an RE2 pattern. Raises Untranslatable."""
    tree, _ = parse(pattern, extended, escapes=False)
    _check_anchors(tree)
    return Writer(ignore_case=False, multiline=False, lines=False).text(tree)


@dataclass(frozen=True, slots=True)
class Compiled:
    """``size`` counts RE2 instructions."""

    search: Search
    size: int


@lru_cache(maxsize=KEPT)
def compiled(pattern: str, groups: bool) -> Compiled:
    """``pattern`` compiled by RE2, once a process. Raises Unsupported."""
    re2: Any = importlib.import_module("re2")
    options = re2.Options()
    options.longest_match = True
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    options.never_capture = not groups
    try:
        expression = re2.compile(pattern, options)
    except re2.error as error:
        raise Unsupported(f"regular expression refused by RE2: {_message(error)}") from None
    if expression.programsize > MAX_PROGRAM:
        raise Unsupported("regular expression too large")
    return Compiled(_search(re2, expression, groups), expression.programsize)


def _search(re2: Any, expression: Any, groups: bool) -> Search:
    """RE2's own search where the module shows it: the match objects in between cost more than the match."""
    count = 1 + (expression.groups if groups else 0)
    try:
        native, unanchored = expression._regexp.Match, re2._Anchor.UNANCHORED
    except AttributeError:

        def portable(data: bytes, position: int) -> Spans | None:
            match = expression.search(data, position)
            return match and [match.span(index) for index in range(count)]

        return portable

    def search(data: bytes, position: int) -> Spans | None:
        spans: Spans = native(unanchored, data, position, len(data))
        return spans if spans[0][0] >= 0 else None

    return search


def _message(error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    return detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
