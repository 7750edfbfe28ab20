"""What edits make of a document: which values change, which of those changes lose something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from configlint.launch.values import HOLE
from configlint.model.composition import Merged, Variant
from configlint.model.windows import Limit, Window, limit_below, quantity, window_of
from configlint.profile import profile as schema
from configlint.profile.globs import Globs

if TYPE_CHECKING:
    from configlint.launch.outcome import Edit
    from configlint.syntax.yaml import Node

Path: TypeAlias = tuple[str, ...]
Difference: TypeAlias = "tuple[Path, Merged | None, Merged | None]"
MAX_CHANGES = 500


@dataclass(frozen=True, eq=False)
class Step:
    """A variant after an edit; as declared where ``edit`` is None."""

    edit: Edit | None
    variant: Variant | None


@dataclass(frozen=True, eq=False)
class Change:
    """A value of a variant that is not what was declared. ``before`` or ``after`` is None where it is not there.

    ``edit`` is the edit since which it differs.
    """

    variant: str
    path: Path
    before: Merged | None
    after: Merged | None
    edit: Edit

    @property
    def dotted(self) -> str:
        return ".".join(self.path)


LossKind: TypeAlias = Literal["window", "limit", "removed", "changed", "unknown"]
"""The health window shrinks, another limit does, a key is gone, a value is another one, or one that is not known."""


@dataclass(frozen=True, eq=False)
class Loss:
    """A declared value that the document loses on its way to submission.

    ``edit`` is the one since which it is lost, ``writer`` the one that wrote what stands there now. ``before`` is the
    node that was declared (of a window the part that differs), ``after`` the one that stands there now. ``declared``
    and ``effective`` are the two windows, and ``mask`` another limit that gives up before the effective one.
    """

    kind: LossKind
    variant: str
    path: str
    before: Node
    after: Node | None
    edit: Edit
    writer: Edit
    declared: Window | None = None
    effective: Window | None = None
    mask: Limit | None = None

    def __str__(self) -> str:
        if self.declared is not None and self.effective is not None:
            return f"health window {self.declared.seconds:,.15g} s declared, {self.effective.seconds:,.15g} s effective"
        return f"{self.path} {_shown(self.before)} declared, {_shown(self.after)} effective"

    @property
    def written(self) -> str:
        """What was declared, in a few words."""
        return str(self.declared or _shown(self.before))

    @property
    def left(self) -> str:
        """What the edit leaves, in a few words."""
        return str(self.effective or _shown(self.after))


class Comparison:
    """One variant, as declared, after each edit, and in the end."""

    def __init__(self, steps: tuple[Step, ...], touched: Globs, documents: schema.Documents) -> None:
        self._steps, self._touched, self._documents = steps, touched, documents

    def changes(self) -> Iterator[Change]:
        """Every value that differs in the end, as deep as both sides have mappings."""
        before, after = self._steps[0].variant, self._steps[-1].variant
        if before is None or after is None:
            return
        for path, one, two in difference(before.values, after.values):
            edit = self._since(partial(_differs, path, one))
            if edit is not None and not self._touched.matches(".".join(path)):
                yield Change(after.name, path, one, two, edit)

    def losses(self) -> Iterator[Loss]:
        """The changes that lose what was declared. A job's name is nobody's loss: launchers set it."""
        yield from self._window()
        health = self._documents.health
        whole = {self._documents.name, *((health.attempts, health.interval) if health is not None else ())}
        for change in self.changes():
            if change.before is not None and change.dotted not in whole:
                loss = self._loss(change, change.before)
                if loss is not None:
                    yield loss

    def _window(self) -> Iterator[Loss]:
        health, first, last = self._documents.health, self._steps[0].variant, self._steps[-1].variant
        if health is None or first is None or last is None:
            return
        if self._touched.matches(health.attempts) or self._touched.matches(health.interval):
            return
        declared, effective = window_of(first, health), window_of(last, health)
        if declared is None or effective is None or not declared.is_explicit:
            return
        edit = self._since(partial(_shrunk, health, declared.seconds))
        if edit is not None and effective.seconds < declared.seconds:
            slower = effective.attempts < declared.attempts or declared.interval_node is None
            before = declared.attempts_node if slower else declared.interval_node
            after = effective.attempts_node if slower else effective.interval_node
            path = health.attempts if slower else health.interval
            mask = limit_below(last, self._documents.masks, effective.seconds)
            before = before or declared.interval_node or declared.attempts_node
            if before is None:
                return
            writer = self._writer(tuple(path.split("."))) or edit
            yield Loss("window", last.name, path, before, after, edit, writer, declared, effective, mask)

    def _loss(self, change: Change, before: Merged) -> Loss | None:
        one, two = node_of(before), node_of(change.after)
        if one is None:
            return None
        kind: LossKind = "changed"
        edit = change.edit
        if change.after is None:
            kind = "removed"
        elif two is not None and two.kind == "scalar" and HOLE.search(two.text):
            kind = "unknown"
        elif two is not None and self._documents.is_limit(change.dotted):
            declared, effective = quantity(one), quantity(two)
            if declared is not None and effective is not None:
                if effective >= declared:
                    return None
                kind = "limit"
                edit = self._since(partial(_below, change.path, declared)) or edit
        return Loss(kind, change.variant, change.dotted, one, two, edit, self._writer(change.path) or edit)

    def _writer(self, path: Path) -> Edit | None:
        """The last edit that changed a value."""
        edit = None
        for before, step in pairwise(self._steps):
            old = at(before.variant, path) if before.variant is not None else None
            new = at(step.variant, path) if step.variant is not None else None
            edit = edit if same(old, new) else step.edit
        return edit

    def _since(self, lost: Callable[[Variant], bool]) -> Edit | None:
        """The edit since which something is so; None where it is not so in the end."""
        edit, was = None, False
        for step in self._steps:
            now = step.variant is not None and lost(step.variant)
            if now and not was:
                edit = step.edit
            was = now
        return edit if was else None


def _differs(path: Path, declared: Merged | None, variant: Variant) -> bool:
    return not same(at(variant, path), declared)


def _below(path: Path, declared: float, variant: Variant) -> bool:
    node = node_of(at(variant, path))
    value = quantity(node) if node is not None else None
    return value is not None and value < declared


def _shrunk(health: schema.Health, declared: float, variant: Variant) -> bool:
    window = window_of(variant, health)
    return window is not None and window.seconds < declared


def at(variant: Variant, path: Path) -> Merged | None:
    """The value at a path of keys (which may have dots in them)."""
    found: Merged | None = variant.values
    for step in path:
        if found is None or not (isinstance(found, dict) or found.kind == "map"):
            return None
        found = found.get(step)
    return found


def node_of(value: Merged | None) -> Node | None:
    """The node that wrote a value; of a mapping merged from several the first one inside."""
    pending = [value]
    while pending:
        current = pending.pop()
        if not isinstance(current, dict):
            return current
        pending.extend(reversed(list(current.values())))
    return None


def _shown(node: Node | None) -> str:
    """A node on one line, shortened."""
    if node is None:
        return "nothing"
    text = node.text if node.kind == "scalar" else " ".join(node.file.text.slice(node.span).split())
    return repr(text) if text == "" else text if len(text) <= 60 else text[:57] + "..."


def plain(value: Merged) -> object:
    """The value as Python data."""
    return {key: plain(below) for key, below in value.items()} if isinstance(value, dict) else value.plain()


def same(left: Merged | None, right: Merged | None) -> bool:
    """True if both are absent or have the same value."""
    if left is None or right is None:
        return left is right
    return left is right or plain(left) == plain(right)


def _pairs(value: Merged | None) -> dict[str, Merged] | None:
    if value is None or isinstance(value, dict):
        return value
    return dict(value.pairs()) if value.kind == "map" else None


def _is_empty(value: Merged | None) -> bool:
    """True for nothing, and for a key that lost all that stood below it."""
    return value is None or (not isinstance(value, dict) and value.kind == "scalar" and value.value is None)


def difference(left: Merged | None, right: Merged | None) -> Iterator[Difference]:
    """Paths whose values differ, as deep as the left side has mappings; a list that differs is one value."""
    pending: list[Difference] = [((), left, right)]
    count = 0
    while pending and count < MAX_CHANGES:
        path, one, two = pending.pop()
        ours, theirs = _pairs(one), _pairs(two)
        if ours is not None and (theirs is not None or _is_empty(two)):
            keys = {**ours, **(theirs or {})}
            pending.extend(((*path, key), ours.get(key), (theirs or {}).get(key)) for key in reversed(keys))
        elif not same(one, two):
            count += 1
            yield path, one, two
