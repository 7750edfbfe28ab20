"""A configuration from a stranger: refused with a reason, never a crash, and nothing outside of the tree is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from configlint.cli.connect import connect
from configlint.cli.errors import UsageError
from configlint.cli.request import Request
from configlint.profile.toml import MAX_SIZE, BadToml, read

BAD = {
    "deep": "a = " + "[" * 10_000 + "]" * 10_000,
    "deep, a level a line": "a = " + "[\n" * 10_000 + "]" * 10_000,
    "deep tables": "a = " + "{a=" * 10_000 + "1" + "}" * 10_000,
    "many parts": ".".join("a" * 10_000) + " = 1",
    "many parts, quoted": ".".join(['"a"'] * 10_000) + " = 1",
    "many parts of a table": "[" + ".".join("a" * 10_000) + "]",
    "digits": "a = " + "9" * 10_000,
    "a date that is none": "a = 2024-13-45",
    "large": "#" * (MAX_SIZE + 1),
    "twice": "a = 1\na = 1\n",
    "a string without an end": 'a = "' + "." * 10_000,
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadToml):
        read(BAD[name])
    (tmp_path / "configlint.toml").write_text(BAD[name])
    with pytest.raises(UsageError, match=r"configlint\.toml: "):
        connect(Request(tmp_path, exact=True))


def test_what_people_write_is_read() -> None:
    sources = [f"https://host.example/o/r{n}.git@v1.{n}=refs/r{n}" for n in range(50)]
    text = "ref-sources = [" + ", ".join(f'"{one}"' for one in sources) + "]\n"
    assert read(text) == {"ref-sources": sources}
    assert read(text.replace('"', "'")) == {"ref-sources": sources}
    assert read("[a.b.c]\nd.e = 1.5\n") == {"a": {"b": {"c": {"d": {"e": 1.5}}}}}


OUTSIDE = ["/etc/hostname", "../outside.toml", "link.toml", "pipe", "/dev/zero", "/dev/stdin", "nothing.toml", "folder"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_profile_that_the_tree_names_lies_in_the_tree(name: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "folder").mkdir(parents=True)
    (tmp_path / "outside.toml").write_text('extends = "inferencex"\n')
    (tree / "link.toml").symlink_to("../outside.toml")
    os.mkfifo(tree / "pipe")
    (tree / "configlint.toml").write_text(f'profile = "{name}"\n')
    with pytest.raises(UsageError, match="no profile"):
        connect(Request(tree, exact=True))
    (tree / "own.toml").write_text('extends = "inferencex"\n')
    (tree / "configlint.toml").write_text('profile = "own.toml"\n')
    connect(Request(tree, exact=True))
    connect(Request(tree, exact=True, profile=str(tmp_path / "outside.toml")))  # the invoker may name any
