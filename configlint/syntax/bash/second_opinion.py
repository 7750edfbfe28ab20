"""What GNU bash says about a script: a second opinion before a syntax error is reported.

``bash -n`` reads commands without running them. It gets the script on standard input, an empty environment
(so neither ``BASH_ENV`` nor exported functions reach it) and a short time.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

TIME_LIMIT = 2.0
"""Seconds after which bash is no longer waited for."""

_MESSAGE = re.compile(r"^[^:]*bash[^:]*: (.+)$")
_WARNING = "warning: "


@dataclass(frozen=True, slots=True)
class NoOpinion:
    """Bash could not be asked, or did not answer in time."""

    reason: str


@cache
def _bash() -> str | None:
    return shutil.which("bash")


def check_syntax(source: bytes) -> str | NoOpinion | None:
    """None if bash parses ``source``, its first message (``line 3: syntax error near ...``; rarely
    without a line) if it does not.

    A :class:`NoOpinion` where no bash can be asked. Never runs anything of ``source``.
    """
    program = _bash()
    if program is None:
        return NoOpinion("no bash on this machine")
    try:
        done = subprocess.run(
            [program, "--norc", "--noprofile", "-n"],
            input=source,
            capture_output=True,
            env={"LC_ALL": "C"},
            timeout=TIME_LIMIT,
            check=False,
            close_fds=True,
        )
    except subprocess.TimeoutExpired:
        return NoOpinion(f"bash took more than {TIME_LIMIT:g} s")
    except OSError as error:
        return NoOpinion(f"bash cannot be run: {error.strerror}")
    if done.returncode < 0:
        return NoOpinion(f"bash died of signal {-done.returncode}")
    complaint = _complaint(done.stderr.decode("utf-8", errors="replace"))
    return complaint or ("syntax error" if done.returncode else None)


def _complaint(stderr: str) -> str:
    """The first complaint without the name of the program; "" for none (a warning is none).

    A syntax error inside ``[[ ]]`` is a complaint although bash then exits with 0.
    """
    for line in stderr.splitlines():
        match = _MESSAGE.match(line)
        if match and _WARNING not in match[1]:
            return match[1]
    return ""


__all__ = ["TIME_LIMIT", "NoOpinion", "check_syntax"]
