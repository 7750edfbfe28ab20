"""An opened project: the subjects for rules, and the views that the other commands print."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from configlint.api.finding import Diagnostic
from configlint.api.project import Project
from configlint.cli.told import effective_view, ending, trace_view
from configlint.cli.views import Affected, AffectedRow, EffectiveView, JobView, LaunchRow, RefRow, SyncRow, TraceView
from configlint.launch.outcome import End, Outcome
from configlint.launch.values import UNKNOWN, holes, shown
from configlint.model.absence import absence
from configlint.model.documents import Document
from configlint.model.launches import Launch
from configlint.model.matrix import Entry
from configlint.model.project import Model
from configlint.model.reach import Reach
from configlint.source.refs import RefSources
from configlint.source.text import Place

_ENDS = {End.SUBMIT: "srtctl", End.SCRIPT: "script", End.NOT_ANALYSED: "not-analysed"}


class Opened(Project):
    """Implements :class:`configlint.cli.request.OpenedProject`."""

    def __init__(self, model: Model, root: Path | None, notes: Sequence[Diagnostic], refs: RefSources) -> None:
        super().__init__(model, root, notes)
        self._sources = refs

    def absence(self) -> str:
        return absence(self.model, self.root)

    def entry_keys(self) -> Sequence[str]:
        return sorted(self.model.entries)

    # --- launches ---------------------------------------------------------------------------------

    def launch_rows(self, entries: Sequence[str]) -> Iterator[LaunchRow]:
        for launch in self.model.launches_of(tuple(entries)):
            documents = {id(one.outcome): one for one in self.model.documents_of(launch)}
            for outcome in launch.outcomes:
                yield self._row(launch, outcome, documents.get(id(outcome)))

    def _row(self, launch: Launch, outcome: Outcome, document: Document | None) -> LaunchRow:
        clone = outcome.clones[-1] if outcome.clones else None
        return LaunchRow(
            mode=launch.mode,
            entry=launch.entry.key,
            line=launch.item.line,
            launcher=launch.launcher.path,
            runner=launch.launcher.runner,
            clone=clone.url if clone else None,
            ref=clone.ref if clone else None,
            sink=_ENDS.get(outcome.end, "abort"),
            config=self._config(launch, outcome),
            script=outcome.sink.script_path if outcome.sink else None,
            effective_sha256=self._digest(document),
            unknown=tuple(self._unknown(outcome, document)),
            revision=clone.revision if clone else "",
            reason="" if outcome.end in (End.SUBMIT, End.SCRIPT) else ending(self.model, launch, outcome),
        )

    @staticmethod
    def _config(launch: Launch, outcome: Outcome) -> str | None:
        if outcome.sink is None or outcome.sink.config is None:
            return None
        return shown(launch.bind(outcome.sink.config.value))

    def _digest(self, document: Document | None) -> str | None:
        """The digest of the submitted text, lines that set the job's name masked: it differs per runner."""
        text = document.effective_text if document is not None else None
        if text is None or UNKNOWN in text.text:
            return None
        name = f"{self.model.profile.documents.name}:"
        masked = "\n".join(f"{name} X" if line.startswith(name) else line for line in text.text.split("\n"))
        return hashlib.sha256(masked.encode()).hexdigest()

    @staticmethod
    def _unknown(outcome: Outcome, document: Document | None) -> Iterator[str]:
        if outcome.end is End.NOT_ANALYSED:
            yield outcome.reason
        if document is not None and document.effective_text is None:
            reasons = [edit.why for edit in document.edits if edit.after is None and edit.why]
            yield reasons[-1] if reasons else "the recipe cannot be read here"
        elif document is not None and document.effective_text is not None:
            yield from dict.fromkeys(holes(document.effective_text.text))

    # --- one entry --------------------------------------------------------------------------------

    def effective(self, entry: str) -> Sequence[EffectiveView]:
        found = []
        for launch in self.model.launches_of((entry,)):
            documents = {id(one.outcome): one for one in self.model.documents_of(launch)}
            found += [effective_view(self.model, launch, one, documents.get(id(one))) for one in launch.outcomes]
        return found

    def jobs(self, entry: str) -> Sequence[JobView]:
        from configlint.api.subjects import Launch as Subject
        from configlint.cli.told_jobs import job_views

        return [
            view
            for launch in self.model.launches_of((entry,))
            for outcome in launch.outcomes
            for view in job_views(Subject(self.model, launch, outcome))
        ]

    def trace(self, entry: str, variables: Sequence[str]) -> Sequence[TraceView]:
        found = []
        for launch in self.model.launches_of((entry,)):
            found += [trace_view(self.model, launch, one, variables) for one in self.model.launches.trace(launch)]
        return found

    # --- what a place reaches -----------------------------------------------------------------------

    def affected(self, path: str, line: int | None) -> Affected:
        reach = Reach(self.model, path, line)
        rows: dict[str, tuple[Entry, set[tuple[int, int]], str]] = {}
        for one in reach.points():
            kept = rows.setdefault(one.entry.key, (one.entry, set(), one.via))
            kept[1].update((id(point.item), point.index) for point in one.points)
        found = tuple(
            AffectedRow(key, entry.place, sum(len(item.points) for item in entry.items), len(points), via)
            for key, (entry, points, via) in rows.items()
        )
        return Affected(found, "" if found else reach.unknown())

    # --- outside repositories -----------------------------------------------------------------------

    def ref_rows(self) -> Sequence[RefRow]:
        found: dict[tuple[str, str | None], list[Place]] = {}
        for launch in self.model.launches_of():
            for outcome in launch.outcomes:
                for clone in outcome.clones:
                    places = found.setdefault((clone.url, None if clone.is_default else clone.ref), [])
                    if clone.named_at not in places:
                        places.append(clone.named_at)
        return [self._ref_row(url, ref, places) for (url, ref), places in sorted(found.items(), key=_order)]

    def _ref_row(self, url: str, ref: str | None, places: list[Place]) -> RefRow:
        answer = self.model.launches.world.ref(url, ref)
        sources = self._sources.sources_of(url)
        where = ", ".join(dict.fromkeys(f"{one.path} ({one.given_by})" for one in sources))
        reason = getattr(answer, "reason", "")
        return RefRow(url, ref, answer.kind, answer.commit, where, reason, tuple(places), answer.name)

    def sync_refs(self, progress: Callable[[str], None]) -> Sequence[SyncRow]:
        from configlint.source.base import SourceError
        from configlint.source.sync import sync

        rows = []
        for url in dict.fromkeys(row.url for row in self.ref_rows()):
            progress(url)
            try:
                done = sync(url)
                rows.append(SyncRow(url, "cloned" if done.fresh else "updated", str(done.path)))
            except SourceError as fault:
                rows.append(SyncRow(url, "failed", str(fault)))
        return rows


def _order(item: tuple[tuple[str, str | None], list[Place]]) -> tuple[str, str]:
    return item[0][0], item[0][1] or ""
