"""The grammar of ``test`` and ``[``, three-valued: by the number of arguments up to four, then by precedence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from configlint.launch.values import UNKNOWN, Value, is_known, whole

Verdict = bool | None
FILE_TESTS = set("abcdefghkprstuwxGLNOS")
NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": int.__eq__, "-ne": int.__ne__, "-lt": int.__lt__, "-le": int.__le__, "-gt": int.__gt__, "-ge": int.__ge__,
}  # fmt: skip
_UNARY_TESTS = FILE_TESTS | set("nzvoR")
_BINARY_TESTS = frozenset({"=", "==", "!=", "<", ">", "-ef", "-nt", "-ot", *NUMERIC})
_INTEGER = re.compile(r"[ \t]*[-+]?\d+[ \t]*")
_MAX_DEPTH = 50


class BadTest(Exception):
    """``[`` refuses its arguments: status 2."""


def agree(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict all alternatives share, else None."""
    first = verdicts[0]
    return first if all(one is first for one in verdicts) else None


def negated(verdict: Verdict) -> Verdict:
    """The opposite; not known stays not known."""
    return None if verdict is None else not verdict


def plain_numeric(left: str, operator: str, right: str) -> Verdict:
    """``[ left -eq right ]``: anything but an integer is an error."""
    for text in (left, right):
        if UNKNOWN not in text and not _INTEGER.fullmatch(text):
            raise BadTest
    if UNKNOWN in left + right:
        return None
    one, two = whole(left.strip()), whole(right.strip())
    return None if one is None or two is None else NUMERIC[operator](one, two)


class TestGrammar:
    """One evaluation. ``unary`` and ``binary`` decide the single tests; every operand is evaluated, as bash does."""

    __test__ = False  # no test class of pytest's

    def __init__(
        self,
        words: Sequence[Value],
        unary: Callable[[str, Value], Verdict],
        binary: Callable[[Value, str, Value], Verdict],
    ) -> None:
        self._words, self._unary_test, self._binary_test = list(words), unary, binary
        self._at = 0
        self._depth = 0

    def verdict(self) -> Verdict:
        """The verdict. Raises :class:`BadTest` where the arguments have no meaning."""
        return self._by_count(self._words)

    def _by_count(self, words: list[Value]) -> Verdict:
        count = len(words)
        if count == 0:
            return False
        if count == 1:
            return self._unary_test("-n", words[0])
        if count == 2:
            return negated(self._by_count(words[1:])) if words[0] == "!" else self._unary(words[0], words[1])
        if count == 3:
            return self._three(words)
        if count == 4 and words[0] == "!":
            return negated(self._three(words[1:]))
        if count == 4 and words[0] == "(" and words[3] == ")":
            return self._by_count(words[1:3])
        verdict = self._or()
        if self._at < count:
            raise BadTest
        return verdict

    def _three(self, words: list[Value]) -> Verdict:
        left, operator, right = words
        if isinstance(operator, str) and operator in _BINARY_TESTS:
            return self._binary_test(left, operator, right)
        if operator in ("-a", "-o"):
            return _connected(str(operator), self._unary_test("-n", left), self._unary_test("-n", right))
        if left == "!":
            return negated(self._by_count(words[1:]))
        if left == "(" and right == ")":
            return self._unary_test("-n", operator)
        if isinstance(operator, str) and is_known(operator):
            raise BadTest
        return None

    def _unary(self, operator: Value, operand: Value) -> Verdict:
        if not isinstance(operator, str) or not is_known(operator):
            return None
        if len(operator) != 2 or operator[0] != "-" or operator[1] not in _UNARY_TESTS:
            raise BadTest
        return self._unary_test(operator, operand)

    # --- more than four arguments ---------------------------------------------------------------

    def _peek(self, ahead: int = 0) -> Value | None:
        return self._words[self._at + ahead] if self._at + ahead < len(self._words) else None

    def _or(self) -> Verdict:
        verdict = self._and()
        while self._peek() == "-o":
            self._at += 1
            verdict = _connected("-o", verdict, self._and())
        return verdict

    def _and(self) -> Verdict:
        verdict = self._term()
        while self._peek() == "-a":
            self._at += 1
            verdict = _connected("-a", verdict, self._term())
        return verdict

    def _term(self) -> Verdict:
        self._depth += 1
        word = self._peek()
        if word is None or self._depth > _MAX_DEPTH:
            raise BadTest
        try:
            if word == "!":
                self._at += 1
                return negated(self._term())
            if word == "(":
                self._at += 1
                verdict = self._or()
                if self._peek() != ")":
                    raise BadTest
                self._at += 1
                return verdict
            operator = self._peek(1)
            if self._peek(2) is not None and isinstance(operator, str) and operator in _BINARY_TESTS:
                right = self._words[self._at + 2]
                self._at += 3
                return self._binary_test(word, operator, right)
            if isinstance(word, str) and len(word) == 2 and word[0] == "-":
                if word[1] not in _UNARY_TESTS or operator is None:
                    raise BadTest
                self._at += 2
                return self._unary_test(word, operator)
            self._at += 1
            return self._unary_test("-n", word)
        finally:
            self._depth -= 1


def _connected(operator: str, left: Verdict, right: Verdict) -> Verdict:
    decisive = operator == "-o"
    if left is decisive or right is decisive:
        return decisive
    return None if left is None or right is None else not decisive
