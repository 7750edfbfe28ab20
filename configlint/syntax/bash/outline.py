"""The outline of a command list: what tree-sitter needs to see, and what it need not.

One pass reads simple commands, conditions, headers of ``for`` and ``case``, redirections and here-documents
with our own scanners, and leaves a *mask* of the same length in which each of them is a row of ``x``.
Only reserved words, operators and parentheses survive in it, so that the grammar decides structure and nothing else:
offsets in the mask are offsets in the text, and every table below is keyed by them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from configlint.syntax.bash import conditions, expansions, heredoc, modes, words
from configlint.syntax.bash.nodes import (
    ArithmeticCommand,
    ArrayValue,
    Assignment,
    Conditional,
    Opaque,
    Redirect,
    Word,
)
from configlint.syntax.bash.reader import MAX_DEPTH, Reader, SyntaxFault

BLANK = re.compile(r"(?:[ \t]|\\\r?\n|\r(?=\n))*")
_SPACE = re.compile(r"(?:[ \t\r\n]|\\\r?\n|(?<![^ \t\n])#[^\n]*)*")
_ENDS = r"(?=[ \t\r\n;&|<>()]|\\\r?\n|\Z)"
_NEWLINES = re.compile(r"\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*")
"""A line's end with the blank and comment lines behind it."""
_RESERVED = re.compile(
    r"(?:if|then|elif|else|fi|for|in|select|while|until|do|done|case|esac|function|time|coproc|\[\[|[{}!])" + _ENDS
)
_WORDS = frozenset(
    "if then elif else fi for in select while until do done case esac function time coproc".split()
)
_OPERATOR = re.compile(r";;&|;;|;&|;|&&|&|\|\||\|&|\||\(|\)")
_REDIRECT = re.compile(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)")
_HEAD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)?")
_FUNCTION = re.compile(r"[ \t]*\([ \t]*\)")
_NO_BLANK = re.compile(r"[^ \t\n]*\Z")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTION_NAME = re.compile(r"[^ \t\r\n;&|<>()$`'\"\\]+")
_TIME_OPTION = re.compile(r"[ \t]+-p" + _ENDS)
DECLARATIONS = frozenset(("export", "local", "declare", "typeset", "readonly"))
_FOLLOWERS = frozenset(("then", "do", "fi", "done", "elif", "else", "esac", "}"))
_CLOSERS = frozenset(("fi", "done", "esac", "}"))

_COMMAND, _PREFIX, _ARGUMENTS, _CLOSED, _PATTERN = range(5)


@dataclass(slots=True)
class Raw:
    """A simple command as read so far. Items of a declaration stay in order; redirects may be completed later."""

    start: int
    end: int
    assignments: list[Assignment] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    declaration: str = ""
    items: list[Assignment | Word] = field(default_factory=list)


@dataclass(slots=True)
class Loop:
    """The header of ``for`` and ``select``; ``arithmetic`` for ``for ((...))``."""

    name: str
    words: tuple[Word, ...] | None = None
    arithmetic: tuple[Word | None, Word | None, Word | None] | None = None


@dataclass(slots=True)
class Prefix:
    """``!``, ``time``, ``coproc`` or a function's head (``function`` with its name) in front of a command."""

    kind: str
    start: int
    name: str = ""


@dataclass(slots=True)
class Outline:
    """What the pass found, keyed by absolute offsets: of the first character, for ``trailing`` of the end."""

    start: int
    end: int = 0
    mask: list[str] = field(default_factory=list)
    masked: int = 0
    plain: bool = True
    """No operator and no reserved word: at most simple commands, one a line."""
    commands: dict[int, Raw | Conditional | ArithmeticCommand | Opaque] = field(default_factory=dict)
    loops: dict[int, Loop] = field(default_factory=dict)
    subjects: dict[int, Word] = field(default_factory=dict)
    arms: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    trailing: dict[int, list[Redirect]] = field(default_factory=dict)
    prefixes: dict[int, list[Prefix]] = field(default_factory=dict)

    def emit(self, start: int, text: str) -> None:
        """Put ``text`` at ``start`` of the mask, blanks up to there."""
        if start > self.masked:
            self.mask.append(" " * (start - self.masked))
        self.mask.append(text)
        self.masked = start + len(text)


