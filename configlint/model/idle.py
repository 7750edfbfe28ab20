"""Edits that do nothing for the document they are run on, although it does not say what they want."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from configlint.model.changes import Path, at, difference, node_of, same
from configlint.model.composition import Merged, Variant
from configlint.model.intents import Intent, idle_intents
from configlint.model.windows import Window, quantity, quantity_of, window_of

if TYPE_CHECKING:
    from configlint.launch.outcome import Edit
    from configlint.model.documents import Document
    from configlint.profile.profile import Documents, Health
    from configlint.syntax.yaml import Node

_MAX_VALUES = 20_000


@dataclass(frozen=True, eq=False)
class IdleEdit:
    """An edit without the effect it is for. ``what`` says what stays as it is, ``node`` where that is written."""

    edit: Edit
    path: str
    what: str
    node: Node | None = None


def idle_edits(document: Document, documents: Documents) -> Iterator[IdleEdit]:
    """The edits of a document that miss it; one each for a path."""
    seen: set[tuple[int, str]] = set()
    for edit in document.steps:
        found = [*_outside(document, edit, documents)]
        for intent in idle_intents(edit):
            if documents.name not in (intent.key, (intent.wanted or ("",))[0]):
                for variant in document.certain_variants:
                    found += _missed(document, edit, intent, variant, documents)
        for one in found:
            if (id(edit), one.path) not in seen:
                seen.add((id(edit), one.path))
                yield one


def _missed(
    document: Document, edit: Edit, intent: Intent, variant: Variant, documents: Documents
) -> Iterator[IdleEdit]:
    health = documents.health
    parts = {path.rpartition(".")[2]: path for path in (health.attempts, health.interval)} if health else {}
    if intent.wanted is not None and intent.wanted[0] in parts and health is not None and not intent.beside:
        now = window_of(variant, health)
        number = quantity_of(intent.wanted[1])
        if now is not None and number is not None:
            yield from _window(edit, parts[intent.wanted[0]], now, number, health)
        return
    then = document.variant_of(edit.before, variant.name) if edit.before is not None else None
    for path, value in _values(then) if then is not None else ():
        if path[-1] != intent.key or not _fits(intent, value):
            continue
        if intent.wanted is None:
            now_there = at(variant, path)
            if now_there is not None and same(now_there, value):
                yield IdleEdit(edit, ".".join(path), f"{'.'.join(path)} stays", node_of(now_there))
            continue
        key, text = intent.wanted
        target = (*path[:-1], key) if intent.beside else path
        yield from _value(edit, target, at(variant, target), text, node_of(at(variant, path)), documents)


def _value(
    edit: Edit, path: Path, value: Merged | None, text: str, node: Node | None, documents: Documents
) -> Iterator[IdleEdit]:
    dotted, written = ".".join(path), node_of(value)
    if written is None or isinstance(value, dict) or not _reached(dotted, written, text, documents):
        stays = f"is not set to {text}" if written is None else f"stays {written.text}, not {text}"
        yield IdleEdit(edit, dotted, f"{dotted} {stays}", written or node)


def _window(edit: Edit, path: str, now: Window, number: float, health: Health) -> Iterator[IdleEdit]:
    attempts = path == health.attempts
    node = now.attempts_node if attempts else now.interval_node
    wanted = replace(now, attempts=number) if attempts else replace(now, interval=number)
    if now.seconds < wanted.seconds:
        why = "" if node is not None else f"{path} is not set, so "
        yield IdleEdit(edit, path, f"{why}the health window stays {now}, not {wanted}", node)


def _reached(path: str, node: Node, text: str, documents: Documents) -> bool:
    """True if a value is what an edit wants, or a limit that is at least as large."""
    if node.kind != "scalar":
        return False
    have, want = quantity(node), quantity_of(text)
    if have is not None and want is not None:
        return have >= want if documents.is_limit(path) else have == want
    return node.text == text


def _fits(intent: Intent, value: Merged) -> bool:
    """True if the line of a value is one that the edit would act on at another indentation."""
    node = node_of(value)
    if node is None:
        return False
    file = node.file.text
    line = file.position(node.span.start).line
    lines = [line] if node.kind == "scalar" else [line - 1, line]
    return any(intent.fits(file.slice(file.line_span(one))) for one in lines if one > 0)


def _outside(document: Document, edit: Edit, documents: Documents) -> Iterator[IdleEdit]:
    """What an edit changes in the file and in none of its variants: they do not read it, or override it."""
    if edit.before is None or edit.after is None or edit.before.text == edit.after.text:
        return
    before, after = document.file(edit.before), document.file(edit.after)
    changed = [(path, two or one) for path, one, two in difference(before.root, after.root)]
    if not changed or not document.is_composed(after):
        return
    old = {one.name: one for one in document.all_variants(before)}
    new = {one.name: one for one in document.all_variants(after)}
    if not new or old.keys() != new.keys() or any(not same(old[name].values, new[name].values) for name in new):
        return
    for path, value in changed:
        if path[-1:] != (documents.name,):
            dotted = ".".join(path)
            yield IdleEdit(edit, dotted, f"{dotted} is in no variant that can be submitted", node_of(value))


def _values(variant: Variant) -> Iterator[tuple[Path, Merged]]:
    """Every value below a key, with its path."""
    pending: list[tuple[Path, Merged]] = [((), variant.values)]
    budget = _MAX_VALUES
    while pending and budget:
        budget -= 1
        path, current = pending.pop()
        if isinstance(current, dict) or current.kind == "map":
            pairs: Mapping[str, Merged] = current if isinstance(current, dict) else current.pairs()
            for key, below in pairs.items():
                yield (*path, key), below
                pending.append(((*path, key), below))
