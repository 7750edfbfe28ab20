"""Runs a sed program over a text and says which line came from where."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from configlint.syntax.sed.budget import DEFAULT_BUDGET, Budget, Meter
from configlint.syntax.sed.errors import BadProgram, Unsupported
from configlint.syntax.sed.lines import Space
from configlint.syntax.sed.output import Output
from configlint.syntax.sed.program import Command, LastLine, LineNumber, Pattern, Program, Substitution
from configlint.syntax.sed.ranges import Selector
from configlint.syntax.sed.regex import Regex
from configlint.syntax.sed.substitute import substitute, transliterate

_ACTS = frozenset("dDaicyzxGgqQ")  # commands that change what is written; s counts where it replaces
_WORTH_A_SCAN = 3  # lines


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What a run leaves.

    ``lines`` has one element for each of ``text.split("\\n")``: the index of the line of the old text (split the same
    way) it comes from, -1 for one the program created. ``written``: the new lines that are not equal to the line they
    come from. ``matched``: how many input lines a command changed, deleted or added to (not ``p``, ``=``, jumps or the
    filling of the hold space). ``hits``: for each command of the program on how many lines it was executed (``s``:
    replaced). ``status``: the exit status.
    """

    text: str
    lines: tuple[int, ...]
    written: frozenset[int]
    matched: int
    hits: tuple[int, ...]
    status: int = 0


def run(program: Program, text: str, *, budget: Budget = DEFAULT_BUDGET, meter: Meter | None = None) -> Result:
    """Runs ``program`` over ``text`` as the only input file; ``meter`` (else one of the budget) counts what it takes.

    Raises Unsupported where the answer is not known, BadProgram where sed finds out only now that the program is wrong.
    """
    meter = meter or Meter(budget)
    if len(text) > meter.size:
        raise Unsupported("text too large")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise Unsupported("text is not valid Unicode") from None
    if len(data) != len(text):
        for regex in program.regexes:
            if reason := regex.refusal(text):
                raise Unsupported(reason)
    return _Machine(program, text, data, meter).run()


