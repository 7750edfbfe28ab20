"""Opening a project: what the request says, the sources do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from configlint.cli.connect import connect
from configlint.cli.opened import Opened
from configlint.cli.request import Request

URL = "https://host.invalid/o/r.git"


def history(folder: Path, *years: int) -> Path:
    """A bare repository with one commit a year on ``main``; its file says which year it is."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    commits = "".join(
        f"commit refs/heads/main\ncommitter a <a@example.org> {(year - 1970) * 31_557_600} +0000\ndata 1\nx\n"
        f"M 100644 inline year\ndata 5\n{year}\n\n"
        for year in years
    )
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=commits.encode(), check=True)
    return folder


@pytest.mark.parametrize(
    ("revision", "year"), [("main~2", "2021\n"), ("main~1", "2023\n"), ("main", "2025\n"), (None, "2027\n")]
)
def test_with_a_revision_branches_are_read_as_they_were_then(tmp_path: Path, revision: str | None, year: str) -> None:
    reviewed = history(tmp_path / "reviewed", 2022, 2024, 2026)
    upstream = history(tmp_path / "upstream", 2021, 2023, 2025, 2027)
    start = reviewed
    if revision is None:  # a working tree is of now
        start = tmp_path / "tree"
        start.mkdir()
    opened = connect(Request(start, exact=True, revision=revision, ref_sources=(f"{URL}={upstream}",)))
    assert isinstance(opened, Opened)
    tree = opened.model.refs(URL, "main").tree
    assert tree is not None
    assert tree.read("year").string == year
