"""Outside repositories at the revisions a launcher clones: where they can be read, and what they hold.

A ref source is a bare or normal repository (``URL=PATH``) or a plain folder that stands for one ref
(``URL@REF=DIR``). Sources are asked in this order, and the first that has the ref answers:

1. the command line (``--ref-source``),
2. the environment variable ``CONFIGLINT_REFS``,
3. the configuration (``ref-sources`` in ``configlint.toml``),
4. the user's cache, where ``configlint refs sync`` puts clones.

Nothing here uses the network; :mod:`configlint.source.sync` does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from configlint.source.base import SourceError, Tree
from configlint.source.git import NotARepository, Repository
from configlint.source.trees import WorkingTree
from configlint.source.urls import REFS_VARIABLE, BadUrl, cached_clone_path, normalise_url, short_name, split_spec

__all__ = [
    "BadUrl", "RefAnswer", "RefSource", "RefSources",
    "cached_clone_path", "normalise_url", "short_name",
]  # fmt: skip

COMMAND_LINE, ENVIRONMENT, CONFIGURATION, CACHE = "--ref-source", REFS_VARIABLE, "configlint.toml", "cache"
"""Who gave a source: the word that people have to look at where it is wrong."""

_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
# What git's check-ref-format forbids; the rest could turn a name into a revision expression.
_BAD_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[/-]|[/.]$|^@$|(^|/)\.|\.lock(/|$)")


@dataclass(frozen=True)
class RefSource:
    """One place where an outside repository can be read. ``ref`` is None for a repository with all its refs."""

    url: str
    ref: str | None
    path: Path
    given_by: str  # COMMAND_LINE, ENVIRONMENT, CONFIGURATION or CACHE


@dataclass(frozen=True, eq=False)
class RefAnswer:
    """What a (URL, ref) is.

    ``kind`` says how the ref was found: "tag", "branch", "commit", "default" (no ref was named; ``name`` is the
    default branch), "folder", or "unknown", and then ``reason`` says why for people. ``commit`` is None for a
    folder; ``tree`` only for unknown.
    """

    tree: Tree | None
    commit: str | None
    kind: str
    name: str
    reason: str = ""


class RefSources:
    """All ref sources of a run. Answers are kept, repositories stay open until :meth:`close`."""

    def __init__(self, sources: Iterable[RefSource] = (), cache: Path | None = None, as_of: int | None = None) -> None:
        """``cache`` is the root of configlint's cache, where clones are looked up; None for none.

        ``as_of`` (seconds since 1970) reads moving refs, that is branches, as they were then: an old revision is
        judged by what its launchers cloned, not by what became of the branch. Tags and ids mean what they say.
        """
        self.as_of = as_of
        self.sources = tuple(sources)
        self._cache = cache
        self._repositories: dict[Path, Repository | SourceError] = {}
        self._answers: dict[tuple[str, str | None], RefAnswer] = {}

    @classmethod
    def parse(
        cls,
        specs: Iterable[str],
        given_by: str = COMMAND_LINE,
        base: Path | None = None,
        cache: Path | None = None,
    ) -> RefSources:
        """Sources from specs; relative paths start at ``base`` (the current folder by default).

        Raises SourceError for a spec that cannot be read: bad syntax, no such folder, no repository.
        """
        return cls(_parse(specs, given_by, base), cache)

    @classmethod
    def gather(
        cls,
        command_line: Sequence[str] = (),
        environment: Sequence[str] = (),
        configuration: Sequence[str] = (),
        base: Path | None = None,
        cache: Path | None = None,
    ) -> RefSources:
        """Sources from everywhere, in order of precedence. ``base`` is the configuration's folder.

        ``environment`` are the specs in the variable. Raises SourceError, which says whose spec is at fault.
        """
        return cls(
            (
                *_parse(command_line, COMMAND_LINE, None),
                *_parse(environment, ENVIRONMENT, None),
                *_parse(configuration, CONFIGURATION, base),
            ),
            cache,
        )

    def __enter__(self) -> RefSources:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git processes of all repositories."""
        for repository in self._repositories.values():
            if isinstance(repository, Repository):
                repository.close()

    def sources_of(self, url: str) -> tuple[RefSource, ...]:
        """The sources for a URL in the order they are asked, the cache last."""
        key = normalise_url(url)
        found = [source for source in self.sources if normalise_url(source.url) == key]
        if self._cache is not None:
            try:
                path = cached_clone_path(url, self._cache)
            except BadUrl:
                return tuple(found)
            if path.is_dir():
                found.append(RefSource(url, None, path, CACHE))
        return tuple(found)

    def lookup(self, url: str, ref: str | None) -> RefAnswer:
        """What ``ref`` of the repository ``url`` is; None asks for the default branch. Never raises SourceError."""
        key = (normalise_url(url), ref)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._lookup(url, ref)
        return answer

    def _lookup(self, url: str, ref: str | None) -> RefAnswer:
        name = short_name(url)
        if ref is not None and (ref == "" or _BAD_REF.search(ref)):
            return RefAnswer(None, None, "unknown", ref, f"{ref!r} is no name of a ref")
        ref = None if ref in ("HEAD", "origin/HEAD") else ref
        sources = self.sources_of(url)
        reasons = []
        for source in sources:
            try:
                if source.ref is None:
                    return self._in_repository(self._repository(source.path), name, ref)
                if source.ref == (ref or "HEAD"):
                    origin = f"{name}@{source.ref}"
                    return RefAnswer(WorkingTree(source.path, origin, origin), None, "folder", source.ref)
                reasons.append(f"a ref source for {name} holds {source.ref} only")
            except SourceError as fault:
                reasons.append(str(fault))
        return RefAnswer(None, None, "unknown", ref or "", "; ".join(reasons) or f"no ref source for {name}")

    def _repository(self, path: Path) -> Repository:
        known = self._repositories.get(path)
        if known is None:
            try:
                known = Repository(path)
            except SourceError as fault:
                known = fault
            self._repositories[path] = known
        if isinstance(known, SourceError):
            raise known.with_traceback(None)
        return known

    def _in_repository(self, repository: Repository, name: str, ref: str | None) -> RefAnswer:
        """The answer of one repository. Raises SourceError where it does not have the ref."""
        if ref is None:
            branch = repository.default_branch()
            if branch is None:
                raise SourceError(f"the ref source for {name} does not say what its default branch is")
            kind, commit = "default", _branch(repository, branch)
        else:
            branch = ref
            kind, commit = _resolve(repository, ref)
        if commit is None:
            shallow = " (it is a shallow clone)" if repository.is_shallow else ""
            raise SourceError(f"the ref source for {name} has no {branch}{shallow}")
        if self.as_of is not None and kind in ("default", "branch"):
            tip, commit = commit, repository.as_of(commit, self.as_of)
            if commit is None:
                raise SourceError(f"the branch {branch} of {name} has no commit as old as the revision under review")
            if commit != tip:
                origin = f"{name}@{branch} at {commit[:8]}"
                return RefAnswer(repository.tree(commit, origin, origin), commit, kind, branch)
        origin = f"{name}@{commit[:8] if kind == 'commit' else branch}"
        return RefAnswer(repository.tree(commit, origin, origin), commit, kind, branch)


