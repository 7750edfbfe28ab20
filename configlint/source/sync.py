"""Cloning outside repositories into the user's cache: the only code that uses the network.

Only the command ``configlint refs sync`` may call it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from configlint.source.base import SourceError
from configlint.source.git import GitMissing, git_directory
from configlint.source.urls import cached_clone_path, split_url

ALLOWED = ("https", "ssh", "file")
"""Transports a clone may use; git's others can run programs or are open to anyone on the way."""

_TIMEOUT = 1800  # seconds for one clone or fetch
_OPTIONS = (
    "--no-pager",
    "-c", "core.hooksPath=", "-c", "core.fsmonitor=false",
    "-c", "protocol.allow=never", "-c", "protocol.ext.allow=never",
    "-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always", "-c", "protocol.file.allow=always",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.recurseSubmodules=false",
)  # fmt: skip
# How the user reaches remote hosts stays; what would point git at another repository goes.
_KEPT = re.compile(r"GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_.*)")
# Heads and tags are what `git clone` gets a launcher; GitHub's pull requests would only cost time.
_REFSPECS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class SyncFailed(SourceError):
    """A repository could not be cloned or brought up to date."""


@dataclass(frozen=True)
class Synced:
    """A clone in the cache; ``fresh`` if it was made now, else it was brought up to date."""

    url: str
    path: Path
    fresh: bool


def sync(url: str, cache: Path | None = None) -> Synced:
    """Clone a repository into the cache, or fetch what is new. Raises SyncFailed, GitMissing or BadUrl.

    Commits that a branch has left behind are kept, because launchers may still name them.
    """
    check_url(url)
    target = cached_clone_path(url, cache)
    if git_directory(target) is not None:
        _fetch(target, url)
        return Synced(url, target, fresh=False)
    made = [folder for folder in target.parents if not folder.exists()]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clone(url, target)
    except OSError as fault:
        raise SyncFailed(f"{target}: {fault.strerror or fault}") from None
    finally:
        for folder in made:  # what is empty is there for a clone that failed
            with suppress(OSError):
                folder.rmdir()
    return Synced(url, target, fresh=True)


def _clone(url: str, target: Path) -> None:
    """Clone beside the place and then move, so that a clone that was cut short is never read."""
    with tempfile.TemporaryDirectory(prefix=".clone-", dir=target.parent) as folder:
        fresh = Path(folder) / "repository.git"
        _git("init", "--quiet", "--bare", "--template=", "--", str(fresh))
        _fetch(fresh, url)
        try:
            fresh.rename(target)
        except OSError:
            if git_directory(target) is None:  # else somebody else was faster
                raise


def check_url(url: str) -> None:
    """Raises SyncFailed for a URL that must not be given to git."""
    parts = split_url(url)
    if parts.scheme not in ALLOWED:
        raise SyncFailed(f"{url!r}: only https, ssh and file URLs are cloned")
    if _CONTROL.search(url) or "::" in url or url.startswith("-") or parts.host.startswith("-"):
        raise SyncFailed(f"{url!r} is no URL of a repository")
    if parts.scheme == "file" and not url.startswith(("file://", "/")):
        raise SyncFailed(f"{url!r}: a local repository needs an absolute path")


def _fetch(directory: Path, url: str) -> None:
    at = f"--git-dir={directory}"
    _git(at, "fetch", "--quiet", "--force", "--prune", "--no-tags", "--no-write-fetch-head", "--", url, *_REFSPECS)
    said = _git(at, "ls-remote", "--symref", "--", url, "HEAD")
    match = re.match(r"ref: (refs/heads/[^\t\n]+)\tHEAD$", said, re.MULTILINE)
    if match:
        _git(at, "symbolic-ref", "HEAD", match[1])


def _git(*arguments: str) -> str:
    program = shutil.which("git")
    if program is None:
        raise GitMissing("the git program was not found; cloning needs it")
    try:
        done = subprocess.run(
            [os.path.abspath(program), *_OPTIONS, *arguments],
            env=_environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SyncFailed(f"git took more than {_TIMEOUT} s") from None
    except OSError as fault:
        raise SyncFailed(f"git cannot be started: {fault.strerror}") from None
    if done.returncode:
        said = [_CONTROL.sub(" ", line) for line in done.stderr.decode("utf-8", "replace").splitlines() if line]
        said = [line for line in said if line.startswith(("fatal:", "error:", "remote:"))] or said
        raise SyncFailed("; ".join(said[:3]) or f"git failed with exit {done.returncode}")
    return done.stdout.decode("utf-8", "surrogateescape")


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in given.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)}
    return {**kept, "GIT_ALLOW_PROTOCOL": ":".join(ALLOWED), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
