"""The engine in an image: which one, and which versions it may be."""

from __future__ import annotations

from collections.abc import Sequence

from configlint.catalog.images import Build, Inside, inside
from configlint.catalog.releases import AHEAD, around
from configlint.model.images import Image, parse_image
from configlint.model.versions.match import Confidence, Match, anything, at_least, between, released

Versions = Sequence[str]


def contents(image: Image | None) -> Inside | None:
    """What an image's name tells of what is in it."""
    return inside(image.registry, image.repository, image.tag) if image is not None else None


def engine_of(image: Image | None, backend: str = "") -> str:
    """The engine that runs: the one that the backend needs, else the one in the image; empty where neither tells."""
    found = contents(image)
    return backend or (found.engine if found is not None else "")


def engine_match(image: Image | None, engine: str, versions: Versions, spelled: str = "") -> Match:
    """The versions of an engine that an image may hold. ``spelled`` is the image for people."""
    found = contents(image)
    shown = _named(image, spelled)
    if image is None:
        reason = f"it is not known which image {spelled} is" if spelled else "the image is not known"
        return anything(engine, versions, reason)
    if found is None:
        return anything(engine, versions, f"{shown} is no image that is known here")
    if found.engine != engine:
        return anything(engine, versions, f"{shown} is an image of {found.engine}")
    if found.distribution:
        return anything(engine, versions, f"image {shown}, of which the tag is a version of {found.distribution}")
    reason = f"image {shown}" + (f" ({found.why})" if found.why else "")
    return _placed(found, engine, versions, reason)


def _placed(found: Inside, engine: str, versions: Versions, reason: str) -> Match:
    if found.build is Build.RELEASE:
        return released(engine, found.version, versions, reason)
    if found.build is Build.DAILY:
        return between(engine, found.version, versions, reason, AHEAD)
    if found.build is Build.BUILT_ON:
        return at_least(engine, found.version, versions, reason)
    if found.build is Build.DATED:
        return _dated(found, engine, versions, reason)
    return anything(engine, versions, reason, found.commit)


def _dated(found: Inside, engine: str, versions: Versions, reason: str) -> Match:
    near = around(engine, found.day, versions)
    if near is None:
        return anything(engine, versions, reason, found.day)
    names, is_newer = near
    if is_newer:
        reason = f"{reason}, newer than the catalog's newest {names[-1]}"
    return Match(engine, Confidence.RANGE, names, found.day, reason, is_newer)


def _named(image: Image | None, spelled: str) -> str:
    """The image for people; a name that stands for it is shown beside it."""
    if image is None:
        return spelled
    registry = "" if image.registry == "docker.io" else f"{image.registry}/"
    digest = f"@{image.digest[:14]}..." if image.digest else ""
    shown = f"{registry}{image.repository}" + (f":{image.tag}" if image.tag else "") + digest
    is_alias = bool(spelled) and parse_image(spelled) != image
    return f"{shown} (called {spelled})" if is_alias else shown
