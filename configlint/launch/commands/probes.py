"""Questions to the host or to files: their status is the point, and often nobody here can know it."""

from __future__ import annotations

from configlint.launch.calls import Call, Handler
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.redirections import note_read
from configlint.launch.values import UNKNOWN

_PROBES = (
    "squeue", "sinfo", "sacct", "scontrol", "unsquashfs", "nvidia-smi", "rocm-smi", "findmnt", "mountpoint", "pgrep",
    "pidof", "ping", "nc", "which", "getent", "id", "whoami", "hostname", "uname", "nproc", "df", "du", "stat",
    "file", "lsof", "ss", "flock", "readlink", "date", "sha1sum", "sha256sum", "md5sum", "jq", "bc", "diff", "cmp",
)  # fmt: skip


def _probe(call: Call) -> None:
    call.emit_unknown()
    call.undecided()


def _ls(call: Call) -> None:
    verdict: bool | None = True
    for index in range(1, len(call.words)):
        text = call.text(index)
        if text is None or UNKNOWN in text:
            verdict = None
        elif not text.startswith("-"):
            path = absolute(text, call.state)
            status = call.state.files.lookup(path).status
            note_read(call.machine, path)
            if status is Status.UNKNOWN:
                verdict = None
            elif status is Status.ABSENT:
                verdict = False
    call.emit_unknown()
    call.state.status = None if verdict is None else 0 if verdict else 2
    call.state.failure = "ls: no such file"


HANDLERS: dict[str, Handler] = {"ls": _ls, **dict.fromkeys(_PROBES, _probe)}
