"""The grammar: recursive descent that makes closures over a runtime."""

from __future__ import annotations

import re
from functools import lru_cache

from configlint.launch.awk.runtime import (
    Action,
    Exit,
    Expression,
    Next,
    Rule,
    Runtime,
    Unsupported,
    Value,
    compare,
    number_of,
    text_of,
    truth,
)
from configlint.launch.regexes import finder

_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|\\\n|#[^\n]*)|(?P<newline>\n)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<operator>&&|\|\||==|!=|<=|>=|\+\+|--|\+=|-=|[-+*/%<>=!~(){};,$])'
)
_MAX_DEPTH = 40


@lru_cache(maxsize=64)
def rules_of(program: str) -> tuple[Rule, ...]:
    """The rules of a program. Raises Unsupported."""
    return tuple(_Parser(program).program())


class _Parser:
    """Recursive descent over the token list."""

    def __init__(self, source: str) -> None:
        self._source, self._at, self._depth = source, 0, 0
        self._token, self._kind = "", ""
        self._operand = False  # whether the token before could end an operand: then / divides
        self._advance()

    def _advance(self) -> str:
        before = self._token
        self._operand = self._kind in ("number", "name", "string") or before in (")", "$")
        while self._at < len(self._source):
            if self._source[self._at] == "/" and not self._operand:
                end = self._at + 1
                while end < len(self._source) and self._source[end] not in "/\n":
                    end += 2 if self._source[end] == "\\" else 1
                if end >= len(self._source) or self._source[end] != "/":
                    raise Unsupported("unterminated regular expression")
                self._token, self._kind = self._source[self._at + 1 : end], "regex"
                self._at = end + 1
                return before
            match = _TOKEN.match(self._source, self._at)
            if match is None:
                raise Unsupported(self._source[self._at : self._at + 10])
            self._at = match.end()
            self._kind = match.lastgroup or ""
            if self._kind != "space":
                self._token = match.group()
                return before
        self._token, self._kind = "", "end"
        return before

    def _expect(self, token: str) -> None:
        if self._token != token or self._kind == "regex":
            raise Unsupported(f"{self._token!r} where {token!r} is wanted")
        self._advance()

    def _skip(self) -> None:
        while self._kind == "newline" or (self._token == ";" and self._kind == "operator"):
            self._advance()

    def program(self) -> list[Rule]:
        rules = []
        self._skip()
        while self._kind != "end":
            when, pattern = "", None
            if self._token in ("BEGIN", "END") and self._kind == "name":
                when = self._advance()
            elif self._token != "{" or self._kind == "regex":
                pattern = self._expression()
            action = self._block() if self._token == "{" and self._kind != "regex" else _print_record
            rules.append(Rule(when, pattern, action))
            self._skip()
        return rules

    def _block(self) -> Action:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Unsupported("nested too deeply")
        self._expect("{")
        actions: list[Action] = []
        self._skip()
        while self._token != "}" or self._kind == "regex":
            actions.append(self._statement())
            self._skip()
        self._advance()
        self._depth -= 1

        def run_all(runtime: Runtime) -> None:
            for action in actions:
                runtime.meter.spend(1)
                action(runtime)

        return run_all

    def _statement(self) -> Action:
        if self._token == "{" and self._kind != "regex":
            return self._block()
        if self._kind == "name" and self._token in ("next", "exit", "print", "if"):
            return getattr(self, f"_{self._advance()}")()  # type: ignore[no-any-return]
        expression = self._expression()
        return lambda runtime: _discard(expression(runtime))

    def _next(self) -> Action:
        def action(_: Runtime) -> None:
            raise Next

        return action

    def _exit(self) -> Action:
        ends = self._kind in ("end", "newline") or self._token in (";", "}")
        value = None if ends else self._expression()

        def action(runtime: Runtime) -> None:
            if value is not None:
                runtime.status = int(number_of(value(runtime))) % 256
            raise Exit

        return action

    def _print(self) -> Action:
        values: list[Expression] = []
        while self._kind not in ("end", "newline") and (self._token not in (";", "}") or self._kind == "regex"):
            if self._token in (">", "|"):
                raise Unsupported("print to a file")
            values.append(self._expression())
            if self._token == ",":
                self._advance()

        def action(runtime: Runtime) -> None:
            words = [text_of(value(runtime)) for value in values] or [runtime.record]
            runtime.output.append(" ".join(words) + "\n")

        return action

    def _if(self) -> Action:
        self._expect("(")
        condition = self._expression()
        self._expect(")")
        self._skip()
        then = self._statement()
        otherwise: Action | None = None
        saved = (self._at, self._token, self._kind, self._operand)
        self._skip()
        if self._token == "else" and self._kind == "name":
            self._advance()
            self._skip()
            otherwise = self._statement()
        else:
            self._at, self._token, self._kind, self._operand = saved

        def action(runtime: Runtime) -> None:
            if truth(condition(runtime)):
                then(runtime)
            elif otherwise is not None:
                otherwise(runtime)

        return action

    # --- expressions, weakest first -------------------------------------------------------------

    def _expression(self) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Unsupported("nested too deeply")
        left = self._or()
        self._depth -= 1
        return left

    def _or(self) -> Expression:
        left = self._and()
        while self._token == "||":
            self._advance()
            left = _logical(left, self._and(), stop=True)
        return left

    def _and(self) -> Expression:
        left = self._match()
        while self._token == "&&":
            self._advance()
            self._skip_newlines()
            left = _logical(left, self._match(), stop=False)
        return left

    def _skip_newlines(self) -> None:
        while self._kind == "newline":
            self._advance()

    def _match(self) -> Expression:
        left = self._comparison()
        if self._token in ("~",) and self._kind == "operator":
            self._advance()
            if self._kind != "regex":
                raise Unsupported("a computed regular expression")
            return _matcher(left, self._advance())
        return left

    def _comparison(self) -> Expression:
        left = self._sum()
        if self._token in ("==", "!=", "<", "<=", ">", ">=") and self._kind == "operator":
            operator = self._advance()
            right = self._sum()
            return lambda runtime: float(compare(operator, left(runtime), right(runtime)))
        return left

    def _sum(self) -> Expression:
        left = self._unary()
        while self._token in ("+", "-") and self._kind == "operator":
            sign = 1.0 if self._advance() == "+" else -1.0
            left = _added(left, self._unary(), sign)
        return left

    def _unary(self) -> Expression:
        if self._token == "!" and self._kind == "operator":
            self._advance()
            inner = self._unary()
            return lambda runtime: float(not truth(inner(runtime)))
        return self._primary()

    def _primary(self) -> Expression:
        kind, token = self._kind, self._token
        if kind == "regex":
            self._advance()
            return _matcher(lambda runtime: runtime.record, token)
        if kind == "number":
            self._advance()
            number = number_of(token)
            return lambda _: number
        if kind == "string":
            self._advance()
            if "\\" in token:
                raise Unsupported("escapes in a string")
            text = token[1:-1]
            return lambda _: text
        if token == "(":
            self._advance()
            inner = self._expression()
            self._expect(")")
            return inner
        if token == "$":
            self._advance()
            index = self._primary()
            return lambda runtime: runtime.field(int(number_of(index(runtime))))
        if kind == "name" and token not in ("getline", "function", "while", "for", "do", "delete", "printf"):
            self._advance()
            return self._variable(token)
        raise Unsupported(token or "end of program")

    def _variable(self, name: str) -> Expression:
        if self._token == "(" and self._source[self._at - 2 : self._at - 1].isalnum():
            raise Unsupported(f"{name}()")
        if self._token == "=":
            self._advance()
            value = self._expression()

            def assign(runtime: Runtime) -> Value:
                runtime.variables[name] = value(runtime)
                return runtime.variables[name]

            return assign
        if self._token in ("++", "+="):
            amount = self._expression() if self._advance() == "+=" else (lambda _: 1.0)

            def add(runtime: Runtime) -> Value:
                before = number_of(runtime.variables.get(name, ""))
                runtime.variables[name] = before + number_of(amount(runtime))
                return runtime.variables[name]

            return add
        return lambda runtime: runtime.variables.get(name, "")


def _logical(left: Expression, right: Expression, *, stop: bool) -> Expression:
    def run_both(runtime: Runtime) -> Value:
        first = truth(left(runtime))
        return float(first if first is stop else truth(right(runtime)))

    return run_both


def _added(left: Expression, right: Expression, sign: float) -> Expression:
    return lambda runtime: number_of(left(runtime)) + sign * number_of(right(runtime))


def _matcher(subject: Expression, pattern: str) -> Expression:
    occurs = finder(pattern.replace("\\/", "/"), extended=True)

    def match(runtime: Runtime) -> Value:
        if occurs is None:
            raise Unsupported(f"/{pattern}/")
        return float(occurs(text_of(subject(runtime))))

    return match


def _print_record(runtime: Runtime) -> None:
    runtime.output.append(runtime.record + "\n")


def _discard(_: Value) -> None:
    return None
