"""configlint/1 against its schema and its contract; SARIF against the official schema and what code scanning needs."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from configlint.api import Text
from configlint.lint.result import Result
from configlint.report.formats import render
from configlint.report.sarif import uri
from configlint.report.style import Style
from tests.support import samples
from tests.support.fakes import at

ROOT = Path(__file__).resolve().parents[2]
OWN_SCHEMA = ROOT / "docs" / "schema" / "configlint-1.schema.json"


def read(form: str, result: Result | None = None, **style: Any) -> Any:
    text = "".join(render(form, result or samples.result(), Style(**style)))
    return json.loads(text.encode("utf-8", errors="backslashreplace"))


@pytest.mark.parametrize("timings", [False, True])
@pytest.mark.parametrize("result", [samples.result(), Result()], ids=["samples", "empty"])
def test_json_is_valid(result: Result, timings: bool) -> None:
    schema = json.loads(OWN_SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(read("json", result, timings=timings), schema, jsonschema.Draft202012Validator)


def test_json_has_exactly_the_fields_of_the_contract() -> None:
    document = read("json")
    assert list(document) == ["version", "findings", "diagnostics", "stats"]
    finding = document["findings"][0]
    assert list(finding) == [
        *("rule", "severity", "precision", "message", "fingerprint"),
        *("locations", "entries", "instances", "origins", "fix"),
    ]
    assert list(finding["locations"][0]) == ["path", "line", "column", "end_line", "end_column", "role", "note"]
    assert list(finding["entries"][0]) == ["key", "path", "line", "points"]
    assert list(finding["instances"][0]) == ["fingerprint", "message", "severity", "locations"]
    assert list(finding["origins"][0][0]) == ["path", "line", "what"]
    assert list(finding["fix"]) == ["safe", "edits"]
    assert list(finding["fix"]["edits"][0]) == ["path", "start", "end", "text"]
    assert list(document["diagnostics"][0]) == ["id", "path", "line", "message"]


def test_json_columns_count_bytes() -> None:
    (finding,) = (one for one in read("json")["findings"] if one["message"].startswith("wide"))
    (place,) = finding["locations"]
    assert (place["line"], place["column"], place["end_column"]) == (1, 10, 19)


def test_json_is_the_same_every_time() -> None:
    assert read("json") == read("json")
    assert "seconds" not in read("json")["stats"] and "seconds" in read("json", timings=True)["stats"]


def sarif_schema() -> Path:
    named = os.environ.get("CONFIGLINT_SARIF_SCHEMA")
    path = Path(named) if named else ROOT.parent / "shared" / "data" / "sarif-schema-2.1.0.json"
    if not path.exists():
        pytest.skip(f"the official SARIF schema is not here ({path.name}); CONFIGLINT_SARIF_SCHEMA names it")
    return path


@pytest.mark.parametrize("result", [samples.result(), Result()], ids=["samples", "empty"])
def test_sarif_is_valid(result: Result) -> None:
    schema = json.loads(sarif_schema().read_text())
    jsonschema.validate(read("sarif", result), schema)


def test_sarif_results_point_into_the_tree_on_one_line() -> None:
    (run,) = read("sarif")["runs"]
    order = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert order == sorted(rule.id for rule in samples.RULES)
    for result in run["results"]:
        assert order[result["ruleIndex"]] == result["ruleId"]
        assert set(result["partialFingerprints"]) == {"configlint/v1", "primaryLocationLineHash"}
        (location,) = result["locations"]
        for one in (location, *result["relatedLocations"]):
            region = one["physicalLocation"]["region"]
            assert region["startLine"] == region["endLine"]
            assert region["endColumn"] >= region["startColumn"] >= 1
            assert "upstream" not in one["physicalLocation"]["artifactLocation"]["uri"]
        assert [one["id"] for one in result["relatedLocations"]] == list(range(1, len(result["relatedLocations"]) + 1))
        for one in result["relatedLocations"]:
            assert f"]({one['id']})" in result["message"]["text"]


def test_sarif_columns_are_utf16_code_units() -> None:
    text = Text("a.yaml", "a: \U0001f600 x\n".encode())
    finding = replace(samples.result().findings[0], locations=(at(text, "x"),))
    (run,) = read("sarif", replace(samples.result(), findings=(finding,)))["runs"]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (run["columnKind"], region["startColumn"], region["endColumn"]) == ("utf16CodeUnits", 7, 8)


def test_sarif_brackets_make_no_links() -> None:
    (run,) = read("sarif")["runs"]
    (message,) = (one["message"]["text"] for one in run["results"] if "wide" in one["message"]["text"])
    assert r"\[text\](https://example.invalid)" in message


@pytest.mark.parametrize("path", ["a b/ü.yaml", "x:y,z%#?.sh", "evil\nname", "bytes\udcff", "odd\ud800"])
def test_uris_are_encoded(path: str) -> None:
    encoded = uri(path)
    assert encoded.isascii() and not set(encoded) & set(" :#?\n")
    if "\ud800" not in path:
        assert unquote_to_bytes(encoded) == path.encode("utf-8", errors="surrogateescape")


def test_sarif_says_when_the_run_failed() -> None:
    (run,) = read("sarif", replace(samples.result(), crashed=True))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 3


def test_surrogates_survive_as_json() -> None:
    text = Text("p\udcff.yaml", b"x\n")
    finding = replace(samples.result().findings[0], locations=(at(text, "x"),))
    result = replace(samples.result(), findings=(finding,))
    assert read("json", result)["findings"][0]["locations"][0]["path"] == "p\udcff.yaml"
    read("sarif", result)
