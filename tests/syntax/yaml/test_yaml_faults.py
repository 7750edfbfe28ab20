"""What is wrong with a file: faults, duplicates; and input meant to hurt."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from configlint.source.text import Text
from configlint.syntax.yaml import Duplicate, File, load, load_string, second_opinion


def marked(file: File) -> list[tuple[str, int, str]]:
    return [
        (fault.message, file.text.position(fault.span.start).line, file.text.slice(fault.span)) for fault in file.faults
    ]


@pytest.mark.parametrize(
    ("text", "message", "line", "underlined"),
    [
        ("a: b: c\n", "mapping values are not allowed in this context", 1, ":"),
        ("a: *x\n", "found undefined alias", 1, "*x"),
        ("é: [\n", "did not find expected node content (while parsing a flow node)", 1, "["),
        ("a: 'é\n\n", "found unexpected end of stream (while scanning a quoted scalar)", 1, "é"),
        (
            "a: 1\n\tb: 2\n",
            "found a tab character that violates indentation (while scanning a plain scalar)",
            2,
            "\tb:",
        ),
        ("é: \x01b\n", "control characters are not allowed", 1, "\x01b"),
        ("\ufeffé: \x01b\n", "control characters are not allowed", 1, "\x01b"),
        ("a: &x 1\nb: &x 2\n", "the anchor is defined twice", 2, "&x"),
        ("a: &a\n  b: *a\n", "an alias names a collection that contains it", 1, "&a"),
        ("a: @b\n", "found character that cannot start any token (while scanning for the next token)", 1, "@b"),
    ],
)
def test_a_fault_says_what_and_where(text: str, message: str, line: int, underlined: str) -> None:
    file = load_string(text)
    assert file.root is None
    found = marked(file)
    assert [(found[0][0], found[0][1])] == [(message, line)]
    assert found[0][2] == underlined


def test_the_construct_around_a_fault_is_related() -> None:
    file = load_string("a:\n  - 'b\n  c: 1\n")
    related = file.faults[0].related
    assert related is not None
    assert file.text.slice(related) == "'b"
    file = load_string("a: &x 1\nb: &x 2\n")
    related = file.faults[0].related
    assert related is not None and file.text.position(related.start) == (1, 4)


def test_documents_before_a_fault_stay() -> None:
    file = load_string("a: 1\n---\nb: [\n---\nc: 1\n")
    assert len(file.faults) == 1
    assert file.root is not None and file.root.plain() == {"a": 1}
    assert file.documents[1:] == (None,)


def test_bytes_that_are_no_text() -> None:
    file = load(Text("x", b"\xef\xbb\xbfa: \xc3\xa4\n\xff: 1\n"))
    assert marked(file) == [("not UTF-8 text", 2, "\ufffd:")]
    assert load(Text("x", "a: 1".encode("utf-16"))).faults[0].message == "not UTF-8 text"
    assert load(Text("x", b"\xef\xbb\xbf\xff")).faults
    assert load(Text("x", b"\0")).faults


def lines(file: File) -> list[tuple[str, int, int]]:
    return [(d.key, d.first.place.line, d.second.place.line) for d in file.duplicates()]


def test_duplicates() -> None:
    file = load_string("a: 1\nb:\n  - {c: 1, d: 2, c: 3}\na: 2\na: 3\n---\nx: 1\nx: 2\n")
    assert lines(file) == [("c", 3, 3), ("a", 1, 4), ("a", 4, 5), ("x", 7, 8)]
    first: Duplicate = file.duplicates()[1]
    assert (first.first_value.value, first.second_value.value) == (1, 2)
    assert first.mapping is file.root


def test_keys_are_compared_by_type_and_value() -> None:
    assert lines(load_string("1: a\n'1': b\n")) == []
    assert lines(load_string("yes: a\non: b\nTrue: c\n")) == [("on", 1, 2), ("True", 2, 3)]
    assert lines(load_string("8: a\n010: b\n0x8: c\n")) == [("010", 1, 2), ("0x8", 2, 3)]
    assert lines(load_string("'yes': a\nyes: b\nyes : c\n")) == [("yes", 2, 3)]
    assert lines(load_string("~: a\nnull: b\n? \n: c\n")) == [("null", 1, 2), ("", 2, 3)]
    assert lines(load_string("a: 1\n\"a\": 2\n'a': 3\n!!str a: 4\n")) == [("a", 1, 2), ("a", 2, 3), ("a", 3, 4)]
    assert lines(load_string("1: a\n1.0: b\n")) == []


def test_merging_repeats_nothing() -> None:
    assert lines(load_string("a: &a {x: 1}\nb: {<<: *a, x: 2, <<: *a}\n")) == []
    assert lines(load_string("a: &a {x: 1, x: 2}\nb: *a\nc: [*a, {<<: *a}]\n")) == [("x", 1, 1)]
    assert lines(load_string("{'<<': 1, '<<': 2}")) == [("<<", 1, 1)]


def test_duplicates_inside_keys() -> None:
    assert lines(load_string("? {a: 1, a: 2}\n: x\n? [{b: 1, b: 1}]\n: [{c: 1, c: 1}]\n")) == [
        ("a", 1, 1),
        ("b", 3, 3),
        ("c", 4, 4),
    ]


# --- hostile input ---------------------------------------------------------------------------------

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)
)
MERGES = "a0: &a0 {k: 1}\n" + "".join(f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}\n" for n in range(1, 5000))

DEEP = {
    "flow lists": "[" * 10_000,
    "closed flow lists": "[" * 10_000 + "]" * 10_000,
    "flow maps": "{a: " * 10_000,
    "flow pairs": "[a: " * 10_000,
    "brackets a line": "[\n" * 1_000_000,
    "compact lists": "- " * 10_000 + "x",
    "explicit keys": "? " * 10_000 + "x",
    "explicit values": "?\n" + ": ? " * 3_000,
    "indented": "".join(" " * n + "a:\n" for n in range(3_000)),
    "indented lists": "".join(" " * n + "-\n" for n in range(3_000)),
    "carriage returns": "\r".join(" " * n + "a:" for n in range(3_000)),
    "behind a document": "ok: 1\n---\n" + "[" * 10_000,
    "dollars": "${{" * 3_000,
    "dollars in a list": "[${{" * 3_000,
    "251 levels": "[" * 251 + "]" * 251,
    "a chain of aliases": "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 5_000)),
    "a chain of merges": MERGES,
}


@pytest.mark.parametrize("name", DEEP)
def test_depth_is_a_fault_and_never_a_crash(name: str) -> None:
    # In a process of its own: what goes wrong here is the C stack.
    program = (
        "import sys, time, threading\n"
        "from configlint.syntax.yaml import load_string\n"
        "text = sys.stdin.buffer.read().decode()\n"
        "started = time.process_time()\n"
        "found = []\n"
        "thread = threading.Thread(target=lambda: found.append(load_string(text)))\n"
        "thread.start(); thread.join()\n"
        "file = found[0]\n"
        "file.duplicates(), file.comments, [list(d.walk()) for d in file.documents if d]\n"
        "print(round(time.process_time() - started, 2), *file.faults)\n"
    )
    path = [sys.executable, "-c", program]
    run = subprocess.run(path, input=DEEP[name].encode(), capture_output=True, timeout=30, check=False)
    assert run.returncode == 0, run.stderr.decode()[-400:]
    seconds, _, fault = run.stdout.decode().partition(" ")
    assert "Fault(" in fault or name == "dollars"
    assert float(seconds) < 2


def test_200_levels_are_fine() -> None:
    for text in ("[" * 200 + "]" * 200, "- " * 200 + "x", "".join(" " * n + "a:\n" for n in range(200))):
        file = load_string(text)
        assert file.faults == ()
        assert file.root is not None
        assert file.root.plain() is not None
        assert sum(1 for _ in file.root.walk()) >= 200


def test_alias_bombs() -> None:
    started = time.process_time()
    file = load_string("ok: 1\n---\n" + BOMB)
    assert [fault.message for fault in file.faults] == ["aliases expand to more than 1,000,000 nodes"]
    assert file.root is not None and file.root.plain() == {"ok": 1}
    assert file.documents[1] is None
    assert file.duplicates() == ()
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "text",
    [
        '{"a":&a [x],"b":*a}',
        "[?&a [x],?*a ]",
        "[&a [x],*a]",
        "[\u2028&a [x],\x85*a]",
        "- &a [x]\u2029- *a",
        "- &a [x]\n-  *a",
    ],
)
def test_aliases_are_noticed_however_they_are_written(text: str) -> None:
    file = load_string(text)
    assert file.root is not None
    assert file.aliased
    assert [node.text for node in file.root.walk() if node.kind == "scalar"].count("x") == 1
    assert str(file.root.plain()).count("x") == 2


def test_many_nodes() -> None:
    for text in ("{" + "a," * 300_000 + "}", "a:\n" * 300_000):
        started = time.process_time()
        file = load_string(text)
        assert [fault.message for fault in file.faults] == ["more than 200,000 nodes"]
        assert time.process_time() - started < 2


def test_many_documents_of_nothing() -> None:
    for text in ("---\n" * 201_000, "---\n- a\n" + "---\n" * 201_000):
        assert [fault.message for fault in load_string(text).faults] == ["more than 200,000 nodes"]


def test_many_directives_and_anchors() -> None:
    started = time.process_time()
    assert load_string("".join(f"%TAG !a{n}! x\n" for n in range(100_000)) + "--- 1\n").faults
    anchors = load_string("".join(f"- &a{n} [*a{n - 1}]\n" if n else "- &a0 x\n" for n in range(190)))
    assert anchors.faults == ()
    assert load_string("k: " + "x " * 1_000_000).faults == ()
    assert load_string("k: '" + "''" * 500_000 + "'").faults == ()
    assert load_string("x" * 1_000_000).faults == ()
    assert load_string("%TAG !a! x\n--- !a!b 1\n").faults == ()
    assert time.process_time() - started < 4


def test_limits_are_told_from_faults() -> None:
    deep = b"[" * 1000 + b"]" * 1000
    assert [fault.limit for fault in load(Text("a.yaml", deep)).faults] == [True]
    assert [fault.limit for fault in load(Text("a.yaml", b"a: &a [*a]\n")).faults] == [True]
    assert [fault.limit for fault in load(Text("a.yaml", b"a: [\n")).faults] == [False]


def test_a_second_opinion() -> None:
    assert second_opinion.is_readable(b"a: !x 1\n---\nb: 2\n")
    assert not second_opinion.is_readable(b"a: [\n")
    assert not second_opinion.is_readable(b"\xff")
    assert not second_opinion.is_readable(b"a: 1\n" * second_opinion.MAX_BYTES)  # too much to ask
    assert second_opinion.is_readable(b"[" * 150 + b"]" * 150)
    assert not second_opinion.is_readable(b"[" * 10_000 + b"]" * 10_000)  # would take minutes
