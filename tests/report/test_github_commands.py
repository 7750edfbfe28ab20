"""Workflow commands: one line each, whatever the text; capped, ranked, and never for a path that does not exist."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from configlint.api import ERROR, INFO, WARNING, Location, Place, Severity, Span, Text
from configlint.report.formats import render
from configlint.report.github import commands
from configlint.report.plain import is_printable
from configlint.report.style import Style
from configlint.report.workflow import WorkflowCommand, defused, fence
from tests.support import samples

UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
TEXTS = st.text(st.characters(exclude_categories=[]), max_size=40)


def decoded(line: str) -> tuple[str, dict[str, str], str]:
    """What the runner reads from a line."""
    assert line.startswith("::")
    head, _, data = line[2:].partition("::")
    name, _, properties = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in properties.split(",") if pair)

    def unescape(text: str, codes: dict[str, str]) -> str:
        return re.sub("%(?:0D|0A|3A|2C|25)", lambda code: codes.get(code[0], code[0]), text)

    data_codes = {"%0D": "\r", "%0A": "\n", "%25": "%"}
    both = {**data_codes, "%3A": ":", "%2C": ","}
    return name, {key: unescape(value, both) for key, value in pairs}, unescape(data, data_codes)


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_is_one_line_and_comes_back(message: str, path: str, title: str) -> None:
    line = str(WorkflowCommand("error", message, {"file": path, "line": 3, "title": title}))
    assert "\n" not in line and "\r" not in line
    assert decoded(line) == ("error", {"file": path, "line": "3", "title": title}, message)


@given(TEXTS.filter(bool), TEXTS, TEXTS, st.binary(max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_finding_is_one_command_a_line(path: str, message: str, note: str, raw: bytes) -> None:
    result = samples.result()
    place = Place(Text(path, raw), Span(0, len(raw)))
    finding = replace(result.findings[0], message=message, locations=(Location(place, note=note),), notes=(note,))
    output = "".join(render("github", replace(result, findings=(finding,), diagnostics=()), Style()))
    assert output.endswith("\n") and output.count("\n") == 1 and "\r" not in output
    name, properties, _ = decoded(output[:-1])
    assert name == "error"
    assert not UNSAFE.search(output[:-1])
    if not is_printable(path):
        assert set(properties) == {"title"}
        return
    assert properties["file"] == path
    assert int(properties["endColumn"]) >= int(properties["col"]) >= 1
    assert "endLine" not in properties  # columns are refused together with a range of lines


def many(severity: Severity, number: int):
    finding = replace(samples.result().findings[0], severity=severity)
    return tuple(replace(finding, message=f"number {index}") for index in range(number))


def test_nine_of_a_level_and_how_many_more() -> None:
    found = (*many(ERROR, 12), *many(WARNING, 9), *many(INFO, 10))
    result = replace(samples.result(), findings=found, diagnostics=())
    lines = list(map(str, commands(result)))
    assert [sum(line.startswith(f"::{name} ") for line in lines) for name in ("error", "warning", "notice")] == [
        10,
        9,
        10,
    ]
    assert lines[0].endswith("number 0%0A" + lines[0].split("%0A", 1)[1])
    assert lines[9] == "::error title=configlint::3 more errors; the log lists all of them"
    assert lines[-1] == "::notice title=configlint::1 more note; the log lists all of them"
    with_diagnostics = list(map(str, commands(replace(result, diagnostics=samples.DIAGNOSTICS))))
    assert sum(line.startswith("::notice ") for line in with_diagnostics) == 10


def test_outside_files_are_named_but_not_annotated() -> None:
    lines = list(map(str, commands(samples.result())))
    found = [decoded(line) for line in lines if "image-mismatch" in line]
    assert {properties["file"] for _, properties, _ in found} == {"configs/alpha-master.yaml"}
    assert all("owner/render@v1.2.3:recipes/upstream.yaml:" in message for _, _, message in found)


def test_no_place_in_the_tree_at_all() -> None:
    finding = replace(samples.result().findings[1], entries=())
    (command,) = commands(replace(samples.result(), findings=(finding,), diagnostics=()))
    assert set(command.properties) == {"title"}


def test_fences_are_different_each_time() -> None:
    (before, after), (other, _) = fence(), fence()
    assert before != other
    token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})\n", before)
    assert token and after == f"::{token[1]}::\n"


def test_machine_formats_hold_no_command_of_either_spelling() -> None:
    assert defused('"##[x] ###[y]"') == '"#\\u0023[x] ##\\u0023[y]"'
    for form in ("json", "sarif"):
        lines = "".join(render(form, samples.result(), Style())).split("\n")
        assert not [line for line in lines if "##[" in line or line.lstrip().startswith("::")]
