"""A validation that cannot be read ends in one diagnostic about it, with its line, and in no finding."""

from __future__ import annotations

import pytest

from configlint.api.project import Project
from configlint.lint.engine import run
from configlint.lint.examples import Example
from configlint.lint.registry import load
from configlint.lint.trees import project_of

PATH = "utils/matrix_logic/validation.py"


def told(source: str) -> tuple[list[str], list[tuple[str, int | None, str]], int]:
    files = {"configs/x-master.yaml": "tiny: { image: 3 }\nother: { image: 4 }\n", PATH: source}
    project = project_of(Example("x", True, files))
    assert isinstance(project, Project)
    result = run(project, [load().get("matrix-schema")])
    about = [(one.id, one.line, one.message) for one in result.diagnostics if one.shown_path == PATH]
    return [one.message for one in result.findings], about, result.stats.rules["matrix-schema"].unknown


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("a = 1\nclass Entry(\n", 2, "not Python"),
        ("x = " + "-" * 100_000 + "1\n", 1, "nested too deeply"),
        ("x = " + "[" * 150 + "]" * 150 + "\n", 1, "nested too deeply"),
        ("x = 1\n" * 100_000, 1, "larger than"),
        ("a = 1\n", 1, "there is no validate_master_config"),
    ],
)
def test_a_source_that_cannot_be_read(source: str, line: int, words: str) -> None:
    findings, about, _ = told(source)
    assert findings == []
    assert [(one, at) for one, at, _ in about] == [("not-analysed", line)]
    assert words in about[0][2]


def test_a_loop_without_end_is_unknown() -> None:
    nested = "".join(f"{'  ' * depth} for a{depth} in [1, 2, 3, 4, 5, 6, 7, 8, 9]:\n" for depth in range(20))
    findings, about, unknown = told(f"def validate_master_config(entries):\n{nested}{'  ' * 20} pass\n")
    assert (findings, about) == ([], [])
    assert unknown == 2
