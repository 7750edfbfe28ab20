"""Writes POSIX expressions in RE2's syntax."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.syntax.sed import charclass
from configlint.syntax.sed.charclass import NON_WORD_RANGES, WORD_RANGES, CharSet, Ranges
from configlint.syntax.sed.errors import Unsupported
from configlint.syntax.sed.posix import Anchor, Choice, Expression, Group, Repeat, Sequence


@dataclass(frozen=True, slots=True)
class Writer:
    """``lines`` chooses the form that keeps to one line of a longer text."""

    ignore_case: bool
    multiline: bool
    lines: bool

    def text(self, node: Expression) -> str:
        """The RE2 pattern of a tree. Raises Unsupported for a word edge that RE2 cannot express."""
        if isinstance(node, CharSet):
            return self.chars(node)
        if isinstance(node, Anchor):
            return self.sequence((node,))
        if isinstance(node, Group):
            return f"({self.text(node.body)})"
        if isinstance(node, Repeat):
            return self.repeat(node)
        if isinstance(node, Sequence):
            return self.sequence(node.items)
        return f"(?:{'|'.join(self.text(option) for option in node.options)})"

    def chars(self, chars: CharSet) -> str:
        if self.ignore_case:
            chars = charclass.fold(chars)
        if self.lines or (self.multiline and chars.negated and not chars.spans_lines):
            chars = chars.without_newline()
        return chars.pattern()

    def repeat(self, node: Repeat) -> str:
        least, most = node.least, node.most
        mark = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most))
        if mark is None:
            mark = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
        return f"(?:{self.text(node.body)}){mark}"

    def sequence(self, items: tuple[Expression, ...]) -> str:
        parts: list[str] = []
        for index, item in enumerate(items):
            if not isinstance(item, Anchor):
                parts.append(self.text(item))
            elif item.kind in "<>":
                before = items[index - 1] if index else None
                after = items[index + 1] if index + 1 < len(items) else None
                parts.append(_word_edge(item.kind, before, after))
            else:
                parts.append(self.anchor(item.kind))
        return "".join(parts)

    def anchor(self, kind: str) -> str:
        if kind in "bB":
            return "\\" + kind
        if self.lines or (self.multiline and kind in "^$"):
            return "(?m:^)" if kind in "^`" else "(?m:$)"
        return r"\A" if kind in "^`" else r"\z"


def _word_edge(kind: str, before: Expression | None, after: Expression | None) -> str:
    r"""``\<`` or ``\>`` as ``\b``, where a neighbour tells which side of the boundary the word is on."""
    word, other = (after, before) if kind == "<" else (before, after)
    from_end = kind == ">"
    if _edge_is(word, WORD_RANGES, (r"\p{L}",), from_end) or _edge_is(other, NON_WORD_RANGES, (), not from_end):
        return r"\b"
    raise Unsupported(f"word edge \\{kind} beside an expression that may be anything")


def _edge_is(node: Expression | None, ranges: Ranges, properties: tuple[str, ...], from_end: bool) -> bool:
    """True if the node surely matches a character, and its first (or last) one out of the set."""
    if isinstance(node, CharSet):
        return node.only(ranges, properties)
    if isinstance(node, Group):
        return _edge_is(node.body, ranges, properties, from_end)
    if isinstance(node, Repeat):
        return node.least > 0 and _edge_is(node.body, ranges, properties, from_end)
    if isinstance(node, Choice):
        return all(_edge_is(option, ranges, properties, from_end) for option in node.options)
    if isinstance(node, Sequence) and node.items:
        return _edge_is(node.items[-1 if from_end else 0], ranges, properties, from_end)
    return False
