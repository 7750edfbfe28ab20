"""How long a document lets a server take to start, and which other limits give up before that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.launch.values import HOLE
from configlint.model.composition import Variant
from configlint.profile.globs import Globs
from configlint.profile.profile import Health, Mask

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

_CLOCK = re.compile(r"(?:(\d{1,4})-)?(\d{1,4}):([0-5]?\d)(?::([0-5]?\d))?")
_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d{1,15})?|\.\d{1,15})")


@dataclass(frozen=True, eq=False)
class Window:
    """The health window of a variant: ``attempts`` times ``interval`` seconds; a node is None where it is a default."""

    attempts: float
    interval: float
    attempts_node: Node | None
    interval_node: Node | None

    @property
    def seconds(self) -> float:
        return self.attempts * self.interval

    @property
    def given(self) -> Node | None:
        """The node of one of the two; None where the document says neither."""
        return self.attempts_node or self.interval_node

    @property
    def is_explicit(self) -> bool:
        """True if the document says at least one of the two."""
        return self.given is not None

    def __str__(self) -> str:
        """``1440 x 10 s = 14,400 s``."""
        return f"{self.attempts:.15g} x {self.interval:.15g} s = {self.seconds:,.15g} s"


@dataclass(frozen=True, eq=False)
class Limit:
    """Another limit of the document that is reached first."""

    what: str
    path: str
    seconds: float
    node: Node

    def __str__(self) -> str:
        return f"{self.what} ({self.path} = {self.node.text}) gives up first"


def window_of(variant: Variant, health: Health) -> Window | None:
    """The health window; None where a part of it is not a number."""
    attempts, interval = variant.node(health.attempts), variant.node(health.interval)
    times = health.default_attempts if attempts is None else quantity(attempts)
    every = health.default_interval if interval is None else quantity(interval)
    return None if times is None or every is None else Window(times, every, attempts, interval)


def limit_below(variant: Variant, masks: Sequence[Mask], seconds: float) -> Limit | None:
    """A limit that ends the wait before ``seconds`` are over, whoever is waited for; the lowest one.

    Where a pattern finds several (one a role), the highest of them counts: a role that may wait longer does.
    """
    found = []
    scalars = list(variant.scalars())
    for mask in masks:
        matches = Globs((mask.path,), ".").matches
        given = [(in_seconds(node, mask.unit), path, node) for path, node in scalars if matches(path)]
        known = [(limit, path, node) for limit, path, node in given if limit is not None]
        if known and len(known) == len(given):
            limit, path, node = max(known, key=lambda one: one[0])
            found.append(Limit(mask.what, path, limit, node))
    lowest = min(found, key=lambda one: one.seconds, default=None)
    return lowest if lowest is not None and lowest.seconds < seconds else None


def quantity(node: Node) -> float | None:
    """A scalar as something that can be more or less: a number, also as text, or a time in seconds; else None."""
    if node.kind != "scalar" or isinstance(node.value, bool):
        return None
    if isinstance(node.value, int | float):
        return float(node.value) if abs(node.value) < 1e15 else None
    return quantity_of(node.text)


def quantity_of(text: str) -> float | None:
    """The same for text: a number or a time."""
    text = text.strip()
    return float(text) if _NUMBER.fullmatch(text) else _clock(text)


def in_seconds(node: Node, unit: str) -> float | None:
    """A limit in seconds: ``seconds``, ``minutes`` or ``clock`` (``[days-]hours:minutes[:seconds]``, bare minutes)."""
    if node.kind != "scalar" or HOLE.search(node.text):
        return None
    if unit == "clock":
        clock = _clock(node.text.strip())
        if clock is not None:
            return clock
    number = quantity(node)
    return number if number is None or unit == "seconds" else number * 60


def _clock(text: str) -> float | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    if found[1] is None and found[4] is None:  # two parts without days are minutes and seconds
        return float(hours * 60 + minutes)
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
