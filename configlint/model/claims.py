"""Claims: what a document says about itself for readers of the results, and what the same document contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.model.aliases import Use
from configlint.model.documents import Document, Settled
from configlint.model.images import is_version, parse_image, same_version
from configlint.profile.identity import Identity
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

_COMMIT = re.compile(r"(?=.*[a-f])[0-9a-f]{7,40}", re.ASCII)


@dataclass(frozen=True, eq=False)
class FalseClaim:
    """A claim that the document itself refutes: ``claimed`` at ``path`` and ``place``, ``actual`` at ``actual_at``."""

    path: str
    claimed: str
    place: Place | None
    actual: str
    actual_at: Place | None


def false_claims(document: Document, settled: Settled, identity: Identity, container: Use) -> Iterator[FalseClaim]:
    """What a variant claims about its container and its programs, and does not hold.

    Only exact contradictions: a version against a tag that is a version or against a pin, a commit against a commit.
    """
    claimed, image = settled.value(identity.image), container.image
    if claimed is not None and image is not None:
        other = parse_image(claimed.text)
        if other is not None and other.same(image) is False:
            yield FalseClaim(identity.image, claimed.text, document.place(claimed), container.given, container.place)
    for path, node in settled.values((f"{identity.frameworks}.*",)) if identity.frameworks else ():
        program = path.rpartition(".")[2]
        if not _is_word(node):
            continue
        if image is not None and image.is_of(program) and image.version and _contradict(node.text, image.version):
            yield FalseClaim(path, node.text, document.place(node), container.given, container.place)
        pinned = _pin(settled, identity, program)
        if pinned is not None and _contradict(node.text, pinned.text):
            yield FalseClaim(path, node.text, document.place(node), f"{program} {pinned.text}", document.place(pinned))


def _pin(settled: Settled, identity: Identity, program: str) -> Node | None:
    """Which version of a program the document has installed; None where that is left to the image."""
    for pin in identity.pins:
        installed = settled.value(pin.installed)
        if pin.program == program and (installed is None or installed.value is not False):
            return next((node for _, node in settled.values(pin.sources) if _is_word(node)), None)
    return None


def _is_word(node: Node) -> bool:
    return node.kind == "scalar" and node.value is not None and node.value is not False


def _contradict(one: str, two: str) -> bool:
    """True if two versions, or two commits, differ for sure."""
    if is_version(one) and is_version(two):
        return not same_version(one, two)
    one, two = one.lower(), two.lower()
    return bool(_COMMIT.fullmatch(one) and _COMMIT.fullmatch(two)) and not (one.startswith(two) or two.startswith(one))
