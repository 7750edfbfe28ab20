"""What benchmark scripts bring in: the files they source and run, and which functions of them can be called.

Benchmark scripts are not interpreted, so this is read off their text: a function counts as called where its name
stands in what runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from configlint.model.references import References, resolved
from configlint.source.trees import Kind
from configlint.syntax.bash import nodes
from configlint.syntax.bash.walk import at_offsets

if TYPE_CHECKING:
    from configlint.model.documents import Document
    from configlint.model.project import Model

_WORDS = re.compile(rb"[\w.:+@-]+")
_SCRIPTS = re.compile(r"[\w./-]+\.(?:sh|bash|slurm|py)\b", re.ASCII)


class Libraries:
    """Answers for one tree; every script is read once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._uses: dict[str, tuple[tuple[str, str], ...]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._mentioned: dict[str, tuple[str, ...]] = {}

    def uses(self, path: str) -> tuple[tuple[str, str], ...]:
        """The files of the tree that a script certainly sources or runs, each with how."""
        if path not in self._uses:
            self._uses[path] = ()
            self._uses[path] = tuple(dict.fromkeys(self._named(path)))
        return self._uses[path]

    def _named(self, path: str) -> Iterator[tuple[str, str]]:
        scripts = self._model.scripts
        script = scripts.script(path)
        if script is None:
            return
        found = References(script, scripts.statements(path), self._model.tree, self._model.profile, lambda _: False)
        yield from ((self._model.tree.resolve(one), how) for one, how in found.named() if how in ("source", "run"))

    def brought_in(self, path: str, how: tuple[str, ...] = ("source", "run")) -> tuple[str, ...]:
        """The script itself, and what it brings in, directly or through others."""
        found: dict[str, None] = {path: None}
        pending = [path]
        while pending:
            for other, way in self.uses(pending.pop()):
                if way in how and other not in found:
                    found[other] = None
                    pending.append(other)
        return tuple(found)

    def reaches(self, path: str, target: str, line: int | None) -> bool:
        """True if a run of the script comes to the target, and there to a line."""
        for program in self._programs(path):
            if target in self.brought_in(program, ("source",)):
                function = self.function_at(target, line)
                if function is None or function in self._calls(program):
                    return True
        return False

    def _programs(self, path: str) -> Iterator[str]:
        """The script, and the scripts that are run on the way: each has functions of its own."""
        seen: set[str] = set()
        for one in self.brought_in(path):
            if one == path or any((how == "run" and other == one) for user in seen for other, how in self.uses(user)):
                yield one
            seen.add(one)

    def function_at(self, path: str, line: int | None) -> str | None:
        """The function of a script in which a line lies; None where it lies in none."""
        if line is None:
            return None
        for function in self._functions(path):
            first, last = (self._position(path, offset) for offset in (function.start, function.end))
            if first <= line <= last:
                return function.name
        return None

    def _position(self, path: str, offset: int) -> int:
        script = self._model.scripts.script(path)
        return script.text.position(offset).line if script is not None else 0

    def _functions(self, path: str) -> Iterator[nodes.Function]:
        script = self._model.scripts.script(path)
        for one in script.body.commands if script is not None else ():
            if isinstance(one, nodes.Function):
                yield one

    def _calls(self, program: str) -> frozenset[str]:
        """The functions whose names stand in what runs, directly or in such a function."""
        if program not in self._called:
            bodies: dict[str, set[bytes]] = {}
            pending: set[bytes] = set()
            for path in self.brought_in(program, ("source",)):
                script = self._model.scripts.script(path)
                if script is None:
                    continue
                raw, at = script.text.raw, 0
                for function in self._functions(path):
                    pending.update(_WORDS.findall(raw, at, function.start))
                    words = _WORDS.findall(raw, function.body.start, function.body.end)
                    bodies.setdefault(function.name, set()).update(words)
                    at = function.end
                pending.update(_WORDS.findall(raw, at))
            found: set[str] = set()
            while pending:
                name = pending.pop().decode("utf-8", "replace")
                if name in bodies and name not in found:
                    found.add(name)
                    pending |= bodies[name]
            self._called[program] = frozenset(found)
        return self._called[program]

    # --- documents ----------------------------------------------------------------------------------

    def named_by(self, document: Document) -> tuple[str, ...]:
        """The scripts of the tree that a submitted document names, by their path in the mounted checkout."""
        text = document.effective_text or document.declared_text
        if text is None:
            return ()
        if text.text not in self._mentioned:
            paths = (self._in_tree(name) for name in dict.fromkeys(_SCRIPTS.findall(text.text)))
            self._mentioned[text.text] = tuple(path for path in paths if path is not None)
        return self._mentioned[text.text]

    def _in_tree(self, name: str) -> str | None:
        for mount in self._model.profile.launch.mounts:
            if name.startswith(mount.rstrip("/") + "/"):
                path = resolved("\0" + name[len(mount.rstrip("/")) :])
                return path if path and self._model.tree.kind(path) is Kind.FILE else None
        return None

    def is_idle(self, path: str, line: int) -> bool:
        """True if a line of a script is blank, or a comment that no command reads as its input."""
        script = self._model.scripts.script(path)
        if script is None or line > len(script.text.line_starts):
            return False
        span = script.text.line_span(line)
        text = script.text.slice(span).strip()
        if text and (not text.startswith("#") or text.startswith(("#!", "#SBATCH"))):
            return False
        covering = at_offsets(script.body, range(span.start, span.end + 1))
        return not any(isinstance(one, (nodes.Simple, nodes.Word)) for one in covering)
