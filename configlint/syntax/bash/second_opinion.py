"""What GNU bash says about a script: a second opinion before a syntax error is reported.

``bash -n`` reads commands without running them. It gets the script on standard input, an empty environment
(so neither ``BASH_ENV`` nor exported functions reach it) and a short time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

TIME_LIMIT = 2.0
"""Seconds after which bash is no longer waited for."""

MAX_ASKED = 200
"""Processes that are started for the scripts of one tree; about those that are left there is no opinion."""

_memory = getattr(os, "memfd_create", None)  # Linux: a file that is in no folder
_BATCH = 1 << 20  # bytes of scripts that are read together
# What stands between scripts that are read together. Its lines are nothing where a command may begin. Where the script
# before left something open, they are no comment or no string: they close it and then are an error. One or two openings
# deep by the comments, deeper by the strings in most cases.
_CLOSERS = (b"'", b'"', b"`", b"}", b"))")
_COMMENTS = [b": # %s ;;;;\n" % one for one in _CLOSERS] + [
    b": # %s%s ;;;;\n" % pair for pair in product(_CLOSERS, repeat=2) if pair[0] != pair[1]
]
_STRINGS = [b": '%s'\n: \"%s\"\n: `%s`\n" % (text, text, text) for text in (b";;;;", b"}));;;;")]
_APART = b"\n" + b"".join(_COMMENTS + _STRINGS)
_MESSAGE = re.compile(r"^[^:]*bash[^:]*: (.+)$")
_WARNING = "warning: "


@dataclass(frozen=True, slots=True)
class NoOpinion:
    """Bash could not be asked, or did not answer in time."""

    reason: str


_GIVEN_UP = NoOpinion("bash was asked too often")


def is_given_up(answer: str | NoOpinion | None) -> bool:
    """True if bash was not asked, for it had been asked too often."""
    return answer is _GIVEN_UP


@cache
def _bash() -> str | None:
    return shutil.which("bash")


def check_syntax(source: bytes) -> str | NoOpinion | None:
    """None if bash parses ``source``, its first message (``line 3: syntax error near ...``; rarely
    without a line) if it does not.

    A :class:`NoOpinion` where no bash can be asked. Never runs anything of ``source``.
    """
    done = _ask(source)
    if isinstance(done, NoOpinion):
        return done
    complaint = _complaint(done.stderr.decode("utf-8", errors="replace"))
    return complaint or ("syntax error" if done.returncode else None)


def check_all(sources: Sequence[bytes]) -> list[str | NoOpinion | None]:
    """:func:`check_syntax` of many scripts, with few processes where most of them are fine.

    Scripts are read together, apart by lines that are an error to whatever the script before left open (a quote, a
    brace). Where anything is said about a batch, its halves are asked. An open ``if``, loop or parenthesis can hide
    only where a later script of the batch happens to close it.
    """
    answers: list[str | NoOpinion | None] = [None] * len(sources)
    pending = list(_batches(sources))[::-1]
    asked = 0
    while pending:
        batch = pending.pop()
        asked += 1
        if asked > MAX_ASKED:
            for index in batch:
                answers[index] = _GIVEN_UP
        elif len(batch) == 1:
            answers[batch[0]] = check_syntax(sources[batch[0]])
        else:
            done = _ask(_APART.join([*(sources[index] for index in batch), b""]))
            if isinstance(done, NoOpinion) or done.returncode or done.stderr:
                pending += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]
    return answers


def _batches(sources: Sequence[bytes]) -> Iterator[list[int]]:
    """Indexes of sources, together no larger than bash reads well within the time limit."""
    batch: list[int] = []
    size = 0
    for index, source in enumerate(sources):
        if batch and size + len(source) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(index)
        size += len(source)
    if batch:
        yield batch


def _ask(source: bytes) -> subprocess.CompletedProcess[bytes] | NoOpinion:
    """What bash says about a script that it reads without running it."""
    program = _bash()
    if program is None:
        return NoOpinion("no bash on this machine")
    try:
        # Bash reads a pipe byte by byte, a file in blocks.
        with tempfile.TemporaryFile() if _memory is None else open(_memory("script"), "w+b") as file:
            file.write(source)
            file.seek(0)
            done = subprocess.run(
                [program, "--norc", "--noprofile", "-n"],
                stdin=file,
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
    return done


def _complaint(stderr: str) -> str:
    """The first complaint without the name of the program; "" for none (a warning is none).

    A syntax error inside ``[[ ]]`` is a complaint although bash then exits with 0.
    """
    for line in stderr.splitlines():
        match = _MESSAGE.match(line)
        if match and _WARNING not in match[1]:
            return match[1]
    return ""


__all__ = ["MAX_ASKED", "TIME_LIMIT", "NoOpinion", "check_all", "check_syntax", "is_given_up"]
