"""Hints at the slip in a script that does not parse."""

from __future__ import annotations

import pytest

from configlint.source.text import Text
from configlint.syntax.bash.suspects import suspects


def hints(source: str) -> list[tuple[int, str]]:
    text = Text("", source.encode())
    return [(text.position(one.span.start).line, one.what) for one in suspects(text.raw)]


def test_a_string_that_ends_before_a_word() -> None:
    assert hints('a="b\nc\nd="e"\nf\n') == [
        (1, "this string ends on line 3 only"),
        (3, "here the string ends, right before a word"),
    ]
    assert [line for line, _ in hints("run 'a\n# model's b\n(c)'\n")] == [1, 2]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("if a; then\n  b\nif c; then\n  d\nfi\n", [1, 3]),
        ("f() {\n  for x in a; do\n    b\n  if c; then\n    d\n  fi\n}\n", [2, 4]),
        ("if a; then\n  while b; do\n    c\nfi\n", [2, 4]),
        ("while a\ndo\n  b\n", [1]),
        ("case a in\n  b) c ;;\n", [1]),
    ],
)
def test_blocks(source: str, lines: list[int]) -> None:
    assert [line for line, _ in hints(source)] == lines


@pytest.mark.parametrize(
    "source",
    [
        "",
        "a 'b\nc' \"d\ne\" f\n",
        "if a; then b; fi\nfor x in a; do b; done\n",
        "if a; then\n  if b; then c; fi\nelif d; then\n  e\nelse\n  f\nfi\n",
        "cat <<E\nit's if\nE\ncat <<-'E'\n\tdon't\n\tE\n# it's\na \\' b\n",
        "case a in\n  if) b ;;\nesac\n",
        "x=$(if a; then b; fi)\n",
        "cat <<E",
        "a 'b",
        "cat <<< 'x'\n",
    ],
)
def test_nothing_odd(source: str) -> None:
    assert hints(source) == []


@pytest.mark.parametrize(
    ("bodies", "line"),
    [
        ("cat <<A <<-B\n'\nA\n\t'\n\tB\nif x\n", 6),
        ("cat <<A\n'\n A\nA \n\tA\nA\nif x\n", 7),
        ("cat <<A\nA\nif x\n", 3),
        ("".join(f"cat <<E{i}\n'\nE{i}\n" for i in range(500)) + "if x\n", 1_501),
    ],
)
def test_here_documents_are_no_code(bodies: str, line: int) -> None:
    assert hints(bodies) == [(line, "this if is never closed")]
    assert hints(bodies.removesuffix("if x\n").rstrip("\n")) == []


def test_here_documents_without_an_end_are_the_rest() -> None:
    assert hints("if x\ncat <<A <<B\n'\nfi\n") == [(1, "this if is never closed")]
    assert hints("cat <<A\n") == hints("cat <<A") == []
