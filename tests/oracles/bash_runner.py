"""Real bash as the judge: run a generated script and read the variables it leaves behind.

Only scripts that the tests themselves write are run: builtins and harmless commands, an empty environment, an empty
folder, a time limit.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

BASH = shutil.which("bash") or "bash"
_VERSION = subprocess.run(
    [BASH, "--norc", "--noprofile", "-c", "echo $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))"],
    capture_output=True, text=True, check=False,
).stdout.strip() if shutil.which("bash") else "0"  # fmt: skip
needs_bash = pytest.mark.skipif(int(_VERSION or 0) < 502, reason="the judge is GNU bash 5.2 or newer")
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}

_PROLOGUE = """__dump() {
  __status=$?; [[ $BASHPID == $$ ]] || return; set +eu; IFS=' '; shopt -u nullglob
  printf '%s\\0' "$__status" >&9
  for __name in SCALARS; do
    if [[ -v $__name ]]; then printf 'S\\0%s\\0' "${!__name}" >&9; else printf 'U\\0' >&9; fi
  done
  for __name in ARRAYS; do
    declare -n __array=$__name
    printf 'A\\0%s\\0' "${#__array[@]}" >&9
    for __key in "${!__array[@]}"; do printf '%s\\0%s\\0' "$__key" "${__array[$__key]}" >&9; done
    unset -n __array
  done
}
trap __dump EXIT
exec 9>"$__OUT"
unset __OUT OLDPWD
"""


@dataclass(frozen=True)
class Judged:
    """What bash did: exit status, and for each name a text, a dictionary (array) or None (not set)."""

    status: int
    variables: Mapping[str, str | dict[str, str] | None]
    stderr: str


def judge(
    script: str, env: Mapping[str, str], scalars: Sequence[str], arrays: Sequence[str], folder: Path, timeout: float = 5
) -> Judged | None:
    """Run a script under bash. None where it does not end in time or leaves nothing (a syntax error)."""
    out = folder / ".out"
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    prologue = _PROLOGUE.replace("SCALARS", " ".join(scalars)).replace("ARRAYS", " ".join(arrays))
    out.write_bytes(b"")
    file = folder / "run.sh"
    file.write_text(prologue + script, encoding="utf-8", errors="surrogateescape")
    try:
        done = subprocess.run(
            [BASH, "--norc", "--noprofile", str(file)],
            cwd=work, env={**ENVIRONMENT, **env, "__OUT": str(out)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    fields = os.fsdecode(out.read_bytes()).split("\0")
    if len(fields) < 2:
        return None
    take = iter(fields)
    status = int(next(take))
    found: dict[str, str | dict[str, str] | None] = {}
    for name in scalars:
        found[name] = next(take) if next(take) == "S" else None
    for name in arrays:
        assert next(take) == "A"
        found[name] = {next(take): next(take) for _ in range(int(next(take)))}
    return Judged(status, found, done.stderr.decode(errors="replace"))
