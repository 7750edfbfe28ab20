"""Objects of a git repository, through one ``git cat-file --batch`` process that stays."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

from configlint.source.base import MAX_FILE, SourceError, too_large

MAX_TREE = 16 * 1024 * 1024
"""Largest directory or commit object that is read, in bytes."""

_WINDOW = 4000  # bytes asked and not yet answered: below the smallest pipe, so that writing never waits
_DISCARD = 32 * 1024 * 1024  # larger objects are not read past, git is started again instead
_MAX_DEATHS = 20

DIED = "git stopped while reading it"
MISSING = "not in this repository"
AMBIGUOUS = "ambiguous"


class Answer(NamedTuple):
    """One object. ``problem`` is empty, or says for people why ``data`` is empty."""

    id: str = ""
    type: str = ""
    data: bytes = b""
    problem: str = ""


class Objects:
    """Reads objects by id or by revision expression. Usable from several threads, and after a fork.

    ``command`` is git with its options up to the subcommand. Raises SourceError if git cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], directory: str) -> None:
        self._command = list(command)
        self._environment = dict(environment)
        self._directory = directory
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._deaths = 0
        self._present: frozenset[str] | None = None
        self._stop: weakref.finalize[[subprocess.Popen[bytes], int], Objects] | None = None

    def read(self, name: str) -> Answer:
        """One object."""
        return self.read_many((name,))[0]

    def read_many(self, names: Sequence[str]) -> list[Answer]:
        """Objects in the order asked, asking ahead so that git and we work at the same time."""
        with self._lock:
            answers: list[Answer] = []
            while len(answers) < len(names):
                answers += self._round(names[len(answers) :])
            return answers

    def close(self) -> None:
        """End the git process. Another read starts a new one."""
        with self._lock:
            self._drop()

    def _round(self, names: Sequence[str]) -> list[Answer]:
        """Answers from one git process: all of them, or up to the one at which it had to be given up."""
        if self._deaths > _MAX_DEATHS:
            return [Answer(problem=DIED)] * len(names)
        answers: list[Answer] = []
        if self._present is not None:
            for name in names:
                if not _is_id(name) or name in self._present:
                    break
                answers.append(Answer(problem=MISSING))
            if answers:
                return answers
            names = _until(names, self._present)
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        requests = [name.encode("utf-8", "surrogateescape") + b"\n" for name in names]
        sent = 0
        outstanding = 0
        try:
            for index, request in enumerate(requests):
                if outstanding <= _WINDOW // 2 and sent < len(requests):
                    start = sent
                    while sent < len(requests) and (sent == index or outstanding + len(requests[sent]) <= _WINDOW):
                        outstanding += len(requests[sent])
                        sent += 1
                    _write(process.stdin, b"".join(requests[start:sent]))
                answers.append(_receive(process.stdout))
                outstanding -= len(request)
        except _TooLong as far:
            self._drop()
            answers.append(far.answer)
        except (OSError, EOFError, ValueError):
            self._drop()
            self._deaths += 1
            if self._present is None:
                # A partial clone makes older gits stop at a missing blob. Ask once which objects there are.
                self._present = self._all_present()
            name = names[len(answers)]
            lost = _is_id(name) and self._present and name not in self._present
            answers.append(Answer(problem=MISSING if lost else DIED))
        return answers

    def _all_present(self) -> frozenset[str] | None:
        arguments = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered"]
        try:
            done = subprocess.run(
                [*self._command, *arguments],
                env=self._environment,
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=120,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return frozenset(done.stdout.decode("ascii", "replace").split()) if done.returncode == 0 else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner != os.getpid():
            self._drop()  # made before a fork: the pipes belong to the parent
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    [*self._command, "cat-file", "--batch"],
                    env=self._environment,
                    cwd=self._directory,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=1 << 17,
                )
            except OSError as fault:
                raise SourceError(f"git cannot be started: {fault.strerror}") from None
            self._owner = os.getpid()
            self._stop = weakref.finalize(self, _shut_down, self._process, self._owner)
        return self._process

    def _drop(self) -> None:
        if self._stop is not None:
            self._stop()
        self._process = None
        self._stop = None


def _shut_down(process: subprocess.Popen[bytes], owner: int) -> None:
    """Close the pipes and end the process; it only reads, so nothing is lost by ending it at once."""
    if owner == os.getpid():
        process.kill()
        process.wait()
    else:
        process.returncode = 0  # not our child: neither ended nor waited for
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # a broken pipe with something left to write
                pipe.close()


def _write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(data)
    pipe.flush()


class _TooLong(Exception):
    """An object so large that starting git again is better than reading past it."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def _receive(pipe: IO[bytes]) -> Answer:
    """The next answer. Raises EOFError where git ended, _TooLong where the rest must not be read."""
    header = pipe.readline()
    if not header.endswith(b"\n"):
        raise EOFError
    if header.endswith(b" missing\n"):
        return Answer(problem=MISSING)
    if header.endswith(b" ambiguous\n"):
        return Answer(problem=AMBIGUOUS)
    name, type_, length = header.decode("ascii").split()
    size = int(length)
    if size > (MAX_FILE if type_ == "blob" else MAX_TREE):
        if size > _DISCARD:
            raise _TooLong(Answer(name, type_, problem=too_large(size)))
        left = size + 1
        while left:
            left -= len(_exactly(pipe, min(left, 1 << 20)))
        return Answer(name, type_, problem=too_large(size))
    return Answer(name, type_, _exactly(pipe, size + 1)[:-1])


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise EOFError
    return data


def _is_id(name: str) -> bool:
    return len(name) in (40, 64) and all(letter in "0123456789abcdef" for letter in name)


def _until(names: Sequence[str], present: frozenset[str]) -> Sequence[str]:
    """The names before the first that is known to be missing."""
    for index, name in enumerate(names):
        if _is_id(name) and name not in present:
            return names[:index]
    return names
