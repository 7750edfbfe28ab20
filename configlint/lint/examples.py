"""A rule's examples: tiny multi-file trees in one text, with the expected instances marked in them.

::

    -- bad: four hours become two --
    == runners/launch_a.sh
    sed -i 's/: 1440/: 720/' "$CONFIG_FILE"     #! clobbered-recipe-value
    == recipes/big.yaml
    max_attempts: 1440
    -- good: the edit only raises --
    ...

- ``-- bad: TITLE --`` and ``-- good: TITLE --`` start an example;
- ``== PATH`` starts a file; ``== PATH -> TARGET`` is a symlink; ``== URL@REF:PATH`` (the URL with its ``://``) is a
  file of an outside repository at a ref;
- ``#! ID`` at the end of a line says that an instance of the rule has its cause on this line; several ids are separated
  by blanks or commas. The mark and the blanks before it are no part of the file.

A file is its lines, each ended by a line feed. Files without a mark expect nothing; a good example has no mark at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from configlint.api.finding import Instance, Severity
from configlint.api.rule import Rule
from configlint.lint.engine import Options, run
from configlint.lint.project import Project

_HEAD = re.compile(r"-- (?P<kind>bad|good): (?P<title>\S.*?) --\s*")
_FILE = re.compile(r"== (?P<path>\S.*?)\s*")
_LINK = re.compile(r"(?P<path>\S.*?) -> (?P<target>\S.*)")
_OUTSIDE = re.compile(r"(?P<url>[a-z]+://[^@\s]+)@(?P<ref>[^:\s]+):(?P<path>.+)")
_MARK = re.compile(r"[ \t]*#! (?P<ids>[a-z][a-z0-9-]*(?:[ ,]+[a-z][a-z0-9-]*)*)[ \t]*$")

_EVERYTHING = Options(severity=Severity.INFO, pedantic=True)


class ExampleError(Exception):
    """Examples that do not follow the format; the text names the line."""


@dataclass(frozen=True, order=True)
class Expected:
    """An instance of a rule with its cause on a line."""

    path: str
    line: int
    rule: str


@dataclass(frozen=True)
class Example:
    """One tree. ``outside`` maps (URL, ref) to files of another repository."""

    title: str
    bad: bool
    files: Mapping[str, str]
    expected: frozenset[Expected] = frozenset()
    symlinks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    outside: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))


ProjectFactory = Callable[[Example], Project]


def parse(text: str) -> tuple[Example, ...]:
    """The examples of a text. Raises :class:`ExampleError`."""
    parsed: list[Example] = []
    head: re.Match[str] | None = None
    body: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        found = _HEAD.fullmatch(line)
        if found:
            if head:
                parsed.append(_example(head, body))
            head, body = found, []
        elif head:
            body.append((number, line))
        elif line.strip():
            raise ExampleError(f"line {number}: text before the first `-- bad: ... --` or `-- good: ... --`")
    if head:
        if body and not body[-1][1].strip():
            body.pop()  # what stands between the last line feed and the closing quotes is no line
        parsed.append(_example(head, body))
    return tuple(parsed)


def _example(head: re.Match[str], body: Iterable[tuple[int, str]]) -> Example:
    title, bad = head["title"], head["kind"] == "bad"
    files: dict[str, str] = {}
    symlinks: dict[str, str] = {}
    outside: dict[tuple[str, str], dict[str, str]] = {}
    expected: set[Expected] = set()
    lines: list[str] | None = None
    where, path = files, ""

    def finish() -> None:
        if lines is not None:
            where[path] = "".join(f"{line}\n" for line in lines)

    for number, line in body:
        start = _FILE.fullmatch(line)
        if start:
            finish()
            where, path, target = _target(start["path"], files, outside)
            lines = None if target else []
            if path in where or path in symlinks:
                raise ExampleError(f"line {number}: {path} occurs twice in {title!r}")
            if target:
                symlinks[path] = target
        elif lines is not None:
            mark = _MARK.search(line)
            lines.append(line[: mark.start()] if mark else line)
            if mark:
                expected.update(Expected(path, len(lines), name) for name in re.split("[ ,]+", mark["ids"]))
        elif line.strip():
            raise ExampleError(f"line {number}: text outside a file in {title!r}; start one with `== PATH`")
    finish()
    if bad and not expected:
        raise ExampleError(f"{title!r} is called bad, but marks no line with `#! rule-id`")
    if not bad and expected:
        raise ExampleError(f"{title!r} is called good, but expects {min(expected).rule}")
    return Example(title, bad, files, frozenset(expected), symlinks, outside)


def _target(
    text: str, files: dict[str, str], outside: dict[tuple[str, str], dict[str, str]]
) -> tuple[dict[str, str], str, str]:
    """Which files a ``==`` line adds to, the path, and a symlink's target."""
    foreign = _OUTSIDE.fullmatch(text)
    if foreign:
        return outside.setdefault((foreign["url"], foreign["ref"]), {}), foreign["path"], ""
    link = _LINK.fullmatch(text)
    if link:
        return files, link["path"], link["target"]
    return files, text, ""


def problems(example: Example, rules: Sequence[Rule], factory: ProjectFactory) -> list[str]:
    """What an example shows that it should not, or does not show; empty if it holds."""
    result = run(factory(example), rules, _EVERYTHING)
    found = {at(instance) for finding in result.findings for instance in finding.instances}
    missing = [f"{one.path}:{one.line}: expected {one.rule}, found nothing" for one in example.expected - found]
    extra = [f"{one.path}:{one.line}: {one.rule} is not expected" for one in found - example.expected]
    crashed = [f"{one.id}: {one.message}" for one in result.diagnostics if one.id == "rule-crashed"]
    return [f"{example.title}: {problem}" for problem in (*crashed, *sorted(missing), *sorted(extra))]


def at(instance: Instance) -> Expected:
    """Where an instance has its cause."""
    place = instance.cause.place
    return Expected(place.path, place.line, instance.rule)


def rule_problems(rule: Rule, factory: ProjectFactory) -> list[str]:
    """What is wrong with a rule's own examples: with their form, or with what the rule says about them."""
    try:
        examples = parse(rule.examples)
    except ExampleError as fault:
        return [str(fault)]
    kinds = {example.bad for example in examples}
    wrong = [f"no {kind} example" for kind, bad in (("bad", True), ("good", False)) if bad not in kinds]
    return wrong + [problem for example in examples for problem in problems(example, [rule], factory)]
