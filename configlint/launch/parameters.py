"""Parameter expansion: ``$name`` and every form of ``${...}`` on values with holes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from configlint.launch import memo, patterns
from configlint.launch.arrays import element, items_of, open_array, sliced
from configlint.launch.fields import join_values
from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.state import State
from configlint.launch.values import (
    UNKNOWN,
    Value,
    choice,
    is_known,
    options,
    unknown,
)
from configlint.source.text import Place
from configlint.syntax.bash.nodes import Literal, Parameter, Word

if TYPE_CHECKING:
    from configlint.launch.expand import Expander

_REFERENCE = re.compile(r"([A-Za-z_]\w*|\d+|[@*#?])(?:\[(.+)\])?")
_DEFAULTS = {"-", ":-", "=", ":=", "?", ":?", "+", ":+"}


class UnsetRequired(Exception):
    """``${X:?message}`` on a variable that is surely empty or unset: the shell exits here."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message or 'parameter null or not set'}")


class Lookup(Protocol):
    """How expansion reaches variables and inputs."""

    def variable(self, state: State, name: str) -> Variable | None: ...
    def assign(self, state: State, name: str, value: Value) -> None: ...
    def assign_element(self, state: State, name: str, key: str, value: Value) -> None: ...
    def force(self, text: str) -> str: ...
    def ask(self, query: str) -> str | None: ...
    def emptiness(self, text: str) -> str: ...
    def spend(self, steps: int) -> None: ...
    def spend_text(self, value: Value) -> None: ...
    def place(self, state: State, node: Parameter) -> Place: ...


def scalar_of(variable: Variable | None, joiner: str = " ") -> Value:
    """The value of ``$name``: an array stands for its elements joined by ``joiner``."""
    if variable is None:
        return ""
    if isinstance(variable, Cell):
        return variable.value
    if variable.is_open:
        return unknown(f"elements of {variable.name or 'an array'}")
    values: list[Value] = []
    for _, cell in variable.items:
        values += [joiner, cell.value] if values else [cell.value]
    return join_values(values, variable.name or "array") if values else ""


def is_star(node: Parameter) -> bool:
    """True for ``$*`` and ``${array[*]}``, whose words are joined by the first character of ``IFS``."""
    return node.name == "*" or (node.index is not None and node.index.literal == "*")


def is_list(node: Parameter) -> bool:
    """True for ``$@``, ``$*``, ``${array[@]}`` and ``${array[*]}``."""
    return node.name in ("@", "*") or (node.index is not None and node.index.literal in ("@", "*"))


