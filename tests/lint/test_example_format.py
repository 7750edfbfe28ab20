"""The format of rule examples, and the runner that proves them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from configlint.api import Verdict
from configlint.lint.examples import Example, ExampleError, Expected, parse, problems, rule_problems
from tests.support.fakes import FakeProject, FakeSubject, FakeTree, mark
from tests.support.samples import make_rule

TEXT = """
-- bad: two files, a link and an outside file --
== runners/launch_a.sh
#!/usr/bin/env bash
sed -i 's/a/b/' "$F"     #! no-sed
echo "#! not at the end" x

== runners/launch_b.sh -> launch_a.sh
== https://host.invalid/owner/repo.git@v1.2:recipes/x.yaml
name: x  # remains
== empty.yaml
-- bad: several --
== a b.sh
sed sed\t#! no-sed, other-rule
-- good: nothing --
== a.sh
true
"""


def test_parse() -> None:
    first, second, third = parse(TEXT)
    assert first.title == "two files, a link and an outside file" and first.bad
    assert first.files == {
        "runners/launch_a.sh": '#!/usr/bin/env bash\nsed -i \'s/a/b/\' "$F"\necho "#! not at the end" x\n\n',
        "empty.yaml": "",
    }
    assert first.expected == {Expected("runners/launch_a.sh", 2, "no-sed")}
    assert first.symlinks == {"runners/launch_b.sh": "launch_a.sh"}
    assert first.outside == {
        ("https://host.invalid/owner/repo.git", "v1.2"): {"recipes/x.yaml": "name: x  # remains\n"}
    }
    assert second.files == {"a b.sh": "sed sed\n"}
    assert second.expected == {Expected("a b.sh", 1, "no-sed"), Expected("a b.sh", 1, "other-rule")}
    assert not third.bad and third.files == {"a.sh": "true\n"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("hello\n", "line 1: text before the first"),
        ("-- bad: x --\nhello\n", "line 2: text outside a file"),
        ("-- bad: x --\n== a\ny\n", "is called bad, but marks no line"),
        ("-- good: x --\n== a\ny #! id\n", "is called good, but expects id"),
        ("-- good: x --\n== a\n== a\n", "line 3: a occurs twice"),
        ("-- good: x --\n== a -> b\n== a\n", "line 3: a occurs twice"),
        ("-- good: x --\n== a -> b\ntext\n", "line 3: text outside a file"),
    ],
)
def test_malformed(text: str, wanted: str) -> None:
    with pytest.raises(ExampleError, match=wanted):
        parse(text)


def no_sed(script: FakeSubject) -> Iterator[Verdict]:
    for number, line in enumerate(script.text.string.split("\n")):
        if line.startswith("sed"):
            yield script.instance(
                "sed", cause=mark(script.text, "sed", number if "sed\nsed" in script.text.string else 0)
            )


def factory(example: Example) -> FakeProject:
    return FakeProject(FakeTree(example.files))


def rule_with(examples: str, **more: Any):
    return make_rule("no-sed", subject="Script", check=no_sed, examples=examples, **more)


GOOD = "-- good: g --\n== a\ntrue\n"


def test_examples_that_hold() -> None:
    rule = rule_with(f"-- bad: b --\n== a\n\nsed x  #! no-sed\n{GOOD}")
    assert rule_problems(rule, factory) == []


def test_examples_that_do_not_hold() -> None:
    rule = rule_with("-- bad: b --\n== a\ntrue  #! no-sed\nsed\n-- good: g --\n== a\nsed\n")
    assert rule_problems(rule, factory) == [
        "b: a:1: expected no-sed, found nothing",
        "b: a:2: no-sed is not expected",
        "g: a:1: no-sed is not expected",
    ]


def test_both_kinds_are_needed_and_the_form_is_checked() -> None:
    assert rule_problems(rule_with(GOOD), factory) == ["no bad example"]
    assert rule_problems(rule_with("x"), factory)[0].startswith("line 1")


def test_a_crash_is_a_problem() -> None:
    def crash(script: FakeSubject) -> Iterator[Verdict]:
        raise ValueError("oops")
        yield

    rule = make_rule("no-sed", subject="Script", check=crash)
    (example,) = parse("-- good: g --\n== a\ntrue\n")
    (problem,) = problems(example, [rule], factory)
    assert problem.startswith("g: rule-crashed: no-sed: ValueError: oops")
