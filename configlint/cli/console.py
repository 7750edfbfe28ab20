"""Standard output and error: never a broken encoding, never a traceback because the reader has gone."""

from __future__ import annotations

import contextlib
import os
import sys

TYPE_CHECKING = False  # as in configlint.cli.main
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TextIO

UTF8 = "utf-8"
ERRORS = "backslashreplace"
"""A path that is no UTF-8 is printed with escapes, rather than stopping the report."""


class Console:
    """The two streams, and the environment that decides about colours and annotations."""

    def __init__(self, out: TextIO, err: TextIO, environment: Mapping[str, str]) -> None:
        self.out = out
        self.err = err
        self.environment = environment
        self._gone: set[int] = set()

    @classmethod
    def standard(cls) -> Console:
        """The process's own streams, made to write UTF-8 whatever the locale says."""
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure:
                reconfigure(encoding=UTF8, errors=ERRORS)
        return cls(sys.stdout, sys.stderr, os.environ)

    @property
    def on_actions(self) -> bool:
        """True in a step of GitHub Actions, where what is printed can be a command."""
        return self.environment.get("GITHUB_ACTIONS") == "true"

    def print(self, text: str = "") -> None:
        """A line on standard output."""
        self.write([text, "\n"])

    def write(self, pieces: Iterable[str]) -> None:
        """Text on standard output."""
        self._write(self.out, pieces)

    def note(self, text: str) -> None:
        """A line for people, on standard error."""
        self._write(self.err, [text, "\n"])

    def fenced(self, pieces: Iterable[str], *, error: bool = False) -> None:
        """Text that quotes the tree under review: on Actions it is kept from issuing commands."""
        stream = self.err if error else self.out
        if not self.on_actions:
            self._write(stream, pieces)
            return
        from configlint.report.workflow import fence

        before, after = fence()
        self._write(stream, [before, *pieces, after])

    def _write(self, stream: TextIO, pieces: Iterable[str]) -> None:
        """Write and flush, so that the two streams stay in order; silent once the reader has closed its end."""
        if id(stream) in self._gone:
            return
        try:
            # In one go: an unbuffered stream would make every piece a system call.
            stream.write("".join(pieces))
            stream.flush()
        except BrokenPipeError:
            self._gone.add(id(stream))
            # What is still buffered would be written, and fail, when the interpreter exits.
            with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
