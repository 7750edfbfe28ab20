"""Fingerprints survive what does not change a defect, and tell defects apart."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from configlint.api import Instance, Location, Place, Span, Text
from configlint.lint.identity import cause_fingerprints, fingerprinted, stable_path
from tests.support.fakes import at

LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12), max_size=6)


def instance(launcher: Text, recipe: Text, nth: int = 0) -> Instance:
    return Instance("m", cause=at(launcher, "sed -i x"), victim=at(recipe, "1440", nth=nth), rule="some-rule")


def name(launcher: str, recipe: str, **more: object) -> str:
    found = instance(Text("run.sh", launcher.encode()), Text("recipe.yaml", recipe.encode()))
    return fingerprinted([replace(found, **more)])[0].fingerprint  # type: ignore[arg-type]


BASE = name("sed -i x\n", "attempts: 1440\n")


@given(LINES, LINES, LINES)
@settings(max_examples=60, deadline=None)
def test_moved_lines_change_nothing(before: list[str], after: list[str], recipe: list[str]) -> None:
    around = "".join(f"#{line}\n".replace("sed", "") for line in before)
    below = "".join(f"{line}\n" for line in after)
    above = "".join(f"#{line}\n".replace("1440", "") for line in recipe)
    assert name(f"{around}sed -i x\n{below}", f"{above}attempts: 1440\n") == BASE


def test_indentation_comments_and_line_ends_change_nothing() -> None:
    assert name("\t  sed -i x  # now with a comment\r\n", "   attempts:    1440   # configlint: ignore\r\n") == BASE


def test_rule_path_text_and_key_change_it() -> None:
    names = {
        BASE,
        name("sed -i x\n", "attempts: 1440\n", rule="other-rule"),
        name("sed -i x\n", "attempts: 1440\n", key="alpha"),
        name("sed -i x\n", "interval: 1440\n"),
        name("cd y; sed -i x\n", "attempts: 1440\n"),
        name("sed -i x\n", "attempts: 1440\n", victim=None),
    }
    assert len(names) == 6


def test_equal_causes_get_different_names_in_their_order() -> None:
    text = Text("run.sh", b"sed -i x\n\nsed -i x\n")
    twins = [Instance("m", cause=at(text, "sed -i x", nth=nth), rule="r") for nth in (1, 0)]
    first, second = fingerprinted(twins)
    assert first.cause.place.line == 1 and first.fingerprint != second.fingerprint
    prints = cause_fingerprints(twins)
    assert len(prints) == len(set(prints.values())) == 2
    # A third one between them leaves the set of names as it was, with one added.
    more = Text("run.sh", b"sed -i x\nsed -i x\nsed -i x\n")
    three = fingerprinted([Instance("m", cause=at(more, "sed -i x", nth=nth), rule="r") for nth in range(3)])
    assert {one.fingerprint for one in three} > {first.fingerprint, second.fingerprint}


def test_revision_of_an_outside_repository_takes_no_part() -> None:
    old, new = (Text("a.yaml", b"x", origin=f"owner/repo@{ref}") for ref in ("v1", "v2"))
    place = Place(old, Span(0, 1))
    assert stable_path(place) == stable_path(Place(new, Span(0, 1))) == "owner/repo:a.yaml"
    one, two = (
        fingerprinted([Instance("m", cause=Location(Place(text, Span(0, 1))), rule="r")])[0].fingerprint
        for text in (old, new)
    )
    assert one == two


@given(st.binary(max_size=80), st.integers(0, 90), st.integers(0, 90))
@settings(max_examples=100, deadline=None)
def test_any_bytes_and_spans(raw: bytes, start: int, length: int) -> None:
    place = Place(Text("p\udcff", raw), Span(start, start + length))
    (found,) = fingerprinted([Instance("m", cause=Location(place), rule="r")])
    assert len(found.fingerprint) == 20
