"""Compares the interpreter with GNU bash. By hand, for many: ``python -m tests.launch.agreement SEED SCRIPTS``.

Prints each disagreement, then totals: scripts, values compared, values known (and right), unknown, paths refused.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.launch.compare import compare
from tests.launch.generated import ARRAYS, SCALARS, script
from tests.launch.harness import ended, parsed
from tests.launch.test_bash_agrees import ERRORS
from tests.oracles.bash_runner import judge


def problems(text: str, folder: Path, tally: Counter[str]) -> tuple[list[str], str]:
    """What is wrong with what we say of a script, and bash's messages. ``tally`` counts how it went."""
    judged = judge(text, {}, SCALARS, ARRAYS, folder)
    if judged is None:
        tally["scripts that bash does not end"] += 1
        return [], ""
    if error := next((one for one in ERRORS if one in judged.stderr), ""):
        tally["scripts in which bash drops a line"] += 1
        tally[f"  {error}"] += 1
        return [], ""
    found = compare(ended(parsed(text), {}), judged, SCALARS, ARRAYS)
    tally["values known"] += found.known
    tally["values unknown"] += found.unknown
    tally["scripts refused"] += found.not_analysed
    tally["scripts compared"] += not found.not_analysed
    tally["scripts with nothing unknown"] += not found.not_analysed and not found.unknown
    return found.disagreements, judged.stderr


def main(seed: int, scripts: int) -> int:
    tally: Counter[str] = Counter()
    wrong, started = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        for number in range(scripts):
            text = script(Random(f"{seed}/{number}"))
            try:
                found, messages = problems(text, Path(name), tally)
            except Exception as fault:
                found, messages = [f"we crash: {fault!r}"], ""
            if found:
                wrong += 1
                print(f"--- {seed}/{number}: {found}\n{text}{messages}", flush=True)
    print(f"{scripts} scripts, {wrong} disagreements, {time.monotonic() - started:.0f} s")
    for kind, count in sorted(tally.items()):
        print(f"{count:9,} {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
