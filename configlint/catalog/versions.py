"""The order of versions: PEP 440 as packages use it, with or without a leading ``v``.

What has no place in that order (a commit, a branch, somebody's clone) is *custom*: it stands for itself only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

Order: TypeAlias = tuple[tuple[int, ...], tuple[int, int], tuple[int, int], tuple[int, int], str]

_VERSION = re.compile(
    r"v?(?P<release>\d{1,9}(?:\.\d{1,9}){0,5})"
    r"(?:[-_.]?(?P<pre>a|b|rc|alpha|beta|c)[-_.]?(?P<pre_n>\d{0,9}))?"
    r"(?:[-_.]?post[-_.]?(?P<post>\d{0,9}))?"
    r"(?:[-_.]?dev[-_.]?(?P<dev>\d{0,9}))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+){0,5}))?",
    re.IGNORECASE,
)
_HEX = re.compile(r"[0-9a-f]{7,64}")
_CUSTOM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/+-]{0,119}")
_PHASES = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2}
_BEFORE_PRE, _FINAL = -1, 3


@cache
def order(version: str) -> Order | None:
    """A key that sorts versions as PEP 440 does; None for a custom one. A commit's digits are no version."""
    found = _VERSION.fullmatch(version)
    if found is None or _HEX.fullmatch(version):
        return None
    release = tuple(int(part) for part in found["release"].split("."))
    while len(release) > 1 and not release[-1]:
        release = release[:-1]
    pre, post, dev = found["pre"], found["post"], found["dev"]
    if pre is not None:
        phase = (_PHASES[pre.lower()], int(found["pre_n"] or 0))
    else:
        phase = (_BEFORE_PRE if dev is not None and post is None else _FINAL, 0)
    return (
        release,
        phase,
        (0, 0) if post is None else (1, int(post or 0)),
        (1, 0) if dev is None else (0, int(dev or 0)),
        (found["local"] or "").lower(),
    )


def is_custom(version: str) -> bool:
    """Whether a version stands outside the order."""
    return order(version) is None


def is_version(text: str) -> bool:
    """Whether a text can be the name of a version, custom ones included; ``..`` is how ranges are spelled."""
    return _CUSTOM.fullmatch(text) is not None and ".." not in text


def in_order(versions: Iterable[str]) -> list[str]:
    """Ordered versions first, oldest to newest, then the custom ones by name; each once."""
    keyed = [(order(one), one) for one in dict.fromkeys(versions)]
    placed = sorted((key, one) for key, one in keyed if key is not None)
    return [one for _, one in placed] + sorted(one for key, one in keyed if key is None)
