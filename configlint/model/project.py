"""The model of one tree: the single lazy entry point. Asked for something, it computes just that, once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.catalog.store import Catalogs
from configlint.launch.settings import RefLookup
from configlint.model.documents import Document, Documents
from configlint.model.environment import Environments
from configlint.model.launches import Launch, Launches
from configlint.model.layout import Fault, Layout
from configlint.model.matrix import Entry, Matrix
from configlint.model.mentions import Mentions
from configlint.model.recipes.pins import Pins
from configlint.model.runners import Runners
from configlint.model.scripts import Scripts
from configlint.model.shells import Shells
from configlint.model.starts import Starts
from configlint.model.validation.entries import Validation
from configlint.profile.profile import Generation, Profile
from configlint.source.trees import Tree
from configlint.syntax.bash.nodes import Script

if TYPE_CHECKING:  # made where a rule asks for them
    from configlint.model.clients import Clients
    from configlint.model.libraries import Libraries
    from configlint.model.unchecked import Unlooked
    from configlint.model.variables import Misspelt
    from configlint.model.versions.accepted import AcceptedFlags
    from configlint.model.workers.jobs import Jobs


class Model:
    """What a tree would run."""

    def __init__(
        self,
        tree: Tree,
        profile: Profile,
        generation: Generation,
        refs: RefLookup,
        accepted: AcceptedFlags | None = None,
    ) -> None:
        self.tree, self.profile, self.generation, self.accepted = tree, profile, generation, accepted
        self.layout = Layout(tree, profile, generation)
        self.refs = refs
        self._scripts: dict[str, Script] | None = None

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """All files of the tree."""
        return self.tree.files()

    @cached_property
    def runners(self) -> Runners:
        return Runners(self.layout)

    @cached_property
    def matrix(self) -> Matrix:
        return Matrix(self.layout, self.runners)

    @property
    def entries(self) -> dict[str, Entry]:
        return self.matrix.entries

    @cached_property
    def validation(self) -> Validation:
        """The tree's own validation of its entries."""
        return Validation(self.layout)

    @cached_property
    def environments(self) -> Environments:
        return Environments(self.layout)

    @cached_property
    def mentions(self) -> Mentions:
        return Mentions(self.matrix)

    @cached_property
    def shells(self) -> Shells:
        return Shells(self.layout, self.paths, self.launches.world.script)

    @cached_property
    def launches(self) -> Launches:
        return Launches(self.layout, self.matrix, self.environments, self.refs)

    @cached_property
    def documents(self) -> Documents:
        return Documents(self.launches, self.profile)

    @cached_property
    def pins(self) -> Pins:
        """The schemas that submitted documents meet."""
        return Pins(self.profile)

    @cached_property
    def jobs(self) -> Jobs:
        """What submitted documents start."""
        from configlint.model.workers.jobs import Jobs

        return Jobs(self.pins, self.catalogs, self.accepted)

    @cached_property
    def catalogs(self) -> Catalogs:
        """What upstream programs accept."""
        return Catalogs.standard()

    @cached_property
    def clients(self) -> Clients:
        """The benchmark clients that documents start."""
        from configlint.model.clients import Clients

        return Clients(self.tree, self.profile, self.catalogs)

    @cached_property
    def misspelt_variables(self) -> tuple[Misspelt, ...]:
        """Environment variables that the tree sets and no program knows, where one of nearly that name is known."""
        from configlint.catalog.variables import Variables
        from configlint.model.variables import misspelt

        return misspelt(self.layout, self.launches.world, self.paths, Variables(self.catalogs))

    @cached_property
    def scripts(self) -> Scripts:
        return Scripts(self.tree, self.profile, self.launches)

    @cached_property
    def libraries(self) -> Libraries:
        """What benchmark scripts bring in."""
        from configlint.model.libraries import Libraries

        return Libraries(self)

    @cached_property
    def unlooked(self) -> Unlooked:
        """Commands of launchers whose failure nothing looks at."""
        from configlint.model.unchecked import Unlooked

        return Unlooked(self.scripts, self.documents, self.refs, self.profile)

    @cached_property
    def starts(self) -> Starts:
        """How launches end without a benchmark."""
        return Starts(self.launches, self.profile)

    def launches_of(self, keys: tuple[str, ...] = ()) -> Iterator[Launch]:
        """The launches of some entries, of all where none is named, in the order of the matrix."""
        for key, entry in self.entries.items():
            if not keys or key in keys:
                yield from self.launches.of(entry)

    def documents_of(self, launch: Launch) -> tuple[Document, ...]:
        return self.documents.of(launch)

    @cached_property
    def selecting_launchers(self) -> frozenset[str]:
        """The launchers, symlinks resolved, that some row comes to with a selector behind its document's name."""
        from configlint.model.selectors import selecting_launchers

        return frozenset(self.tree.resolve(path) for path in selecting_launchers(self.launches_of(), self.profile))

    @property
    def launcher_paths(self) -> tuple[str, ...]:
        """The launchers of the tree, symlinks left out (they are the file they point to)."""
        return tuple(p for p in self.profile.launchers.select(self.paths) if not self.tree.is_symlink(p))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What could not be built so far, without building more."""
        found = list(self.layout.faults)
        if "matrix" in self.__dict__:
            found += self.matrix.faults
        if "environments" in self.__dict__:
            found += self.environments.faults
        return tuple(found)
