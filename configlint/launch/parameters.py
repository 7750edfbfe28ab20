"""Parameter expansion: ``$name`` and every form of ``${...}`` on values with holes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from configlint.launch import memo, patterns
from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.state import State
from configlint.launch.values import (
    HOLE,
    UNKNOWN,
    Value,
    choice,
    is_known,
    options,
    unknown,
)
from configlint.source.text import Place
from configlint.syntax.bash.nodes import Parameter, Word

if TYPE_CHECKING:
    from configlint.launch.expand import Expander

_DEFAULTS = {"-", ":-", "=", ":=", "?", ":?", "+", ":+"}


class UnsetRequired(Exception):
    """``${X:?message}`` on a variable that is surely empty or unset: the shell exits here."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message or 'parameter null or not set'}")


class Lookup(Protocol):
    """How expansion reaches variables and inputs."""

    def variable(self, state: State, name: str) -> Variable | None: ...
    def assign(self, state: State, name: str, value: Value) -> None: ...
    def force(self, text: str) -> str: ...
    def ask(self, query: str) -> str | None: ...
    def emptiness(self, text: str) -> str: ...
    def place(self, state: State, node: Parameter) -> Place: ...


def scalar_of(variable: Variable | None) -> Value:
    """The value of ``$name``: an array stands for its elements joined by a blank."""
    if variable is None:
        return ""
    if isinstance(variable, Cell):
        return variable.value
    values = [cell.value for _, cell in variable.items]
    if all(isinstance(value, str) for value in values):
        return " ".join(str(value) for value in values)
    return unknown(variable.name or "array")


