"""``configlint.toml``: what a tree may say about how it is to be read. The one place that knows its keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from configlint.cli.errors import UsageError
from configlint.lint.suggest import did_you_mean
from configlint.profile.decode import ProfileError, decode
from configlint.profile.toml import BadToml, read
from configlint.source.trees import Tree, Unreadable

FILE = "configlint.toml"
PYPROJECT = "pyproject.toml"
_SECTION = b"[tool.configlint"


@dataclass(frozen=True)
class Configuration:
    """The keys of the file, written with a hyphen there. Adding a field adds a key; its type is what is accepted."""

    profile: str | None = None
    ref_sources: tuple[str, ...] = ()
    accepted_flags: object = field(default_factory=dict)  # read by configlint.model.versions.accepted


KEYS = tuple(one.name.replace("_", "-") for one in fields(Configuration))


def configuration(tree: Tree) -> Configuration:
    """The tree's configuration. Raises UsageError where it is no valid one: a misspelt key would be a lost setting."""
    _refuse_pyproject(tree)
    try:
        text = tree.read(FILE).string
    except FileNotFoundError:
        return Configuration()
    try:
        data = read(text)
    except BadToml as fault:
        raise UsageError(f"{FILE}: {fault}") from fault
    unknown = [name for name in data if name not in KEYS]
    if unknown:
        raise UsageError(f"{FILE}: {'; '.join(_unknown(name, data) for name in unknown)} (known: {', '.join(KEYS)})")
    try:
        return decode(Configuration, data)
    except ProfileError as fault:
        raise UsageError(f"{FILE}: {fault}") from fault


def _unknown(name: str, data: Mapping[str, Any]) -> str:
    if name == "tool" and isinstance(data[name], dict) and "configlint" in data[name]:
        return "the keys stand at the top of this file, not in [tool.configlint]"
    hint = did_you_mean(name, KEYS, limit=1) or did_you_mean(name.replace("_", "-").lower(), KEYS, limit=1)
    return f"unknown key {name!r}{hint.replace(';', ',', 1)}"


def _refuse_pyproject(tree: Tree) -> None:
    """Settings in a file that is not read would be lost without a word."""
    try:
        raw = tree.read(PYPROJECT).raw
    except (FileNotFoundError, Unreadable):
        return
    if _SECTION in raw and any(line.lstrip().startswith(_SECTION) for line in raw.splitlines()):
        raise UsageError(f"{PYPROJECT}: [tool.configlint] is not read: the settings belong into {FILE}")
