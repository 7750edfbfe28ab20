"""The shell scripts of a tree: what each needs from the tree, and which launches it is part of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from configlint.launch.files import below
from configlint.launch.outcome import FileUse, Outcome
from configlint.launch.values import UNKNOWN
from configlint.model.launches import Launch, Launches
from configlint.model.references import MissingFile, References
from configlint.model.statements import Statement, statements
from configlint.profile.profile import Profile
from configlint.source.trees import Tree
from configlint.syntax.bash.nodes import Script

SUFFIXES = (".sh", ".slurm", ".bash")
_NEEDS = frozenset({"source", "run", "copy", "read"})


class Scripts:
    """Answers for one tree; every script is read once."""

    def __init__(self, tree: Tree, profile: Profile, launches: Launches) -> None:
        self._tree, self._profile, self._launches = tree, profile, launches
        self._statements: dict[str, tuple[Statement, ...]] = {}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The shell scripts, symlinks left out."""
        return tuple(p for p in self._tree.files() if p.endswith(SUFFIXES) and not self._tree.is_symlink(p))

    def script(self, path: str) -> Script | None:
        """A parsed script; None where it cannot be had."""
        found = self._launches.world.script(path)
        return found if isinstance(found, Script) else None

    def statements(self, path: str) -> tuple[Statement, ...]:
        """The simple commands of a script."""
        if path not in self._statements:
            script = self.script(path)
            self._statements[path] = statements(script) if script is not None else ()
        return self._statements[path]

    # --- needs ----------------------------------------------------------------------------------------

    def missing(self, path: str) -> tuple[MissingFile, ...]:
        """The files that a script needs and that do not exist: read off its text, or met by launches."""
        script = self.script(path)
        if script is None:
            return ()
        found = list(self._references(script, self._sourced.__contains__).missing())
        known = {(one.path, one.at.line) for one in found}
        excused = {one.node.start for one in self.statements(path) if one.excused}
        for use, inside in self._absent.get(path, ()):
            if use.at.span.start not in excused and (inside, use.at.line) not in known:
                known.add((inside, use.at.line))
                found.append(MissingFile(use.at, inside, use.how))
        return tuple(replace(one, near=self._near(one.path)) for one in found)

    def _near(self, path: str) -> tuple[str, ...]:
        """Up to two files of the same name, those that share most folders first."""
        name, folders = path.rpartition("/")[2], path.split("/")[:-1]
        ranked = []
        for other in self._tree.files():
            if other.rpartition("/")[2] == name:
                shared = sum(1 for left, right in zip(folders, other.split("/"), strict=False) if left == right)
                ranked.append((-shared, other.count("/"), other))
        return tuple(other for *_, other in sorted(ranked)[:2])

    def _references(self, script: Script, is_sourced: Callable[[str], bool]) -> References:
        return References(script, self.statements(script.text.path), self._tree, self._profile, is_sourced)

    @cached_property
    def _sourced(self) -> frozenset[str]:
        """The scripts that others source."""
        found: set[str] = set()
        for path in self.paths:
            script = self.script(path)
            if script is not None:
                found.update(self._references(script, lambda _: False).sourced())
        return frozenset(found)

    @cached_property
    def _absent(self) -> dict[str, list[tuple[FileUse, str]]]:
        """By script: what launches needed there and did not find in the tree."""
        found: dict[str, list[tuple[FileUse, str]]] = {}
        for launch in self._launches.all:
            for outcome in launch.outcomes:
                for use in outcome.uses:
                    if use.exists is False and use.how in _NEEDS:
                        inside = self._needed(outcome, use)
                        if inside is not None and not use.at.text.origin:
                            found.setdefault(use.at.text.path, []).append((use, inside))
        return found

    def _needed(self, outcome: Outcome, use: FileUse) -> str | None:
        """The tree's path of a use; None outside the tree, and for the script that a launch starts."""
        if use.path is None or any(below(use.path, clone.directory) for clone in outcome.clones):
            return None
        inside = self._launches.world.tree_path(use.path)
        started = outcome.sink is not None and outcome.sink.script_path == inside
        return None if inside is None or UNKNOWN in inside or started else inside

    # --- launches -------------------------------------------------------------------------------------

    @cached_property
    def _started(self) -> dict[str, list[Launch]]:
        """Script -> the launches that start it."""
        found: dict[str, list[Launch]] = {}
        for launch in self._launches.all:
            for path in {o.sink.script_path for o in launch.outcomes if o.sink is not None and o.sink.script_path}:
                found.setdefault(path, []).append(launch)
        return found

    def starting(self, path: str) -> Iterator[Launch]:
        """The launches that start a script."""
        yield from self._started.get(path, ())

    def running(self, path: str, offset: int) -> Iterator[Launch]:
        """The launches that run the command at a byte offset of a launcher, or of a script that launchers use."""
        for launch in self._launches.all:
            if any((path, offset) in outcome.executed for outcome in launch.outcomes):
                yield launch

    def editing(self, path: str, offset: int) -> Iterator[Launch]:
        """The launches in which the command at a byte offset changes a file."""
        for launch in self._launches.all:
            edits = (edit for outcome in launch.outcomes for edit in outcome.edits)
            if any(edit.at.path == path and edit.at.span.start == offset for edit in edits):
                yield launch
