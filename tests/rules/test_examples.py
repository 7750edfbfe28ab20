"""Every registered rule's own examples, and the further spellings and traps beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from configlint.api import Rule
from configlint.lint.examples import parse, problems, rule_problems
from configlint.lint.registry import load
from configlint.lint.trees import project_of

RULES = load().rules
TRAPS = Path(__file__).parent.parent / "traps"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_examples_say_what_the_rule_does(rule: Rule) -> None:
    assert rule_problems(rule, project_of) == []


@pytest.mark.parametrize("path", sorted(TRAPS.glob("*.txtar")), ids=lambda path: path.stem)
def test_traps(path: Path) -> None:
    rule = load().get(path.stem)
    examples = parse(path.read_text(encoding="utf-8"))
    assert [one for example in examples for one in problems(example, [rule], project_of)] == []
