"""Flags that a user vouches for: private builds take what no release does.

In the configuration, a table from globs of images to names of flags::

    [accepted-flags]
    "vllm/vllm-openai:kimi-k3*" = ["enable-thing", "other-flag"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from configlint.model.images import Image, parse_image

KEY = "accepted-flags"
_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9.-]*", re.ASCII)


class BadSetting(Exception):
    """A setting that cannot be used; the message names it."""


@dataclass(frozen=True)
class AcceptedFlags:
    """Globs of images with the flags that those images accept, whatever the catalogs say."""

    rows: tuple[tuple[str, frozenset[str]], ...] = ()

    @classmethod
    def read(cls, data: object) -> AcceptedFlags:
        """The table as configured. Raises :class:`BadSetting`."""
        if not isinstance(data, Mapping):
            raise BadSetting(f"{KEY} must be a table: an image (* stands for anything) = a list of flags")
        rows = []
        for glob, flags in data.items():
            if not isinstance(flags, list) or not all(isinstance(one, str) for one in flags):
                raise BadSetting(f'{KEY}."{glob}" must be a list of flags')
            if not str(glob).strip() or any(character.isspace() for character in str(glob)):
                raise BadSetting(f'{KEY}."{glob}" names no image')
            rows.append((str(glob), frozenset(_flag(str(glob), one) for one in flags)))
        return cls(tuple(rows))

    def accepts(self, image: str, flag: str) -> bool:
        """Whether an image, in any spelling, is vouched for to take a flag."""
        if not self.rows:
            return False
        name = _normal(flag)
        spellings = {image, *_spellings(parse_image(image))}
        return any(name in flags and any(fnmatchcase(one, glob) for one in spellings) for glob, flags in self.rows)


def _normal(flag: str) -> str:
    return flag.strip().lstrip("-").replace("_", "-")


def _flag(glob: str, written: str) -> str:
    name = _normal(written)
    if _FLAG.fullmatch(name) is None:
        raise BadSetting(f'{KEY}."{glob}": {written!r} is no name of a flag')
    return name


def _spellings(image: Image | None) -> tuple[str, ...]:
    if image is None:
        return ()
    name = image.repository + (f":{image.tag}" if image.tag else "")
    return (name, f"{image.registry}/{name}", f"{image.registry}#{name}")
