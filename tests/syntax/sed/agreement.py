"""Compares our answers with GNU sed's. By hand, for many: ``python -m tests.syntax.sed.agreement SEED PAIRS``."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from configlint.syntax import sed
from tests.oracles.gnu_sed import Answer, Case, ask
from tests.syntax.sed.generated import case


def disagreement(one: Case, answer: Answer, tally: Counter[str]) -> str:
    """ "" where we agree or refuse; else what differs. ``tally`` counts how the pair ended."""
    try:
        result = sed.run(sed.parse(one.scripts, extended=one.extended, quiet=one.quiet), one.text)
    except sed.Unsupported as fault:
        tally["refused"] += 1
        tally[f"refused: {fault.message[:40]}"] += 1
        return ""
    except sed.BadProgram as fault:
        tally["rejected"] += 1
        return "" if 0 < answer.status < 128 and answer.errors else f"we reject ({fault.message}), sed: {answer}"
    tally["ran"] += 1
    tally["ran, changed"] += result.text != one.text
    if answer.errors or answer.status > 128:
        return f"sed rejects ({answer}), ours: {result.text!r}"
    if (result.text.encode(), result.status) != (answer.output, answer.status):
        return f"sed {answer.status} {answer.output!r}, ours {result.status} {result.text.encode()!r}"
    return broken(one.text, result)


def broken(text: str, result: sed.Result) -> str:
    """What is wrong with the line map, whatever the program was."""
    old, new = text.split("\n"), result.text.split("\n")
    if len(new) != len(result.lines):
        return f"{len(result.lines)} origins for {len(new)} lines"
    for index, origin in enumerate(result.lines):
        if not -1 <= origin < len(old):
            return f"line {index} comes from line {origin}"
        if (index in result.written) != (origin < 0 or old[origin] != new[index]):
            return f"line {index} ({new[index]!r}) from {origin}, written: {index in result.written}"
    return ""


def disagreements(cases: Sequence[Case], tally: Counter[str]) -> list[tuple[Case, str]]:
    found = []
    for one, answer in zip(cases, ask(cases), strict=True):
        if problem := disagreement(one, answer, tally):
            found.append((one, problem))
    return found


def main(seed: int, pairs: int) -> int:
    rnd = Random(seed)
    tally: Counter[str] = Counter()
    wrong = 0
    done = 0
    started = time.monotonic()
    while done < pairs:
        cases = [case(rnd) for _ in range(min(2000, pairs - done))]
        for one, problem in disagreements(cases, tally):
            wrong += 1
            print(one, "\n   ", problem, flush=True)
        done += len(cases)
    print(f"{done} pairs, {wrong} disagreements, {time.monotonic() - started:.0f} s")
    for kind, count in tally.most_common(40):
        print(f"{count:8} {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
