"""What a file or a line reaches: the launches that would notice if it were different."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.launch.outcome import Outcome
from configlint.model.composition import is_composed
from configlint.model.launches import Launch
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
    """A launch that depends on the place, and by which way: matrix, launcher, script, recipe or file."""

    launch: Launch
    via: str


class Reach:
    """Answers for one path, with a line or without."""

    def __init__(self, model: Model, path: str, line: int | None) -> None:
        self._model, self._line = model, line
        self._path = path
        self._resolved = model.tree.resolve(path)
        self._starts = self._innermost()

    def launches(self) -> Iterator[Reached]:
        """The launches that are reached, in the order of the matrix."""
        for launch in self._model.launches_of():
            via = self._via(launch)
            if via:
                yield Reached(launch, via)

    def _via(self, launch: Launch) -> str:
        if launch.entry.path == self._path:
            return "matrix" if self._in_matrix(launch) else ""
        for outcome in launch.outcomes:
            if self._runs(outcome):
                return "launcher"
        for document in self._model.documents_of(launch):
            if self._in_recipe(document):
                return "recipe"
        for outcome in launch.outcomes:
            if outcome.sink is not None and outcome.sink.script_path == self._path:
                return "script"
            # A launcher is read as a whole, but a line of it matters only where it runs.
            if self._path in outcome.reads and not any(where == self._resolved for where, _ in outcome.executed):
                return "file"
        return ""

    def _in_matrix(self, launch: Launch) -> bool:
        """True for the item that the line is in, or for all items where it is in none."""
        if self._line is None:
            return True
        entry = launch.entry
        if not entry.key_node.place.line <= self._line <= entry.node.place.end.line:
            return False
        inside = [item for item in entry.items if item.line <= self._line <= item.place.end.line]
        return not inside or launch.item in inside

    def _runs(self, outcome: Outcome) -> bool:
        if self._line is None:
            return any(where == self._resolved for where, _ in outcome.executed)
        return any((self._resolved, start) in outcome.executed for start in self._starts)

    def _innermost(self) -> tuple[int, ...]:
        """Where the statements begin that are on the line and hold no other statement that is."""
        if self._line is None:
            return ()
        script = self._model.launches.world.script(self._resolved) if self._resolved.endswith(".sh") else "no script"
        if not isinstance(script, Script):
            return ()
        text = script.text
        span = text.line_span(min(self._line, len(text.line_starts)))
        found: list[Node] = [
            node for node in at_offsets(script.body, range(span.start, span.end + 1)) if isinstance(node, _STATEMENTS)
        ]
        return tuple(
            node.start
            for node in found
            if not any(one is not node and node.start <= one.start and one.end <= node.end for one in found)
        )

    def _in_recipe(self, document: Document) -> bool:
        source = document.source
        if source is None or source.origin or source.path != self._resolved:
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
