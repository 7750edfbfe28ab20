"""Real git repositories, made with git itself and nothing of the user's configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.source.repositories import Git


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
