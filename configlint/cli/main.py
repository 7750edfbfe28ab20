"""The ``configlint`` command: chooses a subcommand and guards it.

Start-up is part of the product: nothing is imported before it is known to be needed, and nothing but the standard
library for ``--version`` and ``--help``.
"""

from __future__ import annotations

import sys

from configlint import __version__

TYPE_CHECKING = False  # importing it from typing would take a third of the time that --version takes
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

    from configlint.cli.console import Console
    from configlint.cli.request import Opener

COMMANDS: Mapping[str, tuple[str, str]] = {
    "check": ("configlint.cli.check", "analyse a repository and report findings"),
    "effective": ("configlint.cli.effective", "the recipe an entry submits, each changed value with its origin"),
    "trace": ("configlint.cli.trace", "how a launch of an entry goes: branches, clones, edits, unknowns"),
    "launches": ("configlint.cli.launches", "what every launch clones, submits or starts"),
    "affects": ("configlint.cli.affects", "which entries and points a file or line reaches"),
    "refs": ("configlint.cli.refs", "which outside revisions launchers name, and whether they can be read"),
    "catalog": ("configlint.cli.catalog", "what upstream programs accept, by version; add a version from its sources"),
    "explain": ("configlint.cli.explain", "the page of a rule"),
    "rules": ("configlint.cli.rules", "all rules"),
}
"""Command -> its module (with ``add_arguments(parser)`` and ``run(args, console, opener) -> int``) and its help."""


def main(argv: Sequence[str] | None = None, *, opener: Opener | None = None) -> int:
    """Run a command line and return the exit code. ``opener`` opens projects; the model's own where None."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["--version"]:
        print(f"configlint {__version__}")
        return 0
    from configlint.cli.console import Console

    console = Console.standard()
    try:
        return _dispatch(words, console, opener)
    except SystemExit as end:  # argparse, after --help
        console.write(())  # what it printed is still to be flushed, and its reader may have gone
        return end.code if isinstance(end.code, int) else 2
    except KeyboardInterrupt:
        console.note("configlint: interrupted")
        return 130
    except Exception as fault:  # the last resort: a message, not a traceback
        return _failed(fault, console, traceback="--verbose" in words)


def _dispatch(words: list[str], console: Console, opener: Opener | None) -> int:
    name = words[0] if words else ""
    if name not in COMMANDS:
        return _no_command(name, words, console)
    from importlib import import_module

    from configlint.cli.parser import Parser

    module = import_module(COMMANDS[name][0])
    parser = Parser(prog=f"configlint {name}", description=module.__doc__, allow_abbrev=False)
    add_arguments: Callable[[ArgumentParser], None] = module.add_arguments
    run: Callable[[Namespace, Console, Opener | None], int] = module.run
    add_arguments(parser)
    args = parser.parse_intermixed_args(words[1:])
    return run(args, console, opener)


def _no_command(name: str, words: list[str], console: Console) -> int:
    """Help where it is asked for; a usage error for everything else that names no command."""
    if name in ("-h", "--help"):
        console.print(_help())
        return 0
    if name == "--version":
        console.print(f"configlint {__version__}")
        return 0
    if not words:
        console.note(_help())
        return 2
    from configlint.lint.suggest import did_you_mean

    kind = "option" if name.startswith("-") else "command"
    console.note(f"configlint: no {kind} {name!r}{did_you_mean(name, COMMANDS)} (configlint --help lists them)")
    return 2


def _help() -> str:
    """The overview. Plain ASCII, so that any terminal can show it."""
    commands = "\n".join(f"  {name:<11} {text}" for name, (_, text) in COMMANDS.items())
    return (
        "usage: configlint COMMAND ...\n\n"
        "Says what a benchmark repository would really run, and where that is not what was reviewed.\n\n"
        f"commands:\n{commands}\n\n"
        "configlint COMMAND --help tells more; configlint --version prints the version.\n"
        "exit codes: 0 clean, 1 findings, 2 usage or configuration error, 3 internal error"
    )


def _failed(fault: Exception, console: Console, *, traceback: bool) -> int:
    """What an exception means for the invoker: a usage error, a configuration error, or a bug of ours."""
    from configlint.cli.errors import Exit, UsageError
    from configlint.lint.engine import described
    from configlint.lint.registry import RegistryError
    from configlint.report.plain import one_line

    if isinstance(fault, UsageError | RegistryError):
        console.fenced([f"configlint: {one_line(str(fault))}\n"], error=True)
        return Exit.USAGE
    lines = [f"configlint: internal error: {one_line(described(fault))}\n"]
    if traceback:
        from traceback import format_exception

        lines += format_exception(fault)
    else:
        lines.append("configlint: --verbose shows where\n")
    console.fenced(lines, error=True)
    return Exit.INTERNAL


def process() -> NoReturn:
    """The ``configlint`` program: :func:`main`, then the process ends at once.

    Taking apart a model of thousands of launches would cost a tenth of a run, and the system frees memory anyway.
    """
    import os
    from contextlib import suppress

    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # its reader has gone, or it is closed: nobody is left to be told
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    process()
