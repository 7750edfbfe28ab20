"""A job told to people: its commands with the origin of every flag, and the versions they meet."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api.subjects import Launch
from configlint.cli.told import effective_view
from configlint.cli.views import CommandView, EffectiveView, FlagView, JobView, VersionView
from configlint.launch.values import shown
from configlint.model.versions.match import Match
from configlint.model.workers.commands import Command
from configlint.model.workers.flags import FlagUse
from configlint.model.workers.jobs import Job

_NOT_SUBMITTED = "nothing is submitted that a worker could be started from"


def job_views(launch: Launch) -> Iterator[JobView]:
    """What each submitted variant of a launch starts; one without commands where nothing is known."""
    document = launch.recipe.document if launch.recipe is not None else None
    view = effective_view(launch.model, launch.launch, launch.outcome, document)
    jobs = launch.recipe.jobs if launch.recipe is not None else ()
    if not jobs:
        yield _view(view, missing=view.missing or _NOT_SUBMITTED)
    for job in jobs:
        yield _view(view, job)


def _view(view: EffectiveView, job: Job | None = None, missing: str = "") -> JobView:
    first = (view.entry, view.item, view.place, view.points, view.mode, view.facts)
    if job is None:
        return JobView(*first, missing=missing)
    versions = tuple(_version(one) for one in (job.engine, job.dynamo) if one is not None)
    commands = tuple(_command(job, one) for one in job.commands.commands)
    idle = tuple(_flag(job, one) for one in job.commands.idle)
    return JobView(*first, job.variant, versions, commands, idle, job.commands.unknown)


def _version(match: Match) -> VersionView:
    return VersionView(match.program, match.confidence.value, match.versions, match.told, str(match))


def _command(job: Job, command: Command) -> CommandView:
    file = command.file
    return CommandView(
        role=command.role,
        rank=command.rank,
        program=command.entry.name,
        workers=command.workers,
        gpus=command.gpus,
        nodes=command.nodes,
        start=tuple(_bound(job, one) for one in (*command.before, *command.entry.words, *command.operands)),
        flags=tuple(_flag(job, one) for one in command.flags),
        file=file.path if file is not None else "",
        file_at=job.settings_place(file.settings) if file is not None else None,
        options=len(file.settings.values) if file is not None else 0,
    )


def _flag(job: Job, flag: FlagUse) -> FlagView:
    words = tuple(_bound(job, one) for one in flag.words)
    node, value = flag.node, "" if flag.is_own else str(flag.value)
    if node is not None and not isinstance(flag.value, dict | list):
        value = _bound(job, node.text)  # as it is written
    return FlagView(flag.name, words, value, flag.fate.value, flag.path, job.place(flag))


def _bound(job: Job, text: str) -> str:
    return shown(job.document.launch.bind(text))
