"""Parsing bash: the entry points."""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_bash

from configlint.source.text import Span, Text
from configlint.syntax.bash import expansions
from configlint.syntax.bash.commands import Builder, simple
from configlint.syntax.bash.lexer import Lexer
from configlint.syntax.bash.nodes import Command, Fault, Opaque, Script, Sequence
from configlint.syntax.bash.outline import Outline, Raw
from configlint.syntax.bash.reader import Grammar, Reader, SyntaxFault
from configlint.syntax.bash.tokens import MAX_SCRIPT


def parse(text: Text, span: Span | None = None) -> Script:
    """The script in ``text``, or in its part ``span`` (an embedded script); offsets are absolute either way.

    Never raises for bad input: what is not understood is an :class:`Opaque` and a :class:`Fault`.
    """
    start, end = span or Span(0, len(text.raw))
    end = min(end, len(text.raw))
    if end - start > MAX_SCRIPT:
        kind = f"a script of more than {MAX_SCRIPT:,} bytes"
        return _given_up(text, Span(start, end), f"larger than {MAX_SCRIPT} bytes, not parsed", kind)
    reader = Reader(text.raw, end, tree_sitter.Parser(_language()), _GRAMMAR)
    if reader.src.startswith("\xef\xbb\xbf", start):
        start += 3
    try:
        body = _script(reader, start)
    except RecursionError:
        return _given_up(text, Span(start, end), "nested too deeply", "a script that is nested too deeply")
    except SyntaxFault as fault:
        return _given_up(text, Span(fault.start, end), fault.message)
    return Script(text, body, tuple(sorted(reader.faults, key=lambda fault: fault.start)))


def parse_string(source: str) -> Script:
    """The script in a string without a file (a generated text, an argument of ``bash -c``)."""
    return parse(Text("", source.encode("utf-8", errors="surrogatepass")))


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_bash.language())


def _given_up(text: Text, span: Span, message: str, kind: str = "syntax error") -> Script:
    """A script of which nothing is understood; an excerpt stands for its text."""
    opaque = Opaque(span.start, span.end, kind, text.slice(Span(span.start, min(span.end, span.start + 200))))
    return Script(text, Sequence(span.start, span.end, (opaque,)), (Fault(span.start, span.end, message),))


def _script(reader: Reader, start: int) -> Sequence:
    lexer = Lexer(reader, start, "")
    outline = lexer.outline
    try:
        lexer.run()
    except SyntaxFault as fault:
        reader.fault(fault.start, fault.end, fault.message)
        reader.depth = 0
        found = list(reader.faults)
        body = _build(reader, outline)
        reader.faults[:] = found  # what the grammar misses behind the fault is no news
        return _cut(reader, body, max(start, min(fault.start, outline.masked)))
    return _build(reader, outline)


def _cut(reader: Reader, body: Sequence, at: int) -> Sequence:
    """The commands up to the line of ``at``, and the rest as one opaque command.

    Nothing can be trusted from the fault on, and bash runs nothing of a line that it cannot parse.
    """
    while at < reader.end and reader.src[at] in " \t\r\n":
        at += 1
    commands = list(body.commands)
    line = reader.src.rfind("\n", 0, at) + 1
    while commands and (commands[-1].end > line or isinstance(commands[-1], Opaque)):
        at = min(at, commands.pop().start)
    if at < reader.end:
        commands.append(Opaque(at, reader.end, "syntax error", reader.text(at, reader.end)))
    return Sequence(commands[0].start, commands[-1].end, tuple(commands)) if commands else body


def _commands(reader: Reader, start: int, closing: str) -> tuple[Sequence, int]:
    """The command list of a substitution, and the offset of what closes it."""
    lexer = Lexer(reader, start, closing)
    end = lexer.run()
    return _build(reader, lexer.outline), end


def _build(reader: Reader, outline: Outline) -> Sequence:
    start = outline.start
    if outline.plain:
        commands: list[Command] = []
        for found in outline.commands.values():
            assert isinstance(found, Raw)
            commands.append(simple(found))
        if commands:
            return Sequence(commands[0].start, commands[-1].end, tuple(commands))
        return Sequence(start, start, ())
    if not outline.tokens:
        return Sequence(start, start, ())
    root = reader.parser.parse(outline.mask()).root_node
    return Builder(reader, outline).build(root)


_GRAMMAR = Grammar(_commands, expansions.dollar, expansions.backticks)

__all__ = ["parse", "parse_string"]
