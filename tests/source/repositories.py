"""Files and commits for tests that need real repositories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

Git = Callable[..., str]
"""Runs git in a folder: ``git(folder, "init")`` gives what it prints."""


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
