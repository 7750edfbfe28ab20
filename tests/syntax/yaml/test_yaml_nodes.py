"""Views over documents: typing, merges, aliases, places."""

from __future__ import annotations

import pytest

from configlint.source.text import Text
from configlint.syntax.yaml import File, Node, load, load_string


def root(string: str) -> Node:
    file = load_string(string)
    assert file.faults == ()
    assert file.root is not None
    return file.root


def source(node: Node | None) -> str:
    assert node is not None
    return node.file.text.slice(node.span)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", True),
        ("Off", False),
        ("y", "y"),
        ("~", None),
        ("", None),
        ("NULL", None),
        ("010", 8),
        ("0o10", "0o10"),
        ("0x_1f", 31),
        ("0b101", 5),
        ("-0b1", -1),
        ("1_000", 1000),
        ("1:30", 90),
        ("-1:30", -90),
        ("1:30.5", 90.5),
        ("1.10", 1.1),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        ("-.inf", float("-inf")),
        ("2026-08-01", "2026-08-01"),
        ("'1'", "1"),
        ("! 1", 1),
        ("!!str 1", "1"),
        ("!!int '0x10'", 16),
        ("!!int abc", "abc"),
        ("!!int ''", ""),
        ("!!float x", "x"),
        ("!!bool perhaps", "perhaps"),
        ("!custom 1", "1"),
        ("=", "="),
        ("9" * 5000, "9" * 5000),
        ("1" + ":1" * 5000, "1" + ":1" * 5000),
        ("0x" + "f" * 998, int("f" * 998, 16)),
        ("0x" + "f" * 999, "0x" + "f" * 999),
    ],
)
def test_a_scalar_is_typed_as_pyyaml_does(written: str, value: object) -> None:
    node = root(f"k: {written}\n").get("k")
    assert node is not None
    assert node.value == value
    assert type(node.value) is type(value)


def test_tags_styles_and_anchors() -> None:
    node = root("a: !local &x {b: 'q'}\nc: &y !!int 3\nd: |\n  t\ne: [1]\nf:\n- 1\n")
    assert node.tag == "tag:yaml.org,2002:map"
    a, c, d, e, f = (node.get(key) for key in "acdef")
    assert a and c and d and e and f
    assert (a.tag, a.anchor, a.style, a.kind) == ("!local", "x", "flow", "map")
    assert (c.tag, c.anchor, c.style, c.value) == ("tag:yaml.org,2002:int", "y", "", 3)
    assert (d.style, d.text) == ("|", "t\n")
    assert (e.style, f.style) == ("flow", "block")
    assert (e.tag, e.anchor) == ("tag:yaml.org,2002:seq", None)
    quoted = node.at("a", "b")
    assert quoted and (quoted.style, quoted.tag) == ("'", "tag:yaml.org,2002:str")
    folded = root("!!binary |\n  aGk=\n")
    assert folded.value == "aGk=\n"


def test_paths_lead_through_maps_and_lists() -> None:
    node = root("a:\n  - b: 1\n  - {8: x, c.d: y}\n")
    assert node.at() is node
    assert source(node.at("a", 0, "b")) == "1"
    assert source(node.at("a", -1, 8)) == "x"
    for path in (("a", 2), ("a", -3), ("a", "b"), ("b",), ("a", 0, "b", "c"), ("a", 0, "b", 0)):
        assert node.at(*path) is None
    file = node.file
    assert source(file.locate("a[1].8")) == "x"
    assert source(file.locate("a.1.c.d")) == "y"
    assert file.locate("") is node
    assert file.locate("a.x.c") is None
    assert file.locate("a[9]") is None
    assert file.locate(".".join("a" * 100)) is None
    assert load_string("").locate("a") is None


def test_the_last_of_duplicates_wins_and_items_keep_both() -> None:
    node = root("a: 1\nb: 2\na: 3\n")
    assert [(key.text, value.value) for key, value in node.items()] == [("a", 1), ("b", 2), ("a", 3)]
    assert node.plain() == {"a": 3, "b": 2}
    value, key = node.get("a"), node.key("a")
    assert value and key and (value.value, key.place.line) == (3, 3)
    assert list(node.pairs()) == ["a", "b"]


def test_merges() -> None:
    node = root(
        """\
base: &base {a: 1, b: 1}
more: &more {b: 2, c: 2}
one: {<<: *base, b: 9}
two: {<<: [*base, *more]}
three: {<<: *base, <<: *more}
four: {"<<": *base}
five: {<<: 3, <<: [1, x]}
six: {x: 0, <<: {<<: *more, y: 1}}
"""
    )
    plain = node.plain()
    assert plain["one"] == {"a": 1, "b": 9}
    assert plain["two"] == {"a": 1, "b": 1, "c": 2}
    assert plain["three"] == {"a": 1, "b": 2, "c": 2}
    assert plain["four"] == {"<<": {"a": 1, "b": 1}}
    assert plain["five"] == {}
    assert plain["six"] == {"x": 0, "b": 2, "c": 2, "y": 1}
    one = node.get("one")
    assert one is not None
    assert list(one.pairs()) == ["a", "b"]
    inherited, key = one.get("a"), one.key("a")
    assert inherited and key and inherited.place.line == 1 and source(key) == "a"
    assert source(one.get("b")) == "9"
    two = node.get("two")
    assert two and {name: value.value for name, value in two.pairs().items()} == plain["two"]


