"""Hand-made findings that between them hold what a report can meet."""

from __future__ import annotations

from typing import Any

from configlint.api import (
    CONSUMER,
    DECLARED,
    ERROR,
    HIGH,
    INFO,
    MATRIX,
    MEDIUM,
    VALUE,
    WARNING,
    WRITER,
    Diagnostic,
    EntryRef,
    Fix,
    Instance,
    OriginStep,
    Place,
    Precision,
    Rule,
    Severity,
    Span,
    Text,
    TextEdit,
)
from configlint.lint.group import grouped, merged, ranked
from configlint.lint.identity import cause_fingerprints, fingerprinted
from configlint.lint.result import Result, RuleStats, Stats
from tests.support.fakes import at, mark

EXAMPLES = """
-- bad: the value is lost --
== runners/launch_a.sh
sed -i 's/: 9/: 3/' "$CONFIG_FILE"     #! sample
-- good: nothing is lost --
== runners/launch_a.sh
true
"""


def make_rule(
    id: str, severity: Severity = ERROR, precision: Precision = HIGH, subject: str = "Launch", **more: Any
) -> Rule:
    page = f"The page of {id}, first\nparagraph.\n\nSecond paragraph with `code` and [brackets]."
    fields: dict[str, Any] = {"check": lambda subject: iter(()), "examples": EXAMPLES, "module": "samples", **more}
    return Rule(id=id, severity=severity, precision=precision, since="0.1", subject=subject, page=page, **fields)


LAUNCHER = Text(
    "runners/launch_alpha.sh",
    b"#!/usr/bin/env bash\nset -e\n\n"
    b"if [[ $MODEL == alpha ]]; then\n"
    b"\tsed -i 's/^  attempts: [0-9]*/  attempts: 300/' \"${CONFIG_FILE%%:*}\"\n"
    b"fi\n"
    b'srtctl apply -f "$CONFIG_FILE" \\\n  --tags one \\\n  --yes\n',
)
RECIPES = tuple(
    Text(f"recipes/alpha/size-{number}.yaml", f"name: size-{number}\nhealth:\n  attempts: {number}00\n".encode())
    for number in (4, 5, 6, 7, 8, 9)
)
MATRIX_FILE = Text("configs/alpha-master.yaml", b"alpha-fp8:\n  image: engine:1.0\nbeta-fp8:\n  image: engine:2.0 \n")
WIDE = Text("recipes/\u0431\u0435\u0442\u0430, 100%.yaml", "名前: \tモデル   # 説明\nimage: x\n".encode())
HOSTILE = Text(
    "recipes/evil\nname.yaml",
    b'a: 1\nb: "\x1b[31m\x9b\xc2\x9b\xe2\x80\xae::error::pwned\r##[add-mask]x"\nc: \xff\xfe\n',
)
LONG = Text("runners/long.sh", b"echo " + b"a" * 4000 + b" --flag=WRONG " + b"b" * 4000 + b"\n")
OUTSIDE = Text("recipes/upstream.yaml", b"name: upstream\ncontainer: old\n", origin="owner/render@v1.2.3")

CLOBBERED = make_rule("clobbered-recipe-value")
MISMATCH = make_rule("image-mismatch", subject="Entry")
HYGIENE = make_rule("ambiguous-scalar", WARNING, MEDIUM, subject="Document")
NOTE = make_rule("abbreviated-flag", INFO, subject="Script")
RULES = (NOTE, HYGIENE, CLOBBERED, MISMATCH)


def entry(key: str, points: int, ids: tuple[int, ...] = ()) -> EntryRef:
    return EntryRef(key, mark(MATRIX_FILE, key), points, frozenset(ids))


