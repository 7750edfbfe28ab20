"""An entry breaks the rules that the tree's own validation sets.

The generator validates every entry of a file before it expands the first, so one broken entry stops every run. The
models are read from the Python source of the same tree and never run: fields, types, choices and limits, and the
checks across fields as far as their form is known. What cannot be read is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, MATRIX, Entry, Location, Verdict, rule


@rule(
    id="matrix-schema",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: a key that the models do not know --
== configs/x-master.yaml
tiny:
  image: "a/b:1"
  modle: m  #! matrix-schema
  runner: alpha
== utils/matrix_logic/validation.py
from pydantic import BaseModel, ConfigDict
class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    image: str
    model: str = ""
    runner: str
def validate_master_config(entries):
    for entry in entries.values():
        Entry(**entry)
-- good: no such model --
== configs/x-master.yaml
tiny: { modle: m, runner: alpha }
""",
)
def matrix_schema(entry: Entry) -> Iterator[Verdict]:
    """The cause is the value, or the key that is not accepted or lacks another."""
    judged = entry.judged
    for one in judged.violations:
        place = f"{one.path}: " if one.path else ""
        yield entry.instance(f"{entry.key}: {place}{one.message}", cause=Location(one.at, MATRIX), key=one.path)
    for reason in judged.unsure:
        yield entry.unknown(f"the tree's own validation cannot be followed: {reason}", entry.place)
