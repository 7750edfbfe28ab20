"""The subjects of a model, each made once and only when asked for: what the engine runs rules over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from configlint.api.finding import Diagnostic
from configlint.api.sources import Entry, Repository, Script
from configlint.api.subjects import Change, Document, Launch
from configlint.launch.outcome import End
from configlint.model.composition import MAX_VARIANTS
from configlint.model.project import Model
from configlint.source.text import Text
from configlint.source.trees import Kind, Tree, Unreadable


class Project:
    """Implements :class:`configlint.lint.project.Project` for a model.

    ``notes`` are diagnostics from opening the project (a ref source that cannot be read).
    """

    def __init__(self, model: Model, root: Path | None = None, notes: Sequence[Diagnostic] = ()) -> None:
        self.model, self._root, self._notes = model, root, tuple(notes)

    @property
    def tree(self) -> Tree:
        return self.model.tree

    @property
    def root(self) -> Path | None:
        return self._root

    @property
    def empty(self) -> str:
        """Why there is nothing to check; empty if there is."""
        model = self.model
        if any(
            model.profile.launchers.matches(path) or path.endswith((".sh", ".yaml", ".yml")) for path in model.paths
        ):
            return ""
        return f"no launcher, script or YAML file in {model.tree.name}"

    @cached_property
    def _launches(self) -> tuple[Launch, ...]:
        return tuple(
            Launch(self.model, launch, outcome) for launch in self.model.launches_of() for outcome in launch.outcomes
        )

    def launches(self) -> tuple[Launch, ...]:
        return self._launches

    def documents(self) -> Iterator[Document]:
        for launch in self._launches:
            if launch.recipe is not None:
                yield launch.recipe

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        return tuple(Entry(self.model, entry) for entry in self.model.entries.values())

    def entries(self) -> tuple[Entry, ...]:
        return self._entries

    @cached_property
    def _scripts(self) -> tuple[tuple[Script, ...], tuple[Diagnostic, ...]]:
        scripts, faults = [], []
        for path in self.model.paths:
            if not path.endswith((".sh", ".slurm", ".bash")) or self.tree.is_symlink(path):
                continue
            try:
                scripts.append(Script(self.model, path, self._read(path)))
            except FileNotFoundError:
                continue
            except Unreadable as fault:
                faults.append(Diagnostic("unreadable-file", fault.reason, path=path))
        return tuple(scripts), tuple(faults)

    def _read(self, path: str) -> Text:
        return self.tree.read(path)

    def scripts(self) -> tuple[Script, ...]:
        return self._scripts[0]

    @cached_property
    def _repository(self) -> Repository:
        return Repository(self.model)

    def repository(self) -> Repository:
        return self._repository

    def changes(self) -> tuple[Change, ...]:
        return ()

    @cached_property
    def _unreadable(self) -> tuple[Diagnostic, ...]:
        """What cannot be looked at, whoever asks: links that lead out of the tree, pipes, odd folders."""
        found = []
        for path in self.model.paths:
            if self.tree.kind(path) is Kind.UNREADABLE:
                try:
                    self.tree.read(path)
                except Unreadable as fault:
                    found.append(Diagnostic("unreadable-file", fault.reason, path=path))
        return tuple(found)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What could not be analysed so far."""
        found = [*self._notes, *self._unreadable]
        found += [Diagnostic(one.id, one.message, one.place, one.path) for one in self.model.faults]
        if "_scripts" in self.__dict__:
            found += self._scripts[1]
        if "_launches" in self.__dict__:
            found += self._of_launches()
        return tuple(found)

    def _of_launches(self) -> Iterator[Diagnostic]:
        unread: dict[tuple[str, str], Launch] = {}
        for launch in self._launches:
            outcome = launch.outcome
            if outcome.end is End.NOT_ANALYSED:
                message = f"not analysed: {outcome.reason} (entry {launch.entry.key})"
                path = launch.launcher.path
                yield Diagnostic("not-analysed", message, outcome.at, path)
            if launch.recipe is not None and launch.recipe.document.is_cut:
                message = f"more than {MAX_VARIANTS - 1} variants of one document are submitted: the rest is left out"
                yield Diagnostic("not-analysed", message, launch.recipe.document.top, launch.launcher.path)
            for clone in outcome.clones:
                if self.model.launches.world.ref(clone.url, clone.ref).tree is None:
                    unread.setdefault((clone.url, clone.ref), launch)
        for (url, ref), launch in unread.items():
            clone = next(c for c in launch.clones if (c.url, c.ref) == (url, ref))
            revision = f"{'its ' if clone.is_default else ''}{clone.revision}"
            how = f"name a copy with --ref-source {url}=PATH, or fetch it with `configlint refs sync`"
            message = f"{url} at {revision} cannot be read here, so what is in it is unknown: {how}"
            yield Diagnostic("ref-unavailable", message, clone.named_at)

    def counts(self) -> Mapping[str, int]:
        """Numbers of what has been computed."""
        counts = {"files": len(self.model.paths)}
        if "matrix" in self.model.__dict__:
            counts["entries"] = len(self.model.entries)
        if "_launches" in self.__dict__:
            launches = {id(one.launch): one.launch for one in self._launches}.values()
            counts["points"] = len({(id(p.item), p.index) for launch in launches for p in launch.points})
            counts["launches"] = sum(len(launch.points) for launch in launches)
            counts["distinct_launches"] = self.model.launches.runs
            counts["not_analysed"] = sum(len(launch.points) for launch in launches if not launch.is_analysed)
        return counts
