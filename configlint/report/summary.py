"""Lines about the run itself, for people: diagnostics, statistics, the last line. They go to standard error."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api.finding import Diagnostic, Severity
from configlint.lint.result import Result
from configlint.report.plain import count, one_line
from configlint.report.style import Style
from configlint.report.terminal import Paint

DIAGNOSTICS = 12
"""Diagnostics listed unless the reader wants all."""


def summary(result: Result) -> str:
    """``2 errors, 1 warning in 2 files; analysed 2,211 launches in 1.9 s``."""
    stats = result.stats
    kinds = [(result.count(level), level.label) for level in (Severity.ERROR, Severity.WARNING)]
    parts = [count(number, label) for number, label in kinds]
    infos = result.count(Severity.INFO)
    if infos:
        parts.append(f"{infos} info")
    files = {finding.locations[0].place.path for finding in result.findings}
    found = f"{', '.join(parts)} in {count(len(files), 'file')}" if result.findings else "no findings"
    hidden = f" ({stats.hidden} hidden: --severity and --pedantic show more)" if stats.hidden else ""
    launches = f"analysed {stats.launches:,} {'launch' if stats.launches == 1 else 'launches'} in"
    looked = launches if "launches" in stats.counts else "no rule that ran looks at launches,"
    return f"{found}{hidden}; {looked} {stats.seconds:.1f} s"


def diagnostics(result: Result, style: Style) -> Iterator[str]:
    """One line a diagnostic; the first few unless the style is verbose."""
    paint = Paint(style)
    limit = len(result.diagnostics) if style.verbose else DIAGNOSTICS
    for one in result.diagnostics[:limit]:
        yield f"{paint(one.severity.label, f'{one.severity.label}[{one.id}]')}: {located(one)}"
    left = result.diagnostics[limit:]
    if left:
        kinds = {one.id: sum(other.id == one.id for other in left) for one in left}
        what = ", ".join(f"{number} {name}" for name, number in sorted(kinds.items()))
        yield f"{count(len(left), 'more diagnostic')} ({what}); --verbose lists them"


def located(diagnostic: Diagnostic) -> str:
    """``path:line: message``, as far as it is known."""
    where = "".join(f"{part}:" for part in (one_line(diagnostic.shown_path), diagnostic.line) if part)
    return f"{where} {one_line(diagnostic.message)}".lstrip()


def statistics(result: Result) -> Iterator[str]:
    """What ``--stats`` prints: counts, then the time for subjects and for each rule, the slowest first."""
    stats = result.stats
    for name, number in sorted(stats.counts.items()):
        yield f"{name.replace('_', ' '):<32} {number:>10,}"
    share = f"{stats.analysed:.1f}%" if stats.launches else "-"
    yield f"{'launches analysed to their end':<32} {share:>10}"
    yield f"{'instances hidden':<32} {stats.hidden:>10,}"
    yield f"{'seconds':<32} {stats.seconds:>10.3f}"
    yield ""
    yield f"{'subject or rule':<32} {'seconds':>10} {'subjects':>10} {'instances':>10} {'unknown':>10}"
    for kind, seconds in stats.subjects.items():
        yield f"{kind:<32} {seconds:>10.3f}"
    for name, one in sorted(stats.rules.items(), key=lambda item: (-item[1].seconds, item[0])):
        yield f"{name:<32} {one.seconds:>10.3f} {one.subjects:>10,} {one.instances:>10,} {one.unknown:>10,}"
