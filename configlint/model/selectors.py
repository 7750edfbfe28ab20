"""Where a launcher takes the document's name for a path although a selector may stand behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configlint.launch.outcome import Cell, End, Outcome
from configlint.profile.profile import Profile
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.model.launches import Launch

_EFFECTS = {
    "edit": "so nothing is edited",
    "copy": "so nothing is copied",
    "test": "so the test fails whatever is there",
    "append": "so this goes to a file that nobody reads",
    "write": "so this goes to a file that nobody reads",
}


@dataclass(frozen=True, eq=False)
class UnstrippedName:
    """A command that takes the document's name for a path, selector and all.

    ``text`` is what it is given, ``cell`` the variable that holds the name, ``selector`` what stands behind the path in
    this launch (empty: nothing, here).
    """

    at: Place
    command: str
    text: str
    cell: Cell
    selector: str
    effect: str


def unstripped_names(launch: Launch, outcome: Outcome, profile: Profile) -> Iterator[UnstrippedName]:
    """The uses of the document's name as a path; submitting it is none, the renderer knows selectors."""
    variable, separator = profile.launch.document_variable, profile.launch.selector_separator
    cell = outcome.variables.get(variable)
    given = launch.text(cell.value) if isinstance(cell, Cell) else None
    if not isinstance(cell, Cell) or not given or not separator:
        return
    path, _, selector = given.partition(separator)
    ending = f"{path.rpartition('/')[2]}{separator}{selector}" if selector else ""
    for at, command, how, operand in _operands(outcome, bool(selector)):
        text = launch.text(operand.value) or ""
        if ending and text.endswith(ending):
            effect = "so the job ends here" if _ends_at(outcome, at) else _EFFECTS.get(how, "which is no file")
            yield UnstrippedName(at, command, text, cell, selector, effect)
        elif not selector and _is_whole(operand, at, variable):
            yield UnstrippedName(at, command, text, cell, "", "")


def selecting_launchers(launches: Iterable[Launch], profile: Profile) -> frozenset[str]:
    """The launchers that some launch goes through with a selector behind its document's name."""
    variable, separator = profile.launch.document_variable, profile.launch.selector_separator
    found = set()
    for launch in launches:
        for outcome in launch.outcomes:
            cell = outcome.variables.get(variable)
            if separator and isinstance(cell, Cell) and separator in (launch.text(cell.value) or ""):
                found.add(launch.launcher.path)
    return frozenset(found)


def _operands(outcome: Outcome, wanting: bool) -> Iterator[tuple[Place, str, str, Cell]]:
    """The path operands of commands; ``wanting``: without those for which a file is there."""
    for use in outcome.uses:
        if use.how != "submit" and not (wanting and use.exists):
            yield use.at, use.command, use.how, use.operand
    for edit in outcome.edits:
        if edit.kind in ("append", "write") and edit.operand is not None:
            yield edit.at, edit.command, edit.kind, edit.operand


def _ends_at(outcome: Outcome, at: Place) -> bool:
    end = outcome.at
    return outcome.end is End.ABORT and end is not None and end.text is at.text and end.line == at.line


def _is_whole(operand: Cell, at: Place, variable: str) -> bool:
    """True if the operand is spelled with the plain variable, or with one that was set to it as it is."""
    pending = [(operand, operand.at or at)]
    seen: set[int] = set()
    while pending:
        cell, place = pending.pop()
        spelled = place.text.slice(place.span)
        for source in cell.via:
            if id(source) in seen or not _mentions(spelled, source.name):
                continue
            seen.add(id(source))
            if source.name == variable and all(one.name != variable for one in source.via):
                return True
            if source.at is not None:
                pending.append((source, source.at))
    return False


def _mentions(spelled: str, name: str) -> bool:
    """True if a variable is expanded as it is: ``$name`` or ``${name}``."""
    return (
        bool(name)
        and re.search(rf"\$(?:{re.escape(name)}(?![A-Za-z0-9_])|\{{{re.escape(name)}\}})", spelled) is not None
    )
