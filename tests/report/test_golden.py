"""Every format on the same hand-made findings, compared with files that people have read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from configlint.api import Diagnostic
from configlint.lint.result import Stats
from configlint.report.formats import FORMATS, render
from configlint.report.style import Style
from configlint.report.summary import diagnostics, statistics, summary
from tests.support import golden, samples

FOLDER = Path(__file__).parent / "golden"

STYLES = {
    "text.txt": ("text", Style()),
    "text-verbose.txt": ("text", Style(verbose=True)),
    "text-color.txt": ("text", Style(color=True, root="/some where/tree")),
    "text-narrow.txt": ("text", Style(width=40)),
    "json.json": ("json", Style()),
    "json-stats.json": ("json", Style(timings=True)),
    "sarif.json": ("sarif", Style()),
    "github.txt": ("github", Style()),
}


@pytest.mark.parametrize("name", STYLES)
def test_format(name: str) -> None:
    form, style = STYLES[name]
    golden.check(FOLDER / name, "".join(render(form, samples.result(), style)))


def test_json_has_a_line_for_each_finding() -> None:
    lines = "".join(render("json", samples.result(), Style())).split("\n")
    starts = [line for line in lines if line.startswith('    {"rule": ')]
    assert len(starts) == len(samples.result().findings)


def test_every_format_has_a_golden_file() -> None:
    assert {form for form, _ in STYLES.values()} == set(FORMATS)


def test_lines_for_people() -> None:
    result = samples.result()
    lines = [*diagnostics(result, Style()), "", *statistics(result), "", summary(result)]
    golden.check(FOLDER / "summary.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("form", FORMATS)
def test_pieces_are_whole_lines(form: str) -> None:
    assert all(piece.endswith("\n") for piece in render(form, samples.result(), Style()))


def test_summary_without_findings() -> None:
    result = replace(samples.result(), findings=())
    assert summary(result).startswith(
        "no findings (2 hidden: --severity and --pedantic show more); analysed 2,211 launches"
    )
    assert summary(replace(result, stats=Stats(counts={"launches": 1}))) == "no findings; analysed 1 launch in 0.0 s"


def test_many_diagnostics_are_cut_unless_verbose() -> None:
    many = tuple(Diagnostic("not-analysed", f"number {number}") for number in range(20))
    result = replace(samples.result(), diagnostics=many)
    short = list(diagnostics(result, Style()))
    assert len(short) == 13 and short[-1] == "8 more diagnostics (8 not-analysed); --verbose lists them"
    assert len(list(diagnostics(result, Style(verbose=True)))) == 20
