"""Bash arithmetic on expanded text: a small precedence climber over 64-bit integers."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+(?:#[0-9a-zA-Z]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~&|^?:(),]))"
)
_BINARY = {
    "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9,
    "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 14,
}  # fmt: skip
_MAX_DEPTH = 60


class NotArithmetic(Exception):
    """The text is no expression that is modelled, or divides by zero."""


class Undecided(Exception):
    """The expression needs a variable whose value is not known."""


def _wrap(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


class Evaluator:
    """One evaluation. ``read`` gives a variable's text (None where unknown), ``write`` assigns."""

    def __init__(self, read: Callable[[str], str | None], write: Callable[[str, int], None]) -> None:
        self._read, self._write = read, write
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
            tokens.append(found.group().strip())
            at = found.end()
        return tokens

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
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
        if name[:1].isidentifier() and (operator == "=" or (operator.endswith("=") and operator[:-1] in _BINARY
                                                            and operator not in ("==", "!=", "<=", ">="))):  # fmt: skip
            self._at += 2
            value = self._assignment()
            if operator != "=":
                value = self._apply(operator[:-1], self._variable(name), value)
            if not self._skip:
                self._write(name, value)
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
            if token in ("++", "--"):
                name = self._next()
                value = _wrap(self._variable(name) + (1 if token == "++" else -1))
                if not self._skip:
                    self._write(name, value)
                return value
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
            if token[:1].isidentifier():
                value = self._variable(token)
                if self._peek() in ("++", "--"):
                    step = 1 if self._next() == "++" else -1
                    if not self._skip:
                        self._write(token, _wrap(value + step))
                return value
            raise NotArithmetic(token or "end of expression")
        finally:
            self._depth -= 1

    def _variable(self, name: str) -> int:
        if self._skip:
            return 0
        text = self._read(name)
        if text is None:
            raise Undecided(name)
        return self.evaluate(text)


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
