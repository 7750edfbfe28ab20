"""Every construct of the shell language, one script each: our value, and that bash says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from configlint.launch.outcome import ArrayCell, Variable
from configlint.launch.values import shown
from tests.launch.harness import launch
from tests.launch.tables import Expected, Row, rows, tables
from tests.oracles.bash_runner import judge, needs_bash

ROWS = [row for table in tables() for row in rows(table)]


def plain(variable: Variable | None) -> Expected:
    """A variable the way a table writes it."""
    if variable is None:
        return None
    if isinstance(variable, ArrayCell):
        return {key: shown(cell.value) for key, cell in variable.items}
    return shown(variable.value)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_interpreter_knows(row: Row) -> None:
    outcome = launch(row.script).one
    found = {name: plain(outcome.variables.get(name)) for name in row.variables}
    for name, value in row.variables.items():
        if value == {} and found[name] is None:  # to bash an array that is not set has no elements
            found[name] = {}
    assert found == row.variables
    assert outcome.status in (row.status, None, -1), outcome.reason


def agrees(expected: Expected, actual: Expected) -> bool:
    if isinstance(expected, dict):
        return isinstance(actual, dict) and expected.keys() == actual.keys() and all(
            agrees(value, actual[key]) for key, value in expected.items()
        )  # fmt: skip
    if expected is None or actual is None or isinstance(actual, dict):
        return expected is actual
    pattern = ".*".join(map(re.escape, re.split(r"\{\?[^{}]*\}", expected)))
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


@needs_bash
@pytest.mark.parametrize("table", tables())
def test_bash_agrees(table: str, tmp_path: Path) -> None:
    wrong = []
    for row in rows(table):
        arrays = [name for name, value in row.variables.items() if isinstance(value, dict)]
        scalars = [name for name in row.variables if name not in arrays]
        judged = judge(row.script, {}, scalars, arrays, tmp_path)
        assert judged is not None, row
        if judged.status != row.status or not all(agrees(row.variables[n], judged.variables[n]) for n in row.variables):
            wrong.append(f"{row}: bash says {judged.variables} status {judged.status}")
    assert not wrong
