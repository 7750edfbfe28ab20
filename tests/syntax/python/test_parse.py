"""Sources that are no Python, or built to hurt, end in a reason and nothing else."""

from __future__ import annotations

import warnings

import pytest

from configlint.syntax.python import Unparsable, parse

HOSTILE = {
    "parentheses": "(" * 5000 + ")" * 5000,
    "brackets below the parser's own limit": "[" * 150 + "]" * 150,
    "operators": "-" * 100_000 + "1",
    "a chain of additions": "1" + "+1" * 50_000,
    "attributes": "a" + ".b" * 50_000,
    "calls": "a" + "()" * 50_000,
    "conditional expressions": "1 if 1 else " * 20_000 + "1",
    "elif": "if 1: x\n" + "elif 1: x\n" * 20_000,
    "a number too long to convert": "x = " + "9" * 6000,
    "a null byte": "a\0b",
    "an unclosed bracket": "x = [",
    "too much of it": "x = 1\n" * 100_000,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_sources_are_refused(source: str) -> None:
    with pytest.raises(Unparsable):
        parse(source)


def test_a_fault_names_its_line() -> None:
    with pytest.raises(Unparsable) as found:
        parse("a = 1\nb = = 2\n")
    assert found.value.line == 2


def test_warnings_about_other_peoples_strings_are_not_shown() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse('x = "\\d"\n')


def test_a_byte_order_mark_is_no_code() -> None:
    assert len(parse("\ufeffx = 1\n").body) == 1
