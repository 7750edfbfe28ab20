"""Tables of scripts and what bash leaves behind.

A table is a text file: a script (one line or several), then one line, after ``=> ``, with the variables it leaves
behind as Python literals (None: not set) and ``status=`` where it is not 0. ``{?...}`` inside a text is what
we do not know. Lines that begin with ``# `` between entries are headings.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
Expected = str | None | dict[str, str]


@dataclass(frozen=True)
class Row:
    """One script of a table."""

    table: str
    line: int
    script: str
    variables: dict[str, Expected]
    status: int

    def __str__(self) -> str:
        return f"{self.table}:{self.line}"


def rows(table: str) -> list[Row]:
    """The rows of a table."""
    found: list[Row] = []
    script: list[str] = []
    start = 0
    for number, line in enumerate((HERE / f"{table}.txt").read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("=> "):
            call = ast.parse(f"f({line[3:]})", mode="eval").body
            assert isinstance(call, ast.Call)
            values = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
            status = values.pop("status", 0)
            found.append(Row(table, start, "\n".join(script) + "\n", values, status))
            script = []
        elif script or (line and not line.startswith("# ")):
            start = start if script else number
            script.append(line)
    assert not script, f"{table}:{start} has no expectation"
    return found


def tables() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.txt"))
