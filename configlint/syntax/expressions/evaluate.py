"""The value of a template in a context, with GitHub's rules and with what is unknown kept apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from configlint.syntax.expressions import functions
from configlint.syntax.expressions.nodes import And, Call, Compare, Expression, Literal, Not, Or, Path, Star
from configlint.syntax.expressions.parse import Broken, Template
from configlint.syntax.expressions.values import (
    Holed,
    UnknownValue,
    equal,
    fold,
    joined,
    less,
    lift,
    one_of,
    to_number,
    to_text,
    truth,
    unknown_boolean,
)

Context = Callable[[str], object]
"""Gives the value of a root name (``inputs``, ``matrix``, ``env``): data, or an :class:`UnknownValue`."""

MAX_TEXT = 4 * 1024 * 1024  # characters that one template may make, intermediate results included
_STATUS = {"success": None, "failure": None, "cancelled": None, "always": True}


def from_mapping(contexts: Mapping[str, object]) -> Context:
    """A context of given roots; every other one is unknown."""
    return lambda name: contexts[name] if name in contexts else UnknownValue(name)


def evaluate(template: Template, context: Context) -> object:
    """The value of a template: data, a :class:`Holed` string or an :class:`UnknownValue`.

    A template that is one expression keeps the type of its value. Anything else is a string.
    """
    parts = template.parts
    run = _Run(context)
    if len(parts) == 1:
        return parts[0] if isinstance(parts[0], str) else run.part(parts[0])
    return joined([part if isinstance(part, str) else to_text(run.part(part)) for part in parts])


class _Filtered(list[object]):
    """What ``.*`` gives: a step applies to each of its elements."""


class _TooLong(Exception):
    """A signal within this module."""


class _Run:
    """One evaluation."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.left = MAX_TEXT

    def part(self, part: Expression | Broken) -> object:
        if isinstance(part, Broken):
            return UnknownValue(part.source)
        try:
            return self.value(part)
        except _TooLong:
            return UnknownValue(part.source)

    def value(self, node: Expression) -> object:
        if isinstance(node, Path):
            return self.path(node)
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, And):
            return self.both(node)
        if isinstance(node, Or):
            return self.either(node)
        if isinstance(node, Compare):
            return self.compare(node)
        if isinstance(node, Not):
            known = truth(self.value(node.operand))
            return unknown_boolean(node.source) if known is None else not known
        return self.call(node)

    def compare(self, node: Compare) -> object:
        left, right = self.value(node.left), self.value(node.right)
        if type(left) is str and type(right) is str and len(left) + len(right) < 1000:
            return _compare(node, left, right)
        self.charge((left, right))
        return lift(node.source, lambda one, other: _compare(node, one, other), (left, right), unknown_boolean)

    # --- && and || return an operand ---------------------------------------------------------------

    def both(self, node: And) -> object:
        """The first operand that is false, or the last. An unknown one may be the result or not."""
        results: list[object] = []
        or_falsy = False
        last = len(node.operands) - 1
        for at, operand in enumerate(node.operands):
            value = self.value(operand)
            if at == last or truth(value) is False:
                results.append(value)
                break
            if truth(value) is None:
                falsy, unsure = _falsy_part(value)
                results += falsy
                or_falsy |= unsure
        return results[0] if len(results) == 1 and not or_falsy else _merged(node.source, results, or_falsy=or_falsy)

    def either(self, node: Or) -> object:
        """The first operand that is true, or the last."""
        results: list[object] = []
        last = len(node.operands) - 1
        for at, operand in enumerate(node.operands):
            value = self.value(operand)
            if at == last or truth(value) is True:
                results.append(value)
                break
            if truth(value) is None:
                truthy = _truthy_part(value)
                if truthy is None:  # it can be anything: so can the result, unless all that follows is falsy
                    rest = [self.value(later) for later in node.operands[at + 1 :]]
                    return UnknownValue(_name(node, value, rest))
                results += truthy
        return results[0] if len(results) == 1 else _merged(node.source, results, or_falsy=False)

    # --- paths ---------------------------------------------------------------------------------------

    def path(self, node: Path) -> object:
        value = self.context(node.base) if isinstance(node.base, str) else self.value(node.base)
        for step in node.steps:
            if isinstance(step, str):
                # the common case, written out for speed
                if type(value) is dict and step in value:
                    value = value[step]
                else:
                    self.search(value)
                    value = _index(value, step)
            elif isinstance(step, Star):
                self.search(value)
                value = _all_of(value)
            else:
                self.search(value)
                value = _index(value, self.value(step))
        return list(value) if type(value) is _Filtered else value

    # --- calls ---------------------------------------------------------------------------------------

    def call(self, node: Call) -> object:
        name = node.function
        if name in _STATUS and not node.arguments:
            known = _STATUS[name]
            return unknown_boolean(node.source) if known is None else known
        if name not in functions.FUNCTIONS:
            return UnknownValue(node.source)
        arguments = [self.value(argument) for argument in node.arguments]
        if name == "format":  # what is unknown in an argument is a hole in the text
            return self.known_call(node, arguments)
        failed = unknown_boolean if name in functions.BOOLEAN else UnknownValue
        return lift(node.source, lambda *values: self.known_call(node, values), arguments, failed)

    def known_call(self, node: Call, arguments: Sequence[object]) -> object:
        self.charge(arguments)
        if len(arguments) > 1:  # what a call multiplies is bounded before it is made
            first = arguments[0]
            times = len(first) if isinstance(first, list) else first.count("{") if isinstance(first, str) else 0
            longest = max(len(each) if isinstance(each, str) else 1 for each in arguments[1:])
            if node.function in ("format", "join", "contains") and times * longest > self.left:
                raise _TooLong
        try:
            result = functions.call(node.function, node.source, arguments)
        except functions.Unmodelled:
            return UnknownValue(node.source)
        self.charge((result,) if node.function != "tojson" else (result, result))
        return result

    # --- bounds: the work of one evaluation is counted in characters and elements -----------------------

    def charge(self, values: Iterable[object]) -> None:
        for value in values:
            if isinstance(value, (str, list, dict)):
                self.left -= len(value)
            elif isinstance(value, Holed):
                self.left -= sum(len(part) if isinstance(part, str) else 1 for part in value.parts)
        if self.left < 0:
            raise _TooLong

    def search(self, value: object) -> None:
        self.charge(value if type(value) is _Filtered else (value,))


