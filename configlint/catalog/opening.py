"""From what a user names as a source (``--from``) to its members."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from configlint.catalog.archives import source_archive, wheel
from configlint.catalog.members import Members, MembersError, TreeMembers
from configlint.source.base import SourceError
from configlint.source.git import Repository, git_directory
from configlint.source.trees import WorkingTree

_ZIPS = (".whl", ".zip")
_TARS = (".tar.gz", ".tgz")


@contextmanager
def opened(source: str) -> Iterator[Members]:
    """The members of ``WHEEL``, ``SDIST``, ``DIR`` or ``GIT[@REF]``. Raises MembersError.

    A bare repository is read at its HEAD where no ref is given; a folder, or a repository with a checkout, as it is.
    """
    path, ref = _split(source)
    if ref:
        with _repository(path) as repository:
            yield _revision(repository, ref)
    elif path.is_dir() and git_directory(path) is not None and not (path / ".git").exists():
        with _repository(path) as repository:
            yield _revision(repository, "HEAD")
    elif path.is_dir():
        yield TreeMembers(WorkingTree(path, name=path.name))
    elif path.name.endswith(_ZIPS):
        archive = wheel(path)
        with closing(archive):
            yield archive
    elif path.name.endswith(_TARS):
        yield source_archive(path)
    else:
        raise MembersError(f"{source}: neither a folder nor a file that ends in {', '.join((*_ZIPS, *_TARS))}")


def _split(source: str) -> tuple[Path, str]:
    """Path and ref. A path that exists as it stands has no ref, whatever it is called."""
    if Path(source).exists():
        return Path(source), ""
    at = source.find("@")
    while at > 0:
        path = Path(source[:at])
        if path.is_dir() and git_directory(path) is not None:
            return path, source[at + 1 :]
        at = source.find("@", at + 1)
    raise MembersError(f"{source}: no such file, folder or git repository (GIT@REF names a revision)")


def _repository(path: Path) -> Repository:
    try:
        return Repository(path)
    except SourceError as fault:
        raise MembersError(str(fault)) from None


def _revision(repository: Repository, ref: str) -> Members:
    """A tag, a branch, a remote's branch or a commit, in this order."""
    names = [f"refs/tags/{ref}", f"refs/heads/{ref}", f"refs/remotes/origin/{ref}", ref]
    found = next((name for name in names if repository.resolve(name)), ref)
    try:
        return TreeMembers(repository.tree(found, name=f"{repository.name}@{ref}"))
    except SourceError as fault:
        raise MembersError(str(fault)) from None
