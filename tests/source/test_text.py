"""Offsets, lines and columns of a text."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from configlint.source.text import Place, Span, Text

TEXTS = st.one_of(
    st.text(alphabet=st.sampled_from("ab \n\r\té\u20ac\U0001f600\ufeff\u2028\x85"), max_size=60).map(str.encode),
    st.binary(max_size=60),
    st.lists(
        st.sampled_from([b"\x80", b"\xe2", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"x", b"\n", b"\xc3\xa9"])
    )
    .map(b"".join)
    .map(lambda raw: raw * 20),
)


def oracle_byte_offset(raw: bytes, character: int) -> int:
    """The offset by walking: each step is one code point, or the bytes that became one U+FFFD."""
    at = 0
    for _ in range(character):
        try:
            head = raw[at : at + 4].decode("utf-8")
            at += len(head[:1].encode())
        except UnicodeDecodeError as fault:
            if fault.start:
                at += len(raw[at : at + fault.start].decode("utf-8")[:1].encode())
            else:
                at += fault.end
    return at


@settings(deadline=None)
@given(TEXTS)
@example(b"")
@example("\ufeffa: é\r\nb: €\r\n".encode())
@example(b"\x80" * 1500 + b"a")
@example("é".encode() * 700 + b"\n" + "€".encode() * 500)
def test_byte_offset_is_where_the_character_starts(raw: bytes) -> None:
    text = Text("a", raw)
    previous = -1
    for character in range(0, len(text.string) + 1, 1 + len(text.string) // 50):
        offset = text.byte_offset(character)
        assert offset == oracle_byte_offset(raw, character)
        assert offset > previous or raw == b""
        previous = offset
    assert text.byte_offset(len(text.string)) == len(raw)
    assert text.byte_offset(len(text.string) + 5) == len(raw)
    assert text.byte_offset(-3) == 0


@given(TEXTS)
def test_position_counts_lines_and_bytes(raw: bytes) -> None:
    text = Text("a", raw)
    for offset in range(0, len(raw) + 1, 1 + len(raw) // 50):
        line, column = text.position(offset)
        before = raw[:offset]
        assert line == before.count(b"\n") + 1
        assert column == offset - (before.rfind(b"\n") + 1) + 1


@given(TEXTS)
def test_line_spans_are_the_lines_without_their_ends(raw: bytes) -> None:
    text = Text("a", raw)
    lines = [text.line_span(number) for number in range(1, len(text.line_starts) + 1)]
    expected = [line.removesuffix(b"\r") for line in raw.split(b"\n")]
    assert [raw[span.start : span.end] for span in lines] == expected


def test_a_position_outside_is_clamped() -> None:
    text = Text("a", b"one\ntwo")
    assert text.position(-1) == (1, 1)
    assert text.position(99) == (2, 4)


def test_columns_count_utf8_bytes_and_lines_end_at_lf_only() -> None:
    text = Text("a", "é\rü\u2028x\r\ny".encode())
    assert text.position(text.string.encode().index(b"x")) == (1, 9)
    assert text.line_span(1) == Span(0, 9)
    assert text.position(text.raw.index(b"y")) == (2, 1)


def test_place_names_path_origin_and_line() -> None:
    place = Place(Text("a.yaml", b"x\ny: z\n", "owner/name@v1"), Span(5, 6))
    assert (place.path, place.line, place.start, place.end) == ("owner/name@v1:a.yaml", 2, (2, 4), (2, 5))


@pytest.mark.parametrize("raw", [b"\xff" * 3_000_000, "€".encode() * 1_000_000], ids=["invalid", "one-long-line"])
def test_offsets_in_a_hostile_line_cost_little(raw: bytes) -> None:
    text = Text("a", raw)
    start = time.process_time()
    offsets = [text.byte_offset(character) for character in range(0, len(text.string), len(text.string) // 500)]
    assert offsets == sorted(set(offsets))
    assert time.process_time() - start < 2
