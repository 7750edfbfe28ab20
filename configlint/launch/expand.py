"""Word expansion: parameters, quotes, splitting, braces and globs, on values with holes.

Command substitutions have run before (their output waits in the state), so expansion never forks a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from configlint.launch import memo
from configlint.launch.arithmetic import Evaluator, NotArithmetic, Undecided
from configlint.launch.fields import Builder, braces, glob, has_glob, join_values
from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.parameters import Lookup, Parameters, scalar_of
from configlint.launch.state import State
from configlint.launch.values import HOLE, INPUT, MAX_ALTERNATIVES, UNKNOWN, Choice, Value, choice, options, unknown
from configlint.syntax.bash.nodes import (
    Arithmetic,
    CommandSubstitution,
    Literal,
    Opaque,
    Parameter,
    Part,
    ProcessSubstitution,
    Word,
)

_SPECIAL = re.compile(r"[*?\[{~]")


class Expander:
    """Expands words in a state. ``used`` collects the cells read, for origins."""

    def __init__(self, lookup: Lookup) -> None:
        self._parameters = Parameters(lookup, self)
        self._lookup = lookup
        self.used: list[Cell] = []
        self.watchers: list[list[Cell]] = []  # one list for each command substitution that is running

    def take_used(self) -> tuple[Cell, ...]:
        """The cells read since the last call."""
        if not self.used:
            return ()
        used = tuple(dict.fromkeys(self.used))
        if self.watchers:
            self.watchers[-1].extend(used)
        self.used.clear()
        return used

    def drop_used(self) -> None:
        """Forget the cells read since the last call, unless a command substitution wants them."""
        if self.used:
            if self.watchers:
                self.watchers[-1].extend(self.used)
            self.used.clear()

    # --- one string -------------------------------------------------------------------------

    def scalar(self, word: Word, state: State) -> Value:
        """The word as one string: no splitting, no globs (assignments, tests, here-documents)."""
        parts = word.parts
        if len(parts) == 1:
            part = parts[0]
            return self._tilde(part) if isinstance(part, Literal) else self._part(part, state)
        return (
            join_values([self._part(part, state) for part in parts], "a value with many alternatives") if parts else ""
        )

    def pieces(self, word: Word, state: State) -> list[tuple[Part, Value]]:
        """Each part with its expansion (here-documents need to know which line came from which part)."""
        return [(part, self._part(part, state)) for part in word.parts]

    def _part(self, part: Part, state: State) -> Value:
        if isinstance(part, Literal):
            return part.text
        if isinstance(part, Parameter):
            if not part.operator and part.index is None and not (part.length or part.indirect or part.prefix):
                variable = self._lookup.variable(state, part.name)  # the usual ``$name``, the short way
                if isinstance(variable, Cell):
                    self.used.append(variable)
                    return variable.value
                return scalar_of(variable) if part.name in ("@", "*") else self._first(variable)
            return scalar_of(self._parameters.expand(part, state))
        return self._other(part, state)

    @staticmethod
    def _first(variable: Variable | None) -> Value:
        """``$array`` is its element 0."""
        if isinstance(variable, ArrayCell):
            return next((cell.value for key, cell in variable.items if key == "0"), "")
        return ""

    def _other(self, part: Part, state: State) -> Value:
        if isinstance(part, CommandSubstitution):
            cell = state.outputs.get(id(part))
            if cell is None:
                return unknown("output of a command")
            self.used.append(cell)
            return cell.value
        if isinstance(part, Arithmetic):
            return self.arithmetic(part.expression, state)
        if isinstance(part, ProcessSubstitution):
            return unknown("a process substitution")
        assert isinstance(part, Opaque)
        return unknown(part.kind)

    @staticmethod
    def _tilde(part: Literal) -> str:
        if not part.quoted and part.text[:1] == "~" and part.text[1:2] in ("", "/"):
            return unknown("HOME") + part.text[1:]
        return part.text

    def arithmetic(self, expression: Word, state: State) -> Value:
        """The decimal value of an arithmetic expression, or an unknown."""
        results = []
        for option in options(self.scalar(expression, state)):
            try:
                results.append(str(self.evaluate(option, state)))
            except Undecided as missing:
                return unknown(f"arithmetic on {missing}")
            except NotArithmetic:
                return unknown("arithmetic")
        return choice(results, "arithmetic")

    def evaluate(self, text: str, state: State) -> int:
        """Evaluate arithmetic text. Raises Undecided, NotArithmetic."""
        text = self._lookup.force(text)
        if UNKNOWN in text:
            raise Undecided(HOLE.findall(text)[0])

        def read(name: str) -> str | None:
            cell = self._lookup.variable(state, name)
            if isinstance(cell, Cell):
                self.used.append(cell)
            value = scalar_of(cell)
            if isinstance(value, Choice):
                return None
            value = self._lookup.force(value)
            return None if UNKNOWN in value else value

        return Evaluator(read, lambda name, number: self._lookup.assign(state, name, str(number))).evaluate(text)

    # --- patterns ---------------------------------------------------------------------------

    def pattern(self, word: Word, state: State) -> list[tuple[tuple[str, bool], ...]]:
        """The word as pattern segments, one tuple per alternative; inputs are forced."""
        segments = [
            (part.text, part.quoted)
            if isinstance(part, Literal)
            else (self._part(part, state), bool(getattr(part, "quoted", False)))
            for part in word.parts
        ]
        found: list[tuple[tuple[str, bool], ...]] = []
        for texts in product(*(options(text) for text, _ in segments)):
            found.append(tuple((self._lookup.force(t), q) for t, (_, q) in zip(texts, segments, strict=True)))
            if len(found) > MAX_ALTERNATIVES:
                return [((unknown("pattern"), True),)]
        return found

    # --- fields -----------------------------------------------------------------------------

    def fields(self, words: Sequence[Word], state: State) -> list[Value]:
        """The words of a command after every expansion."""
        out: list[Value] = []
        for word in words:
            if len(word.parts) == 1:
                part = word.parts[0]
                if isinstance(part, Literal) and (part.quoted or not _SPECIAL.search(part.text)):
                    out.append(part.text)
                    continue
            out.extend(self.word_fields(word, state))
        return out

    def word_fields(self, word: Word, state: State) -> list[Value]:
        """One word after brace expansion, parameter expansion, splitting and globbing."""
        result: list[Value] = []
        for single in braces(word):
            builder = Builder()
            for index, part in enumerate(single.parts):
                self._add(builder, part, index == 0, state)
            builder.finish()
            for field in builder.done:
                found = glob(field, state.files, state.cwd) if has_glob(field) else []
                if found:
                    result.extend(found)
                elif found is None:
                    result.append(unknown("files matching " + "".join(HOLE.sub("?", str(s.text)) for s in field)))
                elif not (has_glob(field) and state.options.nullglob):
                    result.append(join_values([s.text for s in field], "a word with many alternatives"))
        return result

    def _add(self, builder: Builder, part: Part, first: bool, state: State) -> None:
        if isinstance(part, Literal):
            builder.add(self._tilde(part) if first else part.text, part.quoted)
            return
        quoted = bool(getattr(part, "quoted", False))
        variable = (
            self._parameters.expand(part, state) if isinstance(part, Parameter) else Cell(self._other(part, state))
        )
        cells = [variable] if isinstance(variable, Cell) else [cell for _, cell in variable.items]
        for position, cell in enumerate(cells):
            if position:
                builder.finish()
            if quoted:
                builder.add(cell.value, True)
            else:
                builder.split(self._plain(cell.value))
        if isinstance(variable, ArrayCell) and not cells and builder.current is None:
            return

    def _plain(self, value: Value) -> Value:
        """An unquoted value ready to split: an input stays untouched where it is one plain word."""
        if isinstance(value, Choice):
            return choice([str(self._plain(option)) for option in value.options], "a value")
        if INPUT not in value:
            return value

        def resolve(hole: re.Match[str]) -> str:
            if hole.group(0)[0] != INPUT or "#" in hole.group(1) or "%" in hole.group(1):
                return self._lookup.force(hole.group(0))
            is_word = self._lookup.ask(hole.group(1) + memo.IS_WORD)
            return hole.group(0) if is_word == memo.YES else self._lookup.force(hole.group(0))

        return HOLE.sub(resolve, value)
