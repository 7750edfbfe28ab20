"""One pass over a command list with our own scanners: it fills an :class:`Outline` and its mask."""

from __future__ import annotations

import re

from configlint.syntax.bash import conditions, expansions, headers, heredoc, modes, words
from configlint.syntax.bash.assignments import assignment
from configlint.syntax.bash.nodes import ArithmeticCommand, Conditional, Literal, Redirect, Word
from configlint.syntax.bash.outline import Outline, Prefix, Raw
from configlint.syntax.bash.reader import MAX_DEPTH, Reader, SyntaxFault
from configlint.syntax.bash.tokens import (
    ASSIGNMENT,
    BLANK,
    CASE_ENDS,
    CLOSERS,
    COPROCESS_NAME,
    DECLARATIONS,
    FOLLOWERS,
    FUNCTION_NAME,
    HEAD,
    NEWLINES,
    OPERATOR,
    PARENTHESES,
    REDIRECT,
    RESERVED,
    RESERVED_NAMES,
    TIME_OPTION,
)

_COMMAND, _PREFIX, _ARGUMENTS, _CLOSED, _PATTERN = range(5)
"""Where the next word stands: at a command's start, behind an assignment or redirection in front of the command,
behind the command's name, behind a compound command, or where ``case`` wants a pattern."""


