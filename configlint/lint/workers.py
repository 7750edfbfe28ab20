"""A second process for the rules that look at files and not at launches.

Launches are made in this process; meanwhile a forked one reads every file. What it sends back names texts by
path, so that places from both processes mean the same text here.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from configlint.source.text import Text
from configlint.source.trees import Tree, Unreadable

T = TypeVar("T")


class _Pickler(pickle.Pickler):
    """Texts of the reviewed tree go by path; all others whole."""

    def persistent_id(self, obj: Any) -> str | None:
        return obj.path if isinstance(obj, Text) and not obj.origin else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BufferedIOBase, tree: Tree) -> None:
        super().__init__(file)
        self._tree = tree

    def persistent_load(self, pid: Any) -> Text:
        try:
            return self._tree.read(str(pid))
        except (OSError, Unreadable) as fault:
            raise pickle.UnpicklingError(str(fault)) from fault


class Worker:
    """A computation in a forked process. :meth:`result` waits for it, and makes it here if the process failed."""

    def __init__(self, compute: Callable[[], T], tree: Tree) -> None:
        self._compute, self._tree = compute, tree
        self._pid, self._reader = _start(compute)

    def result(self) -> Any:
        """What the computation gives."""
        with os.fdopen(self._reader, "rb") as stream:
            data = stream.read()
        os.waitpid(self._pid, 0)
        try:
            return _Unpickler(io.BytesIO(data), self._tree).load()
        except (pickle.UnpicklingError, EOFError):
            return self._compute()


def _start(compute: Callable[[], object]) -> tuple[int, int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    status = 1
    try:
        os.close(reader)
        buffer = io.BytesIO()
        _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(compute())
        with os.fdopen(writer, "wb") as stream:
            stream.write(buffer.getbuffer())
        status = 0
    finally:
        os._exit(status)  # never run the parent's cleanup, nor its caller, a second time
    raise AssertionError


def available() -> bool:
    """True if this system can fork and has a second processor to use."""
    return hasattr(os, "fork") and (os.cpu_count() or 1) > 1
