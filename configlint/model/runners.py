"""Labels, runners and launchers: from ``runner:`` in an entry to the scripts that may run it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.launch.values import clean
from configlint.model.layout import Fault, Layout, child, plain
from configlint.source.text import Place
from configlint.source.trees import Kind

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Runner:
    """A concrete runner, and where a label lists it."""

    name: str
    place: Place


@dataclass(frozen=True)
class Label:
    """A declared label with its runners, in order."""

    name: str
    place: Place
    runners: tuple[Runner, ...]


@dataclass(frozen=True)
class Launcher:
    """A launcher that a label can lead to.

    ``path`` is the script as the runner's name spells it: a symlink stands under its own name. ``runner`` is the first
    runner of the label that leads to it. ``guessed``: the label is not declared, so the runner is made up.
    """

    path: str
    runner: str
    label: str
    exists: bool
    guessed: bool = False
    place: Place | None = None


class Runners:
    """The runners file of a tree. An older generation has the labels at the top level."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._launch = layout.profile.launch
        path = layout.generation.runners
        self.path = path
        self.document = layout.document(path) if path else None
        self.faults: list[Fault] = []
        self._launchers: dict[str, tuple[Launcher, ...]] = {}

    @cached_property
    def data(self) -> object:
        """The file as plain data, for the matrix adapter."""
        root = self.document.root if self.document else None
        return None if root is None else plain(root)

    @cached_property
    def labels(self) -> dict[str, Label]:
        """The declared labels, in order."""
        if self.document is None or self.document.root is None:
            return {}
        root = self.document.root
        table = child(root, self._layout.profile.runners.labels) or root
        if table.kind != "map":
            self.faults.append(Fault("labels are no mapping", table.place, self.path))
            return {}
        return {name: self._label(name, node, table) for name, node in table.pairs().items()}

    def _label(self, name: str, node: Node, table: Node) -> Label:
        key = table.key(name)
        place = (node if key is None else key).place
        runners = []
        for one in node.elements() if node.kind == "list" else ():
            if isinstance(one.value, str) and one.value:
                runners.append(Runner(clean(one.value), one.place))
            else:
                self.faults.append(Fault(f"label {name} lists something that is no name", one.place, self.path))
        if node.kind != "list":
            self.faults.append(Fault(f"label {name} is no list of runners", node.place, self.path))
        return Label(name, place, tuple(runners))

    def near(self, label: str) -> str:
        """The declared label that an undeclared one may have meant: the same in a group, or nearly the same."""
        from difflib import get_close_matches  # slow to import, needed only when something is wrong

        same = [one for one in self.labels if one.partition(":")[2] == label]
        alike = [one for one in self.labels if _NUMBER.findall(one) == _NUMBER.findall(label)]  # of the same hardware
        return next(iter(same or get_close_matches(label, alike, 1, 0.8)), "")

    def is_declared(self, label: str) -> bool:
        """True if the file declares the label, or lists a runner of this name."""
        return label in self.labels or label in self._named

    @property
    def unreached(self) -> tuple[str, ...]:
        """Launchers of the tree that no declared runner's name leads to, symlinks followed."""
        tree = self._layout.tree
        reached = {tree.resolve(self.launcher_path(self.prefix(name))) for name in self._named}
        paths = self._layout.profile.launchers.select(tree.files())
        return tuple(path for path in paths if not tree.is_symlink(path) and path not in reached)

    def hardware(self, label: str) -> Node | None:
        """The hardware facts of a label; None where there are none."""
        root = self.document.root if self.document else None
        return child(root, self._layout.profile.runners.hardware, label)

    @cached_property
    def _named(self) -> dict[str, Runner]:
        """Runner name -> its first mention."""
        named: dict[str, Runner] = {}
        for label in self.labels.values():
            for runner in label.runners:
                named.setdefault(runner.name, runner)
        return named

    def prefix(self, runner: str) -> str:
        """The part of a runner's name that selects its launcher."""
        return runner.split(self._launch.separator, 1)[0]

    def launcher_path(self, prefix: str) -> str:
        return self._launch.path.replace("{prefix}", prefix)

    def launchers(self, label: str) -> tuple[Launcher, ...]:
        """One launcher per distinct path behind a label, in order of the label's runners.

        Paths that do not exist are included and say so. A label that is not declared may still exist
        on GitHub: it is taken as a runner's name, or else a launcher is guessed.
        """
        if label not in self._launchers:
            self._launchers[label] = tuple(self._find(label))
        return self._launchers[label]

    def _find(self, label: str) -> list[Launcher]:
        declared = self.labels.get(label)
        if declared is not None:
            runners = declared.runners
        elif label in self._named:
            runners = (self._named[label],)
        else:
            return self._guess(label)
        found: dict[str, Launcher] = {}
        for runner in runners:
            path = self.launcher_path(self.prefix(runner.name))
            if path not in found:
                found[path] = Launcher(path, runner.name, label, self._exists(path), place=runner.place)
        return list(found.values())

    def _guess(self, label: str) -> list[Launcher]:
        guess = self._launch.guess
        name = label
        for prefix in guess.strip:
            name = name.removeprefix(prefix)
        for suffix in guess.suffixes or ("",):
            prefix = name + suffix
            path = self.launcher_path(prefix)
            if self._exists(path):
                return [Launcher(path, f"{prefix}{self._launch.separator}0", label, True, guessed=True)]
        return [Launcher(self.launcher_path(name), f"{name}{self._launch.separator}0", label, False, guessed=True)]

    def _exists(self, path: str) -> bool:
        """True also where nothing can be said: launches say then that they are not analysed, and why."""
        return self._layout.tree.kind(path) in (Kind.FILE, Kind.UNREADABLE)
