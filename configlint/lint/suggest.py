"""Did you mean."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], limit: int = 3) -> str:
    """A phrase such as ``; did you mean 'a' or 'b'?``, empty where nothing is near."""
    from difflib import get_close_matches  # slow to import, needed only when something is wrong

    names = sorted(set(known))
    near = get_close_matches(word[:200], names, n=limit, cutoff=0.6)
    if not near:
        near = [name for name in names if word and word in name][:limit]
    return f"; did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