def _compare(node: Compare, left: object, right: object) -> object:
    match node.operator:
        case "==":
            known = equal(left, right)
        case "!=":
            known = None if (same := equal(left, right)) is None else not same
        case "<":
            known = less(left, right)
        case ">":
            known = less(right, left)
        case _:
            same, below = equal(left, right), less(left, right) if node.operator == "<=" else less(right, left)
            known = True if same or below else None if same is None or below is None else False
    return unknown_boolean(node.source) if known is None else known


def _index(value: object, key: object) -> object:
    """The property or element; null where there is none."""
    if isinstance(value, UnknownValue):
        if value.among is not None and not isinstance(key, UnknownValue):
            return _merged(
                value.name, [*(_index(each, key) for each in value.among), *([None] if value.or_falsy else [])]
            )
        return UnknownValue(f"{value.name}.{key}" if isinstance(key, str) else f"{value.name}[{_shown(key)}]")
    if isinstance(key, UnknownValue):
        return lift(key.name, lambda known: _index(value, known), (key,)) if value is not None else None
    if type(value) is _Filtered:
        found = [_index(each, key) for each in value]
        return _Filtered([each for each in found if each is not None])
    if isinstance(value, dict):
        name = to_text(key)
        if isinstance(name, str):
            if name in value:
                return value[name]
            wanted, length = fold(name), len(name)
            for own in value:
                if (type(own) is not str or len(own) == length) and fold(str(own)) == wanted:
                    return value[own]
            return None
        return UnknownValue(_shown(key))
    if isinstance(value, (list, tuple)):
        place = to_number(key)
        return value[int(place)] if 0 <= place < len(value) else None
    return None


def _all_of(value: object) -> object:
    if isinstance(value, UnknownValue):
        return UnknownValue(f"{value.name}.*")
    if type(value) is _Filtered:
        return _Filtered([inner for each in value for inner in _elements(each)])
    return _Filtered(_elements(value))


def _elements(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else []


def _shown(key: object) -> str:
    text = to_text(key)
    return text if isinstance(text, str) else text.name if isinstance(text, UnknownValue) else "..."


def _falsy_part(value: object) -> tuple[list[object], bool]:
    """Of a value that may be true or false: what it is when false; True if that is not known exactly."""
    if isinstance(value, UnknownValue) and value.among is not None:
        falsy = [each for each in value.among if truth(each) is not True]
        known = [each for each in falsy if truth(each) is False]
        return known, value.or_falsy or len(known) < len(falsy)
    return [], True


def _truthy_part(value: object) -> list[object] | None:
    """Of a value that may be true or false: what it is when true; None if that can be anything."""
    if isinstance(value, UnknownValue):
        return None if value.among is None else [each for each in value.among if truth(each) is not False]
    return [value]


def _merged(name: str, results: list[object], *, or_falsy: bool = False) -> object:
    """One of the results. A result that is itself uncertain about being falsy passes that on."""
    flat: list[object] = []
    for result in results:
        if isinstance(result, UnknownValue) and result.among is not None:
            flat += result.among
            or_falsy |= result.or_falsy
        else:
            flat.append(result)
    return one_of(name, flat, or_falsy=or_falsy)


def _name(node: Or, value: object, rest: list[object]) -> str:
    """``secrets.X || ''`` is still called by what is unknown in it."""
    falsy = all(truth(each) is False for each in rest)
    return value.name if falsy and isinstance(value, UnknownValue) else node.source
