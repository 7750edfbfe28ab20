"""Aliases: the names by which a document may call models and containers.

A launcher generates a cluster file beside the document it submits. Its tables map names to paths on the cluster; a
name that is in no table is taken literally.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.outcome import Cell, Outcome
from configlint.launch.texts import VirtualText
from configlint.launch.values import UNKNOWN
from configlint.model.documents import Document, Settled, place_in
from configlint.model.images import Image, parse_image
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.model.launches import Launch
    from configlint.profile.profile import Profile
    from configlint.syntax.yaml import File, Node

_NAMED = re.compile(r"\$\{?([A-Za-z_]\w*)", re.ASCII)
_PATHS = ("/", "./", "../", "~")


class Kind(Enum):
    """What a name in a document is."""

    ALIAS = "alias"  # a key of the table
    IMAGE = "image"  # an image for a registry, taken literally
    PATH = "path"  # a file or folder of the cluster, or what needs no alias
    NAME = "name"  # a word that no table has
    UNKNOWN = "unknown"  # a part of it, or of the table, is not known


class Alias:
    """A key of a table, with what it stands for. Both may have holes."""

    def __init__(self, name: str, value: str, node: Node, owner: Aliases) -> None:
        self.name, self.value, self._node, self._owner = name, value, node, owner

    @cached_property
    def image(self) -> Image | None:
        """The image that the key spells, if it does."""
        return parse_image(self.name) if is_reference(self.name) else None

    @cached_property
    def place(self) -> Place | None:
        """The launcher's line that writes the pair."""
        return self._owner.place(self._node)

    @cached_property
    def set_at(self) -> Place | None:
        """Where the launcher sets the variable that the key is, None where the key is written out."""
        return self._owner.set_at(self.name, self.place)


@dataclass(frozen=True, eq=False)
class Table:
    """One table of the cluster file. ``place`` is the launcher's line with its key, None where there is no table.

    ``is_open``: a key is not known, so any name may be an alias.
    """

    place: Place | None = None
    aliases: Mapping[str, Alias] = field(default_factory=dict)
    is_open: bool = False

    @property
    def names(self) -> str:
        """The names for people."""
        return ", ".join(self.aliases) or "none"

    def spelled(self, image: Image) -> Alias | None:
        """The alias that is this image, in whatever spelling."""
        return next((one for one in self.aliases.values() if one.image and one.image.same(image)), None)

    def behind(self, alias: Alias) -> Image | None:
        """The image that a name stands for: the one name with the same target that is an image says so."""
        images = {one.image for one in self.aliases.values() if one.image and one.value == alias.value}
        return images.pop() if len(images) == 1 else None


@dataclass(frozen=True, eq=False)
class Use:
    """A field of a submitted document that is looked up in a table.

    ``given`` is its value, ``place`` where it is written. ``alias`` is what it is found as; ``image`` is the image
    that it stands for, literally or through the alias, None where that is not known.
    """

    path: str
    given: str
    place: Place | None
    kind: Kind
    alias: Alias | None = None
    image: Image | None = None

    @property
    def is_image(self) -> bool:
        """True if it is taken literally, as an image of a registry."""
        return self.kind is Kind.IMAGE

    @property
    def is_undefined(self) -> bool:
        """True if it is no alias and can be nothing else."""
        return self.kind is Kind.NAME

    @property
    def is_unknown(self) -> bool:
        """True if it cannot be told what it is."""
        return self.kind is Kind.UNKNOWN


class Aliases:
    """The tables that hold when a launch submits its document."""

    def __init__(self, launch: Launch, outcome: Outcome, text: VirtualText, file: File, profile: Profile) -> None:
        self._launch, self._outcome, self._text, self._file = launch, outcome, text, file
        self._profile = profile

    @cached_property
    def models(self) -> Table:
        return self._table(self._profile.aliases.models)

    @cached_property
    def containers(self) -> Table:
        return self._table(self._profile.aliases.containers)

    def _table(self, key: str) -> Table:
        root = self._file.root
        if root is None or root.kind != "map":
            return Table(is_open=True)
        node, head = root.get(key), root.key(key)
        place = self.place(head) if head is not None else None
        if node is None or node.kind != "map":
            # A line that is not known may hold anything, the table too.
            return Table(place, is_open=any(UNKNOWN in self._bound(name) for name in root.pairs()))
        aliases, is_open = {}, False
        for written, value in node.pairs().items():
            name = self._bound(written)
            if UNKNOWN in name:
                is_open = True
            else:
                aliases[name] = Alias(name, self._bound(value.text), value, self)
        return Table(place, aliases, is_open)

    def _bound(self, text: str) -> str:
        """Generated text with the launch's inputs filled in."""
        return self._launch.text(text) or ""

    def place(self, node: Node) -> Place | None:
        """The launcher's line that wrote a node of the cluster file."""
        return place_in(self._text, node)

    def set_at(self, name: str, line: Place | None) -> Place | None:
        """Where the launcher sets the variable that became a key: one that its line names and that has its value."""
        if line is None or not name:
            return None
        for variable in _NAMED.findall(line.text.slice(line.text.line_span(line.line))):
            cell = self._outcome.variables.get(variable)
            if isinstance(cell, Cell) and cell.at is not None and self._launch.text(cell.value) == name:
                return cell.at
        return None

    # --- looking up -------------------------------------------------------------------------------

    def container(self, given: str) -> tuple[Kind, Alias | None, Image | None]:
        """What a container is: its kind, the alias it is found as, the image it stands for."""
        found = self.containers.aliases.get(given)
        if found is not None:
            return Kind.ALIAS, found, self.containers.behind(found)
        if self.containers.is_open or _is_unknown(given):
            return Kind.UNKNOWN, None, None
        if given.startswith(_PATHS):
            return Kind.PATH, None, None
        image = parse_image(given)
        return (Kind.IMAGE if image is not None and is_reference(given) else Kind.NAME), None, image

    def model(self, given: str) -> tuple[Kind, Alias | None, Image | None]:
        """What a model is: its kind, and the alias it is found as."""
        found = self.models.aliases.get(given)
        if found is not None:
            return Kind.ALIAS, found, None
        if self.models.is_open or _is_unknown(given):
            return Kind.UNKNOWN, None, None
        literal = given.startswith((*self._profile.aliases.model_prefixes, *_PATHS))
        return (Kind.PATH if literal else Kind.NAME), None, None

    def container_uses(self, document: Document, settled: Settled) -> tuple[Use, ...]:
        """The fields of a submitted variant that name containers, the main one first."""
        return self._uses(document, settled, self._profile.documents.container_fields, self.container)

    def model_uses(self, document: Document, settled: Settled) -> tuple[Use, ...]:
        """The fields of a submitted variant that name models."""
        return self._uses(document, settled, self._profile.documents.model_fields, self.model)

    def _uses(self, document: Document, settled: Settled, fields: tuple[str, ...], look: _Look) -> tuple[Use, ...]:
        found = []
        for path, node in settled.values(fields):
            if node.kind == "scalar" and node.value is not None:
                given = self._bound(node.text)
                found.append(Use(path, given, document.place(node), *look(given)))
        return tuple(found)


_Look = Callable[[str], tuple[Kind, Alias | None, Image | None]]


def _is_unknown(given: str) -> bool:
    """Holes are not known, nor are variables: the submitting program expands them on the cluster."""
    return UNKNOWN in given or "$" in given


def is_reference(given: str) -> bool:
    """True if a word can only be meant as an image: it says where from, or which."""
    return any(mark in given for mark in "/:#@")
