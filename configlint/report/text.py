"""The report for people: one code frame for each place that takes part."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api.finding import Finding, Location
from configlint.lint.result import Result
from configlint.report.frames import Quote, quote
from configlint.report.places import in_tree
from configlint.report.plain import count, listed, one_line
from configlint.report.style import Style
from configlint.report.terminal import Paint

FRAMES = 4
"""Code frames a finding gets, if all its places fit; else its worst instance gets them, at most this many.

Further places are counted, and listed if the reader asks.
"""

ENTRIES = 4
ORIGINS = 3


def render(result: Result, style: Style) -> Iterator[str]:
    """The findings, a blank line after each."""
    paint = Paint(style)
    for finding in result.findings:
        yield "\n".join([*_finding(finding, style, paint), "", ""])


def _finding(finding: Finding, style: Style, paint: Paint) -> Iterator[str]:
    label = finding.severity.label
    head = paint(label, f"{label}[{finding.rule.id}]")
    yield f"{head}{paint('bold', ': ' + one_line(finding.message))}"

    framed = _framed(finding)
    quotes = [quote(location.place, style.width) for location in framed]
    gutter = max(len(str(one.line)) for one in quotes)
    for index, (location, quoted) in enumerate(zip(framed, quotes, strict=True)):
        if index:
            yield " " * (gutter + 1) + paint("frame", "|")
        yield from _frame(location, quoted, gutter, "" if index else label, paint)
    margin = " " * (gutter + 1) + paint("frame", "= ")
    for line in _remarks(finding, finding.locations[len(framed) :], style.verbose):
        yield margin + line


def _framed(finding: Finding) -> tuple[Location, ...]:
    """The places that get a frame; the others follow them in the finding's order."""
    if len(finding.locations) <= FRAMES:
        return finding.locations
    # The finding's places start with those of its first instance, the worst one.
    return finding.locations[: min(FRAMES, len(finding.instances[0].locations))]


def _frame(location: Location, quoted: Quote, gutter: int, primary: str, paint: Paint) -> Iterator[str]:
    """One place. ``primary`` is the severity's label for the first one, else empty."""
    place, bar = location.place, paint("frame", "|")
    empty = " " * (gutter + 1) + bar
    shown = f"{one_line(place.path)}:{place.start.line}:{place.start.column}"
    if in_tree(location):
        shown = paint.link(place.text.path, shown)
    yield f"{' ' * gutter}{paint('frame', '-->' if primary else ':::')} {shown}"
    yield empty
    yield f"{paint('frame', f'{quoted.line:>{gutter}}')} {bar} {quoted.text}".rstrip()
    until = f" (to line {quoted.more_lines})" if quoted.more_lines else ""
    mark = ("^" if primary else "-") * quoted.length
    note = f"{mark} {one_line(location.note)}{until}".rstrip()
    yield f"{empty} {' ' * quoted.offset}{paint(primary or 'frame', note)}"


def _remarks(finding: Finding, rest: tuple[Location, ...], verbose: bool) -> Iterator[str]:
    """What stands under the frames, without its margin."""
    entries = [f"{one_line(entry.key)} ({count(entry.points, 'point')})" for entry in finding.entries]
    if entries:
        yield f"entries: {listed(entries, len(entries) if verbose else ENTRIES)}"
    yield from map(one_line, finding.notes)
    if rest and verbose:
        yield from (f"also: {_brief(location)}" for location in rest)
    elif rest:
        yield f"also: {count(len(rest), 'more place')} (--verbose lists them)"
    if verbose:
        for chain in finding.origins[:ORIGINS]:
            steps = (f"{one_line(step.what)} ({one_line(step.place.path)}:{step.place.line})" for step in chain)
            yield f"origin: {' <- '.join(steps)}"
    advice = one_line(finding.help or (finding.fix.title if finding.fix else ""))
    if advice or finding.fix:
        yield f"help: {advice or 'a fix is known'}{' [fixable]' if finding.fix else ''}"
    yield f"more: configlint explain {finding.rule.id}"


def _brief(location: Location) -> str:
    note = f": {one_line(location.note)}" if location.note else ""
    return f"{one_line(location.place.path)}:{location.place.start.line}:{location.place.start.column}{note}"