def _resolve(repository: Repository, ref: str) -> tuple[str, str | None]:
    """Kind and commit of a ref: tag, then head, then remote head, then commit id.

    ``tags/NAME`` and ``origin/NAME`` mean in a fresh clone what they say, so they are looked up without it.
    """
    short = ref.removeprefix("refs/").removeprefix("remotes/")
    sort, _, rest = short.partition("/")
    if rest and sort == "tags" and (commit := repository.resolve(f"refs/tags/{rest}")):
        return "tag", commit
    if commit := repository.resolve(f"refs/tags/{ref}"):
        return "tag", commit
    if commit := _branch(repository, ref):
        return "branch", commit
    if rest and sort in ("heads", "origin") and (commit := _branch(repository, rest)):
        return "branch", commit
    if _COMMIT.fullmatch(ref):
        # Names that look like ids were tried above; what comes back must be the id itself.
        commit = repository.resolve(ref)
        if commit and commit.startswith(ref.lower()):
            return "commit", commit
    return "unknown", None


def _branch(repository: Repository, name: str) -> str | None:
    """The commit of a head, else of a remote head (``origin`` before others)."""
    if commit := repository.resolve(f"refs/heads/{name}"):
        return commit
    commits = (repository.resolve(f"refs/remotes/{remote}/{name}") for remote in repository.remotes)
    return next((commit for commit in commits if commit), None)


def _parse(specs: Iterable[str], given_by: str, base: Path | None) -> tuple[RefSource, ...]:
    sources = []
    for spec in specs:
        try:
            url, ref, path = split_spec(spec)
        except SourceError as fault:
            raise SourceError(f"{given_by}: {fault}") from None
        folder = Path(os.path.abspath((base or Path()) / Path(path).expanduser()))
        if not folder.is_dir():
            raise SourceError(f"{given_by}: ref source {spec.strip()!r}: no such folder {folder}")
        if ref is None:
            try:
                Repository(folder)
            except NotARepository:
                raise SourceError(
                    f"{given_by}: ref source {spec.strip()!r}: not a git repository;"
                    " for a plain folder say which ref it stands for: URL@REF=DIRECTORY"
                ) from None
        sources.append(RefSource(url, ref, folder, given_by))
    return tuple(sources)
