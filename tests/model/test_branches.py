"""Dead branches: whatever is reported can never be taken, whatever the variables are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configlint.launch.patterns import compile_pattern, matches
from configlint.model.branches import dead_branches
from configlint.model.facts import disjoint, included
from configlint.syntax.bash import parse_string

VALUES = ("", "x", "y", "xy", "x-mtp", "*")
PATTERNS = ("x", "y", "x*", "*mtp", "*", "?", "[xy]", "?y", '"*"', "x-mtp", "*x*", '""')


@dataclass(frozen=True)
class Condition:
    text: str
    names: tuple[str, ...]

    def holds(self, values: dict[str, str]) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Match(Condition):
    negated: bool = False

    def holds(self, values: dict[str, str]) -> bool:
        name, pattern = self.names
        quoted = pattern.startswith('"')
        found = matches(compile_pattern(((pattern.strip('"'), quoted),)), values[name])
        assert found is not None
        return found is not self.negated


@dataclass(frozen=True)
class Empty(Condition):
    negated: bool = False

    def holds(self, values: dict[str, str]) -> bool:
        return (values[self.names[0]] == "") is not self.negated


@dataclass(frozen=True)
class Both(Condition):
    left: Condition
    right: Condition
    both: bool

    def holds(self, values: dict[str, str]) -> bool:
        return (all if self.both else any)((self.left.holds(values), self.right.holds(values)))


@dataclass(frozen=True)
class Not(Condition):
    inner: Condition

    def holds(self, values: dict[str, str]) -> bool:
        return not self.inner.holds(values)


def match(name: str, pattern: str, negated: bool, spelling: str) -> Condition:
    return Match(f"{spelling.format(name)} {'!=' if negated else '=='} {pattern}", (name, pattern), negated)


def empty(name: str, negated: bool) -> Condition:
    return Empty(f'-{"n" if negated else "z"} "${name}"', (name,), negated)


NAMES = st.sampled_from("AB")
LEAVES = st.one_of(
    st.builds(
        match,
        NAMES,
        st.sampled_from(PATTERNS),
        st.booleans(),
        st.sampled_from(("${}", '"${}"', "${{{}}}", "${{{}:-}}")),
    ),
    st.builds(empty, NAMES, st.booleans()),
)
TESTS = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.builds(
            lambda left, right, both: Both(
                f"( {left.text} {'&&' if both else '||'} {right.text} )", (), left, right, both
            ),
            below,
            below,
            st.booleans(),
        ),
        st.builds(lambda inner: Not(f"! ( {inner.text} )", (), inner), below),
    ),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(TESTS, min_size=2, max_size=5))
def test_a_dead_branch_is_never_taken(tests: list[Condition]) -> None:
    lines = [
        f"{'elif' if index else 'if'} [[ {test.text} ]]; then\n    echo {index}" for index, test in enumerate(tests)
    ]
    script = parse_string("\n".join((*lines, "fi", "")))
    assert not script.faults
    dead = {script.text.position(one.condition.start).line // 2 for one in dead_branches(script)}
    for a, b in product(VALUES, repeat=2):
        values = {"A": a, "B": b}
        taken = next((index for index, test in enumerate(tests) if test.holds(values)), None)
        assert taken not in dead, (values, script.text.string)


@given(st.text("ab*?", max_size=5), st.text("ab*?", max_size=5))
def test_inclusion_and_disjointness_are_sound(one: str, other: str) -> None:
    left, right = compile_pattern(((one, False),)), compile_pattern(((other, False),))
    texts = ["".join(letters) for size in range(5) for letters in product("abc", repeat=size)]
    for text in texts:
        if matches(left, text):
            assert matches(right, text) or not included(left, right)
            assert not matches(right, text) or not disjoint(left, right)


@pytest.mark.parametrize(
    "script",
    [
        "if ((A > 1)); then echo 1; elif ((A > 1)); then echo 2; fi",
        'if [[ "$(next)" == x ]]; then echo 1; elif [[ "$(next)" == x ]]; then echo 2; fi',
        "if [[ ${A:=x} == y ]]; then echo 1; elif [[ $A == y ]]; then echo 2; fi",
        "shopt -s nocasematch\nif [[ $A == x ]]; then echo 1; elif [[ $A == X && $A == x ]]; then echo 2; fi",
        "if [[ $A == @(x|y) ]]; then echo 1; elif [[ $A == x ]]; then echo 2; fi",
        "if [[ $A == $B ]]; then echo 1; elif [[ $B == $A ]]; then echo 2; fi",
        'if [ "$A" = "x*" ]; then echo 1; elif [ "$A" = "xy" ]; then echo 2; fi',
    ],
)
def test_what_is_not_claimed(script: str) -> None:
    assert not list(dead_branches(parse_string(script)))


@pytest.mark.parametrize(
    "script",
    [
        'if [ "$A" = x ]; then echo 1; elif [[ $A == x && -n $B ]]; then echo 2; fi',
        "if [[ ! $A == x ]]; then echo 1; elif [[ $A != x ]]; then echo 2; fi",
        "if [[ -f $A ]] || test -d $A; then echo 1; elif [[ -f ${A} ]]; then echo 2; fi",
        'if [[ "$A" =~ ^x ]]; then echo 1; elif [[ $A =~ ^x ]]; then echo 2; fi',
        'if [[ "x" == "$A" ]]; then echo 1; elif [[ $A == x ]]; then echo 2; fi',
        "if ! { [[ $A == x ]]; }; then echo 1; elif [[ $A == y ]]; then echo 2; fi",
        'if [[ $(uname -m) == x ]]; then echo 1; elif [[ "$(uname  -m)" == x ]]; then echo 2; fi',
    ],
)
def test_other_spellings_of_the_same(script: str) -> None:
    assert len(list(dead_branches(parse_string(script)))) == 1


def test_many_alternatives_are_left_alone() -> None:
    tests = " || ".join(f"$A == v{index}" for index in range(100))
    script = f"if [[ {tests} ]]; then echo 1; elif [[ $A == v1 ]]; then echo 2; fi"
    assert not list(dead_branches(parse_string(script)))
