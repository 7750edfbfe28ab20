"""Which shell text of a tree bash would not parse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from configlint.model.layout import Fault, Layout
from configlint.model.snippets import Snippet, embedded, may_embed, steps, whole
from configlint.source.text import Place, Text
from configlint.source.trees import Unreadable
from configlint.syntax.bash import parse_string
from configlint.syntax.bash.nodes import Script
from configlint.syntax.bash.second_opinion import MAX_ASKED, NoOpinion, check_all, check_syntax, is_given_up
from configlint.syntax.bash.suspects import suspects
from configlint.syntax.bash.tokens import MAX_SCRIPT

SUFFIXES = (".sh", ".slurm", ".bash")

_OTHER = re.compile(rb"#!(?!.*\b(?:ba|da|k)?sh\b)")  # a first line that names another interpreter
_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)
_WORKFLOWS = ".github/"


@dataclass(frozen=True, eq=False)
class Unparsable:
    """Shell text that is no bash: why and where. ``hints`` are places at which the slip may be, each with what is odd.

    ``sure`` is False where no bash could be asked, so that only our own parser says so, and where a part of the text
    is not known.
    """

    path: str
    what: str
    message: str
    place: Place
    hints: tuple[tuple[Place, str], ...]
    sure: bool


class Shells:
    """All shell text of a tree, bash asked about it at once."""

    def __init__(self, layout: Layout, paths: tuple[str, ...], script: Callable[[str], Script | str]) -> None:
        self._layout, self._paths, self._script = layout, paths, script

    def unparsable(self) -> Iterator[Unparsable]:
        """What bash would refuse, in order of files."""
        snippets = list(self._snippets())
        answers = check_all([one.sources[0] for one in snippets])
        given_up = [one for one, answer in zip(snippets, answers, strict=True) if is_given_up(answer)]
        if given_up:
            message = f"bash was asked {MAX_ASKED} times about scripts; {len(given_up)} more are not looked at"
            self._layout.faults.append(Fault(message, given_up[0].line(1), given_up[0].text.path))
        for snippet, answer in zip(snippets, answers, strict=True):
            if is_given_up(answer):
                continue
            if isinstance(answer, NoOpinion):
                yield from _without_bash(snippet)
            elif answer is not None and all(isinstance(check_syntax(one), str) for one in snippet.sources[1:]):
                yield _refused(snippet, answer)

    def _snippets(self) -> Iterator[Snippet]:
        tree = self._layout.tree
        for path in self._paths:
            if path.endswith(SUFFIXES) and not tree.is_symlink(path):
                try:
                    text = tree.read(path)
                except FileNotFoundError:
                    continue
                except Unreadable as fault:
                    self._layout.faults.append(Fault(fault.reason, path=path, id="unreadable-file"))
                    continue
                if not _OTHER.match(text.raw):
                    yield whole(text)
                    offsets = may_embed(text) if len(text.raw) <= MAX_SCRIPT else []
                    parsed = self._script(path) if offsets else ""
                    if isinstance(parsed, Script):
                        yield from embedded(parsed, offsets)
            elif path.startswith(_WORKFLOWS) and path.endswith((".yml", ".yaml")):
                file = self._layout.document(path)
                if file is not None and not file.faults:
                    yield from steps(file)


def _refused(snippet: Snippet, answer: str) -> Unparsable:
    source = Text("", snippet.sources[0])
    found = _LINE.match(answer)
    number, message = (int(found[1]), found[2]) if found else (1, answer)
    number = min(number, len(source.line_starts))
    while number > 1 and not source.slice(source.line_span(number)).strip():
        number -= 1  # the end of the text: say it of the last line
    found_odd = suspects(source.raw) if len(source.raw) <= MAX_SCRIPT else ()
    hints = [one for one in found_odd if source.position(one.span.start).line <= number]
    places = tuple((snippet.place(source, one.span), one.what) for one in hints)
    return Unparsable(snippet.text.path, snippet.what, message, snippet.line(number), places, len(snippet.sources) == 1)


def _without_bash(snippet: Snippet) -> Iterator[Unparsable]:
    faults = [parse_string(one.decode("utf-8", "replace")).faults for one in snippet.sources]
    if all(faults):
        fault = faults[0][0]
        line = Text("", snippet.sources[0]).position(fault.start).line
        yield Unparsable(snippet.text.path, snippet.what, fault.message, snippet.line(line), (), False)
