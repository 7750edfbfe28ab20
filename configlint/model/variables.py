"""Environment variables that a tree sets for programs and that no program knows."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from configlint.catalog.variables import MENTION, Variables
from configlint.launch.world import World
from configlint.model.layout import Layout
from configlint.model.scripts import SUFFIXES
from configlint.source.base import Unreadable
from configlint.source.text import Place, Span, Text
from configlint.syntax.bash.nodes import Assignment, Declaration, Literal, Script, Simple
from configlint.syntax.bash.walk import at_offsets
from configlint.syntax.yaml import Node

_YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Misspelt:
    """A name that is set where ``place`` is, and the known one it must have been meant to be."""

    path: str
    name: str
    meant: str
    place: Place


def misspelt(layout: Layout, world: World, paths: tuple[str, ...], variables: Variables) -> tuple[Misspelt, ...]:
    """The misspelt names, in order of files; those that some script of the tree reads itself are its own affair."""
    texts = dict(_texts(layout, paths))
    judged: dict[bytes, str] = {}
    found: list[Misspelt] = []
    for path, text in texts.items():
        offsets: dict[int, str] = {}
        for match in MENTION.finditer(text.raw):
            if match[0] not in judged:
                judged[match[0]] = variables.meant(match[0].decode())
            if judged[match[0]]:
                offsets[match.start()] = match[0].decode()
        if offsets and path.endswith(_YAML):
            file = layout.document(path)
            settings = _in_yaml(file.root if file is not None else None, offsets)
        elif offsets and path.endswith(SUFFIXES):
            settings = _in_script(world.script(path), offsets)
        else:
            continue
        for at in settings:
            name = offsets[at]
            found.append(Misspelt(path, name, judged[name.encode()], Place(text, Span(at, at + len(name)))))
    own = {name for name in {one.name for one in found} if any(_reads(text.raw, name) for text in texts.values())}
    return tuple(one for one in found if one.name not in own)


def _texts(layout: Layout, paths: tuple[str, ...]) -> Iterator[tuple[str, Text]]:
    for path in paths:
        if path.endswith((*_YAML, *SUFFIXES, ".py")) and not layout.tree.is_symlink(path):
            try:
                yield path, layout.tree.read(path)
            except (FileNotFoundError, Unreadable):
                continue


def _reads(raw: bytes, name: str) -> bool:
    """True if a shell expands a variable, or a program takes it from its environment by name."""
    word = name.encode()
    if word not in raw:
        return False
    return bool(re.search(rb"\$\{?[!#]?%b\b|-[vnz] +%b\b|[\[(]\s*[\"']%b[\"']" % (word, word, word), raw))


def _in_yaml(root: Node | None, offsets: dict[int, str]) -> Iterator[int]:
    """Where a name is a key with a scalar value, and where a scalar holds ``NAME=``."""
    ordered = sorted(offsets)
    for node in root.walk() if root is not None else ():
        if node.kind != "scalar":
            for key, value in node.items():
                at = key.span.start + (key.style in ("'", '"'))
                if value.kind == "scalar" and key.name == offsets.get(at):
                    yield at
        elif "=" in node.text:
            raw, span = node.file.text.raw, node.span
            for at in ordered[bisect_left(ordered, span.start) : bisect_left(ordered, span.end)]:
                if raw.startswith(b"=", at + len(offsets[at])):
                    yield at


def _in_script(script: Script | str, offsets: dict[int, str]) -> Iterator[int]:
    """Where a variable is exported or given to a command, and where a word is ``NAME=value``, as for ``env``."""
    if isinstance(script, str):
        return
    exporting = False
    for node in at_offsets(script.body, tuple(offsets)):
        if isinstance(node, Declaration | Simple):
            exporting = node.keyword == "export" if isinstance(node, Declaration) else bool(node.words)
        elif isinstance(node, Assignment):
            if exporting and node.name == offsets.get(node.start):
                yield node.start
        elif isinstance(node, Literal) and "=" in node.text:
            name = node.text.partition("=")[0]
            yield from (at for at in (node.start, node.start + 1) if offsets.get(at) == name)
