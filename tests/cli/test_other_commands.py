"""The commands that print views: launches, effective, trace, affects, refs; and the rules' pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Bench, Ran
from tests.support import golden

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("launches.txt", ["launches"]),
        ("launches.json", ["launches", "--format", "json"]),
        ("effective.txt", ["effective", "alpha-fp8"]),
        ("effective-diff.txt", ["effective", "alpha-fp8", "--diff"]),
        ("effective-compare.txt", ["effective", "alpha-fp8", "--compare", "beta-fp8"]),
        ("effective.json", ["effective", "alpha-fp8", "--format", "json"]),
        ("trace.txt", ["trace", "alpha-fp8", "--variable", "MODEL"]),
        ("trace.json", ["trace", "alpha-fp8", "--format", "json"]),
        ("affects.txt", ["affects", "recipes/a.yaml:1"]),
        ("affects.json", ["affects", "recipes/a.yaml", "--format", "json"]),
        ("refs.txt", ["refs", "list"]),
        ("refs.json", ["refs", "list", "--format", "json"]),
        ("rules.txt", ["rules"]),
        ("rules.json", ["rules", "--format", "json"]),
        ("explain.txt", ["explain", "old-todo"]),
        ("explain.md", ["explain", "finds-todo", "--format", "markdown"]),
        ("explain.json", ["explain", "finds-todo", "--format", "json"]),
    ],
)
def test_output(bench: Bench, name: str, words: list[str]) -> None:
    ran = bench(*words)
    assert ran.code == 0
    golden.check(FOLDER / name, ran.out)


def test_launch_objects_have_exactly_the_fields_of_the_contract(bench: Bench) -> None:
    document = bench("launches", "--format", "json").json
    assert list(document) == ["launches"]
    assert list(document["launches"][0]) == [
        *("mode", "entry", "line", "launcher", "runner", "clone", "ref"),
        *("sink", "config", "script", "effective_sha256", "unknown", "reason"),
    ]
    assert [row["entry"] for row in bench("launches", "beta-fp8", "--format", "json").json["launches"]] == ["beta-fp8"]


@pytest.mark.parametrize("words", [["launches", "alfa-fp8"], ["effective", "alfa-fp8"], ["trace", "alfa-fp8"]])
def test_unknown_entry_suggests(bench: Bench, words: list[str]) -> None:
    ran = bench(*words)
    assert ran.code == 2
    assert ran.err.startswith("configlint: no entry is called 'alfa-fp8'; did you mean 'alpha-fp8'")


def test_unknown_rule_suggests(bench: Bench) -> None:
    ran = bench("explain", "finds-tod")
    assert (ran.code, ran.err) == (
        2,
        "configlint: no rule or diagnostic is called 'finds-tod'; did you mean 'finds-todo'?\n",
    )


def test_affects_takes_a_line(bench: Bench) -> None:
    bench("affects", "recipes/a.yaml:1")
    bench("affects", "recipes/a.yaml")
    assert bench.project.asked == ["affected recipes/a.yaml 1", "affected recipes/a.yaml None"]
    assert bench("affects", "recipes/a.yaml:0").code == 2
    assert bench("affects", f"recipes/a.yaml:{'9' * 5000}").code == 2


def test_affects_a_file_whose_name_looks_like_a_line(bench: Bench) -> None:
    from tests.support.fakes import FakeTree

    bench.project.tree = FakeTree({"a:3": ""})
    bench("affects", "a:3")
    assert bench.project.asked == ["affected a:3 None"]


def test_refs_that_cannot_be_read_are_counted(bench: Bench) -> None:
    assert "1 of 2 cannot be read" in bench("refs", "list").err


def test_refs_sync(bench: Bench) -> None:
    ran = bench("refs", "sync")
    assert ran.code == 2 and "no such host" in ran.out and ran.err == "fetching\n"
    assert bench("refs", "fetch").code == 2


def test_two_comparisons_at_once(bench: Bench) -> None:
    assert bench("effective", "alpha-fp8", "--diff", "--compare", "beta-fp8").code == 2


def test_no_control_characters_in_any_output(bench: Bench) -> None:
    for words in (["effective", "alpha-fp8"], ["trace", "alpha-fp8"], ["launches"], ["refs", "list"]):
        assert "\x1b" not in bench(*words).out


def test_no_trace_shows_a_name_that_nobody_wrote(real: Callable[..., Ran]) -> None:
    example = str(Path(__file__).parents[2] / "examples" / "mini-bench")
    rows = real("launches", "--repo", example, "--format", "json").json["launches"]
    told = ""
    for entry in {row["entry"] for row in rows}:
        told += real("trace", entry, "--repo", example, "--variable", "CONFIG_FILE", "--variable", "FRAMEWORK").out
    assert "<- ${{ " in told
    assert not re.search(r"(?<![\w$])_\d+_*(?!\w)", told)
