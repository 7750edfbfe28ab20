"""What every subject of rules can do: yield an instance, and say that no verdict is possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from configlint.api.finding import EntryRef, Instance, Location, Role, Unknown
from configlint.source.base import Unreadable
from configlint.source.text import Place

if TYPE_CHECKING:  # a rule can be listed and explained without loading the model
    from configlint.model.launches import Launch as LaunchModel
    from configlint.model.matrix import Entry as EntryModel
    from configlint.source.trees import Tree


class Reports:
    """Base of every subject: makes instances that carry the subject's entries.

    Places may be given bare; the cause then has the role *writer* and the victim *declared*.
    """

    @property
    def label(self) -> str:
        """The subject's name for people, in diagnostics (``ENTRY item 1 through runners/launch_x.sh``)."""
        return type(self).__name__

    @property
    def affected(self) -> tuple[EntryRef, ...]:
        """The entries that an instance about this subject concerns."""
        return ()

    def instance(
        self,
        message: str,
        *,
        cause: Place | Location,
        victim: Place | Location | None = None,
        related: Iterable[Place | Location] = (),
        **more: Any,
    ) -> Instance:
        """An instance about this subject; ``more`` are further fields of :class:`Instance`."""
        more.setdefault("entries", self.affected)
        return Instance(
            message=message,
            cause=located(cause, Role.WRITER),
            victim=None if victim is None else located(victim, Role.DECLARED),
            related=tuple(located(one, Role.OTHER) for one in related),
            **more,
        )

    def unknown(self, reason: str, at: Place | None = None) -> Unknown:
        """No verdict is possible, because ``reason``."""
        return Unknown(reason, at)


def located(where: Place | Location, role: Role) -> Location:
    """A bare place as a location with ``role``; a location as it is."""
    return where if isinstance(where, Location) else Location(where, role)


def entries_of(launches: Iterable[LaunchModel]) -> tuple[EntryRef, ...]:
    """The entries of launches, each with the points that the launches run."""
    ids: dict[str, tuple[EntryModel, set[int]]] = {}
    for launch in launches:
        _, found = ids.setdefault(launch.entry.key, (launch.entry, set()))
        found.update((launch.item.line << 20) + point.index for point in launch.points)
    return tuple(EntryRef(key, entry.place, len(found), frozenset(found)) for key, (entry, found) in ids.items())


def first_line(tree: Tree, path: str) -> Place | None:
    """The first line of a file; None where it cannot be read."""
    try:
        text = tree.read(path)
    except (Unreadable, FileNotFoundError):
        return None
    return Place(text, text.line_span(1))
