"""The ``@rule`` decorator: one typed function becomes a rule with its page, metadata and examples."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from configlint.api.finding import Precision, Severity, Verdict

RuleFunction = Callable[[Any], Iterable[Verdict]]

SUBJECTS = ("Launch", "Document", "Entry", "Script", "Repository", "Change")
"""Names of the types a rule's first parameter may have."""

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class RuleError(Exception):
    """A rule is declared wrongly: bad id, no examples, no docstring, unknown subject."""


@dataclass(frozen=True)
class Rule:
    """A registered rule.

    ``subject`` is the name of the type its function takes, one of :data:`SUBJECTS`. ``page`` is the module's
    docstring. ``examples`` is a multi-file text as described in :mod:`configlint.lint.examples`. ``aliases`` are
    former ids. ``preview`` rules run only when asked for. ``api`` is the version of the interface it was made for.
    ``precision`` is the best it reaches; an instance may say that it is less sure.
    """

    id: str
    severity: Severity
    precision: Precision
    since: str
    subject: str
    page: str
    examples: str
    check: RuleFunction = field(repr=False, compare=False)
    aliases: tuple[str, ...] = ()
    preview: bool = False
    module: str = ""
    api: int = 1

    @property
    def summary(self) -> str:
        """The first paragraph of the page, on one line."""
        return " ".join(self.page.strip().split("\n\n", 1)[0].split())


def rule(
    *,
    id: str,  # the word users write
    severity: Severity,
    precision: Precision,
    since: str,
    examples: str,
    aliases: tuple[str, ...] = (),
    preview: bool = False,
    api: int = 1,
) -> Callable[[RuleFunction], Rule]:
    """Declare a rule. The module's docstring is its page; the first parameter's annotation is its subject.

    Raises :class:`RuleError` where the declaration is incomplete.
    """

    def declare(function: RuleFunction) -> Rule:
        for name in (id, *aliases):
            if not _ID.fullmatch(name):
                raise RuleError(f"{name!r} is no kebab-case rule id")
        page = inspect.cleandoc(sys.modules[function.__module__].__doc__ or function.__doc__ or "")
        if not page.strip():
            raise RuleError(f"{id}: the module has no docstring, so the rule has no page")
        if "-- bad:" not in examples or "-- good:" not in examples:
            raise RuleError(f"{id}: examples need at least one `-- bad: ... --` and one `-- good: ... --`")
        return Rule(
            id=id,
            severity=severity,
            precision=precision,
            since=since,
            subject=_subject(id, function),
            page=page,
            examples=examples,
            check=function,
            aliases=aliases,
            preview=preview,
            module=function.__module__,
            api=api,
        )

    return declare


def _subject(id: str, function: RuleFunction) -> str:
    """The name of the subject type, from the first parameter's annotation."""
    parameters = list(inspect.signature(function).parameters.values())
    annotation = parameters[0].annotation if parameters else inspect.Parameter.empty
    if annotation is inspect.Parameter.empty:
        raise RuleError(f"{id}: the first parameter needs a subject annotation")
    # Modules that import their annotations from the future hold strings, perhaps qualified (`api.Launch`).
    name = annotation.strip("'\"") if isinstance(annotation, str) else getattr(annotation, "__name__", "?")
    subject = name.rpartition(".")[2]
    if subject not in SUBJECTS:
        raise RuleError(f"{id}: {name!r} is no subject; choose one of {', '.join(SUBJECTS)}")
    return subject
