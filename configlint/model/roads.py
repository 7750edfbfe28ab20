"""Workflow files and their lines: which launches a template, or a job that calls it, stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.model.layout import child, pairs
from configlint.model.step import step_script
from configlint.model.workflows import LaunchTemplate
from configlint.source.text import Place, Text
from configlint.syntax.bash.nodes import Script

if TYPE_CHECKING:
    from configlint.model.launches import Launch
    from configlint.model.project import Model
    from configlint.syntax.yaml import Node


class Road(Enum):
    """Whether a launch comes by a line of a workflow."""

    NEVER = "never"
    ALWAYS = "always"
    WHERE_IT_RUNS = "where it runs"  # a line of the launch step: the launches that run it


class Workflow:
    """One path, which may be a workflow that launches come from, and a line of it."""

    def __init__(self, model: Model, path: str, line: int | None) -> None:
        self._model, self._path, self._line = model, path, line
        layout = model.profile.workflows
        self._is_caller = path in layout.callers
        self._may_be_template = any(one.path == path for one in layout.templates)

    @staticmethod
    def paths(launch: Launch) -> Iterator[str]:
        """The workflows that a launch comes from."""
        inner = launch.environment.inner
        yield inner.template.path
        if inner.job is not None:
            yield inner.job.place.text.path

    @cached_property
    def _template(self) -> LaunchTemplate | None:
        found = self._model.environments.workflows.templates.values() if self._may_be_template else ()
        return next((one for one in found if one.path == self._path), None)

    @cached_property
    def script(self) -> Script | None:
        """The launch step, where the path is a template that has one."""
        step = self._template.run if self._template is not None else None
        return step_script(step).script if step is not None and self._in_step else None

    @cached_property
    def _in_step(self) -> bool:
        step = self._template.run if self._template is not None else None
        return step is not None and self._line is not None and _holds(step.place, self._line)

    def of(self, launch: Launch) -> Road:
        """Whether a launch comes by the line (by the file, where there is no line)."""
        if self._template is None and not self._is_caller:
            return Road.NEVER
        if self._path not in self.paths(launch):
            return Road.NEVER
        if self._line is None:
            return Road.ALWAYS
        if self._in_step:
            return Road.WHERE_IT_RUNS
        if self._template is not None:
            return Road.ALWAYS if self._sets_something else Road.NEVER
        job = launch.environment.inner.job
        return Road.ALWAYS if job is not None and job.name in self._jobs_here else Road.NEVER

    @cached_property
    def _root(self) -> Node | None:
        document = self._model.layout.document(self._path)
        return document.root if document is not None else None

    @cached_property
    def _jobs_here(self) -> frozenset[str]:
        """The jobs of the caller in which the line lies."""
        jobs = child(self._root, "jobs")
        return frozenset(
            name for name, node in pairs(jobs).items() if jobs is not None and self._within(jobs, name, node)
        )

    def _within(self, table: Node, name: str, node: Node) -> bool:
        key = table.key(name)
        return self._line is not None and (key or node).place.line <= self._line <= node.place.end.line

    @cached_property
    def _sets_something(self) -> bool:
        """True for a line of the template that sets a variable of the launch step, or an input that is read."""
        template, line = self._template, self._line
        if template is None or line is None:
            return False
        formulas = (*template.early.values(), *template.step.values())
        if any(one.place is not None and _holds(one.place, line) for one in formulas):
            return True
        inputs = child(self._root, "on", "workflow_call", "inputs")
        for name, node in pairs(inputs).items():
            if inputs is not None and self._within(inputs, name, node):
                return re.search(rf"inputs\.{re.escape(name)}(?![\w-])", node.file.text.string) is not None
        return False

    @property
    def unknown(self) -> str:
        """Why it is not known which launches the line is about; empty where :meth:`of` says it."""
        if self._is_caller and self._line is None:
            jobs = [job for job in self._model.environments.workflows.jobs if job.place.text.path == self._path]
            used = any(self._path in self.paths(launch) for launch in self._model.launches_of())
            return "" if used or not jobs else "its jobs start the same points on other occasions"
        if self._line is None or (self._template is None and not self._is_caller) or self._is_blank:
            return ""
        if self._in_step or self._sets_something or (self._is_caller and self._jobs_here):
            return ""
        return "the line is part of a workflow that launches come from, and what it does is not analysed"

    @property
    def _is_blank(self) -> bool:
        return self._root is not None and self._line is not None and is_blank(self._root.file.text, self._line)

    def is_run_in(self, launch: Launch) -> bool:
        """True if a command that begins on the line runs in a launch whose step is a script of its own."""
        run = launch.environment.inner.run
        executed = (one for outcome in launch.outcomes for one in outcome.executed)
        return run is not None and any(
            where == self._path and run.place_at(start).line == self._line for where, start in executed
        )


def is_blank(text: Text, line: int) -> bool:
    """True for a line of YAML with nothing on it but a comment."""
    return line <= len(text.line_starts) and text.slice(text.line_span(line)).strip()[:1] in ("", "#")


def _holds(place: Place, line: int) -> bool:
    return place.line <= line <= place.end.line
