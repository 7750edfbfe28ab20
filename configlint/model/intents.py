"""What a sed program is meant to do to a YAML document: the key it looks for and the value it wants there.

Read off the program's text, so only its plain forms are understood: a key at the start of an expression, a literal
``key: value`` as replacement or inserted line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from configlint.launch.outcome import Edit
from configlint.syntax import sed
from configlint.syntax.sed.program import Command, Pattern
from configlint.syntax.sed.regex import Regex, regex

_BLANK = r"(?:(?: |\\t|\\s|\[[^\]\w]*(?:\[:\w+:\])?[^\]\w]*\])(?:[*+?]|\\[+?]|\\?\{[\d,]*\\?\})?)"
_LOOKED_FOR = re.compile(rf"\^?(?P<group>\\?\()?{_BLANK}*(?P<key>[A-Za-z_][\w.-]*)(?:\\?\))?{_BLANK}*:")
_LINE = re.compile(r"\s*(?:- +)?(?P<key>[A-Za-z_][\w.-]*):\s*(?P<value>.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Intent:
    """What one command of a program is for, where it found nothing to act on.

    ``key`` is the key it looks for. ``wanted`` is the key and value it would leave: None where it would remove the
    line; ``beside`` says that it would add a line and leave the old one. ``anywhere`` is the expression without its
    anchor and indentation.
    """

    key: str
    wanted: tuple[str, str] | None
    beside: bool = False
    anywhere: Regex | None = None

    def fits(self, line: str) -> bool:
        """True if the command would act on a line, were it indented otherwise."""
        if self.anywhere is None:
            return False
        return self.anywhere.search_space(line.strip().encode("utf-8", "replace"), 0) is not None


def idle_intents(edit: Edit) -> Iterator[Intent]:
    """The commands of an edit's program that acted on no line, as far as their purpose can be told."""
    if not edit.program or 0 not in edit.hits:
        return
    try:
        commands = sed.parse(list(edit.program), extended=edit.extended).commands
    except sed.SedError:
        return
    for command, hits in zip(commands, edit.hits, strict=False):
        if not hits and not command.negated:
            intent = _intent(command, edit.extended)
            if intent is not None:
                yield intent


def _intent(command: Command, extended: bool) -> Intent | None:
    looked_for: Regex | None = command.first.regex if isinstance(command.first, Pattern) else None
    text, beside = command.text, command.name in "ai"
    if command.substitution is not None:
        looked_for = command.substitution.regex or looked_for
        text = "".join(piece.text for piece in command.substitution.pieces)
    found = _LOOKED_FOR.match(looked_for.source) if looked_for is not None else None
    if found is None or looked_for is None or command.name not in ("s", "d", "a", "i", "c"):
        return None
    key = found["key"]
    anywhere = None if found["group"] else _relaxed(looked_for, found, extended)
    line = _LINE.fullmatch(text)
    if command.name == "d" or (command.name == "s" and not text.strip()):
        return Intent(key, None, False, anywhere)
    if line is not None:
        return Intent(key, (line["key"], _unquoted(line["value"])), beside, anywhere)
    if command.name == "s" and ":" not in text and "\n" not in text:  # a group keeps the key: \1 720
        return Intent(key, (key, _unquoted(text.strip())), False, anywhere)
    return None


def _relaxed(looked_for: Regex, found: re.Match[str], extended: bool) -> Regex | None:
    try:
        return regex(looked_for.source[found.start("key") :], extended, looked_for.ignores_case, False)
    except sed.SedError:
        return None


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
