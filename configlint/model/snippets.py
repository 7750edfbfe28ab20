"""Shell text inside other files: what bash parses when it runs, not when it reads the file around it.

Arguments of ``bash -c``, here-documents that a shell reads or that become a script, and the ``run:`` of workflow steps.
Text that is not known (an expansion, a workflow's expression) is taken once as a word and once as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from configlint.model.layout import child, elements, pairs
from configlint.model.workflows import shell_of
from configlint.source.text import Place, Span, Text
from configlint.syntax.bash.nodes import HereDocument, Literal, Opaque, Script, Simple, Word
from configlint.syntax.bash.walk import at_offsets
from configlint.syntax.yaml import File, Node

_SHELLS = frozenset({"bash", "sh", "dash"})
_PRINTERS = frozenset({"echo", "printf"})
_COMMAND = re.compile(r"-[a-z]*c")
_GIVEN = re.compile(rb"""(?:ba|da)?sh\b['"]?[ \t\\\n]+-\w*c\b""")
_FED = re.compile(rb"(?:ba|da)?sh\b")
_SHOWN = re.compile(rb"\bcat\b")
_NAMED = re.compile(rb"\.(?:sh|bash|slurm)\b")
_SCRIPT = re.compile(r"\.(?:sh|bash|slurm)$")
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
_NEWLINE = re.compile(r"(\\*)\n")
_UNKNOWN = ("x", "")  # readings of what is not known


@dataclass(frozen=True, eq=False)
class Snippet:
    """Shell text in a file. ``sources`` are its readings: it is wrong if all of them are.

    ``starts`` are the offsets in the file at which its lines begin, ``end`` is where it ends. ``what`` is its name.
    """

    text: Text
    what: str
    sources: tuple[bytes, ...]
    starts: Sequence[int]
    end: int

    def line(self, number: int) -> Place:
        """The rest of the file's line on which line ``number`` (from 1) of the snippet begins."""
        index = max(0, min(number, len(self.starts)) - 1)
        start = min(self.starts[index], len(self.text.raw))
        return Place(self.text, Span(start, max(start, self.text.line_span(self.text.position(start).line).end)))

    def place(self, source: Text, span: Span) -> Place:
        """Where a span of the first reading (a text) stands in the file: in a part of a file only the line is known."""
        return Place(self.text, span) if source.raw is self.text.raw else self.line(source.position(span.start).line)


def whole(text: Text) -> Snippet:
    """A script file as it is."""
    return Snippet(text, "the script", (text.raw,), text.line_starts, len(text.raw))


def may_embed(text: Text) -> list[int]:
    """Offsets of commands that may hold shell text: a glance that misses nothing, so that few scripts are parsed."""
    raw = text.raw
    offsets = {found.start() for found in _GIVEN.finditer(raw)}
    start = 0
    while (here := raw.find(b"<<", start)) >= 0:  # line by line: no expression looks at a line more than once
        line, end = raw.rfind(b"\n", 0, here) + 1, raw.find(b"\n", here)
        end = end if end >= 0 else len(raw)
        last = raw.rfind(b"<<", line, end)
        offsets.update(found.start() for found in _FED.finditer(raw, line, last))
        name = max((found.start() for found in _NAMED.finditer(raw, line, end)), default=line)
        offsets.update(found.start() for found in _SHOWN.finditer(raw, line, min(last, name)))
        start = end
    return sorted(offsets)


def embedded(script: Script, offsets: Sequence[int]) -> Iterator[Snippet]:
    """The shell text that the commands at these offsets of a script hold."""
    for node in at_offsets(script.body, offsets):
        if isinstance(node, Simple) and node.words:
            yield from _of_command(script.text, node)


def _of_command(text: Text, command: Simple) -> Iterator[Snippet]:
    names = [word.literal for word in command.words]
    if names[0] in _PRINTERS:
        return
    shells = [index for index, name in enumerate(names) if name and name.rpartition("/")[2] in _SHELLS]
    for index in shells:
        if index + 2 < len(names) and _COMMAND.fullmatch(names[index + 1] or ""):
            yield from _snippet(text, f"the argument of {names[index]} {names[index + 1]}", command.words[index + 2])
    for redirect in command.redirects:
        body = redirect.target
        if isinstance(body, HereDocument) and redirect.fd in (None, "0"):
            # A shell without a script reads its commands from standard input.
            options = names[shells[-1] + 1 :] if shells else ["?"]
            reads = all(name and name.startswith("-") and not _COMMAND.fullmatch(name) for name in options)
            if reads or _becomes_script(command):
                yield from _snippet(text, f"the here-document {body.delimiter}", body.body)


def _becomes_script(command: Simple) -> bool:
    """True for ``cat > FILE.sh <<EOF``."""
    if command.words[0].literal != "cat" or len(command.words) > 1:
        return False
    outputs = [one.target for one in command.redirects if one.operator in (">", ">|") and isinstance(one.target, Word)]
    last = outputs[-1].parts[-1] if outputs and outputs[-1].parts else None
    return isinstance(last, Literal) and _SCRIPT.search(last.text) is not None


def _snippet(text: Text, what: str, word: Word) -> Iterator[Snippet]:
    """A word as shell text; nothing where too little of it is known."""
    if not any(isinstance(part, Literal) and part.text.strip() for part in word.parts):
        return
    pieces: list[str | None] = []
    starts = [word.start]
    for part in word.parts:
        if isinstance(part, Opaque):
            return
        pieces.append(part.text if isinstance(part, Literal) else None)
        if isinstance(part, Literal):
            starts += _line_starts(text, part)
    readings = _UNKNOWN if None in pieces else ("",)
    sources = ["".join(reading if piece is None else piece for piece in pieces) for reading in readings]
    yield Snippet(text, what, tuple(one.encode("utf-8", "replace") for one in sources), starts, word.end)


def _line_starts(text: Text, part: Literal) -> list[int]:
    """Where the lines of a literal after its first begin in the file."""
    count = part.text.count("\n")
    if not count:
        return []
    source = text.raw[part.start : part.end].decode("latin-1")
    every = [found.end() for found in _NEWLINE.finditer(source)]
    # In double quotes a backslash takes the end of its line with it.
    kept = [found.end() for found in _NEWLINE.finditer(source) if len(found[1]) % 2 == 0]
    ends = every if len(every) == count else kept
    return [part.start + (ends[min(index, len(ends) - 1)] if ends else 0) for index in range(count)]


def steps(file: File) -> Iterator[Snippet]:
    """The ``run:`` of every step of a workflow, or of an action, that bash runs."""
    for root in file.documents:
        default = child(root, "defaults", "run", "shell")
        for job in (*pairs(child(root, "jobs")).values(), *filter(None, [child(root, "runs")])):
            machine = child(job, "runs-on")
            if machine is not None and "windows" in machine.text:
                continue
            shell = child(job, "defaults", "run", "shell") or default
            for step in elements(child(job, "steps")):
                run = child(step, "run")
                if run is not None and run.kind == "scalar" and shell_of(child(step, "shell") or shell)[0] in _SHELLS:
                    yield _step(file.text, run)


def _step(text: Text, run: Node) -> Snippet:
    span, lines = run.span, run.text.count("\n") + 1
    starts = [span.start] * lines
    if run.style == "|":
        first = text.position(span.start).line + 1
        starts = [text.line_starts[min(first + index, len(text.line_starts)) - 1] for index in range(lines)]
    readings = _UNKNOWN if "${{" in run.text else ("",)
    sources = [_EXPRESSION.sub(reading, run.text).encode("utf-8", "replace") for reading in readings]
    return Snippet(text, "the step's run", tuple(sources), starts, span.end)
