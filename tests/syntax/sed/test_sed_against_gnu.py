"""Our sed against GNU sed on generated programs and texts.

``CONFIGLINT_FUZZ=N`` tries N pairs instead of a few hundred; ``python -m tests.syntax.sed.agreement`` does so by hand.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracles import gnu_sed
from tests.syntax.sed.agreement import disagreements
from tests.syntax.sed.generated import case

PAIRS = int(os.environ.get("CONFIGLINT_FUZZ", "300"))
TOGETHER = 20  # pairs a shell

pytestmark = pytest.mark.skipif(not gnu_sed.available(), reason="needs GNU sed 4.9 and its UTF-8 locale")


@settings(
    max_examples=max(1, PAIRS // TOGETHER // 2),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(st.randoms(use_true_random=False))
def test_agrees_on_generated_programs(rnd: Random) -> None:
    assert not disagreements([case(rnd) for _ in range(TOGETHER)], Counter())


def test_agrees_on_a_fixed_sample_and_refuses_little() -> None:
    rnd, tally = Random(20), Counter[str]()
    assert not disagreements([case(rnd) for _ in range(PAIRS)], tally)
    assert tally["refused"] < 0.15 * PAIRS
    assert tally["ran, changed"] > 0.2 * PAIRS


def test_agrees_on_every_case_mark_before_groups_that_are_empty_or_not() -> None:
    marks, operands = ("", r"\u", r"\l", r"\U", r"\E"), (r"\1", r"\2", "aB", "")
    replacements = [
        "".join(part for pair in pairs for part in pair) + "xY" for pairs in product(product(marks, operands), repeat=2)
    ]
    cases = [gnu_sed.Case((rf"s/\(q*\)\(Pq\)/{text}/",), "Pq\n", False, False) for text in replacements]
    assert not disagreements(cases, Counter())


def test_agrees_on_every_range_between_letters_and_what_lies_around_them_when_case_is_ignored() -> None:
    ends = "!AMZ[_^`amz|"
    programs = [f"s/[{low}-{high}]/{mark}/gI" for low in ends for high in ends for mark in ".&"]
    text = "".join(map(chr, range(32, 127))) + "\n"
    cases = [gnu_sed.Case((one,), text, False, False) for one in programs]
    cases += [gnu_sed.Case((one.replace("[", "[^", 1),), text, False, False) for one in programs]
    assert not disagreements(cases, Counter())
