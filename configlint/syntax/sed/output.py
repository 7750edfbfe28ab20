"""The text a run writes, line by line, each with the line it comes from."""

from __future__ import annotations

from configlint.syntax.sed.budget import Meter
from configlint.syntax.sed.errors import Unsupported
from configlint.syntax.sed.lines import CREATED, Origins, Space


class Output:
    """``lines`` are those of the input; ``ends_with_newline`` says that the last of them does."""

    def __init__(self, lines: list[str], ends_with_newline: bool, meter: Meter) -> None:
        self.lines = lines
        self.ends_with_newline = ends_with_newline
        self.meter = meter
        self.room = meter.size
        self.texts: list[str] = []
        self.origins: list[int] = []
        self.written: set[int] = set()
        self.whole = True  # the last line written has its newline
        self.queue: list[str] = []

    def copy(self, start: int, end: int) -> None:
        """Writes input lines as they are."""
        self.texts.extend(self.lines[start:end])
        self.origins.extend(range(start, end))
        self.whole = end < len(self.lines) or self.ends_with_newline

    def space(self, space: Space) -> None:
        """Writes a pattern space."""
        self.write(space.text, space.origins, space.whole)

    def text(self, text: str) -> None:
        """Writes lines that the program made."""
        self.write(text, (CREATED,) * (text.count("\n") + 1), True)

    def write(self, text: str, origins: Origins, whole: bool) -> None:
        """Writes one or more lines. Raises Unsupported when there are too many."""
        self.meter.spend(2 + len(origins))
        self.room -= len(text) + 1
        if self.room < 0:
            raise Unsupported("the output grows too large")
        texts, lines = self.texts, self.lines
        parts = (text,) if len(origins) == 1 else text.split("\n")
        for part, origin in zip(parts, origins, strict=True):
            if origin == CREATED or part != lines[origin]:
                self.written.add(len(texts))
            texts.append(part)
            self.origins.append(origin)
        self.whole = whole

    def flush(self) -> None:
        """Writes what ``a`` queued."""
        for text in self.queue:
            self.text(text)
        self.queue.clear()

    def finish(self) -> tuple[str, tuple[int, ...], frozenset[int]]:
        """Text, origins and written lines, with an element for what follows the last newline."""
        if self.whole:
            if self.ends_with_newline:
                self.origins.append(len(self.lines))
            else:
                self.origins.append(CREATED)
                self.written.add(len(self.texts))
            self.texts.append("")
        return "\n".join(self.texts), tuple(self.origins), frozenset(self.written)
