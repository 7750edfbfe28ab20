"""Commands of a job: workers and frontend, with what they read besides."""

from __future__ import annotations

from dataclasses import dataclass, field

from configlint.catalog.entrypoints import EntryPoint
from configlint.model.workers.flags import FlagUse, Settings

FRONTEND_ROLE = "frontend"


@dataclass(frozen=True, eq=False)
class EngineFile:
    """A file that srtctl writes for a worker: options of the engine that are no flags."""

    path: str
    settings: Settings


@dataclass(frozen=True, eq=False)
class Command:
    """The command line of a worker (or of the frontend).

    ``role`` is prefill, decode, aggregated or frontend. ``workers`` of them run, each on ``gpus`` GPUs and ``nodes``
    nodes, None where that is not known. ``rank`` tells commands of one worker apart that differ by node (``first
    node``, ``other nodes``); empty where all are alike. ``before`` is what is put before the entry point, ``operands``
    what follows it. ``flags`` are in the order of the command line, keys that became no flag among them.
    """

    role: str
    entry: EntryPoint
    flags: tuple[FlagUse, ...]
    workers: int = 1
    gpus: int | None = None
    nodes: int | None = None
    rank: str = ""
    before: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    file: EngineFile | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The whole command line."""
        return (*self.before, *self.entry.words, *self.operands, *(word for flag in self.flags for word in flag.words))

    @property
    def passed(self) -> tuple[FlagUse, ...]:
        """The flags that are on the command line."""
        return tuple(one for one in self.flags if one.is_passed)

    @property
    def of_recipe(self) -> tuple[FlagUse, ...]:
        """The keys of the recipe, also those that become no flag."""
        return tuple(one for one in self.flags if not one.is_own)


@dataclass(frozen=True, eq=False)
class Commands:
    """Everything that a submitted variant starts. ``unknown`` says what of it is not known, a reason each.

    ``idle`` are keys that nothing reads: arguments of a frontend that is no process, settings of a role without
    workers.
    """

    commands: tuple[Command, ...] = ()
    idle: tuple[FlagUse, ...] = ()
    unknown: tuple[str, ...] = field(default=())
