"""Did you mean."""

from __future__ import annotations

from collections.abc import Iterable

_SLACK = 0.06  # of difflib's similarity, which runs from 0 to 1


def did_you_mean(word: str, known: Iterable[str], limit: int = 3) -> str:
    """A phrase such as ``; did you mean 'a' or 'b'?``, empty where nothing is near."""
    from difflib import SequenceMatcher, get_close_matches  # slow to import, needed only when something is wrong

    word = word[:200]
    names = sorted(set(known))
    near = get_close_matches(word, names, n=limit, cutoff=0.6)
    if near:
        # One good guess is worth more than three: keep only those that are about as near as the nearest.
        ratio = {name: SequenceMatcher(None, name, word).ratio() for name in near}
        near = [name for name in near if ratio[name] > ratio[near[0]] - _SLACK]
    if not near:
        near = [name for name in names if word and word in name][:limit]
    return f"; did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
