"""The small patterns from which command lists are read."""

from __future__ import annotations

import re

MAX_SCRIPT = 1 << 18
"""Bytes of one script; a larger one is a fault."""

BLANK = re.compile(r"(?:[ \t]|\\\r?\n|\r(?=\n))*")
"""Blanks and continued line ends."""
SPACE = re.compile(r"(?:[ \t\r\n]|\\\r?\n|(?<![^ \t\n])#[^\n]*)*")
"""Blanks, line ends and comments, where a line's end is no terminator."""
NEWLINES = re.compile(r"\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*")
"""A line's end with the blank and comment lines behind it."""
_ENDS = r"(?=[ \t\r\n;&|<>()]|\\\r?\n|\Z)"
RESERVED = re.compile(
    r"(?:if|then|elif|else|fi|for|in|select|while|until|do|done|case|esac|function|time|coproc|\[\[|[{}!])" + _ENDS
)
RESERVED_NAMES = frozenset(
    "if then elif else fi for in select while until do done case esac function time coproc".split()
)
FOLLOWERS = frozenset(("then", "do", "fi", "done", "elif", "else", "esac", "}"))
"""What may stand behind a compound command without a terminator between."""
CLOSERS = frozenset(("fi", "done", "esac", "}"))
OPERATOR = re.compile(r";;&|;;|;&|;|&&|&|\|\||\|&|\||\(|\)")
REDIRECT = re.compile(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)")
HEAD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)?")
"""A name where a command may start, with the sign of an assignment."""
PARENTHESES = re.compile(r"[ \t]*\([ \t]*\)")
"""``()`` behind a function's name."""
FUNCTION_NAME = re.compile(r"[^ \t\r\n;&|<>()$`'\"\\]+")
TIME_OPTION = re.compile(r"[ \t]+-p" + _ENDS)
COPROCESS_NAME = re.compile(r"[ \t]+[A-Za-z_][A-Za-z0-9_]*(?=[ \t\r\n]+(?:[({]|(?:if|while|until|for|case|select)\b))")
DECLARATIONS = frozenset(("export", "local", "declare", "typeset", "readonly"))
CASE_ENDS = frozenset((";;", ";&", ";;&"))
