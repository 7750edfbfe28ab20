"""Reads expressions and the templates around them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from configlint.syntax.expressions.nodes import STAR, And, Call, Compare, Expression, Literal, Not, Or, Path, Star
from configlint.syntax.expressions.values import parse_number

MAX_LENGTH = 21_000  # characters of one expression: GitHub's own bound
MAX_DEPTH = 50

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>'(?:[^']|'')*')
      | (?P<number>[+-]?(?:0x[0-9a-fA-F]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.]))
      | (?P<name>[A-Za-z_][\w-]*)
      | (?P<operator>==|!=|<=|>=|&&|\|\||[!<>()\[\],.*])
      | (?P<end>$)
    )""",
    re.VERBOSE | re.ASCII,
)
_CONSTANTS = {"null": None, "true": True, "false": False, "NaN": float("nan"), "Infinity": float("inf")}


class ExpressionError(Exception):
    """An expression that cannot be read. ``offset`` counts characters of the expression."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Broken:
    """An expression of a template that cannot be read: its source, and why."""

    source: str
    message: str
    offset: int  # characters from the start of the template


@dataclass(frozen=True, slots=True)
class Template:
    """A string with ``${{ }}`` in it: literal text and expressions in order.

    A template that is one expression and nothing else keeps the type of its value.
    """

    source: str
    parts: tuple[str | Expression | Broken, ...]

    @staticmethod
    def parse(text: str) -> Template:
        """Read a string. Never raises; what cannot be read is a :class:`Broken` part."""
        return _template(text) if "${{" in text else Template(text, (text,) if text else ())

    @staticmethod
    def condition(text: str) -> Template:
        """Read a condition (``if:``), which is an expression with or without ``${{ }}`` around it."""
        return _template(text) if "${{" in text else Template(text, (_expression(text, 0),))

    @property
    def faults(self) -> tuple[Broken, ...]:
        """The parts that cannot be read."""
        return tuple([part for part in self.parts if isinstance(part, Broken)])

    @property
    def is_literal(self) -> bool:
        """True if there is no expression in it."""
        return all(isinstance(part, str) for part in self.parts)

    def references(self) -> tuple[tuple[str, ...], ...]:
        """The context paths that are read, as far as they are written out: ``("inputs", "exp-name")``."""
        found: dict[tuple[str, ...], None] = {}
        stack = [part for part in reversed(self.parts) if not isinstance(part, (str, Broken))]
        while stack:
            node = stack.pop()
            stack.extend(reversed(_below(node)))
            if isinstance(node, Path) and isinstance(node.base, str):
                path = [node.base]
                for step in node.steps:
                    if not isinstance(step, str):
                        break
                    path.append(step)
                found[tuple(path)] = None
        return tuple(found)


def _below(node: Expression) -> list[Expression]:
    match node:
        case Path():
            base = [] if isinstance(node.base, str) else [node.base]
            return base + [step for step in node.steps if not isinstance(step, (str, Star))]
        case Not():
            return [node.operand]
        case And() | Or():
            return list(node.operands)
        case Compare():
            return [node.left, node.right]
        case Call():
            return list(node.arguments)
        case Literal():
            return []


@lru_cache(maxsize=4096)
def _template(text: str) -> Template:
    parts: list[str | Expression | Broken] = []
    at = 0
    while (start := text.find("${{", at)) >= 0:
        if start > at:
            parts.append(text[at:start])
        end = _closing(text, start + 3)
        if end < 0:
            parts.append(Broken(text[start:], "the expression has no closing }}", start))
            return Template(text, tuple(parts))
        parts.append(_expression(text[start + 3 : end], start + 3))
        at = end + 2
    if at < len(text):
        parts.append(text[at:])
    return Template(text, tuple(parts))


def _closing(text: str, at: int) -> int:
    """Where the ``}}`` is that closes an expression; -1 without. Strings may contain it."""
    while True:
        end = text.find("}}", at)
        quote = text.find("'", at, end if end >= 0 else len(text))
        if quote < 0:
            return end
        at = text.find("'", quote + 1) + 1
        if not at:
            return -1


def _expression(source: str, offset: int) -> Expression | Broken:
    try:
        return parse_expression(source)
    except ExpressionError as error:
        return Broken(source.strip(), error.message, offset + error.offset)


def parse_expression(source: str) -> Expression:
    """Read one expression, without ``${{ }}``. Raises :class:`ExpressionError`."""
    if len(source) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH:,} characters", 0)
    return _Parser(source).whole()


class _Parser:
    """Recursive descent over a list of tokens: (kind, text, start, end)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[tuple[str, str, int, int]] = []
        self.at = 0
        self.depth = 0
        place = 0
        while True:
            found = _TOKEN.match(source, place)
            if found is None or found.lastgroup is None:
                blank = len(source) - len(source[place:].lstrip())
                raise ExpressionError(f"unexpected {source[blank : blank + 1]!r}", blank)
            kind = found.lastgroup
            self.tokens.append((kind, found[kind], found.start(kind), found.end(kind)))
            if kind == "end":
                break
            place = found.end()

    def whole(self) -> Expression:
        node = self.either()
        if self.tokens[self.at][0] != "end":
            raise self.unexpected()
        return node

    def unexpected(self) -> ExpressionError:
        kind, text, start, _ = self.tokens[self.at]
        return ExpressionError("the expression ends too early" if kind == "end" else f"unexpected {text!r}", start)

    def skip(self, operator: str) -> bool:
        kind, text, _, _ = self.tokens[self.at]
        if kind == "operator" and text == operator:
            self.at += 1
            return True
        return False

    def expect(self, operator: str) -> None:
        if not self.skip(operator):
            raise self.unexpected()

    def since(self, first: int) -> str:
        return self.source[self.tokens[first][2] : self.tokens[self.at - 1][3]]

    def either(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested deeper than {MAX_DEPTH} levels", self.tokens[self.at][2])
        first = self.at
        operands = [self.both()]
        while self.skip("||"):
            operands.append(self.both())
        self.depth -= 1
        return operands[0] if len(operands) == 1 else Or(self.since(first), tuple(operands))

    def both(self) -> Expression:
        first = self.at
        operands = [self.equality()]
        while self.skip("&&"):
            operands.append(self.equality())
        return operands[0] if len(operands) == 1 else And(self.since(first), tuple(operands))

    def equality(self) -> Expression:
        return self.chain(("==", "!="), lambda: self.chain(("<=", ">=", "<", ">"), self.unary))

    def chain(self, operators: tuple[str, ...], operand: Callable[[], Expression]) -> Expression:
        first = self.at
        node = operand()
        links = 0
        while self.tokens[self.at][0] == "operator" and (operator := self.tokens[self.at][1]) in operators:
            links += 1
            if links > MAX_DEPTH:
                raise ExpressionError(f"more than {MAX_DEPTH} comparisons in a row", self.tokens[self.at][2])
            self.at += 1
            right = operand()
            node = Compare(self.since(first), operator, node, right)
        return node

    def unary(self) -> Expression:
        first = self.at
        count = 0
        while self.skip("!"):
            count += 1
        node = self.operand()
        # Only parity matters beyond the first, which makes a boolean.
        for _ in range(count if count < 3 else 2 - count % 2):
            node = Not(self.since(first), node)
        return node

    def operand(self) -> Expression:
        first = self.at
        kind, text, _, _ = self.tokens[first]
        base: Expression | str
        if kind == "end" or (kind == "operator" and text != "("):
            raise self.unexpected()
        self.at += 1
        if kind == "string":
            return Literal(text, text[1:-1].replace("''", "'"))
        if kind == "number":
            return Literal(text, _number(text))
        if kind == "operator":
            base = self.either()
            self.expect(")")
        elif self.skip("("):
            base = self.call(first, text)
        elif text in _CONSTANTS:
            return Literal(text, _CONSTANTS[text])
        else:
            base = text
        steps = self.steps()
        return base if not steps and not isinstance(base, str) else Path(self.since(first), base, steps)

    def call(self, first: int, name: str) -> Call:
        arguments: list[Expression] = []
        if not self.skip(")"):
            arguments.append(self.either())
            while self.skip(","):
                arguments.append(self.either())
            self.expect(")")
        return Call(self.since(first), name.lower(), tuple(arguments))

    def steps(self) -> tuple[Expression | str | Star, ...]:
        steps: list[Expression | str | Star] = []
        while True:
            if self.skip("."):
                if self.skip("*"):
                    steps.append(STAR)
                elif self.tokens[self.at][0] == "name":
                    steps.append(self.tokens[self.at][1])
                    self.at += 1
                else:
                    raise self.unexpected()
            elif self.skip("["):
                if self.skip("*"):
                    steps.append(STAR)
                else:
                    step = self.either()
                    literal = isinstance(step, Literal) and isinstance(step.value, str)
                    steps.append(step.value if literal else step)  # type: ignore[union-attr, arg-type]
                self.expect("]")
            else:
                return tuple(steps)


def _number(text: str) -> float:
    sign = -1.0 if text[0] == "-" else 1.0
    return sign * parse_number(text.lstrip("+-"))
