"""Scripts that bash refuses, and input made to hurt."""

from __future__ import annotations

import random
import sys
import time

import pytest

from configlint.source.text import Text
from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse, parse_string
from configlint.syntax.bash.reader import MAX_DEPTH, MAX_FAULTS
from configlint.syntax.bash.tokens import MAX_SCRIPT
from tests.syntax.bash.shapes import sequence

REFUSED = [
    ("a\nif b; then\n c\n", 2),
    ("a\nfi\nb", 2),
    ("a\n(b\n", 2),
    ("a\nb)\n", 2),
    ("a | | b", 1),
    ("a\n&& b", 2),
    ("a; ; b", 1),
    (";;", 1),
    ("a\nb 'c\nd\n", 2),
    ('a\nb "c $(d\n', 2),
    ("a\nb `c\n", 2),
    ("a ${b\n", 1),
    ("a=(b\n", 1),
    ("a=(b | c)", 1),
    ("case x in a) b;;\n", 1),
    ("case x a) b;; esac", 1),
    ("for 1 in a; do b; done", 1),
    ("for x in a; b; done", 1),
    ("while a; done", 1),
    ("{ a; } b", 1),
    ("a (b)", 1),
    ("f() a", 1),
    ("f()\n", 1),
    ("! | a", 1),
    ("a >", 1),
    ("a > ; b", 1),
    ("[[ a", 1),
    ("[[ a b ]]", 1),
    ("x\n]] y", 2),
    ("echo $(fi)", 1),
    ("in x", 1),
]


@pytest.mark.parametrize(("source", "line"), REFUSED)
def test_what_bash_refuses_is_a_fault_and_opaque(source: str, line: int) -> None:
    script = parse_string(source)
    assert script.faults
    assert script.text.position(script.faults[0].start).line == line
    assert all(fault.start < fault.end <= len(source) + 1 for fault in script.faults)
    kinds = [c.kind for c in _walk(script.body) if isinstance(c, n.Opaque)]
    assert "syntax error" in kinds


def _walk(node: object) -> list[n.Node]:
    found: list[n.Node] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, n.Node):
            found.append(item)
            stack.extend(getattr(item, name) for name in item.__dataclass_fields__)
    return found


def test_the_rest_is_still_converted() -> None:
    script = parse_string("a b\nif c; then fi2 (x\n fi\nd e\n")
    assert len(script.faults) == 1
    assert sequence(script.body).startswith("a b; <syntax error: if c")


def test_a_statement_with_a_fault_inside_claims_nothing() -> None:
    script = parse_string("a\nif b; then\n  c && && d\nfi\ne\n")
    assert [type(c).__name__ for c in script.body.commands] == ["Simple", "Opaque", "Simple"]
    assert "c && && d" in script.body.commands[1].text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "source", ["\n", "\0", "\0\0\0", "\\", "\\\n", "a\\", "a \\\n", "$", "#", "!", "time", "\r", "\ufeff"]
)
def test_odd_but_fine(source: str) -> None:
    assert parse_string(source).faults == ()


@pytest.mark.parametrize(
    "source",
    [
        "(" * 10_000 + "x" + ")" * 10_000,
        "( " * 10_000 + "x" + " )" * 10_000,
        "{ " * 10_000 + "x" + ";}" * 10_000,
        "if x; then " * 10_000 + "x" + "; fi" * 10_000,
        "if x; then " * 10_000,
        "for x in a; do " * 10_000 + "done; " * 10_000,
        "case x in x) " * 10_000,
        "( " * 10_000,
        ") " * 10_000,
        "((a);" * 10_000,
        "echo " + "$(" * 10_000 + "x" + ")" * 10_000,
        "echo " + '"$(echo ' * 10_000 + "x" + ')"' * 10_000,
        "echo " + "${x:-" * 10_000 + "}" * 10_000,
        "echo " + "${x[" * 10_000,
        "echo " + "$((" * 10_000 + "1" + "))" * 10_000,
        "cat " + "<(" * 10_000 + "x" + ")" * 10_000,
        "$(cat <<E\n" * 10_000,
        "[[ " + "( " * 10_000 + "x" + " )" * 10_000 + " ]]",
        "[[ " + "! " * 10_000 + "x ]]",
        "[[ " + "x && " * 10_000 + "x ]]",
        "x && " * 10_000 + "x",
        "x; fi; done ; ( ; " * 10_000,
        "echo " + "${#" * 10_000,
        "a\n" * MAX_SCRIPT,
    ],
    ids=lambda source: f"{source[:12]!r}*{len(source)}",
)
def test_too_much_is_a_fault(source: str) -> None:
    start = time.process_time()
    script = parse_string(source)
    assert time.process_time() - start < 8  # a hang, not a slow machine
    if not source.startswith("(("):
        assert script.faults
    assert len(script.faults) <= MAX_FAULTS


@pytest.mark.parametrize(
    "source",
    [
        "x | " * 10_000 + "x",
        "x; " * 10_000,
        "echo " + "`" * 10_000,
        "cat " + "<<E " * 3_000 + "\n" + "x\nE\n" * 3_000,
        "echo " + "{" * 10_000 + "}" * 10_000,
        "case x in " + "a) b;; " * 5_000 + "esac",
        "if a; then b; " + "elif a; then b; " * 3_000 + "fi",
        "a=1 " * 10_000,
        "cat <<E\n" + "$(" * 10_000 + "\nE\n",
        "[[ x == " + "@(" * 50 + "x" + ")" * 50 + " ]]",
        "[[ x =~ " + "(" * 10_000 + ")" * 10_000 + " ]]",
    ],
    ids=lambda source: f"{source[:12]!r}*{len(source)}",
)
def test_long_is_fine(source: str) -> None:
    start = time.process_time()
    assert parse_string(source).faults == ()
    assert time.process_time() - start < 8


def test_what_is_as_deep_as_allowed_can_be_walked() -> None:
    depth = MAX_DEPTH - 2
    script = parse_string("if x; then " * depth + "x" + "; fi" * depth)
    assert script.faults == ()
    assert len(_walk(script.body)) > depth


def test_deep_in_the_callers_stack() -> None:
    def dive(levels: int) -> n.Script:
        return dive(levels - 1) if levels else parse_string("echo " + "$(" * 80 + "x" + ")" * 80)

    script = dive(sys.getrecursionlimit() - 300)
    assert [fault.message for fault in script.faults] == ["nested too deeply"]


def test_noise_never_raises() -> None:
    noise = random.Random(20260801)
    alphabet = b"(){}[]$\"'`\\;&|<>\n \tabif!=#%:-*?@+~/0x\xc3\xa9\x00\r"
    words = [
        b"if ",
        b"then ",
        b"fi\n",
        b"do ",
        b"done\n",
        b"case x in ",
        b"esac ",
        b"<<E\n",
        b"E\n",
        b"[[ ",
        b" ]]",
        b"$((",
        b"))",
    ]
    for _ in range(400):
        pieces = [
            noise.choice(words) if noise.random() < 0.3 else bytes([noise.choice(alphabet)])
            for _ in range(noise.randrange(1, 120))
        ]
        raw = b"".join(pieces)
        script = parse(Text("noise.sh", raw))
        for node in _walk(script.body):
            assert 0 <= node.start <= node.end <= len(raw), (raw, node)
