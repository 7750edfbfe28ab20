"""The arguments of a sed call."""

from __future__ import annotations

import pytest

from configlint.syntax.sed import BadProgram, Invocation, Unsupported, command_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("s/a/b/", Invocation(("s/a/b/",))),
        ("-n s/a/b/p f", Invocation(("s/a/b/p",), ("f",), (2,), quiet=True)),
        ("-i s/a/b/ f g", Invocation(("s/a/b/",), ("f", "g"), (2, 3), in_place=True, separate=True)),
        ("-i.bak -e p f", Invocation(("p",), ("f",), (3,), in_place=True, suffix=".bak", separate=True)),
        ("-ie p f", Invocation(("p",), ("f",), (2,), in_place=True, suffix="e", separate=True)),
        ("-Ei p f", Invocation(("p",), ("f",), (2,), in_place=True, extended=True, separate=True)),
        ("-ne p f", Invocation(("p",), ("f",), (2,), quiet=True)),
        ("-ep -es/a/b/ f", Invocation(("p", "s/a/b/"), ("f",), (2,))),
        ("f -e p g", Invocation(("p",), ("f", "g"), (0, 3))),
        ("-r p", Invocation(("p",), extended=True)),
        ("-E -- p -x", Invocation(("p",), ("-x",), (3,), extended=True)),
        ("--expression=p --quiet f", Invocation(("p",), ("f",), (2,), quiet=True)),
        ("--expr p --in-place=.o f", Invocation(("p",), ("f",), (3,), in_place=True, suffix=".o", separate=True)),
        ("--regexp-extended -s -u p -", Invocation(("p",), ("-",), (4,), extended=True, separate=True)),
        ("--sil p", Invocation(("p",), quiet=True)),
    ],
)
def test_options(line: str, expected: Invocation) -> None:
    assert command_line(line.split()) == expected


@pytest.mark.parametrize("line", ["-f prog f", "-z p", "--posix p", "--file=x", "--debug p", "-l 5 p", "--version"])
def test_refused(line: str) -> None:
    with pytest.raises(Unsupported):
        command_line(line.split())


@pytest.mark.parametrize("line", ["", "-n", "-e", "--nonsense p", "--s p", "--quiet=1 p", "--expression"])
def test_errors(line: str) -> None:
    with pytest.raises(BadProgram):
        command_line(line.split())


def test_a_program_from_a_call() -> None:
    assert command_line(["-nE", "-e", "/a+/p", "-e", "q", "f"]).program().source == "/a+/p\nq"
