"""Generated scripts: whatever bash does must be among what the interpreter says."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings

from tests.launch.compare import compare
from tests.launch.generated import ARRAYS, SCALARS, scripts
from tests.launch.harness import ended, parsed
from tests.oracles.bash_runner import judge, needs_bash

MORE = int(os.environ.get("CONFIGLINT_FUZZ", "0"))
ERRORS = ("syntax error", "bad substitution", "substring expression", "division by 0", "bad array subscript",
          "value too great", "invalid arithmetic", "operand expected", "attempted assignment", "expression recursion",
          "invalid indirect", "invalid variable name", "not a valid identifier", "unexpected EOF", "command not found", "ambiguous redirect")  # noqa: E501  # fmt: skip
SETTINGS = settings(
    max_examples=MORE or 150,
    derandomize=not MORE,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@needs_bash
@SETTINGS
@given(scripts())
def test_what_bash_does_is_among_what_we_say(script: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        judged = judge(script, {}, SCALARS, ARRAYS, Path(folder))
    assume(judged is not None)
    assert judged is not None
    assume(not any(error in judged.stderr for error in ERRORS))  # bash drops the rest of the line
    found = compare(ended(parsed(script), {}), judged, SCALARS, ARRAYS)
    assert not found.disagreements, f"{found.disagreements}\n{script}\n{judged.stderr}"
