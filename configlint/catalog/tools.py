"""The programs whose facts are kept: their tables, where their sources lie, and which module reads them.

To add a program, add a :class:`Tool` here and a module with its readers in ``extract``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

from configlint.catalog.members import Members, Rooted
from configlint.catalog.snapshot import Snapshot

Reader: TypeAlias = Callable[[Members], Mapping[str, Snapshot]]
"""Reads members into snapshots, by the part of the table's name after the tool's."""


@dataclass(frozen=True)
class Tool:
    """One program. ``readers`` are ``module:function`` in ``configlint.catalog``, imported when they are needed.

    ``roots`` are the folders of a repository or archive that sources are looked for in, after the top itself;
    ``distribution`` is its name on PyPI, empty where only a clone has the sources.
    """

    name: str
    tables: tuple[str, ...]
    readers: tuple[str, ...]
    distribution: str = ""
    roots: tuple[str, ...] = ()

    def table(self, part: str) -> str:
        """The full name of a table."""
        return f"{self.name}.{part}"

    def extract(self, members: Members) -> dict[str, Snapshot]:
        """Snapshots by full table name. Raises MembersError where the sources cannot be read."""
        rooted = Rooted(members, ("", *self.roots))
        found: dict[str, Snapshot] = {}
        for reader in self.readers:
            module, _, function = reader.partition(":")
            read: Reader = getattr(import_module(f"configlint.catalog.{module}"), function)
            found.update((self.table(part), snapshot.sound()) for part, snapshot in read(rooted).items())
        return found


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "ai-dynamo",
            tables=("vllm", "sglang", "trtllm", "frontend", "env"),
            readers=("extract.dynamo:arguments", "extract.dynamo:environment"),
            distribution="ai-dynamo",
            roots=("components/src", "lib/bindings/python/src", "src"),
        ),
        Tool(
            "aiperf",
            tables=("profile",),
            readers=("extract.aiperf:arguments",),
            distribution="aiperf",
            roots=("src",),
        ),
        Tool("atom", tables=("server",), readers=("extract.atom:arguments",)),
        Tool(
            "sglang",
            tables=("server", "env"),
            readers=("extract.sglang:arguments", "extract.environment:sglang"),
            distribution="sglang",
            roots=("python",),
        ),
        Tool("tensorrt-llm", tables=("config",), readers=("extract.trtllm:arguments",)),
        Tool(
            "vllm",
            tables=("engine", "frontend", "config", "env"),
            readers=("extract.vllm:arguments", "extract.environment:vllm"),
            distribution="vllm",
        ),
    )
}
"""Tools by name."""
