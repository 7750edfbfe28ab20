"""Real git repositories, made with git itself and nothing of the user's configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Runs git in a folder: ``git(folder, "init")`` gives what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(tmp_path),
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    }

    def run(folder: Path, *arguments: str | bytes, given: bytes = b"") -> str:
        options = ["-c", "init.defaultBranch=main", "-c", "core.autocrlf=false", "-c", "protocol.file.allow=always"]
        done = subprocess.run(
            ["git", *options, *arguments], cwd=folder, env=environment, input=given, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Path:
    """An empty normal repository."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet")
    return folder


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder, making folders on the way."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


def commit(git: Git, folder: Path, message: str = "change") -> str:
    """Commit everything; gives the commit's id."""
    git(folder, "add", "-A", ".")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")
