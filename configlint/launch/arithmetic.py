"""Bash arithmetic on expanded text: a small precedence climber over 64-bit integers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+(?:#[0-9a-zA-Z]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~&|^?:(),]))"
)
_BINARY = {
    "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9,
    "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 14,
}  # fmt: skip
_MAX_DEPTH = 60
_MAX_STEPS = 10_000  # operands and operators of one evaluation, variables that hold expressions included
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_LONG = 2048  # characters
_ASSIGNED = re.compile(
    r"(?:\+\+|--)\s*+([A-Za-z_][A-Za-z0-9_]*+)"
    r"|(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*+)\s*+(?:\[[^\]]*\]\s*)?(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))"
)


class NotArithmetic(Exception):
    """The text is no expression that is modelled, or divides by zero."""


class Undecided(Exception):
    """The expression needs a variable whose value is not known."""


def assigned_names(text: str) -> Iterator[str]:
    """The variables that an expression may assign; for one that could not be evaluated to its end."""
    if len(text) > _LONG:  # any of them
        yield from dict.fromkeys(_NAME.findall(text))
        return
    for found in _ASSIGNED.finditer(text):
        yield found[1] or found[2]


class Variables(Protocol):
    """The shell's variables as arithmetic sees them; ``key`` is an index or a key of an array."""

    def read(self, name: str, key: str | None) -> str | None:
        """The text, None where it is not known."""

    def write(self, name: str, key: str | None, number: int) -> None: ...

    def is_associative(self, name: str) -> bool: ...


def _wrap(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


class Evaluator:
    """One evaluation."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._steps = 0
        self._tokens: list[str] = []
        self._at = 0
        self._depth = 0
        self._skip = 0

    def evaluate(self, text: str) -> int:
        """The value. Raises :class:`NotArithmetic` or :class:`Undecided`."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise NotArithmetic("nested too deeply")
        saved = self._tokens, self._at
        self._tokens, self._at = self._lex(text), 0
        try:
            if not self._tokens:
                return 0
            result = self._comma()
            if self._at != len(self._tokens):
                raise NotArithmetic(text)
            return result
        finally:
            self._tokens, self._at = saved
            self._depth -= 1

    @staticmethod
    def _lex(text: str) -> list[str]:
        tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NotArithmetic(text)
            token, at = found.group().strip(), found.end()
            if found["name"] and text[at : at + 1] == "[":
                end = _closing(text, at)
                token, at = token + text[at:end], end
            tokens.append(token)
            if len(tokens) > _MAX_STEPS:
                raise NotArithmetic("too long")
        return tokens

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise NotArithmetic("too long")
        return token

    def _comma(self) -> int:
        result = self._assignment()
        while self._peek() == ",":
            self._next()
            result = self._assignment()
        return result

    def _assignment(self) -> int:
        name = self._peek()
        operator = self._tokens[self._at + 1] if self._at + 1 < len(self._tokens) else ""
        if _is_name(name) and (operator == "=" or (operator.endswith("=") and operator[:-1] in _BINARY
                                                            and operator not in ("==", "!=", "<=", ">="))):  # fmt: skip
            self._at += 2
            if operator == "=":  # the subscript is evaluated last
                value = self._assignment()
                self._write(self._target(name), value)
                return value
            target = self._target(name)
            before = self._value(target)
            value = self._apply(operator[:-1], before, self._assignment())
            self._write(target, value)
            return value
        return self._ternary()

    def _ternary(self) -> int:
        condition = self._binary(3)
        if self._peek() != "?":
            return condition
        self._next()
        self._skip += condition == 0
        yes = self._assignment()
        self._skip -= condition == 0
        if self._next() != ":":
            raise NotArithmetic("? without :")
        self._skip += condition != 0
        no = self._assignment()
        self._skip -= condition != 0
        return yes if condition else no

    def _binary(self, least: int) -> int:
        left = self._unary()
        while (level := _BINARY.get(self._peek(), 0)) >= least:
            operator = self._next()
            lazy = (operator == "&&" and not left) or (operator == "||" and bool(left))
            self._skip += lazy
            right = self._binary(level if operator == "**" else level + 1)
            self._skip -= lazy
            left = int(bool(left)) if lazy else self._apply(operator, left, right)
        return left

    def _apply(self, operator: str, left: int, right: int) -> int:
        if operator in "/%":
            if right == 0:
                if self._skip:
                    return 0
                raise NotArithmetic("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return _wrap(quotient if operator == "/" else left - quotient * right)
        if operator == "**":
            if right < 0:
                raise NotArithmetic("negative exponent")
            return _wrap(pow(left, right, 2**64))
        table: dict[str, Callable[[int, int], int]] = {
            "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__, "|": int.__or__,
            "^": int.__xor__, "<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63),
            "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
            "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b),
            "&&": lambda a, b: int(bool(a) and bool(b)), "||": lambda a, b: int(bool(a) or bool(b)),
        }  # fmt: skip
        return _wrap(table[operator](left, right))

    def _unary(self) -> int:
        self._depth += 1
        if self._depth > _MAX_DEPTH * 4:
            raise NotArithmetic("nested too deeply")
        try:
            token = self._next()
            if token in ("++", "--") and _is_name(self._peek()):
                target = self._target(self._next())
                value = _wrap(self._value(target) + (1 if token == "++" else -1))
                self._write(target, value)
                return value
            if token in ("++", "--"):  # two signs
                return self._unary()
            if token in ("-", "+", "!", "~"):
                value = self._unary()
                return {"-": _wrap(-value), "+": value, "!": int(not value), "~": ~value}[token]
            if token == "(":
                value = self._comma()
                if self._next() != ")":
                    raise NotArithmetic("( without )")
                return value
            if token[:1].isdigit():
                return _number(token)
            if _is_name(token):
                target = self._target(token)
                value = self._value(target)
                if self._peek() in ("++", "--"):
                    self._write(target, _wrap(value + (1 if self._next() == "++" else -1)))
                return value
            raise NotArithmetic(token or "end of expression")
        finally:
            self._depth -= 1

    def _target(self, token: str) -> tuple[str, str | None]:
        """The variable a token names, with its subscript evaluated once."""
        name, bracket, subscript = token.partition("[")
        if not bracket:
            return name, None
        subscript = subscript[:-1]
        if self._skip or self._variables.is_associative(name):
            return name, subscript
        return name, str(self.evaluate(subscript))

    def _value(self, target: tuple[str, str | None]) -> int:
        if self._skip:
            return 0
        text = self._variables.read(*target)
        if text is None:
            raise Undecided(target[0])
        return self.evaluate(text)

    def _write(self, target: tuple[str, str | None], number: int) -> None:
        if not self._skip:
            self._variables.write(*target, number)


def _is_name(token: str) -> bool:
    return token[:1] == "_" or token[:1].isalpha()


def _closing(text: str, at: int) -> int:
    """The end of the subscript that begins at ``at``."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == "[") - (text[index] == "]")
        if depth == 0:
            return index + 1
    raise NotArithmetic(text)


def _number(token: str) -> int:
    try:
        if "#" in token:
            base, digits = token.split("#", 1)
            return _wrap(int(digits, int(base)))
        if token[:2].lower() == "0x":
            return _wrap(int(token, 16))
        return _wrap(int(token, 8) if token.startswith("0") else int(token))
    except ValueError as fault:
        raise NotArithmetic(token) from fault
