"""Runs a sed program over a text and says which line came from where."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.lines import CREATED, Origins, after_edit
from configlint.syntax.sed.program import (
    Address,
    Command,
    LastLine,
    LineNumber,
    Multiple,
    Pattern,
    Plus,
    Program,
    Step,
    Substitution,
)
from configlint.syntax.sed.regex import Regex, Spans
from configlint.syntax.sed.replacement import converted

_ACTS = frozenset("dDaicyzxGgqQ")  # commands that change what is written; s counts where it replaces


@dataclass(frozen=True, slots=True)
class Budget:
    """``steps``: commands and matches, long lines counting more (some 3 microseconds each); ``size``: characters of a text."""

    steps: int = 200_000
    size: int = 1 << 20


DEFAULT_BUDGET = Budget()


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What a run leaves.

    ``lines`` has one element for each of ``text.split("\\n")``: the index of the line of the old text (split the same way)
    it comes from, -1 for one the program created. ``written``: the new lines that are not equal to the line they come from.
    ``matched``: how many input lines a command changed, deleted or added to (not ``p``, ``=``, jumps or the filling of
    the hold space). ``hits``: for each command of the program on how many lines it was executed (``s``: replaced).
    ``status``: the exit status.
    """

    text: str
    lines: tuple[int, ...]
    written: frozenset[int]
    matched: int
    hits: tuple[int, ...]
    status: int = 0


def run(program: Program, text: str, *, budget: Budget = DEFAULT_BUDGET) -> Result:
    """Runs ``program`` over ``text`` as the only input file. Raises Unsupported where the answer is not known."""
    if len(text) > budget.size:
        raise Unsupported("text too large")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise Unsupported("text is not valid Unicode") from None
    if len(data) != len(text):
        for regex in program.regexes:
            if reason := regex.refusal(text):
                raise Unsupported(reason)
    return _Machine(program, text, data, budget).run()


