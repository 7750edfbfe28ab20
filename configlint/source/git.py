"""Git repositories and their revisions, read through the ``git`` program without a checkout.

Nothing of the repository is executed: only plumbing is called, never a shell; hooks, file-system monitors,
replacement objects and every transport are switched off, and the user's configuration is not read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from configlint.source.base import Kind, SourceError
from configlint.source.objects import AMBIGUOUS, DIED, MISSING, Answer, Objects
from configlint.source.walk import MODULE_REASON, Blocked, Entry, Sort, WalkedTree

_TIMEOUT = 120  # seconds for one git command
_MAX_OUTPUT = 64 * 1024 * 1024  # bytes one git command may print
_CACHE = 64 * 1024 * 1024  # bytes of blobs kept for the next revision

_OPTIONS = (
    "--no-pager",
    "-c", "core.hooksPath=", "-c", "core.fsmonitor=false", "-c", "core.useBuiltinFSMonitor=false",
    "-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c", "gc.auto=0",
)  # fmt: skip
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # for gits that do not know the line above: no fetch, whatever the repository says
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}
_SORTS = {
    b"40": Sort.DIRECTORY, b"12": Sort.LINK, b"16": Sort.MODULE, b"10": Sort.FILE,
}  # fmt: skip
_SHORT_ID = re.compile(r"[0-9a-fA-F]{4,64}")
_COMMITTED = re.compile(rb"(?m)^committer .*> (\d{1,12}) [-+]\d{4}$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class GitMissing(SourceError):
    """There is no git program."""


class NotARepository(SourceError):
    """The folder is no git repository, or one that git refuses."""


class UnknownRevision(SourceError):
    """The repository has no such commit."""


class Change(NamedTuple):
    """One path that differs between two revisions: A added, D deleted, M modified, T another type."""

    status: str
    path: str


def find_repository(path: Path | str) -> Path | None:
    """The root of the repository around a path: the folder that holds ``.git``, or a bare repository."""
    start = Path(path).absolute()
    for folder in (start, *start.parents):
        if git_directory(folder) is not None:
            return folder
    return None


def git_directory(folder: Path) -> Path | None:
    """The git directory of a repository's root, None where ``folder`` is none."""
    inner = folder / ".git"
    try:
        if inner.is_file():  # a linked worktree or a submodule
            with inner.open("rb") as file:
                line = os.fsdecode(file.read(4096)).strip()
            target = folder / line.removeprefix("gitdir:").strip()
            return target if line.startswith("gitdir:") and os.path.isdir(target) else None
        for candidate in (inner, folder):
            if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir() and (candidate / "refs").is_dir():
                return candidate
    except OSError:
        pass
    return None