class Lexer:
    """Reads one command list; :meth:`run` fills :attr:`outline`."""

    def __init__(self, reader: Reader, start: int, closing: str) -> None:
        self.reader = reader
        self.outline = Outline(start, start)
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
            elif c in "<>&{0123456789" and (redirect := REDIRECT.match(src, i, end)):
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
        if self.closing:
            raise words.unclosed(reader, max(self.outline.start - 2, 0))
        return end

    def _close_list(self, i: int) -> int:
        """The parenthesis at ``i`` closes the list."""
        reader = self.reader
        self._finish()
        self._no_prefixes(i)
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

    def _finish(self) -> bool:
        """The simple command being read is complete; was there one?"""
        current = self.current
        if current is not None:
            self.outline.commands[current.start] = current
            self.outline.cover(current.start, current.end)
            self.current = None
            return True
        if self.prefixes and self.prefixes[-1].kind in ("!", "time"):  # alone: an empty command
            prefix = self.prefixes.pop()
            end = prefix.start + len(prefix.kind)
            self._begin(prefix.start)
            self.outline.prefixes.setdefault(prefix.start, []).append(prefix)
            self.outline.commands[prefix.start] = Raw(prefix.start, end)
            self.outline.cover(prefix.start, end)
            return True
        return False

    def _argument(self, i: int) -> int:
        """A word behind the command's name."""
        reader, current = self.reader, self.current
        assert current is not None
        if current.declaration:
            match = ASSIGNMENT.match(reader.src, i, reader.end)
            assigned = assignment(reader, i, match, argument=True) if match else None
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
        name = HEAD.match(reader.src, i, reader.end)
        if name and name.group(2):
            if self.state == _CLOSED:
                return self._after_compound(i, None)
            assigned = assignment(reader, i, name)
            if assigned:
                current = self._simple(i)
                current.assignments.append(assigned)
                current.end = assigned.end
                self.state = _PREFIX
                return assigned.end
        elif self.state != _PREFIX and (name or c in "[{}!"):
            reserved = (
                RESERVED.match(reader.src, i, reader.end) if not name or name.group(1) in RESERVED_NAMES else None
            )
            if self.state == _CLOSED:
                return self._after_compound(i, reserved)
            if reserved:
                return self._reserved(i, reserved.group())
        elif self.state == _CLOSED:
            return self._after_compound(i, None)
        if name and reader.src.startswith((" ", "\n"), name.end(), reader.end):
            stop = name.end()
            word = Word(i, stop, (Literal(i, stop, name.group(), False),))
        else:
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

    def _redirect(self, i: int, match: re.Match[str]) -> int:
        reader = self.reader
        fd, operator = match.groups()
        if fd and fd[0] == "{":
            fd = fd[1:-1]
        at = reader.after(BLANK, match.end())
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
            if self._finish() or self.state == _CLOSED:
                self.outline.ended = i
            self.state = _COMMAND
        if self.pending:
            return self._bodies(i + 1, self.closing)
        if i in self.reader.skips:
            return self.reader.skips.pop(i)
        return self.reader.after(NEWLINES, i)

    def _bodies(self, at: int, closing: str) -> int:
        pending, self.pending = self.pending, []
        for document in pending:
            at = heredoc.read_body(self.reader, at, document, closing)
        return at

    def _arm(self, i: int) -> int:
        """The patterns of a ``case`` arm, or ``esac``."""
        reserved = RESERVED.match(self.reader.src, i, self.reader.end)
        if reserved and reserved.group() == "esac":
            return self._reserved(i, "esac")
        self.state = _COMMAND
        return headers.arm(self.reader, self.outline, i)

    def _operator(self, i: int, c: str) -> int:
        reader, outline = self.reader, self.outline
        outline.plain = False
        if c == "(":
            arithmetic = self.state == _COMMAND and reader.src.startswith("(", i + 1, reader.end)
            if arithmetic and expansions.is_arithmetic(reader, i + 2):
                return self._arithmetic(i)
            if self.state == _ARGUMENTS and (head := PARENTHESES.match(reader.src, i, reader.end)):
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
        finished = self._finish() or self.state == _CLOSED
        if c == ")":
            if not self.parentheses:
                raise SyntaxFault("syntax error near `)`", i, reader.end)
            self.parentheses -= 1
            outline.emit(i, ")")
            self._close(i + 1)
            return i + 1
        operator = reader.src[i : reader.after(OPERATOR, i)]
        self._no_prefixes(i)
        if operator in CASE_ENDS:
            if not self.cases:
                raise SyntaxFault(f"syntax error near `{operator}`", i, reader.end)
            self.state = _PATTERN
            outline.terminators[i] = operator
            outline.put(i, i + len(operator), ";;")  # the grammar wants that one before `esac`, bash takes any
        else:
            self.state = _COMMAND
            if operator != ";":
                outline.emit(i, operator)
            elif finished:
                outline.ended = i
            else:
                raise SyntaxFault("syntax error near `;`", i, reader.end)
        return i + len(operator)

    def _close(self, end: int) -> None:
        self.state = _CLOSED
        self.closed = end

    def _arithmetic(self, i: int) -> int:
        self._begin(i)
        expression, close = words.region(self.reader, i + 2, modes.ARITHMETIC, i)
        self.outline.commands[i] = ArithmeticCommand(i, close + 2, expression)
        self.outline.cover(i, close + 2)
        self._close(close + 2)
        return close + 2

    def _after_compound(self, i: int, reserved: re.Match[str] | None) -> int:
        """A word behind a compound command: a reserved word, else it does not belong here."""
        if reserved is None or reserved.group() not in FOLLOWERS:
            raise SyntaxFault("syntax error: a word behind a compound command", i, self.reader.end)
        self.outline.ended = self.closed  # the grammar wants a terminator where bash wants none
        return self._reserved(i, reserved.group())

    def _reserved(self, i: int, text: str) -> int:
        reader, outline = self.reader, self.outline
        outline.plain = False
        end = i + len(text)
        if text == "[[":
            self._begin(i)
            expression, end = conditions.condition(reader, end)
            outline.commands[i] = Conditional(i, end, expression)
            outline.cover(i, end)
            self._close(end)
        elif text == "!" or text == "time" or text == "coproc":
            self.prefixes.append(Prefix(text, i))
            if text == "time":
                end = reader.after(TIME_OPTION, end)
            elif text == "coproc":
                end = reader.after(COPROCESS_NAME, end)
        elif text == "function":
            name = FUNCTION_NAME.match(reader.src, reader.after(BLANK, end), reader.end)
            if name is None:
                raise SyntaxFault("expected a name behind `function`", i, reader.end)
            self.prefixes.append(Prefix("function", i, reader.text(*name.span())))
            end = reader.after(PARENTHESES, name.end())
        elif text in ("for", "select"):
            self._begin(i)
            outline.emit(i, text)
            end = headers.loop(reader, outline, i, end)
            self._close(end)
            return end
        elif text == "case":
            self._begin(i)
            outline.emit(i, text)
            self.state = _PATTERN
            self.cases += 1
            return headers.case(reader, outline, i, end)
        elif text in CLOSERS:
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