class _Quit(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class _Machine:
    def __init__(self, program: Program, text: str, data: bytes, meter: Meter) -> None:
        self.program = program
        self.commands = program.commands
        self.lines = text.split("\n")
        self.ends_with_newline = not self.lines[-1]
        if self.ends_with_newline:
            self.lines.pop()
        self.data = data
        self.meter = meter
        self.output = Output(self.lines, self.ends_with_newline, self.meter)
        self.selector = Selector(self.commands, len(self.lines), self._matches)
        self.number = 0  # lines read so far, so also the index of the next one
        self.space = Space()
        self.hold = Space()
        self.replaced = False  # what t asks
        self.restart = False  # D: the next cycle begins without reading
        self.last_regex: Regex | None = None
        self.hits = [0] * len(self.commands)
        self.acted: set[int] = set()

    # --- the cycle -----------------------------------------------------------------------------

    def run(self) -> Result:
        status = 0
        loud = not self.program.quiet
        pending = self._candidates()
        try:
            while True:
                if not self.restart:
                    if pending is not None and not self.selector.open:
                        self._pass_over(pending)
                    if self.number >= len(self.lines):
                        break
                    self.space = self._read()
                self.restart = False
                if self._execute() and loud:
                    self.output.space(self.space)
                self.output.flush()
        except _Quit as quitting:
            status = quitting.status
        text, lines, written = self.output.finish()
        return Result(text, lines, written, len(self.acted), tuple(self.hits), status)

    def _read(self) -> Space:
        """The next input line, which becomes the current one."""
        index = self.number
        self.number = self.selector.number = index + 1
        self.replaced = False
        return Space(self.lines[index], (index,), self.number < len(self.lines) or self.ends_with_newline)

    def _pass_over(self, pending: list[int]) -> None:
        """Copies the lines up to the next one on which something can happen."""
        at = bisect_left(pending, self.number)
        upto = pending[at] if at < len(pending) else len(self.lines)
        if upto > self.number:
            if not self.program.quiet:
                self.output.copy(self.number, upto)
            self.number = upto

    def _candidates(self) -> list[int] | None:
        """The sorted indexes of the lines that some trigger selects; None: all of them."""
        if self.program.triggers is None or len(self.lines) < _WORTH_A_SCAN:
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
        """The lines of the input that the expression matches."""
        data, search = self.data, regex.search_lines
        found: list[int] = []
        self.meter.spend(regex.cost(len(data)))
        end = len(data) - self.ends_with_newline
        position = line = counted = 0
        while position <= end and (spans := search(data, position)) is not None:
            start = spans[0][0]
            if start > end:
                break
            line += data.count(b"\n", counted, start)
            counted = start
            found.append(line)
            self.meter.spend(4)
            position = data.find(b"\n", start) + 1
            if not position:
                break
        return found

    # --- commands ------------------------------------------------------------------------------

    def _execute(self) -> bool:
        """Runs the commands on the pattern space; False if it is not to be written at the end of the cycle."""
        commands, hits, selector = self.commands, self.hits, self.selector
        index = 0
        while index < len(commands):
            command = commands[index]
            self.meter.spend(1 + (len(self.space.text) >> 9))
            selected = command.first is None or selector.selects(command, index)
            if selected == command.negated:
                index = command.target if command.name == "{" else index + 1
                continue
            name = command.name
            if name == "s":
                if command.substitution is not None and self._substitute(command.substitution):
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
        name, space = command.name, self.space
        if name == "D":
            _, newline, space.text = space.text.partition("\n")
            if newline:
                space.origins = space.origins[1:]
                self.restart = True
            return False
        if name == "c":
            if command.last is None or not self.selector.is_open(index):
                self.output.text(command.text)
            return False
        if name in "qQ":
            if name == "q":
                if not self.program.quiet:
                    self.output.space(space)
                self.output.flush()
                self.output.whole = True  # q ends the last line even where the input does not
            raise _Quit(command.status)
        if self.number >= len(self.lines):
            return True
        if name == "n":
            if not self.program.quiet:
                self.output.space(space)
            self.output.flush()
            self.space = self._read()
        else:
            self.output.flush()
            self._append(space, self._read())
        return None

    def _plain(self, command: Command) -> None:
        """The commands after which the next one always follows."""
        name, space = command.name, self.space
        if name == "p":
            self.output.space(space)
        elif name == "P":
            head, newline, _ = space.text.partition("\n")
            self.output.write(head, space.origins[:1], bool(newline) or space.whole)
        elif name == "a":
            self.output.queue.append(command.text)
        elif name == "i":
            self.output.text(command.text)
        elif name == "=":
            self.output.text(str(self.number))
        elif name == "h":
            self.hold = space.copy()
        elif name == "H":
            self._append(self.hold, space)
        elif name == "g":
            self.space = self.hold.copy()
        elif name == "G":
            self._append(space, self.hold)
        elif name == "x":
            self.space, self.hold = self.hold, space
        elif name == "z":
            space.text, space.origins = "", space.origins[:1]
        elif name == "y" and command.table is not None:
            transliterate(command.table, space, self.meter)

    def _append(self, space: Space, other: Space) -> None:
        self.meter.hold(len(space.text) + len(other.text) + 1)
        space.append(other)

    def _substitute(self, what: Substitution) -> bool:
        if not substitute(what, self._in_force(what.regex), self.space, self.meter):
            return False
        self.replaced = True
        if what.prints:
            self.output.space(self.space)
        return True

    def _matches(self, regex: Regex | None) -> bool:
        used, data = self._in_force(regex), self.space.text.encode()
        self.meter.spend(used.cost(len(data)))
        return used.search_space(data, 0) is not None

    def _in_force(self, regex: Regex | None) -> Regex:
        """The expression, which the empty one then repeats."""
        if regex is None:
            if self.last_regex is None:
                raise BadProgram("no previous regular expression")
            return self.last_regex
        self.last_regex = regex
        return regex
