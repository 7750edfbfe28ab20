"""Container images: one image has many spellings, and only some of them can be told apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SCHEMES = ("docker://", "dockerd://")
_PULLED = "docker.io"  # where an image without a registry comes from
_REFERENCE = re.compile(
    r"(?P<path>[A-Za-z0-9][\w.\-/]*)(?::(?P<tag>\w[\w.\-]{0,127}))?(?:@(?P<digest>[A-Za-z0-9]+:[0-9a-fA-F]{32,}))?",
    re.ASCII,
)
_HOST = re.compile(r"[A-Za-z0-9][\w.\-]*(?::\d+)?", re.ASCII)
_NUMBER = r"\d+(?:\.\d+)+(?:\.?(?:a|b|rc|post|dev)\d+)*"
_VERSION = re.compile(_NUMBER, re.ASCII)
_TAGGED = re.compile(rf"v?({_NUMBER})(?:$|[-_](?!.*(?:dev|rc|alpha|beta|pre|nightly)))", re.ASCII)


@dataclass(frozen=True, slots=True)
class Image:
    """An image reference, whatever way it was spelled.

    ``tag`` is empty where none is written (registries then take ``latest``), ``digest`` where none is pinned.
    """

    registry: str
    repository: str
    tag: str = ""
    digest: str = ""

    def same(self, other: Image) -> bool | None:
        """True if both name one image; None where that cannot be told: only one of them pins a digest."""
        if (self.registry, self.repository) != (other.registry, other.repository):
            return False
        if self.digest and other.digest:
            return self.digest == other.digest
        same = (self.tag or "latest") == (other.tag or "latest")
        if self.digest or other.digest:
            return True if same and self.tag and other.tag else None
        return same

    def may_be(self, other: Image) -> bool:
        """True unless the two are certainly different images."""
        return self.same(other) is not False

    @property
    def version(self) -> str:
        """The version that the tag plainly is (``v0.20.1-cu130``: ``0.20.1``); empty for any other tag."""
        found = _TAGGED.match(self.tag)
        return found[1] if found else ""

    def is_of(self, program: str) -> bool:
        """True if a part of the repository's name is just this program: its tags are then the program's."""
        return program.lower().replace("_", "-") in self.repository.lower().replace("_", "-").split("/")


@lru_cache(4096)
def parse_image(text: str) -> Image | None:
    """An image in any spelling: ``vllm/x:1``, ``nvcr.io/a/b:1``, ``nvcr.io#a/b:1``, ``docker://user@host#a/b:1``.

    None for what is no reference: a path, a name with a variable in it. A word without ``/``, ``:`` and ``#`` is a
    reference too (to an official image), though it is rarely meant as one.
    """
    for scheme in _SCHEMES:
        text = text.removeprefix(scheme)
    registry, separator, rest = text.partition("#")
    if separator:
        registry = registry.rpartition("@")[2]
        if not registry:
            return None
    else:
        registry, separator, rest = text.partition("/")
        if not separator or not (registry == "localhost" or "." in registry or ":" in registry):
            registry, rest = "", text
    found = _REFERENCE.fullmatch(rest)
    if found is None or (registry and not _HOST.fullmatch(registry)):
        return None
    registry, repository = registry.lower() or _PULLED, found["path"]
    if registry == _PULLED:
        repository = repository.removeprefix("library/")
    return Image(registry, repository, found["tag"] or "", (found["digest"] or "").lower())


def same_version(one: str, two: str) -> bool:
    """True if two spellings are one version: a leading ``v`` and a local part (``+cu130``) say nothing."""
    return _plain(one) == _plain(two)


def is_version(text: str) -> bool:
    """True if the text is a version number and nothing else."""
    return _VERSION.fullmatch(_plain(text)) is not None


def _plain(version: str) -> str:
    return version.strip().lower().removeprefix("v").partition("+")[0]
