"""The rules there are, by id; and which of them a run uses."""

from __future__ import annotations

import importlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType

from configlint.api.finding import Precision
from configlint.api.rule import Rule, RuleError
from configlint.api.version import SUPPORTED_API
from configlint.lint.discover import Pack, packs
from configlint.lint.suggest import did_you_mean


class RegistryError(Exception):
    """Rules cannot be loaded or chosen; the text says which and why. A matter of configuration, not a crash."""


class UnknownRuleError(RegistryError):
    """An id that no rule has."""


@dataclass(frozen=True)
class Registry:
    """Rules in the order of their ids; ids and former ids (aliases) are unique together."""

    rules: tuple[Rule, ...]
    _names: dict[str, Rule] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for rule in self.rules:
            if rule.api not in SUPPORTED_API:
                known = ", ".join(map(str, sorted(SUPPORTED_API)))
                raise RegistryError(
                    f"rule {rule.id} ({rule.module}) was made for rule API {rule.api}; this configlint has {known}"
                )
            for name in (rule.id, *rule.aliases):
                other = self._names.setdefault(name, rule)
                if other is not rule:
                    raise RegistryError(f"two rules are called {name}: {other.module} and {rule.module}")

    @property
    def names(self) -> tuple[str, ...]:
        """All ids and aliases, sorted."""
        return tuple(sorted(self._names))

    def get(self, name: str) -> Rule:
        """The rule of that id or former id. Raises :class:`UnknownRuleError` with a suggestion."""
        try:
            return self._names[name]
        except KeyError:
            raise UnknownRuleError(f"no rule is called {name!r}{did_you_mean(name, self._names)}") from None

    def choose(
        self, select: Collection[str] = (), ignore: Collection[str] = (), *, pedantic: bool = False
    ) -> tuple[Rule, ...]:
        """The rules a run uses.

        Those selected, or else all that can show something: rules below high precision and preview rules take part
        only if ``pedantic``. What is ignored is left out even if it is selected. Raises :class:`UnknownRuleError`.
        """
        chosen = {self.get(name).id for name in select}
        without = {self.get(name).id for name in ignore}
        wanted = (rule for rule in self.rules if rule.id not in without)
        if select:
            return tuple(rule for rule in wanted if rule.id in chosen)
        return tuple(rule for rule in wanted if pedantic or (rule.precision is Precision.HIGH and not rule.preview))


def load(extra: Sequence[str] = (), announced: Iterable[Pack] | None = None) -> Registry:
    """All rules of the built-in pack, of announced packs, and of ``extra`` packages.

    Raises :class:`RegistryError` where a pack cannot be imported or declares its rules wrongly.
    """
    found = list(packs() if announced is None else announced)
    found += [Pack(name, name, "the command line") for name in extra]
    rules = {id(rule): rule for pack in found for rule in pack_rules(pack)}
    return Registry(tuple(sorted(rules.values(), key=lambda rule: rule.id)))


def pack_rules(pack: Pack) -> Iterator[Rule]:
    """The rules in the modules of a pack; one that is imported into a second module comes twice, as one object."""
    try:
        for module in _modules(pack.package):
            yield from (value for value in vars(module).values() if isinstance(value, Rule))
    except RuleError as fault:
        raise RegistryError(f"rule pack {pack.package} (from {pack.distribution}): {fault}") from fault
    except Exception as fault:  # importing is running foreign code
        what = f"{type(fault).__name__}: {fault}"
        raise RegistryError(f"rule pack {pack.package} (from {pack.distribution}) cannot be loaded: {what}") from fault


def _modules(name: str) -> Iterator[ModuleType]:
    """A module and everything below it, in the order of names."""
    module = importlib.import_module(name)
    yield module
    for child in sorted({child for folder in getattr(module, "__path__", ()) for child in _children(folder)}):
        yield from _modules(f"{name}.{child}")


def _children(folder: str) -> list[str]:
    """Names of the modules directly in a package's folder; private ones are helpers and hold no rules."""
    if not os.path.isdir(folder):
        from pkgutil import iter_modules  # a package in a zip archive; slow to import, so only here

        return [info.name for info in iter_modules([folder]) if not info.name.startswith("_")]
    names = []
    for entry in os.scandir(folder):
        if entry.name.startswith(("_", ".")):
            continue
        if entry.name.endswith(".py"):
            names.append(entry.name[:-3])
        elif entry.is_dir() and os.path.isfile(os.path.join(entry.path, "__init__.py")):
            names.append(entry.name)
    return names
