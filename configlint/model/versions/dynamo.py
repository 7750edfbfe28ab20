"""The version of Dynamo that a recipe installs: a wheel, a commit, a release, or what the image brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from configlint.catalog.entrypoints import DYNAMO
from configlint.catalog.versions import order
from configlint.model.images import Image
from configlint.model.versions.engine import contents
from configlint.model.versions.match import Match, anything, between, released


@dataclass(frozen=True)
class Installed:
    """What a recipe's ``dynamo:`` block says, defaults filled in. ``unknown`` says what is not known, if anything."""

    install: bool = True
    wheel: str = ""
    commit: str = ""
    top_of_tree: bool = False
    version: str = ""
    version_is_default: bool = False
    unknown: str = ""


def dynamo_match(installed: Installed, image: Image | None, versions: Sequence[str]) -> Match:
    """The versions of Dynamo that may run; in this order, as srtctl installs them."""
    if installed.unknown:
        return anything(DYNAMO, versions, installed.unknown)
    if not installed.install:
        return _of_image(image, versions)
    if installed.wheel:
        return _numbered(installed.wheel, versions, f"dynamo.wheel is {installed.wheel}")
    if installed.commit:
        return anything(DYNAMO, versions, f"built from commit {installed.commit[:12]} (dynamo.hash)", installed.commit)
    if installed.top_of_tree:
        return anything(DYNAMO, versions, "built from the newest commit (dynamo.top_of_tree)")
    if not installed.version:
        return anything(DYNAMO, versions, "dynamo.version is null")
    says = (
        "no dynamo block names a version, and the default is" if installed.version_is_default else "dynamo.version is"
    )
    return _numbered(installed.version, versions, f"{says} {installed.version}")


def _numbered(version: str, versions: Sequence[str], reason: str) -> Match:
    key = order(version)
    if key is None:
        return anything(DYNAMO, versions, f"{reason}, which is no version", version)
    is_development = key[3][0] == 0
    if is_development:
        return between(DYNAMO, version, versions, f"{reason}, a development version")
    return released(DYNAMO, version, versions, reason)


def _of_image(image: Image | None, versions: Sequence[str]) -> Match:
    found = contents(image)
    if found is not None and found.distribution == DYNAMO and found.version:
        return _numbered(found.version, versions, f"the image brings {found.version} (dynamo.install is false)")
    return anything(DYNAMO, versions, "the image brings its own (dynamo.install is false)")
