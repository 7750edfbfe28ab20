"""Against PyYAML itself: what it accepts we read the same, and we find what is planted."""

from __future__ import annotations

import math
import os
import subprocess
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from configlint.source.text import Text
from configlint.syntax.yaml import File, Node, load, load_string


class Reader(yaml.SafeLoader):
    """PyYAML's rules, with timestamps and binary values as text, as we keep them."""


for _tag in ("timestamp", "binary"):
    Reader.add_constructor(f"tag:yaml.org,2002:{_tag}", yaml.SafeLoader.construct_yaml_str)  # type: ignore[type-var]


class FastReader(yaml.CSafeLoader):
    """The same with libyaml."""

    yaml_constructors = Reader.yaml_constructors


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False),
    st.text(max_size=12),
    st.sampled_from(
        ["yes", "1:30", "010", "1e3", "~", "<<", "=", "2026-08-01", "# x", "a: b", "${{ x }}", "\ufeff", "1\n\n2\n"]
    ),
)
data = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.one_of(scalars), inner, max_size=4)),
    max_leaves=12,
)


def same(left: Any, right: Any) -> bool:
    """Equal, types included: 1, 1.0 and True differ."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        # keys are compared by repr since 1 and True are one key to Python
        return list(map(repr, left)) == list(map(repr, right)) and all(
            same(a, b) for a, b in zip(left.values(), right.values(), strict=True)
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) or (isinstance(left, float) and math.isnan(left) and math.isnan(right))


@settings(max_examples=80, deadline=None)
@given(
    data,
    st.sampled_from([False, None, True]),
    st.sampled_from([None, "'", '"', "|", ">"]),
    st.sampled_from([20, 80]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_what_pyyaml_writes_we_read(value: Any, flow: Any, style: Any, width: int, newline: Any, unicode: bool) -> None:
    text = yaml.safe_dump(
        value,
        default_flow_style=flow,
        default_style=style,
        width=width,
        line_break=newline,
        allow_unicode=unicode,
        sort_keys=False,
    )
    expected = yaml.load(text, Reader)  # noqa: S506 - a subclass of SafeLoader
    file = load_string(text)
    assert file.faults == ()
    assert file.root is not None
    assert same(file.root.plain(), expected)
    for node in file.root.walk():
        start, end = node.span
        assert 0 <= start <= end <= len(file.text.raw)
        if node.kind == "scalar" and not node.style and "\n" not in file.text.slice(node.span):
            assert file.text.slice(node.span) == node.text
        for child in (*node.elements(), *(side for pair in node.items() for side in pair)):
            if not file.aliased:
                assert start <= child.span.start and child.span.end <= end


def reached_twice(document: Node) -> bool:
    seen: set[Node] = set()
    stack = [document]
    while stack:
        node = stack.pop()
        if node in seen:
            return True
        seen.add(node)
        stack += [*node.elements(), *(side for pair in node.items() for side in pair)]
    return False


def with_other_comments(file: File) -> bytes:
    """The text with other words in every comment, which changes nothing if they are comments."""
    raw = bytearray(file.text.raw)
    for comment in file.comments:
        start = file.text.line_starts[comment.line - 1] + comment.column - 1
        size = len(comment.text.encode())
        assert raw[start : start + size].decode() == comment.text
        raw[start + 1 : start + size] = b"~" * (size - 1)
    return bytes(raw)


def yaml_like() -> st.SearchStrategy[str]:
    pieces = [
        "a",
        "b",
        "1",
        "yes",
        ": ",
        ":",
        "- ",
        "? ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "\t",
    ]
    pieces += [
        "&a ",
        "*a",
        "<<: ",
        "|",
        ">",
        "'",
        '"',
        "#",
        " # c",
        "!t ",
        "!!int ",
        "! ",
        "---\n",
        "...\n",
        "%TAG ",
        "é",
        "\ufeff",
    ]
    return st.lists(st.sampled_from(pieces), max_size=30).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(yaml_like(), st.text(max_size=40)))
@example("&a [*a]")
@example("a: &a {x: 1}\nb:\n  <<: *a\n  <<: [*a]")
@example("? [a]\n: *a")
def test_we_agree_with_pyyaml_on_anything(string: str) -> None:
    raw = string.encode("utf-8", "replace")
    try:
        expected = list(yaml.load_all(raw, FastReader))
        failure = None
    except (
        yaml.constructor.ConstructorError,
        ValueError,
        TypeError,
        IndexError,
        OverflowError,
        KeyError,
        RecursionError,
    ):
        return  # a value without a type: we keep its text
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        expected, failure = [], error
    file = load(Text("x.yaml", raw))
    file.duplicates()
    comments = file.comments
    for comment in comments:
        assert comment.text.startswith("#")
    for document in file.documents:
        for node in document.walk() if document else ():
            assert node.span.start <= node.span.end
            _ = node.anchor, node.tag, node.value, node.place.line
        assert file.aliased or document is None or not reached_twice(document)
    if failure is not None:
        assert file.faults and file.documents[-1] is None
        assert file.faults[0].span.end <= len(raw)
    elif not file.faults:
        assert same([document.plain() for document in file.documents if document is not None], expected)
        assert same(list(yaml.load_all(with_other_comments(file), FastReader)), expected)
    else:
        assert "contains it" in file.faults[0].message


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_answered(raw: bytes) -> None:
    file = load(Text("x.yaml", raw))
    assert file.faults or all(file.documents)
    assert file.duplicates() == tuple(sorted(file.duplicates(), key=lambda found: found.second.span))
    for fault in file.faults:
        assert 0 <= fault.span.start <= fault.span.end <= len(raw)


keys = st.text("abcdeé -", min_size=1, max_size=4).map(lambda key: f"k{key}k")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(keys, st.integers(0, 3)), max_size=12), st.booleans())
def test_duplicates_are_found_where_they_are(rows: list[tuple[str, int]], flow: bool) -> None:
    """Rows of key and group: a group is one mapping below the root."""
    text = ""
    expected = []
    for group in range(4):
        text += f"g{group}: {{\n" if flow else f"g{group}:\n"
        last: dict[str, int] = {}
        for key, where in rows:
            if where == group:
                text += f"  {key}: 1{',' if flow else ''}\n"
                line = text.count("\n")
                if key in last:
                    expected.append((key, last[key], line))
                last[key] = line
        text += "  }\n" if flow else ""
    found = [(d.key, d.first.place.line, d.second.place.line) for d in load_string(text).duplicates()]
    assert found == expected


@pytest.mark.skipif("CONFIGLINT_CORPUS" not in os.environ, reason="CONFIGLINT_CORPUS names no corpus repository")
def test_the_corpus_reads_as_pyyaml_reads_it() -> None:
    def git(*arguments: str) -> bytes:
        command = ["git", "-C", os.environ["CONFIGLINT_CORPUS"], *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout

    revision = os.environ.get("CONFIGLINT_CORPUS_REVISION", "843c6254f")
    seen = 0
    for row in git("ls-tree", "-r", "-z", revision).decode().split("\0"):
        meta, _, path = row.partition("\t")
        if not path.endswith((".yaml", ".yml")) or meta.startswith("120000"):
            continue
        file = load(Text(path, git("cat-file", "blob", meta.split()[2])))
        try:
            expected = list(yaml.load_all(file.text.raw, FastReader))
        except yaml.constructor.ConstructorError:
            continue  # a tag of the program that reads the file
        assert file.faults == (), path
        assert same([document.plain() for document in file.documents if document], expected), path
        for node in (node for document in file.documents if document for node in document.walk()):
            if node.kind == "scalar" and not node.style and "\n" not in file.text.slice(node.span):
                assert file.text.slice(node.span) in (node.text, f"&{node.anchor} {node.text}"), node
        assert same(list(yaml.load_all(with_other_comments(file), FastReader)), expected), path
        seen += 1
    assert seen > 100