class Parameters:
    """Expands :class:`Parameter` nodes."""

    def __init__(self, lookup: Lookup, expander: Expander) -> None:
        self._lookup, self._expander = lookup, expander

    def expand(self, node: Parameter, state: State) -> Variable:
        """A cell, or an array where the expansion yields several words (``"$@"``, ``"${A[@]}"``)."""
        variable = self._target(node, state)
        if node.prefix:
            return Cell(unknown(f"names beginning with {node.name}"))
        if node.operator in _DEFAULTS:
            found = self._default(node, variable, state)
            return self._listed(node, found, state) if isinstance(found, ArrayCell) else found
        if variable is None and state.options.nounset and not is_list(node):
            raise UnsetRequired(node.name, "unbound variable")
        if node.length:
            return self._length(node, variable)
        if variable is None:
            return Cell("", node.name)
        if isinstance(variable, Cell):
            self._expander.used.append(variable)
            if not node.operator:
                return variable
            return Cell(self._transform(node, variable.value, state), node.name, None, "expanded", (variable,))
        self._expander.used.extend(cell for _, cell in variable.items)
        if node.operator:
            if node.operator == ":":
                part = self._slice_array(node, variable, state)
                return self._listed(node, part, state) if isinstance(part, ArrayCell) else part
            items = tuple(
                (key, Cell(self._transform(node, cell.value, state), node.name, None, "expanded", (cell,)))
                for key, cell in variable.items
            )
            variable = ArrayCell(items, node.name, is_open=variable.is_open)
        return self._listed(node, variable, state)

    def _listed(self, node: Parameter, variable: ArrayCell, state: State) -> Variable:
        """Words of their own, or with ``"$*"`` one word."""
        if is_star(node) and node.quoted:
            return Cell(scalar_of(variable, self._expander.joiner(state)), node.name)
        return variable

    def argument_taken(self, node: Parameter, state: State) -> Word | None:
        """The word of ``${x:-word}`` or ``${x:+word}`` where it surely stands for the whole; else None."""
        if node.operator not in ("-", ":-", "+", ":+") or node.argument is None or node.prefix:
            return None
        return node.argument if self.takes_word(node, state) else None

    def takes_word(self, node: Parameter, state: State) -> bool | None:
        """Whether a parameter with a default or an alternative uses that; None where it is not known."""
        variable = self._target(node, state)
        empty = self._emptiness(node, variable)
        if isinstance(variable, Cell):
            self._expander.used.append(variable)
        return None if empty == memo.MAYBE else (empty == memo.NO) is (node.operator[-1] == "+")

    def _target(self, node: Parameter, state: State) -> Variable | None:
        """The variable meant, after indirection and indexing; an array only for ``[@]``, ``[*]``, ``@`` and ``*``."""
        variable = self._lookup.variable(state, node.name)
        if node.indirect and node.index is None:
            return self._indirect(node, variable, state)
        if node.index is None:
            if isinstance(variable, ArrayCell) and node.name not in ("@", "*"):
                return element(variable, "0")
            return variable
        index = node.index.literal
        if index in ("@", "*"):
            if node.indirect:
                if isinstance(variable, ArrayCell) and variable.is_open:
                    return open_array(node.name, f"indexes of {node.name}", variable.at, "expanded")
                keys = variable.items if isinstance(variable, ArrayCell) else ((("0", variable),) if variable else ())
                return ArrayCell(tuple((key, Cell(key)) for key, _ in keys), node.name)
            if isinstance(variable, Cell):
                return ArrayCell((("0", variable),), node.name)
            return variable if variable is not None else ArrayCell((), node.name)
        return self._element(node.index, variable, state)

    def _indirect(self, node: Parameter, variable: Variable | None, state: State) -> Variable | None:
        """``${!name}``: the variable, positional parameter or element whose name the variable holds."""
        name = scalar_of(variable if isinstance(variable, Cell) else element(variable, "0"))
        if isinstance(name, str):
            name = self._lookup.force(name)
        if not isinstance(name, str) or not is_known(name):
            return Cell(unknown(f"variable named by {node.name}"))
        if isinstance(variable, Cell):
            self._expander.used.append(variable)
        found = _REFERENCE.fullmatch(name)
        if found is None:
            return None if not name else Cell(unknown(f"variable named by {node.name}"))
        target = self._lookup.variable(state, found[1])
        index = found[2]
        if index is None:
            is_array = isinstance(target, ArrayCell) and found[1] not in ("@", "*")
            return element(target, "0") if is_array else target
        if index in ("@", "*"):
            return ArrayCell(items_of(target), node.name)
        if not index.isdigit():
            return Cell(unknown(f"variable named by {node.name}"))
        return element(target, index)

    def _element(self, index: Word, variable: Variable | None, state: State) -> Cell | None:
        if isinstance(variable, ArrayCell) and variable.associative:
            key = self._expander.scalar(index, state)
        else:
            key = self._expander.arithmetic(index, state)
        if not isinstance(key, str) or UNKNOWN in key:
            return Cell(unknown("array element"))
        return element(variable, self._lookup.force(key))

    def _length(self, node: Parameter, variable: Variable | None) -> Cell:
        if isinstance(variable, ArrayCell):
            count = unknown(f"number of elements of {node.name}") if variable.is_open else str(len(variable.items))
            return Cell(count, node.name)
        if variable is not None:
            self._expander.used.append(variable)
        lengths = []
        for option in options(scalar_of(variable)):
            text = self._lookup.force(option)
            if UNKNOWN in text:
                return Cell(unknown(f"length of {node.name}"))
            lengths.append(str(len(text)))
        return Cell(choice(lengths, f"length of {node.name}"), node.name)

    def _default(self, node: Parameter, variable: Variable | None, state: State) -> Variable:
        kind = node.operator[-1]
        empty = self._emptiness(node, variable)
        if isinstance(variable, Cell):
            self._expander.used.append(variable)
        if kind == "+":
            if empty == memo.YES:
                none = node.quoted and is_list(node) and not is_star(node)
                return ArrayCell((), node.name) if none else Cell("", node.name)
            other = self._argument(node, state)
            return Cell(other if empty == memo.NO else choice([*options(other), ""], node.name), node.name)
        if empty == memo.NO and variable is not None:
            return variable
        if kind == "?":
            if empty == memo.YES:
                raise UnsetRequired(node.name, str(self._argument(node, state)))
            return variable if variable is not None else Cell("")
        default = self._argument(node, state)
        place = self._lookup.place(state, node)
        cell = Cell(default, node.name, place, "default", tuple(self._expander.used[-1:]) if node.argument else ())
        if empty == memo.YES:
            if kind == "=":
                self._lookup.assign(state, node.name, default)
            return cell
        colon = node.operator.startswith(":")
        both = [o for o in options(scalar_of(variable)) if not colon or self._lookup.emptiness(o) != memo.YES]
        either = choice([*both, *options(default)], node.name)
        if kind == "=":
            self._lookup.assign(state, node.name, either)
        return Cell(either, node.name, place, "value or default", (cell,))

    def _emptiness(self, node: Parameter, variable: Variable | None) -> str:
        """Whether the operator finds the variable unset (or empty, with a colon)."""
        if variable is None:
            return memo.YES
        if isinstance(variable, ArrayCell):
            if variable.is_open:
                return memo.MAYBE
            if len(variable.items) != 1:
                return memo.NO if variable.items else memo.YES
            variable = variable.items[0][1]
        if not node.operator.startswith(":"):
            return memo.MAYBE if variable.perhaps else memo.NO
        answers = {self._lookup.emptiness(option) for option in options(variable.value)}
        return answers.pop() if len(answers) == 1 else memo.MAYBE

    def _argument(self, node: Parameter, state: State) -> Value:
        return self._expander.scalar(node.argument, state) if node.argument is not None else ""

    # --- operators on text --------------------------------------------------------------------

    def _transform(self, node: Parameter, value: Value, state: State) -> Value:
        if isinstance(value, str):
            return self._transform_text(node, value, state)
        return choice([str(self._transform_text(node, option, state)) for option in value.options], node.name)

    def _transform_text(self, node: Parameter, text: str, state: State) -> str:
        operator = node.operator
        if operator in ("#", "##", "%", "%%") and node.argument is not None:
            literal = node.argument.literal
            if literal is not None:
                projected = memo.project(text, operator, literal)
                if projected is not None and not any(getattr(p, "quoted", False) for p in node.argument.parts):
                    return projected
        text = self._lookup.force(text)
        self._lookup.spend(len(text) >> 6)
        if operator in ("#", "##", "%", "%%"):
            return self._pattern_operation(node, text, state, lambda p: patterns.remove(text, operator, p))
        if operator in ("/", "//", "/#", "/%"):
            by = self._replacement(node, state)
            if by is None:
                return unknown(f"{node.name} with a replacement")
            return self._pattern_operation(node, text, state, lambda p: patterns.replace(text, operator, p, by))
        if operator == ":":
            return self._substring(node, text, state)
        if UNKNOWN in text:
            return unknown(f"{node.name} with {operator}")
        if operator in ("^^", ",,", "^", ","):
            return self._in_case(node, text, state)
        letter = node.argument.literal if operator == "@" and node.argument is not None else None
        if letter == "U" or letter == "L":
            return text.upper() if letter == "U" else text.lower()
        if letter == "u":
            return text[:1].upper() + text[1:]
        if letter == "E" and "\\" not in text:
            return text
        return unknown(f"{node.name} with {operator}")

    def _in_case(self, node: Parameter, text: str, state: State) -> str:
        """``${x^^}``, ``${x,pattern}``: the characters that match (all, by default) in the other case."""
        change = str.upper if node.operator[0] == "^" else str.lower
        end = len(text) if len(node.operator) == 2 else 1
        if node.argument is None or not node.argument.parts:
            return change(text[:end]) + text[end:]

        def one_by_one(pattern: patterns.Pattern) -> str:
            return "".join(change(one) if patterns.matches(pattern, one) else one for one in text[:end]) + text[end:]

        return self._pattern_operation(node, text, state, one_by_one)

    def _replacement(self, node: Parameter, state: State) -> str | None:
        """The text that replaces a match; None where it is not one text, or newer shells put the match for ``&``."""
        if node.replacement is None:
            return ""
        for part in node.replacement.parts:
            if isinstance(part, Literal) and not part.quoted and "&" in part.text:
                return None
        by = self._expander.scalar(node.replacement, state)
        if not isinstance(by, str):
            return None
        by = self._lookup.force(by)
        bare = any(
            not isinstance(part, Literal) and not getattr(part, "quoted", False) for part in node.replacement.parts
        )
        return None if bare and ("&" in by or "\\" in by) else by

    def _pattern_operation(self, node: Parameter, text: str, state: State, operation: Operation) -> str:
        if node.argument is None:
            return unknown(node.name)
        found = self._expander.pattern(node.argument, state)
        try:
            compiled = [patterns.compile_pattern(segments) for segments in found]
            self._lookup.spend(sum(patterns.steps(one, text, cut=True) for one in compiled) >> 4)
            results = [operation(one) for one in compiled]
        except patterns.UnsupportedPattern:
            return unknown(f"{node.name} with an extended pattern")
        if len(results) != 1 or results[0] is None:
            return unknown(f"{node.name} without a pattern")
        return results[0]

    def _bounds(self, node: Parameter, state: State) -> tuple[int, int | None] | None:
        offset = self._expander.arithmetic(node.argument, state) if node.argument is not None else "0"
        length = self._expander.arithmetic(node.replacement, state) if node.replacement is not None else None
        try:
            return int(str(offset)), None if length is None else int(str(length))
        except ValueError:
            return None

    def _substring(self, node: Parameter, text: str, state: State) -> str:
        bounds = self._bounds(node, state)
        if bounds is None or UNKNOWN in text:
            return unknown(f"part of {node.name}")
        start, length = bounds
        start += len(text) if start < 0 else 0
        if not 0 <= start <= len(text):
            return ""
        end = len(text) if length is None else start + length if length >= 0 else len(text) + length
        return text[start:end] if end >= start else unknown(f"part of {node.name}")

    def _slice_array(self, node: Parameter, variable: ArrayCell, state: State) -> Variable:
        bounds = self._bounds(node, state)
        if variable.is_open:
            return variable
        if bounds is None or variable.associative or (bounds[1] or 0) < 0:
            return open_array(node.name, f"part of {node.name}", variable.at, "expanded")
        items = variable.items
        if node.name in ("@", "*"):
            zero = self._lookup.variable(state, "0")
            following = ((str(int(key) + 1), cell) for key, cell in items)
            items = (("0", zero if isinstance(zero, Cell) else Cell("")), *following)
        return ArrayCell(sliced(items, *bounds), node.name)


class Operation(Protocol):
    """What a pattern does to a text; None where holes leave it open."""

    def __call__(self, pattern: patterns.Pattern) -> str | None: ...
