"""Questions to the host or to files: their status is the point, and often nobody here can know it."""

from __future__ import annotations

from configlint.launch.calls import Call, Handler, known_texts
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.outcome import FileUse
from configlint.launch.redirections import note_read
from configlint.launch.regexes import found as regex_found
from configlint.launch.texts import VirtualText
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


def _grep(call: Call) -> None:
    """``grep [-qEFivc] pattern [file]``: decided where the text is known."""
    flags, pattern, files = _arguments(call)
    verdict: bool | None = None
    if pattern is not None and not flags - set("qEFivsn"):
        verdict = _search(call, flags, pattern, files)
    call.emit_unknown()
    call.state.status = None if verdict is None else int(not verdict)
    call.state.failure = "grep finds nothing"


def _arguments(call: Call) -> tuple[set[str], str | None, list[int]]:
    flags: set[str] = set()
    pattern: str | None = None
    files: list[int] = []
    for index in range(1, len(call.words)):
        text = call.text(index)
        if text is None:
            return {"?"}, None, []
        if text.startswith("--"):
            return {"?"}, None, []
        if text.startswith("-") and len(text) > 1 and pattern is None:
            flags |= set(text[1:])
            if "e" in text or "P" in text or "m" in text:
                return {"?"}, None, []
        elif pattern is None:
            pattern = text
        else:
            files.append(index)
    return flags, pattern, files


def _search(call: Call, flags: set[str], pattern: str, files: list[int]) -> bool | None:
    texts = _inputs(call, files)
    if texts is None or UNKNOWN in pattern:
        return None
    verdicts: list[bool | None] = []
    for text in texts:
        hits = []
        for line in text.removesuffix("\n").split("\n") if text else []:
            if UNKNOWN in line and "v" not in flags:
                hit: bool | None = None
            elif "F" in flags:
                hit = pattern.lower() in line.lower() if "i" in flags else pattern in line
            else:
                hit = regex_found(pattern, line, extended="E" in flags, ignore_case="i" in flags)
            hits.append(hit if hit is None or "v" not in flags else not hit)
        verdicts.append(True if True in hits else None if None in hits else False)
    return verdicts[0] if verdicts and all(one is verdicts[0] for one in verdicts) else None


def _inputs(call: Call, files: list[int]) -> list[str] | None:
    if not files:
        if isinstance(call.state.stdin, VirtualText):
            return [call.state.stdin.text]
        known = known_texts(call.state.stdin, call.machine)
        return None if known is None else list(known)
    texts = []
    for index in files:
        operand = call.text(index) or ""
        path = absolute(operand, call.state)
        lookup = call.state.files.lookup(path)
        exists = None if lookup.status is Status.UNKNOWN else lookup.status is not Status.ABSENT
        call.machine.use(call.state, FileUse("read", "grep", call.place, call.cell(index), path, exists))
        note_read(call.machine, path)
        content = call.machine.world.content(lookup) if lookup.status is Status.FILE else None
        if content is None:
            return [] if exists is False else None
        texts.append(content.text)
    return ["\n".join(texts)]


HANDLERS: dict[str, Handler] = {"ls": _ls, "grep": _grep, **dict.fromkeys(_PROBES, _probe)}
