"""The benchmark clients that submitted documents start, and flags which those do not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.catalog.facts import Flag, Kind
from configlint.catalog.snapshot import Facts
from configlint.catalog.store import Catalogs
from configlint.profile.profile import Profile
from configlint.source.base import Unreadable
from configlint.source.text import Place
from configlint.source.trees import Tree
from configlint.syntax.bash import parse_string
from configlint.syntax.bash.nodes import Simple
from configlint.syntax.bash.walk import commands

if TYPE_CHECKING:
    from configlint.model.documents import Document

_FLAG = re.compile(r"--[A-Za-z][A-Za-z0-9_-]*(?==|$)")
_PYTHON = re.compile(r"(?:.*/)?python[0-9.]*")
_TABLES = {"aiperf profile": "aiperf.profile"}
"""Clients whose flags are shipped, as the table of their versions."""


@dataclass(frozen=True)
class UnknownFlag:
    """A flag that a client does not have. ``sure``: the very client is known, not only its releases."""

    program: str
    flag: str
    near: str
    at: Place
    sure: bool


@dataclass(frozen=True)
class _Accepts:
    """The flags of a client. ``abbreviates``: any beginning of one will do."""

    flags: frozenset[str]
    abbreviates: bool
    sure: bool

    def __contains__(self, flag: object) -> bool:
        key = str(flag)[2:].replace("_", "-")
        return key in self.flags or (self.abbreviates and any(one.startswith(key) for one in self.flags))

    def near(self, flag: str) -> str:
        """The flag that was meant; empty where none is near."""
        from difflib import get_close_matches  # slow to import, needed only when something is wrong

        found = get_close_matches(flag[2:].replace("_", "-"), sorted(self.flags), 1, 0.8)
        return f"--{found[0]}" if found else ""


class Clients:
    """What is known of the clients of one tree, each read once."""

    def __init__(self, tree: Tree, profile: Profile, catalogs: Catalogs) -> None:
        self._tree, self._profile, self._catalogs = tree, profile, catalogs
        self._known: dict[str, _Accepts | None] = {}

    def unknown_flags(self, document: Document) -> Iterator[UnknownFlag]:
        """The flags in the client command of every submitted variant that the client does not have."""
        seen: set[tuple[str, str]] = set()
        for variant in document.settled:
            node = variant.value(self._profile.documents.client)
            at = document.place(node) if node is not None and node.kind == "scalar" and node.value else None
            if node is None or at is None:
                continue
            for program, flag in self._wrong(node.text):
                if (program, flag) not in seen:
                    seen.add((program, flag))
                    accepts = self._accepts(program)
                    assert accepts is not None
                    yield UnknownFlag(program, flag, accepts.near(flag), at, accepts.sure)

    def _wrong(self, text: str) -> Iterator[tuple[str, str]]:
        for command in commands(parse_string(text).body):
            words = [word.literal for word in command.words] if isinstance(command, Simple) else []
            program, at = _program(words)
            accepts = self._accepts(program) if program else None
            for word in words[at:] if accepts is not None else ():
                if word == "--":
                    break
                found = _FLAG.match(word or "")
                if found and accepts is not None and found[0] not in accepts:
                    yield program, found[0]

    def _accepts(self, program: str) -> _Accepts | None:
        if program not in self._known:
            table = _TABLES.get(program)
            self._known[program] = self._released(table) if table else self._script(program)
        return self._known[program]

    def _released(self, name: str) -> _Accepts | None:
        table = self._catalogs.table(name)
        if table is None:
            return None
        facts = {key: one.facts for key in table.keys for one in table.ranges(key)}
        negations = {f"no-{key}" for key, says in facts.items() if says.get("k") == "bool"}
        return _Accepts(_names(facts) | negations, False, False)

    def _script(self, path: str) -> _Accepts | None:
        """The flags of a client of the tree; None where it is none, or not all of them can be read."""
        for mount in self._profile.launch.mounts:
            path = path.removeprefix(f"{mount.rstrip('/')}/")
        try:
            text = self._tree.read(path)
        except (FileNotFoundError, Unreadable):
            return None
        from configlint.catalog.extract.client import script_arguments

        snapshot = script_arguments(text.raw.decode("utf-8", errors="replace"), path)
        if snapshot.unresolved or not snapshot.facts:
            return None
        return _Accepts(_names(snapshot.facts) | {"help"}, True, True)


def _names(facts: Mapping[str, Facts]) -> frozenset[str]:
    """The spellings of flags, without dashes in front."""
    spelled = set(facts)
    for key, says in facts.items():
        flag = Flag.decode(key, says)
        spelled.update(alias.lstrip("-") for alias in flag.aliases)
        if flag.kind is Kind.BOOL_NO:
            spelled.add(f"no-{key}")
    return frozenset(one.replace("_", "-") for one in spelled)


def _program(words: list[str | None]) -> tuple[str, int]:
    """The client that a command starts, and where its arguments begin; empty for other commands."""
    for at, word in enumerate(words[:-1]):
        following = words[at + 1] or ""
        if word is not None and f"{word.rpartition('/')[2]} {following}" in _TABLES:
            return f"{word.rpartition('/')[2]} {following}", at + 2
        if word is not None and _PYTHON.fullmatch(word) and following.endswith(".py"):
            return following, at + 2
    return "", 0
