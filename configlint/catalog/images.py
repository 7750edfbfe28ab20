"""What the names of public images say about the program inside: which one, and which build of it.

Only what a publisher's own scheme says is believed. Everything else is a build of somebody's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase


class Build(Enum):
    """How close an image is to a version."""

    RELEASE = "release"  # it is this version
    DAILY = "daily"  # a later build that still carries the last version's number
    BUILT_ON = "built on"  # this version with something added
    DATED = "dated"  # the main branch on a day
    OWN = "own"  # of somebody's own


@dataclass(frozen=True)
class Inside:
    """What is in an image. ``version`` is empty where none is named, ``day`` is ``YYYYMMDD``; ``why`` for people.

    ``distribution`` is the program that the tag counts, where that is another one than the engine.
    """

    engine: str
    build: Build
    version: str = ""
    day: str = ""
    commit: str = ""
    why: str = ""
    distribution: str = ""


@dataclass(frozen=True)
class _Family:
    """Repositories of one publisher. ``daily``: every tag is a build of the day. ``counts``: what tags count."""

    engine: str
    repositories: tuple[str, ...]
    daily: bool = False
    counts: str = ""


_FAMILIES = (
    _Family("vllm", ("docker.io/vllm/vllm-openai", "docker.io/vllm/vllm-openai-rocm")),
    _Family("sglang", ("docker.io/lmsysorg/sglang", "docker.io/lmsysorg/sglang-rocm")),
    _Family("sglang", ("docker.io/rocm/sgl-dev",), daily=True),
    _Family("atom", ("docker.io/rocm/atom",)),
    _Family("atom", ("docker.io/rocm/atom-dev",), daily=True),
    _Family("tensorrt-llm", ("nvcr.io/nvidia/tensorrt-llm/release",)),
    _Family("vllm", ("nvcr.io/nvidia/ai-dynamo/vllm-runtime",), counts="ai-dynamo"),
    _Family("sglang", ("nvcr.io/nvidia/ai-dynamo/sglang-runtime",), counts="ai-dynamo"),
    _Family("tensorrt-llm", ("nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime",), counts="ai-dynamo"),
)

_NUMBER = r"\d{1,3}(?:\.\d{1,3}){1,3}"
_STAGE = r"(?:(?:\.?(?:post|rc)\d*){1,2}|-dev\.\d+)?"
_VERSION = re.compile(rf"v?({_NUMBER}{_STAGE})(?=$|-)", re.ASCII)
_PLATFORM = re.compile(
    r"cu(?:da)?\d[\d.]*|rocm\d[\d.]*|ubuntu\d[\d.]*|py\d[\d.]*|x86_64|amd64|arm64|aarch64|runtime|devel"
    r"|mi\d{2,3}x?|gfx\d+\w?|[bh]\d{3}|gb\d{3}",
    re.ASCII,
)
_DAY = re.compile(r"(?<!\d)(20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:\d{4})?(?!\d)", re.ASCII)
_COMMIT = re.compile(r"(?:^|[-_])([0-9a-f]{7,40})$", re.ASCII)
_NIGHTLY = re.compile(r"(?:^|[-_])nightly(?:[-_]|$)")
_NAMED = {
    "vllm": re.compile(rf"(?:^|[-_])vllm[-_]?v?({_NUMBER}{_STAGE})(?=$|[-_])", re.ASCII),
    "sglang": re.compile(rf"(?:^|[-_])sglang[-_]?v?({_NUMBER}{_STAGE})(?=$|[-_])", re.ASCII),
    "atom": re.compile(rf"(?:^|[-_])atom[-_]?v?({_NUMBER}{_STAGE})(?=$|[-_])", re.ASCII),
}
_BARE = re.compile(rf"(?:^|-)({_NUMBER}{_STAGE})(?=-|$)", re.ASCII)
_TOOLKIT = re.compile(r"(?:^|-)(?:cu\d|cuda|rocm\d)", re.ASCII)


def inside(registry: str, repository: str, tag: str) -> Inside | None:
    """What is in an image; None where its name does not tell."""
    full = f"{registry}/{repository}"
    family = next((one for one in _FAMILIES if any(fnmatchcase(full, name) for name in one.repositories)), None)
    if family is not None:
        return _of_family(family, tag)
    for engine, pattern in _NAMED.items():
        found = pattern.search(tag)
        if found is not None:
            return Inside(engine, Build.BUILT_ON, found[1], why=f"the tag names {engine} {found[1]}")
    return None


def _of_family(family: _Family, tag: str) -> Inside:
    engine, counts = family.engine, family.counts
    if not tag or tag == "latest":
        return Inside(engine, Build.OWN, why="the tag says no version", distribution=counts)
    found = _VERSION.match(tag) or _attached(engine, tag)
    if found is not None and not _NIGHTLY.search(tag):
        rest = [part for part in tag[found.end() :].split("-") if part]
        strange = [part for part in rest if not _PLATFORM.fullmatch(part) and not _DAY.fullmatch(part)]
        if strange:
            if family.daily:
                return Inside(engine, Build.BUILT_ON, found[1], why=f"a build on {found[1]} with {strange[0]}")
            return Inside(engine, Build.OWN, why=f"{strange[0]} makes it no release", distribution=counts)
        day = next((part for part in rest if _DAY.fullmatch(part)), "")
        if day or family.daily:
            return Inside(engine, Build.DAILY, found[1], day, why=f"a build of the day after {found[1]}")
        return Inside(engine, Build.RELEASE, found[1].replace("-dev.", ".dev"), distribution=counts)
    return _unreleased(family, tag)


def _attached(engine: str, tag: str) -> re.Match[str] | None:
    """A version behind the engine's own name: ``..._atom0.1.3``, ``sglang-0.5.9-rocm720``."""
    pattern = _NAMED.get(engine)
    found = pattern.search(tag) if pattern is not None else None
    if found is None:
        return None
    whole = found.start() == 0 or found.end() == len(tag)
    return found if whole else None


def _unreleased(family: _Family, tag: str) -> Inside:
    engine = family.engine
    day, commit, bare = _DAY.search(tag), _COMMIT.search(tag), _BARE.search(tag)
    hashed = commit[1] if commit is not None and not commit[1].isdigit() else ""
    if day is not None and (family.daily or _NIGHTLY.search(tag) or tag[: day.start()].endswith(engine)):
        return Inside(engine, Build.DATED, "", day[1], hashed, f"built from the main branch on {day[1]}")
    if _NIGHTLY.search(tag):
        return Inside(engine, Build.OWN, commit=hashed, why="a nightly build, of which the tag says no day")
    # A number beside the toolkit's own (cu13) can only be the engine's; alone it may be the toolkit's.
    if bare is not None and _TOOLKIT.search(tag) and hashed:
        return Inside(engine, Build.BUILT_ON, bare[1], commit=hashed, why=f"the tag names {bare[1]}")
    return Inside(engine, Build.OWN, commit=hashed, why="a build of its own", distribution=family.counts)
