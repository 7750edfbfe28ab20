"""JSON text by lines: the same document, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from configlint.report.jsontext import dumped

_CODES = (*range(10), *range(11, 32), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F))
UNSAFE = set(map(chr, _CODES))
TEXTS = st.text(max_size=8) | st.text(sorted(UNSAFE), max_size=4) | st.just("##[error]::x")
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
)


@given(DOCUMENTS, st.integers(0, 4))
@settings(max_examples=150, deadline=None)
def test_reads_back(document: Any, depth: int) -> None:
    text = "".join(dumped(document, depth))
    assert json.loads(text) == document
    assert "##[" not in text
    assert not set(text) & UNSAFE
    assert not [line for line in text.split("\n") if line.startswith("::")]


def test_layout() -> None:
    document = {"a": [{"x": [1, 2]}, {}], "b": {}, "c": {"d": 1}}
    assert "".join(dumped(document)) == (
        '{\n  "a": [\n    {"x": [1, 2]},\n    {}\n  ],\n  "b": {},\n  "c": {\n    "d": 1\n  }\n}\n'
    )
