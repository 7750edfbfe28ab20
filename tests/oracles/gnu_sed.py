"""GNU sed as an oracle: many (program, text) pairs in one shell, so that a pair costs one process."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LOCALE = "C.UTF-8"
BATCH = 400  # pairs a shell


@dataclass(frozen=True)
class Case:
    """One call of sed on one text."""

    scripts: tuple[str, ...]
    text: str
    extended: bool = False
    quiet: bool = False

    @property
    def options(self) -> list[str]:
        flags = ["-E"] * self.extended + ["-n"] * self.quiet
        return flags + [word for script in self.scripts for word in ("-e", script)]


@dataclass(frozen=True)
class Answer:
    """What sed did. ``status`` 1 is a program sed rejects, above 128 one that was stopped by a limit."""

    status: int
    output: bytes
    errors: str


@functools.cache
def available() -> bool:
    """True if ``sed`` is GNU sed 4.9 and the locale exists: other versions differ in small ways."""
    if shutil.which("sed") is None or shutil.which("bash") is None:
        return False
    said = subprocess.run(["sed", "--version"], capture_output=True, text=True, check=False).stdout
    wide = subprocess.run(
        ["sed", "s/./x/g"],
        input="é".encode(),
        capture_output=True,
        check=False,
        env={"LC_ALL": LOCALE, "PATH": os.environ["PATH"]},
    )
    return said.startswith("sed (GNU sed) 4.9") and wide.stdout == b"x"


def ask(cases: Sequence[Case]) -> list[Answer]:
    """GNU sed's answers, in order. CPU time, memory and output of each call are bounded."""
    answers: list[Answer] = []
    for start in range(0, len(cases), BATCH):
        answers.extend(_ask(cases[start : start + BATCH]))
    return answers


def _ask(cases: Sequence[Case]) -> list[Answer]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = ["ulimit -c 0 -f 2048 -v 400000 -t 1"]
        for index, case in enumerate(cases):
            (folder / f"t{index}").write_bytes(case.text.encode())
            words = shlex.join(["sed", "--sandbox", *case.options])
            script.append(f"{words} <t{index} >o{index} 2>e{index}; echo $?")
        (folder / "script").write_text("\n".join(script), encoding="utf-8")
        done = subprocess.run(
            ["bash", "script"],
            cwd=folder,
            capture_output=True,
            check=False,
            env={"LC_ALL": LOCALE, "PATH": os.environ["PATH"]},
        )
        statuses = done.stdout.split()
        assert len(statuses) == len(cases), done.stderr
        return [
            Answer(
                int(statuses[index]),
                (folder / f"o{index}").read_bytes(),
                (folder / f"e{index}").read_text(encoding="utf-8", errors="replace"),
            )
            for index in range(len(cases))
        ]