class Lexer:
    """Reads one command list; :meth:`run` fills :attr:`outline`."""

    def __init__(self, reader: Reader, start: int, closing: str) -> None:
        self.reader = reader
        self.outline = Outline(start, masked=start)
        self.closing = closing
        self.state = _COMMAND
        self.current: Raw | None = None
        self.pending: list[heredoc.Pending] = []
        self.prefixes: list[Prefix] = []
        self.parentheses = 0
        self.cases = 0
        self.closed = start

    def run(self) -> int:
        """Read to the closing parenthesis (its offset), or to the reader's end."""
        reader = self.reader
        src, end = reader.src, reader.end
        i = self.outline.start
        while i < end:
            c = src[i]
            if c == " ":
                i += 1
            elif c == "\n":
                i = self._newline(i)
            elif c in "\t\\\r" and (blank := BLANK.match(src, i, end)) and blank.end() > i:
                i = blank.end()
            elif c == "#":
                i = src.find("\n", i, end)
                if i < 0:
                    break
            elif self.state == _PATTERN:
                i = self._arm(i)
            elif c in ";|()":
                if c == ")" and not self.parentheses and self.closing:
                    return self._close_list(i)
                i = self._operator(i, c)
            elif c in "<>&{0123456789" and (redirect := _REDIRECT.match(src, i, end)):
                i = self._redirect(i, redirect)
            elif c == "&":
                i = self._operator(i, c)
            elif self.state == _ARGUMENTS:
                i = self._argument(i)
            else:
                i = self._head(i, c)
        self._finish()
        self._no_prefixes(end)
        if self.pending:
            self._bodies(end, "")
        self.outline.end = end
        if self.closing:
            raise words.unclosed(reader, max(self.outline.start - 2, 0))
        return end

    def _close_list(self, i: int) -> int:
        """The parenthesis at ``i`` closes the list."""
        reader = self.reader
        self._finish()
        self._no_prefixes(i)
        self.outline.end = i
        if self.pending:
            line_end = reader.src.find("\n", i, reader.end)
            if line_end < 0:
                line_end = reader.end
            reader.skips[line_end] = self._bodies(min(line_end + 1, reader.end), "")
        return i

    def _no_prefixes(self, i: int) -> None:
        if self.prefixes:
            prefix = self.prefixes[-1]
            raise SyntaxFault(f"syntax error: no command behind `{prefix.kind}`", prefix.start, self.reader.end)

    # --- simple commands ---------------------------------------------------------------------

    def _begin(self, start: int) -> None:
        """A command or compound starts here: what stands in front of it belongs to it."""
        if self.prefixes:
            self.outline.prefixes[start] = self.prefixes
            self.prefixes = []

    def _simple(self, start: int) -> Raw:
        if self.current is None:
            self._begin(start)
            self.current = Raw(start, start)
        return self.current

    def _finish(self) -> None:
        """The simple command being read is complete."""
        current = self.current
        if current is not None:
            self.outline.commands[current.start] = current
            self.outline.emit(current.start, "x" * (current.end - current.start))
            self.current = None
        elif self.prefixes and self.prefixes[-1].kind in ("!", "time"):  # alone: an empty command
            prefix = self.prefixes.pop()
            end = prefix.start + len(prefix.kind)
            self._begin(prefix.start)
            self.outline.prefixes.setdefault(prefix.start, []).append(prefix)
            self.outline.commands[prefix.start] = Raw(prefix.start, end)
            self.outline.emit(prefix.start, "x" * (end - prefix.start))

    def _argument(self, i: int) -> int:
        """A word behind the command's name."""
        reader, current = self.reader, self.current
        assert current is not None
        if current.declaration:
            match = _ASSIGNMENT.match(reader.src, i, reader.end)
            assigned = self._assignment(i, match, argument=True) if match else None
            if assigned:
                current.items.append(assigned)
                current.end = assigned.end
                return assigned.end
        word, stop = words.word(reader, i)
        if stop == i:
            raise SyntaxFault(f"syntax error near `{reader.src[i]}`", i, reader.end)
        (current.items if current.declaration else current.words).append(word)
        current.end = stop
        return stop

    def _head(self, i: int, c: str) -> int:
        """Where a command may start: a reserved word, an assignment, or the command's name."""
        reader = self.reader
        name = _HEAD.match(reader.src, i, reader.end)
        if name and name.group(2):
            if self.state == _CLOSED:
                return self._after_compound(i, None)
            assigned = self._assignment(i, name)
            if assigned:
                current = self._simple(i)
                current.assignments.append(assigned)
                current.end = assigned.end
                self.state = _PREFIX
                return assigned.end
        elif self.state != _PREFIX and (name or c in "[{}!"):
            reserved = _RESERVED.match(reader.src, i, reader.end) if not name or name.group(1) in _WORDS else None
            if self.state == _CLOSED:
                return self._after_compound(i, reserved)
            if reserved:
                return self._reserved(i, reserved.group())
        elif self.state == _CLOSED:
            return self._after_compound(i, None)
        word, stop = words.word(reader, i)
        if stop == i or (c == "]" and word.literal == "]]" and self.state != _PREFIX):
            raise SyntaxFault(f"syntax error near `{reader.src[i : stop + 1].strip()}`", i, reader.end)
        current = self._simple(i)
        current.words.append(word)
        current.end = stop
        if word.literal in DECLARATIONS:
            current.declaration = word.literal or ""
        self.state = _ARGUMENTS
        return stop

    def _assignment(self, i: int, match: re.Match[str], *, argument: bool = False) -> Assignment | None:
        """The assignment at ``i``, or None where it only looks like one (``a[1]`` without ``=``).

        In an ``argument`` of a declaration, a blank ends the word even within a subscript.
        """
        reader = self.reader
        index: Word | None = None
        at, operator = match.end(), match.group(2)
        if operator == "[":
            parts, close = words.segment(reader, at, modes.SUBSCRIPT)
            if argument and not _NO_BLANK.match(reader.src, at, min(close, reader.end)):
                return None
            if close >= reader.end:
                raise words.unclosed(reader, at - 1)
            index = Word(at, close, tuple(parts))
            at = close + 1
            operator = "+=" if reader.src.startswith("+=", at, reader.end) else "="
            if not reader.src.startswith(operator, at, reader.end):
                return None
            at += len(operator)
        value: Word | ArrayValue
        if reader.src.startswith("(", at, reader.end):
            value = self._array(at)
        else:
            value, _ = words.word(reader, at)
        return Assignment(i, value.end, match.group(1), value, operator == "+=", index)

    def _array(self, start: int) -> ArrayValue:
        reader = self.reader
        elements: list[tuple[Word | None, Word]] = []
        at = start + 1
        while True:
            at = _SPACE.match(reader.src, at, reader.end).end()  # type: ignore[union-attr]
            if at >= reader.end:
                raise words.unclosed(reader, start)
            c = reader.src[at]
            if c == ")":
                return ArrayValue(start, at + 1, tuple(elements))
            key: Word | None = None
            if c == "[":
                parts, close = words.segment(reader, at + 1, modes.SUBSCRIPT)
                if reader.src.startswith("]=", close, reader.end):
                    key = Word(at + 1, close, tuple(parts))
                    at = close + 2
            value, stop = words.word(reader, at)
            if stop == at and key is None:
                raise SyntaxFault(f"syntax error near `{c}` in an array", at, reader.end)
            elements.append((key, value))
            at = stop

    def _redirect(self, i: int, match: re.Match[str]) -> int:
        reader = self.reader
        fd, operator = match.groups()
        if fd and fd[0] == "{":
            fd = fd[1:-1]
        at = BLANK.match(reader.src, match.end(), reader.end).end()  # type: ignore[union-attr]
        redirects: list[Redirect]
        if self.state == _CLOSED:
            redirects = self.outline.trailing.setdefault(self.closed, [])
        else:
            redirects = self._simple(i).redirects
            if self.state == _COMMAND:
                self.state = _PREFIX
        if operator in ("<<", "<<-"):
            found = heredoc.delimiter(reader, at)
            if found is None:
                raise SyntaxFault(f"expected a delimiter behind `{operator}`", i, reader.end)
            text, quoted, stop = found
            pending = heredoc.Pending(i, stop, fd, text, quoted, operator == "<<-", redirects, len(redirects))
            self.pending.append(pending)
            redirects.append(Redirect(i, stop, operator, Word(at, stop, ()), fd))
        else:
            target, stop = words.word(reader, at)
            if stop == at:
                raise SyntaxFault(f"expected a word behind `{operator}`", i, reader.end)
            redirects.append(Redirect(i, stop, operator, target, fd))
        if self.current is not None:
            self.current.end = stop
        return stop

    # --- structure ----------------------------------------------------------------------------

    def _newline(self, i: int) -> int:
        if self.state != _PATTERN:
            if self.current is not None or self.prefixes:
                self._finish()
            self.outline.emit(i, "\n")
            self.state = _COMMAND
        if self.pending:
            return self._bodies(i + 1, self.closing)
        if i in self.reader.skips:
            return self.reader.skips.pop(i)
        return _NEWLINES.match(self.reader.src, i, self.reader.end).end()  # type: ignore[union-attr]

    def _bodies(self, at: int, closing: str) -> int:
        pending, self.pending = self.pending, []
        for document in pending:
            at = heredoc.read_body(self.reader, at, document, closing)
        return at

    def _operator(self, i: int, c: str) -> int:
        reader, outline = self.reader, self.outline
        outline.plain = False
        if c == "(":
            arithmetic = self.state == _COMMAND and reader.src.startswith("(", i + 1, reader.end)
            if arithmetic and expansions.is_arithmetic(reader, i + 2):
                return self._arithmetic(i)
            if self.state == _ARGUMENTS and (head := _FUNCTION.match(reader.src, i, reader.end)):
                return self._function(i, head.end())
            if self.state != _COMMAND:
                raise SyntaxFault("syntax error near `(`", i, reader.end)
            self._begin(i)
            self.parentheses += 1
            if self.parentheses > MAX_DEPTH:
                raise SyntaxFault(f"nested more than {MAX_DEPTH} levels deep", i, reader.end)
            outline.emit(i, "(")
            self.state = _COMMAND
            return i + 1
        if self.prefixes and self.current is None and reader.src.startswith(("|", "&&"), i):
            self._no_prefixes(i)
        self._finish()
        if c == ")":
            if not self.parentheses:
                raise SyntaxFault("syntax error near `)`", i, reader.end)
            self.parentheses -= 1
            outline.emit(i, ")")
            self._close(i + 1)
            return i + 1
        operator = _OPERATOR.match(reader.src, i, reader.end).group()  # type: ignore[union-attr]
        self._no_prefixes(i)
        if operator in (";;", ";&", ";;&"):
            if not self.cases:
                raise SyntaxFault(f"syntax error near `{operator}`", i, reader.end)
            self.state = _PATTERN
        else:
            self.state = _COMMAND
        outline.emit(i, operator)
        return i + len(operator)

    def _close(self, end: int) -> None:
        self.state = _CLOSED
        self.closed = end

    def _arithmetic(self, i: int) -> int:
        self._begin(i)
        expression, close = words.region(self.reader, i + 2, modes.ARITHMETIC, i)
        self.outline.commands[i] = ArithmeticCommand(i, close + 2, expression)
        self.outline.emit(i, "x" * (close + 2 - i))
        self._close(close + 2)
        return close + 2

    def _after_compound(self, i: int, reserved: re.Match[str] | None) -> int:
        """A word behind a compound command: a reserved word, else it does not belong here."""
        if reserved is None or reserved.group() not in _FOLLOWERS:
            raise SyntaxFault("syntax error: a word behind a compound command", i, self.reader.end)
        if i > self.outline.masked:
            self.outline.emit(i - 1, ";")
        return self._reserved(i, reserved.group())

    def _reserved(self, i: int, text: str) -> int:
        reader, outline = self.reader, self.outline
        outline.plain = False
        end = i + len(text)
        if text == "[[":
            self._begin(i)
            expression, end = conditions.condition(reader, end)
            outline.commands[i] = Conditional(i, end, expression)
            outline.emit(i, "x" * (end - i))
            self._close(end)
        elif text == "!" or text == "time" or text == "coproc":
            self.prefixes.append(Prefix(text, i))
            if text == "time" and (option := _TIME_OPTION.match(reader.src, end, reader.end)):
                end = option.end()
            elif text == "coproc":
                end = self._coprocess(end)
        elif text == "function":
            name = _FUNCTION_NAME.match(reader.src, BLANK.match(reader.src, end, reader.end).end(), reader.end)  # type: ignore[union-attr]
            if name is None:
                raise SyntaxFault("expected a name behind `function`", i, reader.end)
            head = _FUNCTION.match(reader.src, name.end(), reader.end)
            self.prefixes.append(Prefix("function", i, reader.text(*name.span())))
            end = head.end() if head else name.end()
        elif text in ("for", "select"):
            self._begin(i)
            outline.emit(i, text)
            return self._for(i, end)
        elif text == "case":
            self._begin(i)
            outline.emit(i, text)
            return self._case(i, end)
        elif text in _CLOSERS:
            if text == "esac":
                self.cases = max(0, self.cases - 1)
            outline.emit(i, text)
            self._close(end)
        else:
            if text in ("if", "while", "until", "{"):
                self._begin(i)
            outline.emit(i, text)
            self.state = _COMMAND
        return end

    def _coprocess(self, at: int) -> int:
        """Skip the name in ``coproc NAME compound``; in ``coproc command`` the command's name is none."""
        reader = self.reader
        name = re.compile(r"[ \t]+[A-Za-z_][A-Za-z0-9_]*(?=[ \t\r\n]+(?:[({]|(?:if|while|until|for|case|select)\b))").match(
            reader.src, at, reader.end
        )
        return name.end() if name else at

    def _function(self, i: int, end: int) -> int:
        """``name()``: the head of a function; what was taken for a command is none."""
        current, self.current = self.current, None
        outline = self.outline
        name = current.words[0].literal if current and len(current.words) == 1 else None
        if current is None or name is None or current.assignments or current.redirects or current.declaration:
            raise SyntaxFault("syntax error near `(`", i, self.reader.end)
        outline.plain = False
        self.prefixes = outline.prefixes.pop(current.start, [])
        self.prefixes.append(Prefix("function", current.start, name))
        self.state = _COMMAND
        return end

    def _for(self, i: int, at: int) -> int:
        """The header behind ``for``: the mask keeps a name, so that ``do`` follows."""
        reader, outline = self.reader, self.outline
        src = reader.src
        at = BLANK.match(src, at, reader.end).end()  # type: ignore[union-attr]
        self.state = _COMMAND
        if src.startswith("((", at, reader.end):
            parts: list[Word | None] = []
            start, close = at, at + 1
            for _ in range(3):
                part, close = words.region(reader, close + 1, modes.ARITHMETIC_PART, start)
                parts.append(part if part.parts else None)
                if src[close] == ")":
                    break
            if len(parts) != 3 or not src.startswith("))", close, reader.end):
                raise SyntaxFault("expected `((a; b; c))` behind `for`", start, reader.end)
            outline.loops[i] = Loop("", arithmetic=(parts[0], parts[1], parts[2]))
            outline.emit(start, "x" * (close + 2 - start))
            follow = BLANK.match(src, close + 2, reader.end).end()  # type: ignore[union-attr]
            if follow > close + 2 and src.startswith("do", follow, reader.end):
                outline.emit(follow - 1, ";")
            return close + 2
        name = _NAME.match(src, at, reader.end)
        if name is None:
            raise SyntaxFault("expected a name behind `for`", at, reader.end)
        outline.emit(at, "x" * len(name.group()))
        loop = outline.loops[i] = Loop(name.group())
        at = _SPACE.match(src, name.end(), reader.end).end()  # type: ignore[union-attr]
        if not (src.startswith("in", at, reader.end) and (at + 2 >= reader.end or src[at + 2] in " \t\r\n;\\#")):
            if src.startswith("do", at, reader.end) and at > name.end():
                outline.emit(name.end(), ";")
            return name.end()
        at += 2
        values: list[Word] = []
        while True:
            at = BLANK.match(src, at, reader.end).end()  # type: ignore[union-attr]
            value, stop = words.word(reader, at)
            if stop == at or src[at] == "#":
                break
            values.append(value)
            at = stop
        loop.words = tuple(values)
        return at

    def _case(self, i: int, at: int) -> int:
        reader, outline = self.reader, self.outline
        at = BLANK.match(reader.src, at, reader.end).end()  # type: ignore[union-attr]
        subject, stop = words.word(reader, at)
        outline.subjects[i] = subject
        outline.emit(at, "x" * (stop - at))
        at = _SPACE.match(reader.src, stop, reader.end).end()  # type: ignore[union-attr]
        if stop == subject.start or not reader.src.startswith("in", at, reader.end):
            raise SyntaxFault("expected `in` behind `case`", i, reader.end)
        outline.emit(at, "in")
        self.state = _PATTERN
        self.cases += 1
        return at + 2

    def _arm(self, i: int) -> int:
        """The patterns of a ``case`` arm with the closing parenthesis, or ``esac``."""
        reader, outline = self.reader, self.outline
        src = reader.src
        reserved = _RESERVED.match(src, i, reader.end)
        if reserved and reserved.group() == "esac":
            outline.emit(i, "esac")
            self.cases -= 1
            self._close(i + 4)
            return i + 4
        at = i + 1 if src[i] == "(" else i
        patterns: list[Word] = []
        while True:
            at = BLANK.match(src, at, reader.end).end()  # type: ignore[union-attr]
            pattern, stop = words.word(reader, at)
            if stop == at:
                raise SyntaxFault("expected a pattern in `case`", at, reader.end)
            patterns.append(pattern)
            at = BLANK.match(src, stop, reader.end).end()  # type: ignore[union-attr]
            if not src.startswith("|", at, reader.end):
                break
            at += 1
        if not src.startswith(")", at, reader.end):
            raise SyntaxFault("expected `)` behind a pattern of `case`", at, reader.end)
        outline.arms[i] = tuple(patterns)
        outline.emit(i, "x" * (at - i))
        outline.emit(at, ")")
        self.state = _COMMAND
        return at + 1


__all__ = ["BLANK", "DECLARATIONS", "Lexer", "Loop", "Outline", "Prefix", "Raw"]
