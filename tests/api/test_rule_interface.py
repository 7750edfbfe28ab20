"""Declaring rules, and what the flat interface offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import configlint.api as api
from configlint.api import ERROR, HIGH, Instance, Launch, Location, Role, RuleError, Script, rule
from tests.support.fakes import FakeSubject, mark
from tests.support.samples import EXAMPLES, LAUNCHER


def declare(id: str = "some-rule", examples: str = EXAMPLES, **more: Any):
    return rule(id=id, severity=ERROR, precision=HIGH, since="0.1", examples=examples, **more)


def launch_rule(launch: Launch) -> Iterator[Instance]:
    yield from ()


def test_module_docstring_is_the_page_and_annotation_the_subject() -> None:
    found = declare()(launch_rule)
    assert found.page == "Declaring rules, and what the flat interface offers."
    assert found.summary == found.page
    assert (found.subject, found.api, found.module) == ("Launch", 1, __name__)


def test_qualified_annotation() -> None:
    def check(script: api.Script) -> Iterator[Instance]:
        yield from ()

    assert declare()(check).subject == Script.__name__


@pytest.mark.parametrize("id", ["Upper-case", "under_score", "-x", "a--b", "", "a b", "9a"])
def test_bad_id(id: str) -> None:
    with pytest.raises(RuleError, match="kebab-case"):
        declare(id)(launch_rule)


def test_bad_alias() -> None:
    with pytest.raises(RuleError, match="kebab-case"):
        declare(aliases=("Old",))(launch_rule)


def test_no_annotation() -> None:
    with pytest.raises(RuleError, match="subject annotation"):
        declare()(lambda launch: iter(()))


def test_unknown_subject() -> None:
    def check(number: int) -> Iterator[Instance]:
        yield from ()

    with pytest.raises(RuleError, match="choose one of Launch, Document"):
        declare()(check)


@pytest.mark.parametrize("examples", ["", "-- bad: x --\n== a\n", "-- good: x --\n== a\n"])
def test_examples_of_both_kinds_are_needed(examples: str) -> None:
    with pytest.raises(RuleError, match="examples"):
        declare(examples=examples)(launch_rule)


def test_bare_places_get_roles() -> None:
    made = FakeSubject(LAUNCHER).instance("m", cause=mark(LAUNCHER, "sed"), victim=mark(LAUNCHER, "fi"))
    assert [one.role for one in made.locations] == [Role.WRITER, Role.DECLARED]
    given = Location(mark(LAUNCHER, "sed"), Role.CONSUMER)
    assert FakeSubject(LAUNCHER).instance("m", cause=given).cause is given


def test_interface_names_exist_and_need_no_third_party_module() -> None:
    assert all(hasattr(api, name) for name in api.__all__)
    code = (
        "import sys, configlint.api; print([n for n in ('yaml', 'tree_sitter', 're2', 'libcst') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