def test_keys_of_other_kinds() -> None:
    node = root("? [a, b]\n: 1\n? {c: d}\n: 2\n1: one\n'1': text\nno: n\n")
    assert node.plain() == {"[a, b]": 1, "{c: d}": 2, 1: "one", "1": "text", False: "n"}
    value = node.get("[a, b]")
    assert value and value.value == 1
    last = node.get("1")
    assert last and last.value == "text"


def test_walk_visits_every_node_once_in_order() -> None:
    node = root("a: &x [1, {b: 2}]\nc: *x\nd: *x\n")
    assert [n.text for n in node.walk() if n.kind == "scalar"] == ["a", "1", "b", "2", "c", "d"]
    assert node.get("c") is node.get("a")


def span_texts(string: str, *paths: tuple[str | int, ...]) -> list[str]:
    node = root(string)
    return [source(node.at(*path)) for path in paths]


def test_spans_leave_out_what_follows_a_block() -> None:
    text = "a:\n  b:\n    - 1\n    - 2  # c\n\n  # about c\nc: |\n  t\n\n  # text\n\n# end\nd:\n  e:\n\n# last\n"
    assert span_texts(text, ("a",), ("a", "b"), ("a", "b", 1), ("c",), ("d",), ("d", "e")) == [
        "b:\n    - 1\n    - 2",
        "- 1\n    - 2",
        "2",
        "|\n  t\n\n  # text",
        "e:",
        "",
    ]
    assert source(root(text)) == text[: text.index("e:") + 2]
    assert span_texts("? a\n\n# c\n\n? b\n\n# d\n", ()) == ["? a\n\n# c\n\n? b"]
    assert span_texts("a:\n- x\n-\n\n# c\nb: 1\n", ("a",)) == ["- x\n-"]
    assert span_texts("a: {b: 1} # c\n\nd:\n  - [1,\n   2]\n\n", ("a",), ("d",)) == ["{b: 1}", "- [1,\n   2]"]


def test_spans_of_collections_that_end_in_an_alias() -> None:
    text = (
        "a: &a\n  - &b 1\n  - &c [2]\nb:\n  x: *a  # c\n\n# d\nc:\n  - *b\n  - *c\n\n"
        "d: &d\n  - [&e x, &f y]\n  - *e\n  - *f\n# e\n"
    )
    assert span_texts(text, ("b",), ("c",), ("d",)) == [
        "x: *a  # c",
        "- *b\n  - *c",
        "&d\n  - [&e x, &f y]\n  - *e\n  - *f",
    ]


def test_spans_are_bytes() -> None:
    text = "é: 'ü\U0001f600' # ä\nb: [ß, x]\n" + "# " + "ö" * 3000 + "\nlast: ä\n"
    for mark in ("", "\ufeff"):
        for newline in ("\n", "\r\n"):
            node = root(mark + text.replace("\n", newline))
            assert source(node.key("é")) == "é"
            assert source(node.get("é")) == "'ü\U0001f600'"
            assert source(node.at("b", 0)) == "ß"
            assert source(node.at("b", 1)) == "x"
            assert source(node.get("last")) == "ä"
            last = node.get("last")
            assert last and last.place.line == 4


def test_several_documents() -> None:
    file = load_string("a: 1\n---\n---\n[b]\n...\n# c\n")
    assert [document and document.plain() for document in file.documents] == [{"a": 1}, None, ["b"]]
    assert file.root is file.documents[0]
    assert load_string("").documents == ()
    assert load_string("# nothing\n").root is None


def test_views_are_shared_and_show_their_place() -> None:
    file: File = load(Text("x.yaml", b"a: {b: 1}\n", origin="o/r@v1"))
    assert file.root is not None
    node = file.root.get("a")
    assert node is file.root.items()[0][1]
    assert repr(node) == "<map o/r@v1:x.yaml:1:4>"
    assert repr(file.root.elements()) == "()"
    assert (node.value, node.text) == (None, "")


def test_a_file_that_was_searched_for_duplicates_can_still_be_read() -> None:
    file = load_string("a: 1\nb: {c: x, d: y}\n---\ne: 2\n")
    assert file.duplicates() == ()
    assert file.root is not None
    assert file.root.plain() == {"a": 1, "b": {"c": "x", "d": "y"}}
    assert [one is not None for one in file.documents] == [True, True]


def test_nodes_that_somebody_holds_stay_the_same_after_a_search_for_duplicates() -> None:
    file = load_string("a: {b: 1}\n")
    held = file.root
    assert file.duplicates() == ()
    assert file.root is held
    assert held is not None
    assert held.at("a", "b") is file.view(held.raw.value[0][1].value[0][1])
