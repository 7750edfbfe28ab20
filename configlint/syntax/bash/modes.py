"""How the characters of a region are read: inside quotes, words, subscripts, arithmetic, ``${...}``."""

from __future__ import annotations

import re
from typing import NamedTuple

BREAKS = frozenset(" \t\n;&|<>()")


class Mode(NamedTuple):
    """How the characters of a region are read.

    ``run`` matches characters without meaning here; ``stops`` end the region (at depth 0 of ``opening``/``closing``).
    ``escapes`` are the characters a backslash quotes, None for all. ``quoted`` is what its plain characters are.
    """

    run: re.Pattern[str]
    stops: frozenset[str]
    escapes: str | None
    single: bool
    double: bool
    quoted: bool
    opening: str = ""
    closing: str = ""
    kind: str = ""
    dollar_quotes: bool = False
    """``$'..'`` is a quote although ``'..'`` is none; apostrophes in pairs still hide a ``}`` between them, and a
    double quote there is dropped."""


def _run(meaningful: str) -> re.Pattern[str]:
    return re.compile(f"[^{re.escape(meaningful)}]+")


WORD = Mode(_run(" \t\r\n;&|<>()\\'\"$`"), BREAKS, None, True, True, False, kind="word")
DOUBLE = Mode(_run('\\"$`'), frozenset('"'), '$`"\\', False, False, True)
DOCUMENT = Mode(_run("\\$`"), frozenset(), "$`\\", False, False, True)
SUBSCRIPT = Mode(_run("\\'\"$`[]"), frozenset("]"), None, True, True, False, "[", "]")
BRACED_SUBSCRIPT = Mode(_run("\\'\"$`[]}"), frozenset("]}"), None, True, True, False, "[", "]", "braced")
BRACKETS = Mode(_run("\\'\"$`[]"), frozenset("]"), "", True, True, True, "[", "]")
ARITHMETIC = Mode(_run("\\'\"$`();"), frozenset(")"), "", True, True, True, "(", ")")
ARITHMETIC_PART = Mode(_run("\\'\"$`();"), frozenset(";)"), "", True, True, True, "(", ")")
REGEX = Mode(_run(" \t\r\n;&<>()\\'\"$`"), frozenset(" \t\n;&<>)"), None, True, True, False, "(", ")", "regex")


GLOB = Mode(_run("\\'\"$`()"), frozenset(")"), None, True, True, False, "(", ")")


def _mode(stops: str, quoted: bool, *, pattern: bool) -> Mode:
    """How an argument inside ``${...}`` is read, by the quotes around the expansion."""
    meaningful = re.compile(f"[^{re.escape(stops)}\\\\'\"$`]+")
    if quoted and not pattern:
        return Mode(meaningful, frozenset(stops), '$`"\\}', False, True, True, dollar_quotes=True)
    return Mode(meaningful, frozenset(stops), None, True, True, False)


ARGUMENT = {quoted: _mode("}", quoted, pattern=False) for quoted in (False, True)}
PATTERN = _mode("}", False, pattern=True)
REPLACED = _mode("/}", False, pattern=True)
OFFSET = Mode(re.compile("[^:}()\\\\'\"$`]+"), frozenset(":}"), "", True, True, True, "(", ")", "braced")
LENGTH = Mode(re.compile("[^}\\\\'\"$`]+"), frozenset("}"), "", True, True, True)