class _Quit(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class _Machine:
    def __init__(self, program: Program, text: str, data: bytes, budget: Budget) -> None:
        self.program = program
        self.commands = program.commands
        self.lines = text.split("\n")
        self.ends_with_newline = not self.lines[-1]
        if self.ends_with_newline:
            self.lines.pop()
        self.data = data
        self.steps = budget.steps
        self.size_limit = budget.size
        self.size = 0
        # The line in work: ``number`` counts lines read so far, so it is also the index of the next one.
        self.number = 0
        self.space = ""
        self.origins: Origins = (CREATED,)
        self.whole = True  # the space ends in a newline when written
        self.hold = ""
        self.hold_origins: Origins = (CREATED,)
        self.hold_whole = True
        self.replaced = False
        self.restart = False
        self.last_regex: Regex | None = None
        self.range_end: list[int] = [_CLOSED] * len(self.commands)
        self.open_ranges = 0
        # What is written.
        self.out: list[str] = []
        self.out_origins: list[int] = []
        self.out_whole = True
        self.written: set[int] = set()
        self.queue: list[str] = []
        self.hits = [0] * len(self.commands)
        self.acted: set[int] = set()

    # --- the cycle -----------------------------------------------------------------------------

    def run(self) -> Result:
        for index, command in enumerate(self.commands):
            if command.first == LineNumber(0):
                self._open(index, _OPEN)
        status = 0
        pending = self._candidates()
        try:
            while True:
                if not self.restart:
                    if pending is not None and not self.open_ranges:
                        self._pass_over(pending)
                    if not self._read():
                        break
                    self.space = self.lines[self.number - 1]
                    self.origins = (self.number - 1,)
                self.restart = False
                if self._execute() and not self.program.quiet:
                    self._write_space()
                self._flush()
        except _Quit as quitting:
            status = quitting.status
        return self._result(status)

    def _pass_over(self, pending: list[int]) -> None:
        """Copies the lines up to the next one on which something can happen."""
        index = bisect_left(pending, self.number)
        upto = pending[index] if index < len(pending) else len(self.lines)
        if upto == self.number:
            return
        if not self.program.quiet:
            self.out.extend(self.lines[self.number : upto])
            self.out_origins.extend(range(self.number, upto))
            self.out_whole = upto < len(self.lines) or self.ends_with_newline
        self.number = upto

    def _candidates(self) -> list[int] | None:
        """The sorted indexes of the lines that some trigger selects; None: all of them."""
        if self.program.triggers is None:
            return None
        found: set[int] = set()
        for address in self.program.triggers:
            if isinstance(address, LastLine):
                found.add(len(self.lines) - 1)
            elif isinstance(address, LineNumber):
                found.add(address.number - 1)
            elif isinstance(address, Pattern) and address.regex is not None:
                found.update(self._matching_lines(address.regex))
        return sorted(index for index in found if 0 <= index < len(self.lines))

    def _matching_lines(self, regex: Regex) -> list[int]:
        data, search = self.data, regex.search_lines
        found: list[int] = []
        end = len(data) if not self.ends_with_newline else len(data) - 1
        position = line = counted = 0
        while position <= end and (spans := search(data, position)) is not None:
            start = spans[0][0]
            if start > end:
                break
            line += data.count(b"\n", counted, start)
            found.append(line)
            self.steps -= 1
            following = data.find(b"\n", start)
            if following < 0:
                break
            counted = start
            position = following + 1
        return found

    def _read(self) -> bool:
        """Makes the next input line the current one; False at the end of the input."""
        if self.number >= len(self.lines):
            return False
        self.number += 1
        self.replaced = False
        self.whole = self.number < len(self.lines) or self.ends_with_newline
        return True

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise Unsupported("the program runs too long")

    # --- commands ------------------------------------------------------------------------------

    def _execute(self) -> bool:
        """Runs the commands on the pattern space; False if it is not to be written at the end of the cycle."""
        commands, hits = self.commands, self.hits
        index = 0
        while index < len(commands):
            command = commands[index]
            self._spend(1 + (len(self.space) >> 9))
            selected = command.first is None or self._selects(command, index)
            if selected == command.negated:
                index = command.target if command.name == "{" else index + 1
                continue
            name = command.name
            if name == "s":
                assert command.substitution is not None
                if self._substitute(command.substitution):
                    hits[index] += 1
                    self.acted.add(self.number)
                index += 1
                continue
            hits[index] += 1
            if name in _ACTS:
                self.acted.add(self.number)
            if name == "d":
                return False
            if name in "btT":
                index = self._jump(command, index)
                continue
            if name in "DnNcqQ":
                outcome = self._control(command, index)
                if outcome is not None:
                    return outcome
            elif name not in "{}:":
                self._plain(command)
            index += 1
        return True

    def _jump(self, command: Command, index: int) -> int:
        taken = True
        if command.name != "b":
            taken = self.replaced == (command.name == "t")
            self.replaced = False
        return command.target if taken else index + 1

    def _control(self, command: Command, index: int) -> bool | None:
        """``D n N c q Q``: what ends the cycle or reads a line. None to go on with the next command."""
        name = command.name
        if name == "D":
            head, newline, self.space = self.space.partition("\n")
            if newline:
                self.origins = self.origins[1:]
                self.restart = True
            return False
        if name == "c":
            if command.last is None or self.range_end[index] in (_CLOSED, _DONE):
                self._write_text(command.text)
            return False
        if name in "qQ":
            if name == "q":
                if not self.program.quiet:
                    self._write_space()
                self._flush()
                self.out_whole = True  # q ends the last line even where the input does not
            raise _Quit(command.status)
        if self.number >= len(self.lines):
            return True
        if name == "n":
            if not self.program.quiet:
                self._write_space()
            self._flush()
            self._read()
            self.space = self.lines[self.number - 1]
            self.origins = (self.number - 1,)
        else:
            self._flush()
            self._read()
            self._set_space(f"{self.space}\n{self.lines[self.number - 1]}", (*self.origins, self.number - 1))
        return None

    def _plain(self, command: Command) -> None:
        """The commands after which the next one always follows."""
        name = command.name
        if name == "p":
            self._write_space()
        elif name == "P":
            head, newline, _ = self.space.partition("\n")
            self._write(head, self.origins[:1], bool(newline) or self.whole)
        elif name == "a":
            self.queue.append(command.text)
        elif name == "i":
            self._write_text(command.text)
        elif name == "=":
            self._write_text(str(self.number))
        elif name == "h":
            self.hold, self.hold_origins, self.hold_whole = self.space, self.origins, self.whole
        elif name == "H":
            self.hold_origins = (*self.hold_origins, *self.origins)
            self.hold = self._sized(f"{self.hold}\n{self.space}")
            self.hold_whole = self.whole
        elif name == "g":
            self.space, self.origins, self.whole = self.hold, self.hold_origins, self.hold_whole
        elif name == "G":
            self._set_space(f"{self.space}\n{self.hold}", (*self.origins, *self.hold_origins))
            self.whole = self.hold_whole
        elif name == "x":
            self.space, self.hold = self.hold, self.space
            self.origins, self.hold_origins = self.hold_origins, self.origins
            self.whole, self.hold_whole = self.hold_whole, self.whole
        elif name == "z":
            self.space, self.origins = "", self.origins[:1]
        elif name == "y":
            self._transliterate(command)

    def _transliterate(self, command: Command) -> None:
        table = command.table or {}
        old = self.space
        self.space = old.translate(table)
        if 10 in table or 10 in table.values():
            # Newlines come or go: follow every character.
            self._spend(len(old))
            fragments = []
            offset = 0
            for before, after in zip(old, self.space, strict=True):
                fragments.append((after.encode(), offset))
                offset += len(before.encode())
            self.origins = after_edit(old.encode(), self.origins, fragments)

    # --- substitution --------------------------------------------------------------------------

    def _regex(self, regex: Regex | None) -> Regex:
        if regex is None:
            if self.last_regex is None:
                raise BadProgram("no previous regular expression")
            return self.last_regex
        self.last_regex = regex
        return regex

    def _substitute(self, what: Substitution) -> bool:
        regex = self._regex(what.regex)
        highest = what.highest_group
        if highest > regex.groups:
            raise Unsupported("the repeated regular expression has too few groups")
        if highest > regex.clear_groups:
            raise Unsupported("what a repeated group holds is not clear")
        search = regex.search_groups if highest else regex.search_space
        data = self.space.encode()
        spans = search(data, 0)
        if spans is None:
            return False
        fragments: list[tuple[bytes, int]] = []
        copied = position = count = 0
        previous = -1
        while spans is not None:
            start, end = spans[0]
            # An empty match right behind the last one is none.
            if start != end or start != previous:
                count += 1
                if count >= what.number:
                    if start > copied:
                        fragments.append((data[copied:start], copied))
                    self._replacement(what, data, spans, fragments)
                    copied = end
                    if not what.everywhere:
                        break
                previous = end
            if highest:
                self._spend(1 + ((end - start) * regex.size >> 9))
            else:
                self._spend(1 + (len(data) - end >> 12))
            position = end
            if end == start:
                position += 1
                if data[end:position] > b"\x7f":
                    # GNU sed steps over one byte here and tears the character apart.
                    raise Unsupported("empty match before a character beyond ASCII")
            if position > len(data):
                break
            spans = search(data, position)
        if count < what.number:
            return False
        if copied < len(data):
            fragments.append((data[copied:], copied))
        new = b"".join([text for text, _ in fragments])
        origins = self.origins
        if len(origins) > 1 or b"\n" in new:
            origins = after_edit(data, origins, fragments)
        self._set_space(new.decode(), origins)
        self.replaced = True
        if what.prints:
            self._write_space()
        return True

    def _replacement(self, what: Substitution, data: bytes, spans: Spans, fragments: list[tuple[bytes, int]]) -> None:
        """Adds what stands for the match at ``spans``."""
        pieces: list[tuple[bytes, int]] = []
        for piece in what.pieces:
            if piece.group is None:
                pieces.append((piece.encoded, -1))
            else:
                start, end = spans[piece.group]
                pieces.append((data[start:end], start) if start >= 0 else (b"", -1))
        if what.converts:
            texts = converted(zip(what.pieces, (text.decode() for text, _ in pieces), strict=True))
            pieces = [(text.encode(), offset) for text, (_, offset) in zip(texts, pieces, strict=True)]
        fragments.extend(pieces)

    # --- addresses -----------------------------------------------------------------------------

    def _matches(self, address: Address) -> bool:
        if isinstance(address, Pattern):
            return self._regex(address.regex).search_space(self.space.encode(), 0) is not None
        if isinstance(address, LineNumber):
            return self.number == address.number
        if isinstance(address, LastLine):
            return self.number == len(self.lines)
        return self.number >= address.first and (self.number - address.first) % address.step == 0

    def _selects(self, command: Command, index: int) -> bool:
        first, last = command.first, command.last
        assert first is not None
        if last is None:
            return self._matches(first)
        end = self.range_end[index]
        if end in (_CLOSED, _DONE):
            return self._begins(command, index)
        if isinstance(last, LineNumber | Plus | Multiple):
            if self.number >= end:
                self._close(index)
            # A counted end that went by unseen is made up for at the next line.
            return self.number <= end or isinstance(last, Plus | Multiple)
        if self._matches(last):
            self._close(index)
        return True

    def _begins(self, command: Command, index: int) -> bool:
        """Whether a closed range begins at the current line."""
        first, last, number = command.first, command.last, self.number
        if not isinstance(first, LineNumber):
            if first is None or not self._matches(first):
                return False
        elif number != first.number:
            # A range whose first line went by unseen (deleted, joined) begins late.
            if number < first.number or self.range_end[index] == _DONE:
                return False
            if isinstance(last, LineNumber) and number > last.number:
                return False
        end = _OPEN
        if isinstance(last, LineNumber):
            end = last.number
        elif isinstance(last, Step):
            end = number if self._matches(last) else _OPEN
        elif isinstance(last, Plus):
            end = number + last.count
        elif isinstance(last, LastLine) and number == len(self.lines):
            end = number
        elif isinstance(last, Multiple):
            end = (number // last.factor + 1) * last.factor if last.factor else number
        self._open(index, end)
        if end != _OPEN and end <= number:
            self._close(index)
        return True

    def _open(self, index: int, end: int) -> None:
        self.range_end[index] = end
        self.open_ranges += 1

    def _close(self, index: int) -> None:
        self.range_end[index] = _DONE if isinstance(self.commands[index].first, LineNumber) else _CLOSED
        self.open_ranges -= 1

    # --- output --------------------------------------------------------------------------------

    def _sized(self, text: str) -> str:
        if len(text) > self.size_limit:
            raise Unsupported("the text grows too large")
        return text

    def _set_space(self, text: str, origins: Origins) -> None:
        self.space = self._sized(text)
        self.origins = origins

    def _write_space(self) -> None:
        self._write(self.space, self.origins, self.whole)

    def _write_text(self, text: str) -> None:
        self._write(text, (CREATED,) * (text.count("\n") + 1), True)

    def _write(self, text: str, origins: Origins, whole: bool) -> None:
        self.size += len(text) + 1
        if self.size > self.size_limit:
            raise Unsupported("the output grows too large")
        out, lines = self.out, self.lines
        parts = (text,) if len(origins) == 1 else text.split("\n")
        for part, origin in zip(parts, origins, strict=True):
            if origin == CREATED or part != lines[origin]:
                self.written.add(len(out))
            out.append(part)
            self.out_origins.append(origin)
        self.out_whole = whole

    def _flush(self) -> None:
        if self.queue:
            for text in self.queue:
                self._write_text(text)
            self.queue.clear()

    def _result(self, status: int) -> Result:
        out, origins = self.out, self.out_origins
        if self.out_whole:
            if self.ends_with_newline:
                origins.append(len(self.lines))
            else:
                origins.append(CREATED)
                self.written.add(len(out))
            out.append("")
        return Result(
            "\n".join(out), tuple(origins), frozenset(self.written), len(self.acted), tuple(self.hits), status
        )


# Besides line numbers, what is known of a range's end: not begun, over for good, until an address matches.
_CLOSED = -3
_DONE = -2
_OPEN = -1
