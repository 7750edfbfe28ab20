"""Options that several commands share, and what they mean."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from configlint.cli.errors import UsageError
from configlint.cli.request import Request
from configlint.source.urls import REFS_VARIABLE, split_list


def add_repository(parser: argparse.ArgumentParser) -> None:
    """Which repository, which revision, and what else can be read."""
    group = parser.add_argument_group("repository")
    group.add_argument(
        "--repo",
        metavar="DIR",
        help="the repository (may be bare), or a folder to be taken for one;"
        " default: the nearest folder with a .git or configlint.toml, from PATHS or the working directory upwards",
    )
    group.add_argument("--rev", metavar="REV", help="analyse this revision, without a checkout, not the working tree")
    group.add_argument(
        "--ref-source",
        metavar="URL=PATH|URL@REF=DIR",
        action="append",
        default=[],
        help="where an outside repository, or one ref of it, can be read (repeatable; also " + REFS_VARIABLE + ")",
    )
    group.add_argument("--profile", metavar="NAME|FILE", help="how the repository is laid out (default: found out)")
    group.add_argument(
        "--jobs",
        metavar="N",
        type=number,
        default=0,
        help="how many processes may work at a time (default: 2; more do not help yet)",
    )
    group.add_argument("--verbose", action="store_true", help="list everything instead of a few")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def number(text: str) -> int:
    """A count of at least one, as an argparse type."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return value


def percent(text: str) -> float:
    """A share in percent, as an argparse type."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage from 0 to 100")
    return value


def request(args: argparse.Namespace, environment: Mapping[str, str], paths: Sequence[str] = ()) -> Request:
    """The request that the common options describe. ``paths`` say where to look for the repository.

    Raises :class:`UsageError` where a path leads nowhere.
    """
    sources, outer = tuple(args.ref_source), _specs(environment.get(REFS_VARIABLE, ""))
    for given_by, source in [("--ref-source", one) for one in sources] + [(REFS_VARIABLE, one) for one in outer]:
        if not all(source.rpartition("=")[::2]):
            raise UsageError(f"{given_by} {source!r}: expected URL=PATH or URL@REF=DIR")
    start = Path(args.repo) if args.repo is not None else _start(paths)
    if not os.path.exists(start):  # unlike Path.exists, also for names too long to exist
        raise UsageError(f"{'--repo ' if args.repo is not None else ''}{start}: no such file or directory")
    return Request(
        start=start,
        exact=args.repo is not None,
        revision=args.rev,
        ref_sources=sources,
        environment_refs=outer,
        profile=args.profile,
        jobs=args.jobs,
    )


def _specs(value: str) -> tuple[str, ...]:
    """The ref sources in the environment variable: separated by white space or by the path separator."""
    return tuple(spec for word in value.split() for spec in split_list(word))


def _start(paths: Sequence[str]) -> Path:
    """Where to start looking for a repository: the first path, or the nearest folder above it that exists."""
    if not paths:
        return Path()
    # With --rev a path need not exist in the working tree.
    path = Path(paths[0])
    return next((one for one in (path, *path.parents) if os.path.exists(one)), Path())


def split_ids(values: Sequence[str]) -> tuple[str, ...]:
    """Ids from repeatable options that also take lists with commas."""
    return tuple(word for value in values for word in value.replace(",", " ").split())
