"""Declaring rules, and what the flat interface offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import configlint.api as api
from configlint.api import ERROR, HIGH, Instance, Launch, Location, Role, RuleError, Script, rule
from configlint.api.rule import SUBJECTS
from configlint.api.submission import Submission
from configlint.lint.project import SUBJECT_METHODS
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


def test_a_document_has_what_the_interface_says_and_nothing_else() -> None:
    """No catch-all: a misspelt word is the rule's own fault, at once and for the type checker."""
    from tests.model.launching import launch

    document = launch("sed -i 's/a: 1/a: 2/' recipe.yaml", "a: 1\nb: {c: 1}\n").recipe
    assert document is not None
    with pytest.raises(AttributeError, match="'Document' object has no attribute 'effectiv'"):
        document.effectiv  # type: ignore[attr-defined] # noqa: B018
    assert (document.given, document.name, document.selector) == ("recipe.yaml", "recipe.yaml", None)
    assert document.effective is not None and document.declared is not None
    assert document.effective_text is not None and document.effective_text.text.startswith("a: 2")
    assert document.source is not None and document.source.path == "recipe.yaml"
    assert [edit.kind for edit in document.edits] == ["sed"]
    assert document.path is not None and document.outcome is document.launch.outcome and document.clone is None
    assert len(document.variants) == len(document.settled) == 1 and document.edited is not None
    assert document.selection == document.variants and document.declared_selection
    node = document.declared.root.get("a") if document.declared.root is not None else None
    assert node is not None and document.declared_place(node) is not None
    changed = document.effective.root.get("a") if document.effective.root is not None else None
    place = document.place(changed) if changed is not None else None
    assert place is not None and place.path == "runners/launch_alpha.sh"
    assert document.top is not None and document.top.line == 1
    assert document.last_known[0] is document.effective_text
    assert document.world.tree.read("recipe.yaml") is document.source


@pytest.mark.parametrize("name", sorted(name for name in vars(Submission) if name[0] != "_"))
def test_every_word_about_a_document_answers(name: str) -> None:
    from tests.model.launching import launch

    document = launch("true", "a: 1\n").recipe
    assert hasattr(document, name)


def test_the_subjects_of_the_message_are_those_of_the_interface() -> None:
    assert all(isinstance(getattr(api, subject), type) for subject in SUBJECTS)
    assert set(SUBJECTS) == set(SUBJECT_METHODS)


def test_no_rule_is_newer_than_the_program() -> None:
    from configlint import __version__
    from configlint.lint.registry import load

    def version(text: str) -> tuple[int, ...]:
        return tuple(map(int, text.split(".")))

    assert {one.id for one in load().rules if version(one.since) > version(__version__)[:2]} == set()