class Parameters:
    """Expands :class:`Parameter` nodes."""

    def __init__(self, lookup: Lookup, expander: Expander) -> None:
        self._lookup, self._expander = lookup, expander

    def expand(self, node: Parameter, state: State) -> Variable:
        """A cell, or an array where the expansion yields several words (``"$@"``, ``"${A[@]}"``)."""
        variable = self._target(node, state)
        if node.prefix:
            return Cell(unknown(f"names beginning with {node.name}"))
        if node.length:
            return self._length(node, variable)
        if node.operator in _DEFAULTS:
            return self._default(node, variable, state)
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
                return self._slice_array(node, variable, state)
            items = tuple(
                (key, Cell(self._transform(node, cell.value, state), node.name, None, "expanded", (cell,)))
                for key, cell in variable.items
            )
            variable = ArrayCell(items, node.name)
        star = node.name == "*" or (node.index is not None and node.index.literal == "*")
        return Cell(scalar_of(variable), node.name) if star and node.quoted else variable

    def _target(self, node: Parameter, state: State) -> Variable | None:
        """The variable meant, after indirection and indexing; an array only for ``[@]``, ``[*]``, ``@`` and ``*``."""
        variable = self._lookup.variable(state, node.name)
        if node.indirect and node.index is None:
            name = scalar_of(variable)
            if not is_known(name):
                name = self._lookup.force(name) if isinstance(name, str) else name
            if not isinstance(name, str) or not is_known(name):
                return Cell(unknown(f"variable named by {node.name}"))
            if isinstance(variable, Cell):
                self._expander.used.append(variable)
            variable = self._lookup.variable(state, name) if name.isidentifier() else None
        if node.index is None:
            if isinstance(variable, ArrayCell) and node.name not in ("@", "*"):
                return next((cell for key, cell in variable.items if key == "0"), None)
            return variable
        index = node.index.literal
        if index in ("@", "*"):
            if node.indirect:
                keys = variable.items if isinstance(variable, ArrayCell) else ((("0", variable),) if variable else ())
                return ArrayCell(tuple((key, Cell(key)) for key, _ in keys), node.name)
            if isinstance(variable, Cell):
                return ArrayCell((("0", variable),), node.name)
            return variable if variable is not None else ArrayCell((), node.name)
        return self._element(node.index, variable, state)

    def _element(self, index: Word, variable: Variable | None, state: State) -> Cell | None:
        if isinstance(variable, ArrayCell) and variable.associative:
            key = self._expander.scalar(index, state)
        else:
            key = self._expander.arithmetic(index, state)
        if not isinstance(key, str) or UNKNOWN in key:
            return Cell(unknown("array element"))
        if isinstance(variable, Cell):
            return variable if key == "0" else None
        if variable is None:
            return None
        if key.startswith("-") and not variable.associative and variable.items:
            key = str(int(variable.items[-1][0]) + 1 + int(key))
        return next((cell for name, cell in variable.items if name == key), None)

    def _length(self, node: Parameter, variable: Variable | None) -> Cell:
        if isinstance(variable, ArrayCell):
            return Cell(str(len(variable.items)), node.name)
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
        colon = node.operator.startswith(":")
        kind = node.operator[-1]
        if isinstance(variable, ArrayCell):
            empty = memo.YES if not variable.items else memo.NO
        elif variable is None:
            empty = memo.YES
        elif not colon:
            empty = memo.NO
        else:
            answers = {self._lookup.emptiness(option) for option in options(variable.value)}
            empty = answers.pop() if len(answers) == 1 else memo.MAYBE
        if isinstance(variable, Cell):
            self._expander.used.append(variable)
        if kind == "+":
            if empty == memo.YES:
                return Cell("", node.name)
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
        if kind == "=" and empty == memo.YES:
            self._lookup.assign(state, node.name, default)
        if empty == memo.YES:
            return cell
        both = [o for o in options(scalar_of(variable)) if self._lookup.emptiness(o) != memo.YES]
        return Cell(choice([*both, *options(default)], node.name), node.name, place, "value or default", (cell,))

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
        if operator in ("#", "##", "%", "%%"):
            return self._pattern_operation(node, state, lambda p: patterns.remove(text, operator, p))
        if operator in ("/", "//", "/#", "/%"):
            by = self._expander.scalar(node.replacement, state) if node.replacement is not None else ""
            if not isinstance(by, str):
                return unknown(f"{node.name} with a replacement")
            return self._pattern_operation(node, state, lambda p: patterns.replace(text, operator, p, by))
        if operator == ":":
            return self._substring(node, text, state)
        if UNKNOWN in text:
            return (HOLE.sub("", text) and unknown(f"{node.name} in other case")) or unknown(node.name)
        if operator in ("^^", ",,", "^", ",") and node.argument is None:
            whole = {"^^": text.upper(), ",,": text.lower()}
            first = text[:1].upper() if operator == "^" else text[:1].lower()
            return whole.get(operator, first + text[1:])
        if operator.startswith("@"):
            return text if operator in ("@P", "@E") and "\\" not in text else unknown(f"{node.name} quoted")
        return unknown(f"{node.name} with {operator}")

    def _pattern_operation(self, node: Parameter, state: State, operation: Operation) -> str:
        if node.argument is None:
            return unknown(node.name)
        found = self._expander.pattern(node.argument, state)
        try:
            results = [operation(patterns.compile_pattern(segments)) for segments in found]
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
        return text[_slice(len(text), *bounds)]

    def _slice_array(self, node: Parameter, variable: ArrayCell, state: State) -> Variable:
        bounds = self._bounds(node, state)
        if bounds is None:
            return Cell(unknown(f"part of {node.name}"))
        items = variable.items
        if node.name in ("@", "*"):
            zero = self._lookup.variable(state, "0")
            items = (("0", zero if isinstance(zero, Cell) else Cell("")), *items)
        return ArrayCell(items[_slice(len(items), *bounds)], node.name)


class Operation(Protocol):
    """What a pattern does to a text; None where holes leave it open."""

    def __call__(self, pattern: patterns.Pattern) -> str | None: ...


def _slice(size: int, offset: int, length: int | None) -> slice:
    start = size + offset if offset < 0 else offset
    if start < 0:
        return slice(0, 0)
    if length is None:
        return slice(start, None)
    return slice(start, max(start, size + length if length < 0 else start + length))
