"""The engine: runs rules over a project's subjects and turns what they yield into findings.

One faulty rule, or one subject that a rule stumbles over, becomes a diagnostic; everything else is still checked.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from configlint.api.finding import Diagnostic, Instance, Precision, Severity, Unknown
from configlint.api.rule import Rule
from configlint.lint.group import grouped, merged, precision_of, ranked, severity_of
from configlint.lint.identity import cause_fingerprints, fingerprinted
from configlint.lint.project import SUBJECT_METHODS, Project, subjects
from configlint.lint.result import Result, RuleStats, Stats
from configlint.lint.workers import Worker, available


@dataclass(frozen=True)
class Options:
    """What is shown.

    ``paths``: only instances that involve one of these (tree paths; empty for all). ``severity``: the least shown.
    ``pedantic``: all precisions, not only HIGH. ``selected``: ids the user named, whose every precision is shown.
    ``jobs``: processes that may run at a time.
    ``require_launches``: compute launches even if no rule looks at them (their share is asked for).
    """

    paths: tuple[str, ...] = ()
    severity: Severity = Severity.WARNING
    pedantic: bool = False
    selected: frozenset[str] = frozenset()
    require_launches: bool = False
    jobs: int = 1


DEFAULT = Options()
ASIDE = "Repository"
"""The subject whose rules look at files only, so that another process can run them meanwhile."""


def _checked(project: Project, kind: str, rules: Sequence[Rule]) -> _Pass:
    """The rules of one kind, with what the project has to say about the files they made it read."""
    pass_ = _Pass(project)
    pass_.check(kind, rules)
    pass_.diagnostics += project.diagnostics()
    del pass_.project
    return pass_


def run(project: Project, rules: Sequence[Rule], options: Options = DEFAULT) -> Result:
    """Run the rules and report what they find, filtered and ranked as the options say."""
    start = time.perf_counter()
    aside = [rule for rule in rules if rule.subject == ASIDE] if options.jobs > 1 and available() else []
    worker = Worker(lambda: _checked(project, ASIDE, aside), project.tree) if aside else None
    pass_ = _Pass(project)
    for kind in SUBJECT_METHODS:
        of_kind = [rule for rule in rules if rule.subject == kind and rule not in aside]
        if of_kind or (kind == "Launch" and options.require_launches):
            pass_.check(kind, of_kind)
    if worker is not None:
        pass_.take(worker.result())

    by_id = {rule.id: rule for rule in rules}
    instances = fingerprinted(pass_.instances)
    involved = [one for one in instances if involves(one, options.paths)]
    shown = [one for one in involved if is_shown(one, options)]
    findings = ranked(grouped(shown, by_id, cause_fingerprints(instances)))
    stats = Stats(
        seconds=time.perf_counter() - start,
        counts=dict(project.counts()),
        rules=pass_.stats,
        subjects=pass_.subject_seconds,
        hidden=len(involved) - len(shown),
    )
    diagnostics = (*pass_.diagnostics, *project.diagnostics())
    return Result(tuple(findings), ordered(diagnostics), tuple(rules), stats, pass_.crashed)


def is_shown(instance: Instance, options: Options) -> bool:
    """True if severity and precision are asked for."""
    sure = precision_of(instance) >= Precision.HIGH or options.pedantic or instance.rule in options.selected
    return sure and severity_of(instance) >= options.severity


def involves(instance: Instance, paths: Sequence[str]) -> bool:
    """True if any location lies at or under one of the paths (all do where there is none)."""
    if not paths or "" in paths:
        return True
    own = {location.place.text.path for location in instance.locations if not location.place.text.origin}
    return any(path == wanted or path.startswith(wanted + "/") for path in own for wanted in paths)


def ordered(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics without repetitions, the worst first, then by place."""
    kept = {(-one.severity, one.shown_path, one.line or 0, one.id, one.message): one for one in diagnostics}
    return tuple(kept[key] for key in sorted(kept))


class _Pass:
    """The state of one run: what rules yielded so far, and at what cost."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.instances: list[Instance] = []
        self.diagnostics: list[Diagnostic] = []
        self.stats: dict[str, RuleStats] = {}
        self.subject_seconds: dict[str, float] = {}
        self.crashed = False

    def check(self, kind: str, rules: Sequence[Rule]) -> None:
        """Run the rules of one kind of subject."""
        start = time.perf_counter()
        try:
            found = subjects(self.project, kind)
        except Exception as fault:  # whatever it is, the other kinds go on
            self.crashed = True
            message = f"internal error: no {SUBJECT_METHODS[kind]} to check: {described(fault)}"
            self.diagnostics.append(Diagnostic("not-analysed", message, severity=Severity.ERROR))
            return
        finally:
            self.subject_seconds[kind] = time.perf_counter() - start
        for rule in rules:
            self._run(rule, found)

    def take(self, other: _Pass) -> None:
        """What another pass came to, as if it had been this one's first part."""
        self.instances[:0] = other.instances
        self.diagnostics[:0] = other.diagnostics
        self.stats = {**other.stats, **self.stats}
        self.subject_seconds = {**other.subject_seconds, **self.subject_seconds}
        self.crashed |= other.crashed

    def _run(self, rule: Rule, found: Sequence[Any]) -> None:
        start = time.perf_counter()
        yielded: list[Instance] = []
        unknown = 0
        crashes: dict[str, list[tuple[str, Any]]] = defaultdict(list)
        for subject in found:
            try:
                for verdict in rule.check(subject):
                    if isinstance(verdict, Instance):
                        yielded.append(verdict)
                    elif isinstance(verdict, Unknown):
                        unknown += 1
                    else:
                        raise TypeError(f"a rule yields Instance or Unknown, not {type(verdict).__name__}")
            except Exception as fault:  # a rule may be anybody's
                # By type and place: what it says may differ from launch to launch.
                where = raised_at(fault, rule.module)
                crashes[f"{type(fault).__name__}{where}"].append((described(fault, rule.module), subject))
        own = merged(yielded, rule)
        self.instances += own
        self.stats[rule.id] = RuleStats(time.perf_counter() - start, len(found), len(own), unknown)
        for occurred in crashes.values():
            self.crashed = True
            (what, subject), rest = occurred[0], len(occurred) - 1
            more = f" and {rest} more" if rest else ""
            message = f"{rule.id}: {what}, on {label(subject)}{more}"
            self.diagnostics.append(Diagnostic("rule-crashed", message, severity=Severity.ERROR))


def raised_at(fault: Exception, module: str = "") -> str:
    """`` (module:line)`` where an exception was raised; the module, for where configlint is installed is private.

    With ``module``, the place in it that the exception came through, if there is one: who called is to look there.
    """
    places = []
    trace = fault.__traceback__
    while trace is not None:
        places.append((str(trace.tb_frame.f_globals.get("__name__", "?")), trace.tb_lineno))
        trace = trace.tb_next
    own = [place for place in places if place[0] == module]
    where = (own or places)[-1:]
    return "".join(f" ({name}:{line})" for name, line in where)


def described(fault: Exception, module: str = "") -> str:
    """An exception for people: what, and in which module and line it was raised (see :func:`raised_at`)."""
    what = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
    return " ".join(what.split())[:300] + raised_at(fault, module)


def label(subject: Any) -> str:
    """A subject's name for people; a subject that cannot say its name must not break the report of another fault."""
    try:
        return str(getattr(subject, "label", None) or type(subject).__name__)
    except Exception:
        return type(subject).__name__
