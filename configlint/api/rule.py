"""The ``@rule`` decorator: one typed function becomes a rule with its page, metadata and examples."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from configlint.api.finding import Precision, Severity

RuleFunction = Callable[[Any], Iterable[Any]]


class RuleError(Exception):
    """A rule is declared wrongly: bad id, no examples, no docstring, unknown subject."""


@dataclass(frozen=True)
class Rule:
    """A registered rule.

    ``subject`` is the name of the type its function takes (``Launch``, ``Document``, ``Entry``,
    ``Script``, ``Repository``, ``Change``). ``page`` is the module's docstring. ``examples`` is a multi-file text
    as described in :mod:`configlint.lint.examples`. ``aliases`` are former ids.
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

    @property
    def summary(self) -> str:
        """The first sentence of the page."""
        return self.page.strip().split("\n\n", 1)[0].replace("\n", " ")


def rule(
    *,
    id: str,  # noqa: A002 - the word users write
    severity: Severity,
    precision: Precision,
    since: str,
    examples: str,
    aliases: tuple[str, ...] = (),
    preview: bool = False,
) -> Callable[[RuleFunction], Rule]:
    """Declare a rule. The module's docstring is its page; the first parameter's annotation is its subject.

    Raises :class:`RuleError` where the declaration is incomplete.
    """

    def declare(function: RuleFunction) -> Rule:
        page = inspect.getdoc(sys.modules[function.__module__]) or inspect.getdoc(function) or ""
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id):
            raise RuleError(f"{id!r} is no kebab-case rule id")
        if not page.strip():
            raise RuleError(f"{id}: the module has no docstring, so the rule has no page")
        parameters = list(inspect.signature(function).parameters.values())
        annotation = parameters[0].annotation if parameters else inspect.Parameter.empty
        if annotation is inspect.Parameter.empty:
            raise RuleError(f"{id}: the first parameter needs a subject annotation")
        subject = annotation if isinstance(annotation, str) else annotation.__name__
        return Rule(id, severity, precision, since, subject, page, examples, function, aliases, preview, function.__module__)

    return declare
