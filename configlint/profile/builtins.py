"""The built-in profiles, and which of them fits a tree."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from configlint.profile.globs import Globs
from configlint.profile.profile import Generation, Profile, load, loads

NAMES = ("inferencex",)


@cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "builtin" / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def builtin(name: str) -> Profile:
    """The built-in profile of this name. Raises KeyError where there is none."""
    if name not in NAMES:
        raise KeyError(name)
    return load(_data(name))


def custom(text: str) -> Profile:
    """A profile from TOML text that may extend a built-in one. Raises ProfileError."""
    return loads(text, {name: _data(name) for name in NAMES})


def generation(profile: Profile, paths: Iterable[str]) -> Generation | None:
    """The generation of a profile's layout that the files of a tree show; None where none fits."""
    files = list(paths)
    for one in profile.generations:
        if all(any(map(Globs([glob]).matches, files)) for glob in one.requires):
            return one
    return None


def detect(paths: Iterable[str]) -> tuple[Profile, Generation] | None:
    """The built-in profile and generation that fit a tree's files, None where none does."""
    files = list(paths)
    for name in NAMES:
        profile = builtin(name)
        found = generation(profile, files)
        if found is not None:
            return profile, found
    return None
