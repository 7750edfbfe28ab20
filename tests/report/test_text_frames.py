"""Quoted source: always safe to print, always with the mark under what it marks."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from configlint.api import Place, Span, Text
from configlint.report.formats import render
from configlint.report.frames import quote
from configlint.report.plain import one_line, stripped
from configlint.report.style import Style
from configlint.report.terminal import Paint, wants_color
from tests.support import samples


def place(raw: bytes | str, start: int, end: int) -> Place:
    return Place(Text("a", raw.encode() if isinstance(raw, str) else raw), Span(start, end))


@given(st.binary(max_size=200), st.integers(0, 210), st.integers(0, 210), st.integers(1, 60))
@settings(max_examples=300, deadline=None)
def test_any_bytes_any_span(raw: bytes, start: int, length: int, width: int) -> None:
    found = quote(place(raw, start, start + length), width)
    assert not any(unicodedata.category(char) == "Cc" for char in found.text)
    assert found.length >= 1 and found.offset >= 0
    assert len(found.text) <= max(width, 16)
    assert found.line == raw.count(b"\n", 0, min(start, len(raw))) + 1


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=300),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300),
    st.integers(20, 120),
)
@settings(max_examples=200, deadline=None)
def test_mark_stands_under_the_text(before: str, marked: str, after: str, width: int) -> None:
    found = quote(place(before + marked + after, len(before), len(before) + len(marked)), width)
    under = found.text[found.offset : found.offset + found.length]
    if under.endswith("…"):
        assert marked.startswith(under[:-1]) and len(marked) > width - 1
    else:
        assert under == marked


def test_tabs_go_to_the_next_stop() -> None:
    found = quote(place("a\tb\tc", 4, 5), 80)
    assert (found.text, found.offset, found.length) == ("a   b   c", 8, 1)
    found = quote(place("\tx", 0, 1), 80)
    assert (found.text, found.offset, found.length) == ("    x", 0, 4)


def test_wide_and_combining_characters() -> None:
    text = "名e\u0301x"
    found = quote(place(text, len("名e\u0301".encode()), len(text.encode())), 80)
    assert (found.offset, found.length) == (3, 1)


def test_a_megabyte_line_is_cut_without_reading_it() -> None:
    raw = b"x" * 1_000_000 + b"HERE" + b"y" * 1_000_000
    found = quote(place(raw, 1_000_000, 1_000_004), 60)
    assert found.text.startswith("…x") and found.text.endswith("y…") and len(found.text) == 60
    assert found.text[found.offset : found.offset + found.length] == "HERE"
    whole = quote(place(raw, 0, len(raw)), 60)
    assert whole.text == "x" * 59 + "…"


def test_spans_over_lines_and_at_the_end() -> None:
    found = quote(place("ab\ncd\nef\n", 1, 8), 80)
    assert (found.line, found.text, found.offset, found.length, found.more_lines) == (1, "ab", 1, 1, 3)
    # A span that ends with its line's end does not reach into the next line.
    assert quote(place("ab\ncd\n", 0, 3), 80).more_lines == 0
    end = quote(place("ab\n", 3, 3), 80)
    assert (end.line, end.text, end.offset, end.length) == (2, "", 0, 1)
    assert quote(place("ab\r\n", 0, 4), 80).text == "ab"


def test_directions_and_separators_are_removed() -> None:
    assert stripped("a\u202eb\u2066c\u2028d\x9be\x1bf\u200f") == "abcdef"
    assert one_line("a\r\nb\u2028c\td") == "a b c d"
    assert one_line("x" * 5000) == "x" * 1999 + "…"


def test_plain_text_has_no_control_characters() -> None:
    text = "".join(render("text", samples.result(), Style()))
    assert not [char for char in text if unicodedata.category(char) == "Cc" and char != "\n"]
    assert "\u202e" not in text


def test_color_choice() -> None:
    assert wants_color("auto", True, {}) and not wants_color("auto", False, {})
    assert not wants_color("auto", True, {"NO_COLOR": "1"}) and wants_color("auto", True, {"NO_COLOR": ""})
    assert wants_color("auto", False, {"FORCE_COLOR": "1"}) and not wants_color("auto", True, {"FORCE_COLOR": "0"})
    assert not wants_color("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"})
    assert not wants_color("auto", True, {"TERM": "dumb"})
    assert wants_color("always", False, {"NO_COLOR": "1"}) and not wants_color("never", True, {"FORCE_COLOR": "1"})


def test_links_lead_into_the_tree_and_are_encoded() -> None:
    paint = Paint(Style(root="/a b"))
    assert paint.link("c\x1b\udcff.sh", "shown") == "\x1b]8;;file:///a%20b/c%1B%FF.sh\x1b\\shown\x1b]8;;\x1b\\"
    assert Paint(Style()).link("c", "shown") == "shown"
