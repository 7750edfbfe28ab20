"""Analyse the repository around PATHS and report findings that involve them (all without PATHS)."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from configlint.api.finding import Severity
from configlint.cli.errors import Exit, UsageError
from configlint.cli.options import add_repository, percent, request, split_ids
from configlint.cli.outputs import STDOUT, Output, PairAction, settle
from configlint.cli.paths import tree_paths
from configlint.cli.request import open_project
from configlint.lint.engine import Options
from configlint.lint.engine import run as run_rules
from configlint.lint.registry import load
from configlint.lint.result import Result
from configlint.report.formats import FORMATS, render
from configlint.report.style import Style
from configlint.report.summary import diagnostics, statistics, summary
from configlint.report.terminal import wants_color

if TYPE_CHECKING:
    from configlint.cli.console import Console
    from configlint.cli.request import OpenedProject, Opener

LEVELS = tuple(level.label for level in Severity)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``check``."""
    parser.add_argument("paths", metavar="PATHS", nargs="*", help="files or folders (default: everything)")
    add_repository(parser)
    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", metavar="ID", action="append", default=[], help="only these rules (repeatable)")
    rules.add_argument("--ignore", metavar="ID", action="append", default=[], help="not these rules (repeatable)")
    rules.add_argument("--pedantic", action="store_true", help="also what is less than highly precise")
    rules.add_argument("--severity", choices=LEVELS, default="warning", help="the least shown (default: warning)")
    report = parser.add_argument_group("report")
    report.add_argument(
        "--format", action=PairAction, choices=tuple(FORMATS), help="text; github by itself on GitHub Actions"
    )
    report.add_argument("--output", action=PairAction, metavar="FILE", help="for the --format before it (repeatable)")
    report.add_argument("--stats", action="store_true", help="what the run looked at, and the time of every rule")
    code = parser.add_argument_group("exit code")
    code.add_argument("--fail-on", choices=LEVELS, default="warning", help="the least that exits 1 (default: warning)")
    code.add_argument("--exit-zero", action="store_true", help="exit 0 in spite of findings")
    code.add_argument(
        "--require-analysed", metavar="PERCENT", type=percent, help="exit 3 if fewer launches could be analysed"
    )


def run(args: Namespace, console: Console, opener: Opener | None) -> int:
    """Check, report, and say with the exit code how it went."""
    outputs = settle(getattr(args, "pairs", None) or (), on_actions=console.on_actions)
    registry = load()
    select, ignore = split_ids(args.select), split_ids(args.ignore)
    rules = registry.choose(select, ignore, pedantic=args.pedantic)
    if not rules:
        raise UsageError("no rule is left to run" + (": --ignore leaves out all of them" if ignore else ""))
    project = (opener or open_project)(request(args, console.environment, args.paths))
    if project.empty:
        raise UsageError(f"nothing to check: {project.empty}")
    options = Options(
        paths=tree_paths(project, args.paths),
        severity=Severity[args.severity.upper()],
        pedantic=args.pedantic,
        selected=frozenset(registry.get(name).id for name in select),
        require_launches=args.require_analysed is not None,
        jobs=args.jobs or 2,
    )
    result = run_rules(project, rules, options)
    _report(result, outputs, args, console, project)
    return _code(result, args, console)


def _report(
    result: Result, outputs: tuple[Output, ...], args: Namespace, console: Console, project: OpenedProject
) -> None:
    """Write the reports, then what is for people on standard error."""
    for output in outputs:
        style = _style(args, console, project, to_terminal=output.target == STDOUT)
        if output.target != STDOUT:
            _save(output, result, style)
        elif output.format == "text":
            console.fenced(render("text", result, style))
        else:
            console.write(render(output.format, result, style))
    plain = Style(color=wants_color(args.color, console.err.isatty(), console.environment), verbose=args.verbose)
    lines = [f"{line}\n" for line in diagnostics(result, plain)]
    if console.on_actions and Output("github", STDOUT) in outputs:
        # Annotations are capped and cut: the log holds the whole report.
        lines = [*render("text", result, plain), *lines]
    if args.stats:
        lines += [f"{line}\n" for line in statistics(result)]
    console.fenced([*lines, f"{summary(result)}\n"], error=True)


def _save(output: Output, result: Result, style: Style) -> None:
    try:
        with open(output.target, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(render(output.format, result, style))
    except OSError as fault:
        raise UsageError(f"cannot write {output.target}: {fault.strerror or fault}") from fault


def _style(args: Namespace, console: Console, project: OpenedProject, *, to_terminal: bool) -> Style:
    """How to write to a stream: colours and links only where somebody looks at it."""
    if not to_terminal:
        return Style(verbose=args.verbose, timings=args.stats)
    terminal = console.out.isatty()
    linked = terminal and args.rev is None and project.root is not None and console.environment.get("TERM") != "dumb"
    return Style(
        color=wants_color(args.color, terminal, console.environment),
        root=os.path.abspath(project.root) if linked and project.root else "",
        width=_columns(console) if terminal else Style.width,
        verbose=args.verbose,
        timings=args.stats,
    )


def _columns(console: Console) -> int:
    """Columns for quoted source: those of the terminal without the margin for line numbers."""
    try:
        return max(40, os.get_terminal_size(console.out.fileno()).columns - 8)
    except (OSError, ValueError):
        return Style.width


def _code(result: Result, args: Namespace, console: Console) -> int:
    if result.crashed:
        return Exit.INTERNAL
    if args.require_analysed is not None and result.stats.analysed < args.require_analysed:
        console.note(
            f"configlint: {result.stats.analysed:.1f} % of the launches could be analysed, "
            f"{args.require_analysed:g} % are required"
        )
        return Exit.INTERNAL
    failed = result.reaches(Severity[args.fail_on.upper()]) and not args.exit_zero
    return Exit.FINDINGS if failed else Exit.CLEAN
