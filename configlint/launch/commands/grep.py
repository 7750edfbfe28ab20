"""``grep``: decided, and printed, where pattern and text are known."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.launch.calls import Call, Handler, known_texts
from configlint.launch.commands.filters import Arguments, is_absent
from configlint.launch.redirections import read_file
from configlint.launch.regexes import found as regex_found
from configlint.launch.regexes import occurrences
from configlint.launch.values import UNKNOWN, choice

_LONG = {
    "quiet": "q", "silent": "q", "count": "c", "invert-match": "v", "ignore-case": "i", "extended-regexp": "E",
    "fixed-strings": "F", "line-regexp": "x", "only-matching": "o", "no-messages": "s", "line-number": "n",
    "regexp": "e",
}  # fmt: skip
_MODELLED = frozenset("qcviEFxosnahe")


@dataclass(frozen=True)
class _Question:
    """What is asked of every line."""

    pattern: str
    flags: frozenset[str]

    def selects(self, line: str) -> bool | None:
        hit = self._hit(line)
        return hit if hit is None or "v" not in self.flags else not hit

    def _hit(self, line: str) -> bool | None:
        if UNKNOWN in line:
            return None
        ignore_case = "i" in self.flags
        if "F" in self.flags:
            text, pattern = (line.lower(), self.pattern.lower()) if ignore_case else (line, self.pattern)
            return text == pattern if "x" in self.flags else pattern in text
        extended = "E" in self.flags
        pattern = self.pattern
        if "x" in self.flags:
            pattern = f"^({pattern})$" if extended else f"^\\({pattern}\\)$"
        return regex_found(pattern, line, extended=extended, ignore_case=ignore_case)

    def printed(self, lines: list[str]) -> str | None:
        """What is printed for the lines that are selected; None where that is not known."""
        if "q" in self.flags:
            return ""
        if "n" in self.flags:
            return None
        if "c" in self.flags:
            return f"{len(lines)}\n"
        if "o" not in self.flags:
            return "".join(line + "\n" for line in lines)
        if self.flags & set("vFx"):
            return None
        pieces: list[str] = []
        for line in lines:
            found = occurrences(self.pattern, line, extended="E" in self.flags, ignore_case="i" in self.flags)
            if found is None:
                return None
            pieces += found
        return "".join(piece + "\n" for piece in pieces)


def _grep(call: Call) -> None:
    given = Arguments(call, "eABCmf", _LONG)
    operands = given.operands
    pattern = given.values.get("e")
    if pattern is None and operands:
        pattern, operands = call.text(operands[0]), operands[1:]
    flags = frozenset(given.letters)
    if call.name == "egrep":
        flags |= {"E"}
    elif call.name == "fgrep":
        flags |= {"F"}
    known = given.known and flags <= _MODELLED and given.letters.count("e") < 2
    if pattern is None or not known or "\n" in pattern or UNKNOWN in pattern:
        call.emit_unknown()
        call.undecided()
        return
    texts = _texts(call, operands)
    if texts is None:
        call.emit_unknown()
        call.undecided()
    elif not texts:
        call.fail("grep: no such file", 2)
    else:
        _answer(call, _Question(pattern, flags), texts, several=len(operands) > 1)
        if any(is_absent(call, index) for index in operands) and ("q" not in flags or call.state.status != 0):
            call.fail("grep: no such file", 2)


def _answer(call: Call, question: _Question, texts: list[str], *, several: bool) -> None:
    verdicts: list[bool | None] = []
    printed: list[str | None] = []
    call.machine.spend_pattern(len(question.pattern))
    for text in texts:
        lines = text.removesuffix("\n").split("\n") if text else []
        call.machine.spend(len(lines) >> 2)
        hits = [question.selects(line) for line in lines]
        verdicts.append(True if True in hits else None if None in hits else False)
        selected = [line for line, hit in zip(lines, hits, strict=True) if hit]
        printed.append(None if None in hits or (several and "h" not in question.flags) else question.printed(selected))
    if "q" in question.flags:
        printed = [""]
    if any(one is None for one in printed):
        call.emit_unknown()
    else:
        call.emit(choice([one for one in printed if one is not None], "output of grep"))
    verdict = verdicts[0] if all(one is verdicts[0] for one in verdicts) else None
    call.state.status = None if verdict is None else int(not verdict)
    call.state.failure = "grep finds nothing"


def _texts(call: Call, files: list[int]) -> list[str] | None:
    """The alternatives of what is read; empty where a file surely does not exist."""
    if not files:
        known = known_texts(call.input(), call.machine, holes=True)
        return None if known is None else list(known)
    texts = []
    for index in files:
        operand = call.text(index) or ""
        content = read_file(call.machine, call.state, operand, call.cell(index), "grep", call.place)
        if content is None:
            if not is_absent(call, index):
                return None
            continue
        text = call.machine.force(content.text)
        texts.append(text if text.endswith("\n") or not text else text + "\n")
    return ["".join(texts)] if texts else []


HANDLERS: dict[str, Handler] = dict.fromkeys(("grep", "egrep", "fgrep"), _grep)