def clobbered(recipe: Text, declared: int) -> Instance:
    """An edit that lowers a value; six of them share their cause."""
    edit = "sed -i 's/^  attempts: [0-9]*/  attempts: 300/'"
    return Instance(
        message=f"health.attempts: {declared} declared, 300 effective",
        summary="the launcher lowers health.attempts of {count} recipes to 300",
        cause=at(LAUNCHER, edit, WRITER, "sets health.attempts to 300, whatever the recipe asks for"),
        victim=at(recipe, str(declared), DECLARED, f"declared: {declared} x 10 s = {declared * 10:,} s"),
        entries=(entry("alpha-fp8", 3),),
        origins=(
            (OriginStep(mark(recipe, "attempts"), "declared"), OriginStep(mark(LAUNCHER, "sed"), "edited by sed")),
        ),
        help="raise only",
        rule=CLOBBERED.id,
        severity=ERROR,
        precision=HIGH,
        fix=Fix((TextEdit(mark(LAUNCHER, edit), "true"),), title="leave the value alone"),
    )


def instances() -> list[Instance]:
    return [
        *(clobbered(recipe, number * 100) for recipe, number in zip(RECIPES, (4, 5, 6, 7, 8, 9), strict=True)),
        Instance(
            "the entry runs engine:2.0, the recipe starts old",
            cause=at(OUTSIDE, "old", VALUE, "starts this"),
            victim=at(MATRIX_FILE, "engine:2.0", MATRIX, "published as this"),
            entries=(entry("beta-fp8", 1),),
            notes=("masked: another limit of 3,600 s",),
            severity=WARNING,
            precision=HIGH,
            rule=MISMATCH.id,
        ),
        Instance(
            "only an outside file is involved, so the entry is where it shows",
            cause=at(OUTSIDE, "upstream", VALUE),
            entries=(entry("beta-fp8", 1),),
            rule=MISMATCH.id,
            severity=ERROR,
            precision=HIGH,
        ),
        Instance(
            "wide characters, a tab and a comment: [text](https://example.invalid)",
            cause=at(WIDE, "モデル", VALUE, "two columns a character"),
            rule=HYGIENE.id,
            severity=WARNING,
            precision=MEDIUM,
        ),
        Instance(
            "text that would like to be obeyed: \x1b]0;x\x07 100%\r\n::error::no ##[error]no",
            cause=at(HOSTILE, "::error::pwned", VALUE, "\x1b[2Jcleared"),
            related=(at(HOSTILE, "a: 1", note="first\nsecond"),),
            rule=HYGIENE.id,
            severity=WARNING,
            precision=MEDIUM,
        ),
        Instance(
            "a long line",
            cause=at(LONG, "--flag=WRONG", CONSUMER, "here"),
            rule=NOTE.id,
            severity=INFO,
            precision=HIGH,
        ),
        Instance(
            "a command over three lines, and the end of a file",
            cause=at(LAUNCHER, 'srtctl apply -f "$CONFIG_FILE" \\\n  --tags one \\\n  --yes', CONSUMER, "runs this"),
            victim=at(LAUNCHER, "--yes"),
            related=(
                # An empty span at the very end of a text.
                at(LAUNCHER, "fi"),
                _end(LAUNCHER),
            ),
            rule=NOTE.id,
            severity=INFO,
            precision=HIGH,
        ),
    ]


def _end(text: Text):
    from configlint.api import Location

    return Location(Place(text, Span(len(text.raw), len(text.raw))), note="end")


DIAGNOSTICS = (
    Diagnostic("not-analysed", "loop of more than 64 rounds", place=mark(LAUNCHER, "set -e")),
    Diagnostic("unreadable-file", "binary", path="recipes/x.yaml"),
    Diagnostic("rule-crashed", "sample: ValueError: no", severity=ERROR),
)


def result() -> Result:
    """All samples, grouped and ranked as the engine does it."""
    own = instances()
    named = fingerprinted(one for rule in RULES for one in merged([raw for raw in own if raw.rule == rule.id], rule))
    findings = ranked(grouped(named, {rule.id: rule for rule in RULES}, cause_fingerprints(named)))
    stats = Stats(
        seconds=1.25,
        counts={"files": 12, "launches": 2211, "not_analysed": 11},
        rules={CLOBBERED.id: RuleStats(0.25, 2211, 6, 3), NOTE.id: RuleStats(0.5, 12, 2, 0)},
        subjects={"Launch": 0.75},
        hidden=2,
    )
    return Result(tuple(findings), DIAGNOSTICS, RULES, stats)
