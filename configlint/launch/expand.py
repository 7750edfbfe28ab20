"""Word expansion: parameters, quotes, splitting, braces and globs, on values with holes.

Command substitutions have run before (their output waits in the state), so expansion never forks a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

from configlint.launch import memo
from configlint.launch.arithmetic import Evaluator, NotArithmetic, Undecided, assigned_names
from configlint.launch.fields import (
    DEFAULT_SEPARATORS,
    Builder,
    Segment,
    braces,
    glob,
    has_glob,
    join_values,
    open_glob,
)
from configlint.launch.numbers import Numbers
from configlint.launch.outcome import ArrayCell, Cell
from configlint.launch.parameters import Lookup, Parameters, is_list, is_star, scalar_of
from configlint.launch.state import State
from configlint.launch.values import (
    HOLE,
    INPUT,
    MAX_ALTERNATIVES,
    UNKNOWN,
    Choice,
    Value,
    choice,
    hole_name,
    holes,
    input_hole,
    options,
    unknown,
)
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
_TILDE = re.compile(r"~(?=/|$)")
_ASSIGNED_TILDE = re.compile(r"(?:[A-Za-z_]\w*=)?~(?=/|$)")  # of a word that looks like an assignment, as an argument
_TILDE_USER = re.compile(r"~([A-Za-z_][\w.-]*)(?=/|$)")


class Expander:
    """Expands words in a state. ``used`` collects the cells read, for origins."""

    def __init__(self, lookup: Lookup) -> None:
        self._parameters = Parameters(lookup, self)
        self._lookup = lookup
        self.used: list[Cell] = []
        self.vanished: list[Value] = []  # patterns that matched nothing, under nullglob; loops look at them
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
            return self._tilde(part, True, state) if isinstance(part, Literal) else self._part(part, state)
        if not parts:
            return ""
        values = [self._part(part, state) for part in parts]
        first = parts[0]
        if isinstance(first, Literal) and first.text[:1] == "~":
            values[0] = self._tilde(first, False, state)
        value = join_values(values, "a value with many alternatives")
        self._lookup.spend_text(value)
        return value

    def assigned(self, word: Word, state: State) -> Value:
        """The word as the value of an assignment, where a tilde counts after a colon, too."""
        if not any(isinstance(part, Literal) and not part.quoted and ":~" in part.text for part in word.parts):
            return self.scalar(word, state)
        values: list[Value] = []
        for index, part in enumerate(word.parts):
            if not isinstance(part, Literal) or part.quoted:
                values.append(self._part(part, state))
                continue
            last = index == len(word.parts) - 1
            for position, piece in enumerate(part.text.split(":")):
                values.append(":" if position else "")
                inner = Literal(part.start, part.end, piece, False)
                ends = last or position < part.text.count(":")
                values.append(self._tilde(inner, ends, state) if position or not index else piece)
        return join_values(values, "a value with many alternatives")

    def pieces(self, word: Word, state: State) -> list[tuple[Part, Value]]:
        """Each part with its expansion (here-documents need to know which line came from which part)."""
        return [(part, self._part(part, state)) for part in word.parts]

    def _part(self, part: Part, state: State) -> Value:
        if isinstance(part, Literal):
            return part.text
        if isinstance(part, Parameter):
            if not part.operator and part.index is None and not (part.length or part.indirect or part.prefix):
                plain = self._lookup.variable(state, part.name)  # the usual ``$name``, the short way
                if isinstance(plain, Cell):
                    self.used.append(plain)
                    return plain.value
            variable = self._parameters.expand(part, state)
            if isinstance(variable, ArrayCell) and is_star(part):
                return scalar_of(variable, self.joiner(state))
            if isinstance(variable, ArrayCell) and (part.operator or part.indirect) and len(variable.items) > 1:
                # Bash puts a space between the words of "$@", but not always if they are changed on the way.
                return scalar_of(variable, " " if self.joiner(state) == " " else unknown("IFS"))
            return scalar_of(variable)
        return self._other(part, state)

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

    def _tilde(self, part: Literal, ends: bool, state: State, shape: re.Pattern[str] = _TILDE) -> Value:
        """The text of the first literal of a word, a leading tilde expanded. ``ends``: the word ends with it."""
        text = part.text
        if part.quoted or "~" not in text:
            return text
        found = shape.match(text)
        if found is not None and (ends or found.end() < len(text)):
            home = self._lookup.variable(state, "HOME")
            value = scalar_of(home) if home is not None else unknown("HOME")
            return join_values([text[: found.end() - 1], value, text[found.end() :]], "HOME")
        user = _TILDE_USER.match(text)
        if user is not None and (ends or user.end() < len(text)):
            return unknown(f"home of {user[1]}") + text[user.end() :]
        return text

    def takes_word(self, part: Parameter, state: State) -> bool | None:
        """Whether ``${x:-word}`` and its kin use their word; None where that is not known."""
        return self._parameters.takes_word(part, state)

    def arithmetic(self, expression: Word, state: State) -> Value:
        """The decimal value of an arithmetic expression, or an unknown."""
        found = options(self.scalar(expression, state))
        try:
            results = [str(self.evaluate(option, state)) for option in found]
        except Undecided as missing:
            return unknown(f"arithmetic on {missing}")
        except NotArithmetic:
            return unknown("arithmetic")
        if len(found) > 1:
            self._forget_assigned(" ".join(found), state)
        return choice(results, "arithmetic")

    def evaluate(self, text: str, state: State) -> int:
        """Evaluate arithmetic text. Raises Undecided, NotArithmetic; what the text assigns is then unknown."""
        text = self._lookup.force(text)
        self._lookup.spend(len(text) >> 5)
        try:
            if UNKNOWN in text:
                raise Undecided(holes(text)[0])
            return Evaluator(Numbers(self.used, self._lookup, state)).evaluate(text)
        except (Undecided, NotArithmetic):
            self._forget_assigned(text, state)
            raise

    def _forget_assigned(self, text: str, state: State) -> None:
        for name in assigned_names(text):
            self._lookup.assign(state, name, unknown(f"{name} after arithmetic"))

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
            one = tuple((self._lookup.force(t), q) for t, (_, q) in zip(texts, segments, strict=True))
            self._lookup.spend(sum(len(text) for text, _ in one) >> 4)
            found.append(one)
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
        words = braces(word)
        self._lookup.spend(len(words) >> 2)
        for single in words:
            builder = Builder()
            vanishes = False
            for index, part in enumerate(single.parts):
                if isinstance(part, Literal) and not index:
                    builder.add(self._tilde(part, len(single.parts) == 1, state, _ASSIGNED_TILDE), part.quoted)
                else:
                    vanishes |= self._add(builder, part, state)
            vanishes = vanishes and _in_same_quotes(single)
            builder.finish()
            if vanishes and _is_empty(builder.done):
                continue
            for field in builder.done:
                if state.options.noglob or not has_glob(field):
                    result.append(join_values([s.text for s in field], "a word with many alternatives"))
                    continue
                found = glob(self._forced(field), state.files, state.cwd, state.options.extended, self._lookup.spend)
                if found is None:
                    result.append(open_glob(field))
                elif found:
                    result.extend(found)
                elif not state.options.nullglob:
                    result.append(join_values([s.text for s in field], "a word with many alternatives"))
                else:
                    self.vanished.append(join_values([s.text for s in field], "a word with many alternatives"))
        return result

    def _forced(self, field: Sequence[Segment]) -> list[Segment]:
        """A field with its inputs looked up: files are found by text."""
        return [
            Segment(self._lookup.force(one.text), one.quoted) if isinstance(one.text, str) else one for one in field
        ]

    def _add(self, builder: Builder, part: Part, state: State) -> bool:
        """Add the expansion of a part. True if that was ``"$@"`` without words."""
        if isinstance(part, Literal):
            builder.add(part.text, part.quoted)
            return False
        quoted = bool(getattr(part, "quoted", False))
        if isinstance(part, Parameter):
            word = self._parameters.argument_taken(part, state)
            if word is not None:
                self._add_argument(builder, word, quoted, state)
                return False
            variable = self._parameters.expand(part, state)
        else:
            variable = Cell(self._other(part, state))
        cells = [variable] if isinstance(variable, Cell) else [cell for _, cell in variable.items]
        separators = self.separators(state)
        self._lookup.spend(len(cells) >> 3)
        if (
            len(cells) > 1
            and not quoted
            and separators != DEFAULT_SEPARATORS
            and isinstance(part, Parameter)
            and part.operator
        ):
            cells = [Cell(unknown("words under another IFS"))]  # some of these bash joins first
        for position, cell in enumerate(cells):
            if position:
                builder.finish()
            self._lookup.spend_text(cell.value)
            if quoted:
                builder.add(cell.value, True)
            else:
                if separators != DEFAULT_SEPARATORS:
                    self._lookup.spend(sum(map(len, options(cell.value))) >> 6)
                builder.split(self._plain(cell.value, separators), separators)
        return quoted and not cells

    def _add_argument(self, builder: Builder, word: Word, quoted: bool, state: State) -> None:
        """The word of ``${x:-word}``: what it quotes stays together, the rest is split."""
        separators = self.separators(state)
        if quoted:
            builder.add("", True)  # one word at least
        for index, part in enumerate(word.parts):
            if isinstance(part, Parameter) and is_list(part) and separators != DEFAULT_SEPARATORS and not quoted:
                builder.add(unknown("words under another IFS"), False)  # joined by spaces in some versions of bash
            elif not isinstance(part, Literal):
                self._add(builder, part, state)
            elif part.quoted or quoted:
                builder.add(part.text, True)
            else:
                text = self._tilde(part, len(word.parts) == 1, state) if not index else part.text
                builder.split(text, separators)

    def separators(self, state: State) -> str | None:
        """``IFS``; None where it is not known."""
        variable = state.variables.get("IFS")
        if variable is None:
            return DEFAULT_SEPARATORS
        value = scalar_of(variable)
        text = self._lookup.force(value) if isinstance(value, str) else UNKNOWN
        return None if UNKNOWN in text else text

    def joiner(self, state: State) -> str:
        """What ``"$*"`` puts between words."""
        separators = self.separators(state)
        return unknown("IFS") if separators is None else separators[:1]

    def _plain(self, value: Value, separators: str | None) -> Value:
        """An unquoted value ready to split: an input stays untouched where it is one plain word."""
        if isinstance(value, Choice):
            return choice([str(self._plain(option, separators)) for option in value.options], "a value")
        if INPUT not in value:
            return value
        if separators != DEFAULT_SEPARATORS:
            return self._lookup.force(value)

        def resolve(hole: re.Match[str]) -> str:
            name = hole_name(hole)
            if hole.group(0)[0] != INPUT or "#" in name or "%" in name:
                return self._lookup.force(hole.group(0))
            if hole.group(0) == value and "=" not in name and (names := self._lookup.ask(name + memo.SETTINGS)):
                # Each setting is asked for by itself, so that launches whose other settings differ share a run.
                return " ".join(f"{one}={input_hole(f'{name}={at}')}" for at, one in enumerate(names.split(" ")))
            is_word = self._lookup.ask(name + memo.IS_WORD)
            return hole.group(0) if is_word == memo.YES else self._lookup.force(hole.group(0))

        return HOLE.sub(resolve, value)


def _is_empty(fields: list[list[Segment]]) -> bool:
    return len(fields) == 1 and all(segment.text == "" for segment in fields[0])


def _in_same_quotes(word: Word) -> bool:
    """True if the word is one quoted string of expansions only: ``"$@$x"``."""
    parts = word.parts
    touching = all(left.end == right.start for left, right in pairwise(parts))
    return touching and not any(isinstance(part, Literal) for part in parts)
