"""What every subject of rules can do: yield an instance, and say that no verdict is possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from configlint.api.finding import EntryRef, Instance, Location, Role, Unknown

if TYPE_CHECKING:
    from configlint.source.text import Place


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
