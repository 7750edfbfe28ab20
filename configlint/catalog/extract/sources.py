"""The modules of a package, read from its members on demand."""

from __future__ import annotations

from dataclasses import dataclass, field

from configlint.catalog.extract.grammar import in_older_grammar
from configlint.catalog.members import Members, MembersError
from configlint.catalog.snapshot import Unresolved
from configlint.syntax.python import Module, Modules, Unparsable, parse


@dataclass(eq=False)
class Sources:
    """Modules by dotted name, and what could not be read among those that were asked for."""

    members: Members
    packages: tuple[str, ...] = ()
    unreadable: list[Unresolved] = field(default_factory=list)
    modules: Modules = field(init=False)

    def __post_init__(self) -> None:
        self.modules = Modules(self._module)

    def path(self, module: Module) -> str:
        """Where a module's source lies."""
        return _paths(module.name)[module.is_package]

    def _module(self, name: str) -> Module | None:
        if self.packages and name.partition(".")[0] not in self.packages:
            return None
        for path, package in zip(_paths(name), (False, True), strict=True):
            try:
                return Module(name, parse(in_older_grammar(self.members.read(path))), package)
            except FileNotFoundError:
                continue
            except (MembersError, Unparsable) as fault:
                self.unreadable.append(Unresolved(name, path, getattr(fault, "line", 0), str(fault)))
                return None
        return None


def _paths(name: str) -> tuple[str, str]:
    base = name.replace(".", "/")
    return f"{base}.py", f"{base}/__init__.py"