class Repository:
    """A bare or normal repository. ``path`` is its root, not a folder inside it (see :func:`find_repository`).

    Raises GitMissing or NotARepository. Close it, or use it as a context manager; a git process runs behind it.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        directory = git_directory(self.path.absolute())
        if directory is None:
            exists = self.path.is_dir()
            raise NotARepository(f"{path}: {'not a git repository' if exists else 'no such folder'}")
        program = shutil.which("git")
        if program is None:
            raise GitMissing("the git program was not found; reading revisions needs it")
        # Naming the directory keeps git from searching, and from refusing a repository of another owner.
        self._command = [os.path.abspath(program), f"--git-dir={directory}", *_OPTIONS]
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment.update(_ENVIRONMENT)
        self._directory = str(directory)
        self.objects = Objects(self._command, self._environment, self._directory)
        self._commits: dict[str, Answer] = {}
        self._directories: dict[str, Mapping[str, Entry]] = {}
        self._blobs: dict[str, Answer] = {}
        self._blob_bytes = 0

    @property
    def name(self) -> str:
        """The repository's name for people: its folder, without ``.git``."""
        path = self.path.absolute()
        return path.name.removesuffix(".git") or path.parent.name

    @cached_property
    def is_bare(self) -> bool:
        """Whether the root is the git directory itself."""
        return not (self.path / ".git").exists()

    @cached_property
    def is_shallow(self) -> bool:
        """Whether history is cut off, so that a missing commit or merge base means nothing."""
        return self._run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def __enter__(self) -> Repository:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git process. Trees of this repository stay usable: reading starts another."""
        self.objects.close()

    def resolve(self, revision: str) -> str | None:
        """The commit that a revision expression names, as a full id; None where there is none."""
        return self._commit(revision).id or None

    def tree(self, revision: str, origin: str = "", name: str | None = None, folder: str = "") -> GitTree:
        """The files at a revision, or of one folder of it. Raises UnknownRevision."""
        commit = self._demand(revision)
        whole = GitTree(self, commit, name or f"{self.name}@{revision}", origin)
        if not folder:
            return whole
        top = whole.directory_id(folder)
        if top is None:
            raise UnknownRevision(f"{self.name}: there is no folder {folder} at revision {revision!r}")
        return GitTree(self, commit, name or f"{folder.rpartition('/')[2]}@{revision}", origin, top)

    def default_branch(self) -> str | None:
        """The branch that a clone of this repository's origin starts on; of a bare repository, HEAD's.

        None where neither says (a detached HEAD).
        """
        pairs = [("HEAD", "refs/heads/")]
        if not self.is_bare:
            pairs.insert(0, ("refs/remotes/origin/HEAD", "refs/remotes/origin/"))
        for name, prefix in pairs:
            said = self._run("symbolic-ref", "--quiet", name, allow=(0, 1)).decode("utf-8", "surrogateescape").strip()
            if said.startswith(prefix):
                return said.removeprefix(prefix)
        return None

    @cached_property
    def remotes(self) -> tuple[str, ...]:
        """Names of the remotes with remote-tracking branches, ``origin`` first."""
        listed = self._run("for-each-ref", "--format=%(refname:lstrip=2)", "refs/remotes/")
        names = {line.partition("/")[0] for line in listed.decode("utf-8", "surrogateescape").splitlines()}
        return tuple(sorted(names, key=lambda name: (name != "origin", name)))

    def merge_base(self, first: str, second: str) -> str | None:
        """The best common ancestor of two revisions; None where there is none. Raises UnknownRevision."""
        ids = [self._demand(first), self._demand(second)]
        return self._run("merge-base", *ids, allow=(0, 1)).decode("ascii").strip() or None

    def committed_at(self, revision: str) -> int:
        """When a commit was made (committer's clock), in seconds since 1970. Raises SourceError."""
        header = self._commit(self._demand(revision)).data.partition(b"\n\n")[0]
        found = _COMMITTED.search(header)
        if found is None:
            raise SourceError(f"{self.name}: commit {revision!r} has no readable date")
        return int(found[1])

    def as_of(self, commit: str, when: int) -> str | None:
        """The commit that a branch now at ``commit`` was at: its newest not younger than ``when``; None for none.

        Only first parents count: a merge brings older commits in late.
        """
        if self.committed_at(commit) <= when:
            return commit
        found = self._run("rev-list", "-1", "--first-parent", f"--min-age={when}", commit, "--")
        return found.decode("ascii", "replace").strip() or None

    def diff_paths(self, old: str, new: str) -> tuple[Change, ...]:
        """The paths that differ between two revisions, a renamed file as deleted and added."""
        ids = [self._demand(old), self._demand(new)]
        options = ("-r", "-z", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv")
        fields = self._run("diff-tree", *options, *ids).decode("utf-8", "surrogateescape").split("\0")
        return tuple(Change(status[:1], path) for status, path in zip(fields[::2], fields[1::2], strict=False))

    def directory(self, id: str) -> Mapping[str, Entry]:
        """The entries of a tree object. Raises Blocked where it cannot be read."""
        known = self._directories.get(id)
        if known is None:
            self.load_directories((id,))
            known = self._directories.get(id)
        if known is None:
            raise Blocked(f"directory object {self.objects.read(id).problem or MISSING}")
        return known

    def load_directories(self, ids: Iterable[str]) -> None:
        """Read tree objects together. Those that cannot be read are left out."""
        wanted = [id for id in dict.fromkeys(ids) if id not in self._directories]
        for id, answer in zip(wanted, self.objects.read_many(wanted), strict=True):
            if answer.type == "tree" and not answer.problem:
                self._directories[id] = _parse_tree(answer.data, len(id) // 2)

    def blobs(self, ids: Sequence[str]) -> list[Answer]:
        """Blobs by id, those not yet known read together."""
        wanted = [id for id in dict.fromkeys(ids) if id not in self._blobs]
        fresh = dict(zip(wanted, self.objects.read_many(wanted), strict=True)) if wanted else {}
        answers = [self._blobs[id] if id in self._blobs else fresh[id] for id in ids]
        self._blob_bytes += sum(len(answer.data) for answer in fresh.values())
        if self._blob_bytes > _CACHE:
            self._blobs.clear()
            self._blob_bytes = sum(len(answer.data) for answer in fresh.values())
        self._blobs.update(fresh)
        return answers

    def _demand(self, revision: str) -> str:
        answer = self._commit(revision)
        if answer.id:
            return answer.id
        problem = answer.problem
        if _SHORT_ID.fullmatch(revision):
            problem = self.objects.read(revision).problem or problem  # git says "ambiguous" only without a suffix
        raise UnknownRevision(f"{self.name}: revision {revision!r} {_why(problem, self)}")

    def _commit(self, revision: str) -> Answer:
        answer = self._commits.get(revision)
        if answer is None:
            answer = Answer(problem=MISSING)
            if revision and not _CONTROL.search(revision):
                answer = self.objects.read(f"{revision}^{{commit}}")
            if answer.problem == DIED:
                self._run("rev-parse", "--git-dir")  # says why, if git refuses the repository as a whole
            if answer.type != "commit":
                answer = answer._replace(id="")
            self._commits[revision] = answer
            if answer.id:
                self._commits.setdefault(answer.id, answer)
        return answer

    def root_of(self, commit: str) -> str:
        """The id of a commit's top directory. Raises Blocked."""
        data = self._commit(commit).data
        line = data.partition(b"\n")[0]
        if not line.startswith(b"tree "):
            raise Blocked("commit cannot be read")
        return line[5:].decode("ascii", "replace")

    def _run(self, *arguments: str, allow: tuple[int, ...] = (0,)) -> bytes:
        """Output of one git command. Raises SourceError where it ends with another status or does not end."""
        try:
            process = subprocess.Popen(
                [*self._command, *arguments],
                env=self._environment,
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as fault:
            raise SourceError(f"git cannot be started: {fault.strerror}") from None
        clock = threading.Timer(_TIMEOUT, process.kill)
        clock.daemon = True
        clock.start()
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            output = process.stdout.read(_MAX_OUTPUT + 1)
            if len(output) > _MAX_OUTPUT:
                process.kill()
            said = process.stderr.read(4096)
        clock.cancel()
        if len(output) > _MAX_OUTPUT:
            raise SourceError(f"{self.path}: git {arguments[0]} says more than {_MAX_OUTPUT >> 20} MiB")
        if process.returncode in allow:
            return output
        shown = _CONTROL.sub(" ", said.decode("utf-8", "replace").strip()) or f"exit {process.returncode}"
        error = NotARepository if arguments[0] == "rev-parse" else SourceError
        raise error(f"{self.path}: git {arguments[0]} failed: {shown}")


class GitTree(WalkedTree):
    """The files of one commit. Directories are read when asked for; revisions share what they have in common.

    ``top`` is the id of the directory that is the root, where that is not the commit's own.
    """

    def __init__(self, repository: Repository, commit: str, name: str, origin: str = "", top: str = "") -> None:
        super().__init__(name, origin)
        self.repository = repository
        self.commit = commit
        self._top = top

    def directory_id(self, path: str) -> str | None:
        """The id of a directory, symlinks followed; None where there is none."""
        found = self._find(path)
        return found.entry.id if found.kind is Kind.DIRECTORY and found.entry is not None else None

    def gitlink(self, path: str) -> str | None:
        """The commit a submodule is pinned to; None where ``path`` is no submodule."""
        entry = self._find(path).entry
        return entry.id if entry is not None and entry.sort is Sort.MODULE else None

    def prefetch(self, paths: Iterable[str]) -> None:
        """Read many files in one go, so that reading each later costs nothing. Absent paths are ignored."""
        wanted: dict[str, Entry] = {}
        for path in paths:
            found = self._find(path)
            if found.entry is not None and found.entry.sort is Sort.FILE and found.path not in self._texts:
                wanted[found.path] = found.entry
        answers = self.repository.blobs([entry.id for entry in wanted.values()])
        for (path, entry), answer in zip(wanted.items(), answers, strict=True):
            self._texts[path] = answer.problem or self._load(path, entry)

    def _directory_id(self, entry: Entry) -> str:
        return entry.id or self._top or self.repository.root_of(self.commit)

    def _entries(self, path: str, entry: Entry) -> Mapping[str, Entry]:
        if entry.sort is Sort.MODULE:
            raise Blocked(MODULE_REASON)
        return self.repository.directory(self._directory_id(entry))

    def _expect(self, directories: Sequence[tuple[str, Entry]]) -> None:
        if len(directories) > 1:
            self.repository.load_directories(self._directory_id(entry) for _, entry in directories)

    def _target(self, path: str, entry: Entry) -> str:
        return self._bytes(path, entry).decode("utf-8", "surrogateescape")

    def _bytes(self, path: str, entry: Entry) -> bytes:
        answer = self.repository.blobs((entry.id,))[0]
        if answer.problem or answer.type != "blob":
            raise Blocked(answer.problem or "no regular file")
        return answer.data

    def _digest(self, path: str, entry: Entry) -> str:
        return entry.id


_ODD = "\ufffd"


def _parse_tree(data: bytes, size: int) -> Mapping[str, Entry]:
    """The entries of a tree object; ids are ``size`` bytes. Names that no checkout could hold lead nowhere."""
    entries: dict[str, Entry] = {}
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        if end < 0:
            break
        mode, _, raw = data[at:end].partition(b" ")
        at = end + 1 + size
        name = raw.decode("utf-8", "surrogateescape")
        if name in ("", ".", "..") or "/" in name or name.lower() == ".git":
            entries.setdefault(f"{name.replace('/', _ODD)}{_ODD}", Entry(Sort.ODD))
            continue
        entries.setdefault(name, Entry(_SORTS.get(mode[:2], Sort.OTHER), data[end + 1 : at].hex()))
    return entries


def _why(problem: str, repository: Repository) -> str:
    if problem == AMBIGUOUS:
        return "is ambiguous"
    if problem not in ("", MISSING):
        return f"cannot be read ({problem})"
    hint = " (a shallow clone: history is cut off)" if repository.is_shallow else ""
    return f"is unknown{hint}"
