"""What a sed program is read to be for."""

from __future__ import annotations

import pytest

from configlint.launch.outcome import Edit
from configlint.model.intents import idle_intents
from configlint.source.text import Place, Span, Text
from configlint.syntax import sed

PLACE = Place(Text("launcher.sh", b"sed"), Span(0, 3))


def edit(program: str, text: str, extended: bool = False) -> Edit:
    result = sed.run(sed.parse([program], extended=extended), text)
    return Edit("sed", "/a", PLACE, "sed", None, None, program=(program,), extended=extended, hits=result.hits)


@pytest.mark.parametrize(
    ("program", "key", "wanted", "beside"),
    [
        ("s/^  max_attempts: [0-9]*/  max_attempts: 720/", "max_attempts", ("max_attempts", "720"), False),
        ('s|^name:.*|name: "x"|', "name", ("name", "x"), False),
        ("s/^[[:space:]]*a-b.c: .*/a-b.c: 1/", "a-b.c", ("a-b.c", "1"), False),
        ("s/^ \\{2\\}seqs: .*/  seqs: 1/", "seqs", ("seqs", "1"), False),
        ("s/^\\( *seqs:\\) .*/\\1 64/", "seqs", ("seqs", "64"), False),
        ("s/seqs:.*//", "seqs", None, False),
        ("/^  seqs:/d", "seqs", None, False),
        ("/^  seqs:/,/^x/d", "seqs", None, False),
        ("/^      one:/a\\      two: 3", "one", ("two", "3"), True),
        ("/^one:/i two: 'b c'", "one", ("two", "b c"), True),
        ("/^one:/c\\two: 3", "one", ("two", "3"), False),
        ("/^one:/s/old: .*/old: new/", "old", ("old", "new"), False),
    ],
)
def test_what_is_wanted(program: str, key: str, wanted: tuple[str, str] | None, beside: bool) -> None:
    (intent,) = idle_intents(edit(program, "nothing\n"))
    assert (intent.key, intent.wanted, intent.beside) == (key, wanted, beside)


@pytest.mark.parametrize(
    "program", ["/FORCE/d", "s/a/b/", "1d", "$d", "y/abc/def/", "s/^  *//", "/x:/!d", "/a: /s/b/c/"]
)
def test_what_cannot_be_told(program: str) -> None:
    assert list(idle_intents(edit(program, "nothing\n"))) == []


def test_what_acted_is_not_idle() -> None:
    program = "s/^a: .*/a: 1/\ns/^b: .*/b: 1/"
    assert [one.key for one in idle_intents(edit(program, "a: 0\n"))] == ["b"]


def test_other_edits_have_no_program() -> None:
    assert list(idle_intents(Edit("append", "/a", PLACE, "cat", None, None))) == []


def test_a_line_at_another_indentation_fits() -> None:
    (intent,) = idle_intents(edit("s/^  seqs: [0-9]*$/  seqs: 1/", "nothing\n"))
    assert intent.fits("        seqs: 12")
    assert not intent.fits("        seqs: many")
