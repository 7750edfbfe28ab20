"""What a file, a folder or a line reaches: the points whose runs would notice if it were different."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.launch.outcome import Outcome
from configlint.model.composition import is_composed
from configlint.model.launches import Launch
from configlint.model.layout import child
from configlint.model.matrix import Entry, Item, Point
from configlint.model.naming import named_in
from configlint.model.roads import Road, Workflow, is_blank
from configlint.source.trees import Kind
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Node, Script
from configlint.syntax.bash.walk import at_offsets

if TYPE_CHECKING:
    from configlint.model.documents import Document
    from configlint.model.project import Model

_STATEMENTS = (
    nodes.Simple, nodes.Declaration, nodes.Pipeline, nodes.AndOr, nodes.Background, nodes.If, nodes.Case, nodes.For,
    nodes.ArithmeticFor, nodes.While, nodes.Group, nodes.Subshell, nodes.Function, nodes.ArithmeticCommand,
    nodes.Conditional,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Reached:
    """Points that depend on the place, and by which way: matrix, runners, workflow, launcher, recipe, script, library
    or file."""

    entry: Entry
    points: tuple[Point, ...]
    via: str


class Reach:
    """Answers for one path, with a line or without."""

    def __init__(self, model: Model, path: str, line: int | None) -> None:
        self._model, self._line = model, line
        self._path = path
        self._resolved = model.tree.resolve(path)
        self._is_folder = model.tree.kind(path) is Kind.DIRECTORY
        self._workflow = Workflow(model, self._resolved, line)
        self._starts = self._innermost()

    def points(self) -> tuple[Reached, ...]:
        """What is reached, in the order of the matrix, as far as it is known."""
        return (*self._of_entries(), *self._of_launches())

    def unknown(self) -> str:
        """Why it is not known what the place reaches; empty where :attr:`points` is the answer."""
        if self._workflow.unknown:
            return self._workflow.unknown
        whole = self if self._line is None else Reach(self._model, self._path, None)
        if whole is not self and whole.points():
            return ""
        where = named_in(self._model, self._resolved)
        if where is not None:
            return f"{where.path}:{where.line} names it, and what becomes of it there is not analysed"
        lost = sum(len(one.points) for one in self._model.launches_of() if not one.is_analysed)
        return f"{lost} launches could not be analysed" if lost else ""

    def _covers(self, path: str) -> bool:
        if self._is_folder:
            return self._resolved == "" or path.startswith(f"{self._resolved}/")
        return path == self._resolved

    # --- matrix and runners ---------------------------------------------------------------------------

    def _of_entries(self) -> Iterator[Reached]:
        in_runners = self._runner_test()
        for entry in self._model.entries.values():
            if self._covers(entry.path):
                items = self._items(entry)
                via = "matrix"
            else:
                items, via = (entry.items, "runners") if in_runners is not None and in_runners(entry) else ((), "")
            if items:
                yield Reached(entry, tuple(point for item in items for point in item.points), via)

    def _items(self, entry: Entry) -> tuple[Item, ...]:
        """The items whose innermost mapping that holds the line is one that they are made of."""
        line = self._line
        if line is None:
            return entry.items
        if not entry.key_node.place.line <= line <= entry.node.place.end.line:
            return ()
        best: tuple[int, list[Item]] | None = None
        for item in entry.items:
            for depth, scope in enumerate(item.scopes):
                first = item.line if depth == 0 else scope.place.line
                if first <= line <= scope.place.end.line:
                    size = scope.place.end.line - first
                    if best is None or size < best[0]:
                        best = size, []
                    if size == best[0]:
                        best[1].append(item)
                    break
        return tuple(best[1]) if best is not None else entry.items

    def _runner_test(self) -> Callable[[Entry], bool] | None:
        """Which entries the runners file, or a line of it, is about."""
        runners = self._model.runners
        if not runners.path or runners.document is None or not self._covers(runners.path):
            return None
        if self._line is None:
            return lambda entry: runners.is_declared(entry.label)
        line, labels, names = self._line, set(), set()
        for label in runners.labels.values():
            if label.place.line == line:
                labels.add(label.name)
            for runner in label.runners:
                if runner.place.line == line:
                    names.add((label.name, runners.launcher_path(runners.prefix(runner.name))))
                    names.add((runner.name, runners.launcher_path(runners.prefix(runner.name))))
        hardware = child(runners.document.root, self._model.profile.runners.hardware)
        for name, node in hardware.pairs().items() if hardware is not None and hardware.kind == "map" else ():
            key = hardware.key(name) if hardware is not None else None
            if (key or node).place.line <= line <= node.place.end.line:
                labels.add(name)
        if not labels and not names:
            blank = is_blank(runners.document.text, line)
            return None if blank else lambda entry: runners.is_declared(entry.label)
        return lambda entry: (
            entry.label in labels or any((entry.label, one.path) in names for one in entry.launchers if not one.guessed)
        )

    # --- launches ---------------------------------------------------------------------------------------

    def _of_launches(self) -> Iterator[Reached]:
        idle = self._line is not None and self._model.libraries.is_idle(self._resolved, self._line)
        for launch in self._model.launches_of():
            via = self._via(launch, idle)
            if via:
                yield Reached(launch.entry, launch.points, via)

    def _via(self, launch: Launch, idle: bool) -> str:
        road = self._workflow.of(launch)
        if road is Road.ALWAYS or (self._is_folder and any(map(self._covers, Workflow.paths(launch)))):
            return "workflow"
        if road is Road.WHERE_IT_RUNS and launch.environment.is_pasted:
            return "workflow" if self._workflow.is_run_in(launch) else ""
        if any(self._runs(outcome) for outcome in launch.outcomes):
            return "workflow" if road is Road.WHERE_IT_RUNS else "launcher"
        documents = self._model.documents_of(launch)
        if any(self._in_recipe(document) for document in documents):
            return "recipe"
        if not idle and (via := self._in_scripts(launch, documents)):
            return via
        for outcome in launch.outcomes:
            # A launcher is read as a whole, but a line of it matters only where it runs.
            executed = any(self._covers(where) for where, _ in outcome.executed)
            if any(self._covers(path) or path == self._path for path in outcome.reads) and not executed:
                return "file"
        return ""

    def _in_scripts(self, launch: Launch, documents: Iterable[Document]) -> str:
        """``script`` or ``library`` where a benchmark script that is started, or what it brings in, is meant."""
        libraries = self._model.libraries
        sinks = (outcome.sink for outcome in launch.outcomes)
        started = dict.fromkeys(sink.script_path for sink in sinks if sink is not None and sink.script_path)
        started |= dict.fromkeys(path for document in documents for path in libraries.named_by(document))
        for path in map(self._model.tree.resolve, started):
            if self._is_folder:
                if any(map(self._covers, libraries.brought_in(path))):
                    return "script"
            elif libraries.reaches(path, self._resolved, self._line):
                return "script" if path == self._resolved else "library"
            elif self._line is None and path == self._resolved:
                return "script"
        return ""

    def _runs(self, outcome: Outcome) -> bool:
        if self._line is None:
            return any(self._covers(where) for where, _ in outcome.executed)
        return any((self._resolved, start) in outcome.executed for start in self._starts)

    def _innermost(self) -> tuple[int, ...]:
        """Where the statements begin that are on the line and hold no other statement that is."""
        if self._line is None:
            return ()
        script = self._workflow.script or self._model.scripts.script(self._resolved)
        if script is None:
            return ()
        return innermost(script, self._line)

    def _in_recipe(self, document: Document) -> bool:
        source = document.source
        if source is None or source.origin or not self._covers(source.path):
            return False
        declared = document.declared
        root = declared.root if declared is not None else None
        compose = self._model.profile.documents.compose
        if self._line is None or root is None or not is_composed(root, compose) or not document.selector:
            return True
        keys = [key for key, value in root.items() if key.place.line <= self._line <= value.place.end.line]
        parts = (compose.override, compose.zip_override)
        return not keys or any(
            not key.text.startswith(parts) or document.selector.startswith(key.text) or "*" in document.selector
            for key in keys
        )


def innermost(script: Script, line: int) -> tuple[int, ...]:
    """Where the statements begin that are on a line and hold no other statement that is."""
    text = script.text
    if line > len(text.line_starts):
        return ()
    span = text.line_span(line)
    found: list[Node] = [
        node for node in at_offsets(script.body, range(span.start, span.end + 1)) if isinstance(node, _STATEMENTS)
    ]
    return tuple(
        node.start
        for node in found
        if not any(one is not node and node.start <= one.start and one.end <= node.end for one in found)
    )
