"""What ``s`` does to a pattern space."""

from __future__ import annotations

from configlint.syntax.sed.budget import Meter
from configlint.syntax.sed.errors import Unsupported
from configlint.syntax.sed.lines import Space, after_edit
from configlint.syntax.sed.program import Substitution
from configlint.syntax.sed.regex import Regex, Spans
from configlint.syntax.sed.replacement import converted

Fragments = list[tuple[bytes, int]]
"""What a new text is made of: bytes, and their offset in the old text or -1."""


def substitute(what: Substitution, regex: Regex, space: Space, meter: Meter) -> bool:
    """Replaces in ``space``; False if there is nothing to replace. ``regex`` is the expression in force.

    Raises Unsupported where the outcome is not sure, or costs too much.
    """
    if what.highest_group > regex.groups:
        raise Unsupported("the repeated regular expression has too few groups")
    if what.highest_group > regex.clear_groups:
        raise Unsupported("what a repeated group holds is not clear")
    search = regex.search_groups if what.highest_group else regex.search_space
    data = space.text.encode()
    meter.spend(regex.cost(len(data)))
    spans = search(data, 0)
    if spans is None:
        return False
    reach = len(data) if regex.longest is None else regex.longest
    fragments: Fragments = []
    copied = count = 0
    previous = -1
    while spans is not None:
        start, end = spans[0]
        # An empty match right behind the last one is none.
        if start != end or start != previous:
            count += 1
            if count >= what.number:
                if start > copied:
                    fragments.append((data[copied:start], copied))
                if what.constant is None:
                    fragments.extend(_pieces(what, data, spans, meter))
                else:
                    fragments.append((what.constant, -1))
                copied = end
                if not what.everywhere:
                    break
            previous = end
        position = end
        if end == start:
            position += 1
            if data[end:position] > b"\x7f":
                # GNU sed steps over one byte here and tears the character apart.
                raise Unsupported("empty match before a character beyond ASCII")
        if position > len(data):
            break
        spans = search(data, position)
        # The search went up to the match and, to be sure that it is the longest, as far behind it as one can reach.
        stop = spans[0][1] if spans is not None else len(data)
        meter.spend(regex.cost(min(stop + reach, len(data)) - position))
    if count < what.number:
        return False
    if copied < len(data):
        fragments.append((data[copied:], copied))
    _put_together(fragments, data, space, meter)
    return True


def _pieces(what: Substitution, data: bytes, spans: Spans, meter: Meter) -> Fragments:
    """What stands for the match at ``spans``."""
    groups = [spans[piece.group] for piece in what.pieces if piece.group is not None]
    meter.spend(len(what.pieces))
    meter.hold(sum(end - start for start, end in groups) // 4)  # a character has at most four bytes
    pieces: Fragments = []
    for piece in what.pieces:
        if piece.group is None:
            pieces.append((piece.encoded, -1))
        else:
            start, end = spans[piece.group]
            pieces.append((data[start:end], start) if start >= 0 else (b"", -1))
    if what.converts:
        texts = converted(zip(what.pieces, (text.decode() for text, _ in pieces), strict=True))
        pieces = [(text.encode(), offset) for text, (_, offset) in zip(texts, pieces, strict=True)]
    return pieces


def _put_together(fragments: Fragments, data: bytes, space: Space, meter: Meter) -> None:
    """Makes the fragments the text of ``space``, which was ``data``."""
    meter.hold(sum([len(text) for text, _ in fragments]) // 4)
    new = b"".join([text for text, _ in fragments])
    if len(space.origins) > 1 or b"\n" in new:
        space.origins = after_edit(data, space.origins, fragments)
        meter.spend(len(fragments) + 4 * len(space.origins))
    space.text = new.decode()
    meter.hold(len(space.text))


def transliterate(table: dict[int, int], space: Space, meter: Meter) -> None:
    """What ``y`` does."""
    old = space.text
    space.text = old.translate(table)
    if 10 in table or 10 in table.values():
        # Newlines come or go: follow every character.
        meter.spend(len(old))
        fragments: Fragments = []
        offset = 0
        for before, after in zip(old, space.text, strict=True):
            fragments.append((after.encode(), offset))
            offset += len(before.encode())
        space.origins = after_edit(old.encode(), space.origins, fragments)
