"""``[[ ... ]]`` and ``[ ... ]``: three-valued."""

from __future__ import annotations

import re
from collections.abc import Sequence

from configlint.launch import memo, patterns
from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.arrays import element, items_of, open_array
from configlint.launch.files import Status, normalise
from configlint.launch.machine import Machine
from configlint.launch.outcome import ArrayCell, Cell, FileUse
from configlint.launch.regexes import search
from configlint.launch.state import State
from configlint.launch.testgrammar import FILE_TESTS, NUMERIC, TestGrammar, Verdict, agree, plain_numeric
from configlint.launch.values import UNKNOWN, Value, options, unknown
from configlint.syntax.bash.nodes import (
    BinaryTest,
    Condition,
    Literal,
    LogicalTest,
    Node,
    NotTest,
    Opaque,
    Parameter,
    UnaryTest,
    Word,
)

_LONGEST_PATH = 1 << 14  # characters, holes included; no system takes so many
_SPECIAL = frozenset("*?[\\(")  # in a pattern
_KEY = re.compile(r"\w+\]")  # of an associative array, with nothing in it that might be expanded
_REFERENCE = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+|[@*])\])?")


class Conditions:
    """Decides tests in a state. Records the files that were asked about, and what a regular expression matched."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._expander = machine.expander

    def conditional(self, node: Condition, state: State) -> Verdict:
        """``[[ node ]]``."""
        if isinstance(node, LogicalTest):
            first, second = node.left, node.right
            if _asks_little(second) and not _asks_little(first):
                first, second = second, first  # tests have no effects, so the order is ours
            left = self.conditional(first, state)
            if left is (node.operator == "||"):
                return left
            right = self.conditional(second, state)
            if left is None:
                return right if right is (node.operator == "||") else None
            return right
        if isinstance(node, NotTest):
            inner = self.conditional(node.operand, state)
            return None if inner is None else not inner
        if isinstance(node, UnaryTest):
            return self._unary(node.operator, self._expander.scalar(node.operand, state), state, node)
        if isinstance(node, BinaryTest):
            return self._binary(node, state)
        assert isinstance(node, Opaque)
        return None

    def _binary(self, node: BinaryTest, state: State) -> Verdict:
        left = self._expander.scalar(node.left, state)
        if node.operator in ("==", "=", "!="):
            verdict = self._matches(left, node.right, state)
            return verdict if verdict is None or node.operator != "!=" else not verdict
        if node.operator == "=~":
            return self._regex(left, node.right, state)
        return self.binary(left, node.operator, self._expander.scalar(node.right, state), state)

    def _matches(self, left: Value, right: Word, state: State) -> Verdict:
        if len(right.parts) == 1 and isinstance(left, str):
            part = right.parts[0]
            if isinstance(part, Literal) and (part.quoted or not _SPECIAL.intersection(part.text)):
                return patterns.equal(self._machine.force(left), part.text)
        try:
            compiled = [patterns.compile_pattern(segments) for segments in self._expander.pattern(right, state)]
        except patterns.UnsupportedPattern:
            return None
        texts = [self._machine.force(option) for option in options(left)]
        self._machine.spend(sum(patterns.steps(one, text) for one in compiled for text in texts) >> 6)
        return agree([patterns.matches(one, text) for one in compiled for text in texts])

    def _regex(self, left: Value, right: Word, state: State) -> Verdict:
        verdicts: list[Verdict] = []
        for segments in self._expander.pattern(right, state):
            for option in options(left):
                text = self._machine.force(option)
                verdicts.append(None if UNKNOWN in text else self._search(segments, text, state))
        if len(verdicts) > 1 or verdicts[0] is None:
            self._remember(state, None)
        return agree(verdicts)

    def _search(self, segments: tuple[tuple[str, bool], ...], text: str, state: State) -> Verdict:
        self._machine.spend(len(text) >> 7)
        self._machine.spend_pattern(sum(len(piece) for piece, _ in segments))
        found = search(segments, text)
        if found is not None:
            self._remember(state, found)
        return None if found is None else bool(found)

    def _remember(self, state: State, groups: tuple[str | None, ...] | None) -> None:
        """Set ``BASH_REMATCH``; None: nobody knows to what."""
        name = "BASH_REMATCH"
        if groups is None:
            self._machine.set(state, name, open_array(name, name, None, "matched"))
            return
        cells = [Cell(unknown(f"{name} {at}") if one is None else one, name) for at, one in enumerate(groups)]
        self._machine.set(state, name, ArrayCell(tuple((str(at), cell) for at, cell in enumerate(cells)), name))

    # --- tests on values (shared with [ and test) ------------------------------------------------

    def _unary(self, operator: str, operand: Value, state: State, node: Node) -> Verdict:
        if operator in ("-n", "-z"):
            answers = {self._machine.emptiness(option) for option in options(operand)}
            if len(answers) != 1 or memo.MAYBE in answers:
                return None
            return (memo.YES in answers) is (operator == "-z")
        if operator == "-v":
            return self._is_set(operand, state)
        if operator[:1] == "-" and operator[1:] in FILE_TESTS:
            return agree([self._file(operator, option, state, node) for option in options(operand)])
        return None

    def _is_set(self, operand: Value, state: State) -> Verdict:
        text = self._machine.force(operand) if isinstance(operand, str) else UNKNOWN
        found = _REFERENCE.fullmatch(text)
        if found is None:
            name, _, key = text.partition("[")
            variable = self._machine.variable(state, name) if name.isidentifier() and UNKNOWN not in text else None
            plain = isinstance(variable, ArrayCell) and variable.associative and not variable.is_open
            return element(variable, key[:-1]) is not None if plain and _KEY.fullmatch(key) else None
        variable = self._machine.variable(state, found[1])
        if isinstance(variable, ArrayCell) and (variable.associative or variable.is_open):
            return None
        if found[2] in ("@", "*"):
            return bool(items_of(variable))
        cell = element(variable, found[2] or "0")
        return None if cell is not None and cell.perhaps else cell is not None

    def _file(self, operator: str, operand: str, state: State, node: Node) -> Verdict:
        operand = self._machine.force(operand)
        if not operand:
            return False
        path = absolute(operand, state)
        status = state.files.lookup(path).status
        exists = None if status is Status.UNKNOWN else status is not Status.ABSENT
        inside = self._machine.world.tree_path(path)
        if inside is not None:
            self._machine.reads.add(inside)
        cell = Cell(operand, "", None, "operand", tuple(self._expander.used[-1:]))
        place = self._machine.place(state, node)
        self._machine.use(state, FileUse("test", operator, place, cell, path, exists))
        if exists is None or not exists:
            return exists
        if operator in ("-e", "-a"):
            return True
        if operator == "-f":
            return status is Status.FILE
        if operator == "-d":
            return status is Status.DIRECTORY
        if operator == "-s" and status is Status.FILE:
            content = self._machine.world.content(state.files.lookup(path))
            return None if content is None or UNKNOWN in content.text else bool(content.text)
        return True if operator == "-r" else None

    def binary(self, left: Value, operator: str, right: Value, state: State) -> Verdict:
        """A binary test on expanded text."""
        verdicts: list[Verdict] = []
        for one in options(left):
            for two in options(right):
                a, b = self._machine.force(one), self._machine.force(two)
                if operator in ("=", "==", "!="):
                    same = patterns.equal(a, b)
                    verdicts.append(same if same is None or operator != "!=" else not same)
                elif operator in NUMERIC:
                    verdicts.append(self._numeric(a, operator, b, state))
                elif operator == "-ef":
                    verdicts.append(_same_file(a, b, state))
                elif operator in ("<", ">") and UNKNOWN not in a + b:
                    verdicts.append(a < b if operator == "<" else a > b)
                else:
                    verdicts.append(None)
        return agree(verdicts)

    def _numeric(self, left: str, operator: str, right: str, state: State) -> Verdict:
        try:
            return NUMERIC[operator](self._expander.evaluate(left, state), self._expander.evaluate(right, state))
        except (Undecided, NotArithmetic):
            return None

    def test(self, arguments: Sequence[Value], state: State, node: Node) -> Verdict:
        """``test arguments`` (or ``[ ... ]`` without the brackets). Raises :class:`BadTest`."""

        def unary(operator: str, operand: Value) -> Verdict:
            return self._unary(operator, operand, state, node)

        def binary(left: Value, operator: str, right: Value) -> Verdict:
            if operator in NUMERIC:
                return self._plain_numbers(left, operator, right)
            return self.binary(left, operator, right, state)

        return TestGrammar(arguments, unary, binary).verdict()

    def _plain_numbers(self, left: Value, operator: str, right: Value) -> Verdict:
        return agree([
            plain_numeric(self._machine.force(one), operator, self._machine.force(two))
            for one in options(left)
            for two in options(right)
        ])  # fmt: skip


def _same_file(left: str, right: str, state: State) -> Verdict:
    """``left -ef right``: sure where one does not exist, or both are one path."""
    paths = [absolute(left, state), absolute(right, state)]
    found = [state.files.lookup(path).status for path in paths]
    if Status.ABSENT in found:
        return False
    return True if paths[0] == paths[1] and Status.UNKNOWN not in found else None


def absolute(operand: str, state: State) -> str:
    """A path operand as an absolute, normalised path of the virtual file system."""
    if len(operand) > _LONGEST_PATH:
        return unknown("a path that is too long")
    if operand.startswith(("/", UNKNOWN)):
        return normalise(operand)
    return normalise(f"{state.cwd}/{operand}")


def _asks_little(node: Condition) -> bool:
    """True for a test that only asks whether a variable is empty.

    Asked first, it often spares the question for the value of another variable: then more launches share a run.
    """
    return (
        isinstance(node, UnaryTest)
        and node.operator in ("-n", "-z")
        and len(node.operand.parts) == 1
        and isinstance(node.operand.parts[0], Parameter)
        and node.operand.parts[0].operator in ("", ":-", "-")
    )
