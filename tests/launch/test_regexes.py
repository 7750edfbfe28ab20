"""Plain patterns are answered without the engine, and alike."""

from __future__ import annotations

from itertools import product

import pytest

from configlint.launch.regexes import _compile, finder

TEXTS = ("", "a", "ab", "b", "xab", "abx", "a b", "ab\n", "x\nab", "a-b: c", " ab", "A", "é ab", "\ue000ab\ue002")


@pytest.mark.parametrize("words", ["a", "ab", "a b", "a-b: c", "b", "A", "x"])
@pytest.mark.parametrize("extended", [True, False])
def test_a_plain_pattern_is_found_where_the_engine_finds_it(words: str, extended: bool) -> None:
    for start, end, text in product(("", "^"), ("", "$"), TEXTS):
        pattern = start + words + end
        occurs, engine = finder(pattern, extended), _compile(pattern, extended, False)
        assert occurs is not None and engine is not None
        assert occurs(text) is (engine.search(text) is not None), (pattern, text)  # type: ignore[attr-defined]


@pytest.mark.parametrize("pattern", ["a.b", "a*", "[a]", "(a)", "a|b", "^", "$", "a\\.b", "a+", "a?", "a{2}"])
def test_other_patterns_are_not_plain(pattern: str) -> None:
    occurs, engine = finder(pattern, True), _compile(pattern, True, False)
    assert occurs is not None and engine is not None
    for text in ("a.b", "axb", "aab", "b", "", "$", "^", "a+"):
        assert occurs(text) is (engine.search(text) is not None), (pattern, text)  # type: ignore[attr-defined]


def test_case_is_left_to_the_engine() -> None:
    occurs = finder("ab", True, True)
    assert occurs is not None
    assert occurs("xAB")
