"""The launch step as a script: parsed once for a template, whatever the row.

Each ``${{ }}`` becomes a parameter of the same width, so that every byte keeps its place in the workflow
file. Pasting text and expanding an unquoted parameter are the same as long as the text has no shell syntax
in it; where it has, the script is built for the row and parsed as it would run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from configlint.launch.state import Options
from configlint.model.environment import Environment
from configlint.model.workflows import RunStep
from configlint.source.text import Span, Text
from configlint.syntax.bash import parse
from configlint.syntax.bash.nodes import Script
from configlint.syntax.expressions import Template

_PLAIN = re.compile(r"[\w@%+=:,./ \ue000-\ue002-]*")
_HERE = re.compile(rb"(?<!<)<<(?!<)")  # a delimiter that is indented with the block would not end its document


@dataclass(frozen=True, eq=False)
class StepScript:
    """A launch step: its script, with the expression that each parameter stands for."""

    script: Script
    parameters: dict[str, Template]
    options: Options


def step_script(step: RunStep) -> StepScript:
    """The step of a template, expressions replaced by parameters."""
    text, span = _source(step)
    parameters: dict[str, Template] = {}

    body, at = bytearray(text.raw[span.start : span.end]), 0
    while (at := body.find(b"${{", at)) >= 0 and (end := body.find(b"}}", at) + 2) > 1:
        source = bytes(body[at:end])
        name = f"_{len(parameters)}".ljust(len(source) - 3, "_")
        parameters[name] = Template.parse(source.decode("utf-8", "replace"))
        body[at:end] = b"${" + name.encode() + b"}"
        at = end
    masked = Text(text.path, text.raw[: span.start] + body + text.raw[span.end :], text.origin)
    return StepScript(parse(masked, span), parameters, options_of(step))


def pasted_script(environment: Environment, step: RunStep) -> Script | None:
    """The script with the row's text pasted in, as GitHub does it; None where there is none."""
    run = environment.run
    return None if run is None else parse(Text(step.place.text.path, run.text.encode("utf-8", "replace")))


def is_plain(text: str) -> bool:
    """True if pasting the text into a shell line is the same as expanding an unquoted parameter."""
    return _PLAIN.fullmatch(text) is not None


def options_of(step: RunStep) -> Options:
    """The shell options GitHub starts the step with."""
    words = step.options
    return Options(errexit="-e" in words, pipefail="pipefail" in words)


def _source(step: RunStep) -> tuple[Text, Span]:
    """The bytes of the step's script in the workflow file, where it is a literal block; else its text alone."""
    node = step.node
    if node is not None:
        text, span = node.file.text, node.span
        head = text.raw[span.start : text.raw.find(b"\n", span.start) + 1]
        if re.search(rb"\|[-+0-9]*\s*(#.*)?$", head.rstrip()) and not _HERE.search(text.raw, span.start, span.end):
            return text, Span(span.start + len(head), span.end)
    raw = step.text.encode("utf-8", "replace")
    return Text(step.place.text.path, raw), Span(0, len(raw))
