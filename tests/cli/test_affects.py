"""``affects``: what a file, folder or line reaches; where that cannot be told it says so, and never "no entry"."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, lay

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini-bench"
LIB, GAMMA = "benchmarks/benchmark_lib.sh", "benchmarks/single_node/fixed_seq_len/tiny_fp8_gamma.sh"
SINGLE, MULTI = ".github/workflows/benchmark-tmpl.yml", ".github/workflows/benchmark-multinode-tmpl.yml"
MATRIX, RUNNERS, SWEEP = "configs/main-master.yaml", "configs/runners.yaml", ".github/workflows/run-sweep.yml"
ON_ALPHA = {
    "tiny-fp8-alpha-dynamo-vllm",
    "tiny-fp8-alpha-dynamo-sglang",
    "tiny-fp8-alpha-dynamo-vllm-agentic",
}
ON_BETA = {"small-fp4-beta-dynamo-trt"}
ON_GAMMA = {"tiny-fp8-gamma-vllm", "tiny-fp8-gamma-sglang", "small-fp4-gamma-trt", "tiny-fp8-gamma-vllm-agentic"}
EVERY = ON_ALPHA | ON_BETA | ON_GAMMA
DECLARED = EVERY - {"tiny-fp8-gamma-sglang"}  # the runners file does not know its label
WITH_LIB = {"tiny-fp8-gamma-vllm", "tiny-fp8-gamma-sglang"}


def at(path: str, text: str) -> str:
    """``PATH:LINE`` of the first line with a text."""
    lines = (EXAMPLE / path).read_text().splitlines()
    return f"{path}:{next(number for number, line in enumerate(lines, 1) if text in line)}"


@pytest.fixture
def example(real: Callable[..., Ran]) -> Callable[..., Ran]:
    shutil.copytree(EXAMPLE, ".", dirs_exist_ok=True)
    return real


@pytest.mark.parametrize(
    ("place", "entries", "via"),
    [
        ("runners", EVERY, "launcher"),
        ("configs", EVERY, "matrix"),
        (".", EVERY, "matrix"),
        ("benchmarks/single_node", ON_GAMMA - {"small-fp4-gamma-trt"}, "script"),
        (LIB, WITH_LIB, "library"),
        (at(LIB, "require_env()"), WITH_LIB, "library"),
        (at(LIB, "return 0"), WITH_LIB, "library"),
        (at(LIB, "# Shared"), set(), ""),
        (at(GAMMA, "vllm serve"), {"tiny-fp8-gamma-vllm"}, "script"),
        (RUNNERS, DECLARED, "runners"),
        (at(RUNNERS, "alpha-multinode:"), ON_ALPHA - {"tiny-fp8-alpha-dynamo-vllm-agentic"}, "runners"),
        (at(RUNNERS, "- beta-slurm_00"), ON_BETA, "runners"),
        (at(RUNNERS, "labels:"), DECLARED, "runners"),
        (f"{RUNNERS}:1", set(), ""),
        (SINGLE, ON_GAMMA, "workflow"),
        (MULTI, ON_ALPHA | ON_BETA, "workflow"),
        (at(MULTI, "  FRAMEWORK: "), ON_ALPHA | ON_BETA, "workflow"),
        (at(MULTI, "framework: {"), ON_ALPHA | ON_BETA, "workflow"),
        (at(MULTI, "RUNNER_TYPE:"), ON_ALPHA | ON_BETA, "workflow"),
        (at(MULTI, "export IS_MULTINODE"), ON_ALPHA | ON_BETA, "workflow"),
        (at(MULTI, "bash ./runners/launch_"), ON_ALPHA | ON_BETA, "workflow"),
        (SWEEP, EVERY, "workflow"),
        (at(MATRIX, "small-fp4-gamma-trt:"), {"small-fp4-gamma-trt"}, "matrix"),
        (at(MATRIX, "tiny-8k1k.yaml:zip_override_scale[2]"), {"tiny-fp8-alpha-dynamo-sglang"}, "matrix"),
        ("README.md", set(), ""),
    ],
)  # fmt: skip
def test_what_is_reached(example: Callable[..., Ran], place: str, entries: set[str], via: str) -> None:
    found = example("affects", place, "--format", "json").json
    assert found["unknown"] is None
    assert {row["entry"] for row in found["affects"]} == entries
    assert {row["via"] for row in found["affects"]} == ({via} if via else set())
    assert all(1 <= row["affected"] <= row["points"] for row in found["affects"])
    assert ("no entry" in example("affects", place).out) == (not entries)


def test_every_line_of_a_workflow_that_a_trace_cites_reaches_the_entry(example: Callable[..., Ran]) -> None:
    entry = "tiny-fp8-alpha-dynamo-vllm"
    cited = set()
    for view in example("trace", entry, "--format", "json").json["traces"]:
        for step in view["steps"]:
            cited.add((step["path"], step["line"]))
    places = {f"{path}:{line}" for path, line in cited if path}
    assert any(place.startswith(".github/") for place in places)
    for place in places:
        rows = example("affects", place, "--format", "json").json["affects"]
        assert entry in {row["entry"] for row in rows}, place


@pytest.mark.parametrize("place", [at(SWEEP, "jobs:"), at(SINGLE, "permissions:"), at(MULTI, "runs-on:")])
def test_a_line_of_a_workflow_whose_effect_is_not_analysed(example: Callable[..., Ran], place: str) -> None:
    ran = example("affects", place)
    assert (ran.code, ran.out.partition(":")[0]) == (0, "not known")
    assert "no entry" not in ran.out


def test_a_job_of_the_caller_reaches_what_it_dispatches(example: Callable[..., Ran]) -> None:
    lines = (EXAMPLE / SWEEP).read_text().splitlines()
    calls = [number for number, line in enumerate(lines, 1) if "uses: ./.github/workflows/benchmark" in line]
    reached = [
        {row["entry"] for row in example("affects", f"{SWEEP}:{number}", "--format", "json").json["affects"]}
        for number in calls
    ]
    assert set().union(*reached) == EVERY
    assert all(one <= (ON_ALPHA | ON_BETA) or one <= ON_GAMMA for one in reached)


def test_a_file_that_programs_name_may_be_used(example: Callable[..., Ran]) -> None:
    lay(
        {
            "utils/tidy.py": "",
            "utils/extra/data.json": "",
            "utils/alone.py": "",
            "benchmarks/single_node/a.slurm": "x\n",
        }
    )
    script = Path(GAMMA)
    script.write_text(script.read_text() + "python3 utils/tidy.py\nls extra/\nsbatch ../a.slurm\n# utils/alone.py\n")
    for path in ("utils/tidy.py", "utils/extra", "benchmarks/single_node/a.slurm"):
        ran = example("affects", path)
        assert ran.out.startswith("not known: ") and GAMMA in ran.out, path
    for path in ("utils/extra/data.json", "utils/alone.py"):
        assert example("affects", path).out == "no entry\n"


def test_functions_count_where_they_are_called(example: Callable[..., Ran]) -> None:
    lay({"benchmarks/more.sh": "one() {\n  two\n}\ntwo() {\n  true\n}\nthree() {\n  true\n}\n"})
    script = Path(GAMMA)
    script.write_text(script.read_text() + 'source "$(dirname "$0")/../../more.sh"\none\n')
    for line, reached in ((2, True), (5, True), (8, False)):
        found = example("affects", f"benchmarks/more.sh:{line}", "--format", "json").json
        assert [row["entry"] for row in found["affects"]] == (["tiny-fp8-gamma-vllm"] if reached else [])
        assert found["unknown"] is None


def test_a_script_that_a_script_runs(example: Callable[..., Ran]) -> None:
    lay({"benchmarks/inner.sh": "f() {\n  true\n}\nf\n"})
    script = Path(GAMMA)
    script.write_text(script.read_text() + 'bash "$(dirname "$0")/../../inner.sh"\n')
    for place in ("benchmarks/inner.sh", "benchmarks/inner.sh:2", "benchmarks/inner.sh:4"):
        rows = example("affects", place, "--format", "json").json["affects"]
        assert [(row["entry"], row["via"]) for row in rows] == [("tiny-fp8-gamma-vllm", "library")]


def test_an_entry_that_no_launcher_takes_is_still_reached(example: Callable[..., Ran]) -> None:
    Path("runners/launch_beta-slurm.sh").unlink()
    for place in (MATRIX, at(MATRIX, "small-fp4-beta-dynamo-trt:"), at(RUNNERS, "- beta-slurm_00")):
        rows = example("affects", place, "--format", "json").json["affects"]
        assert {row["entry"] for row in rows} >= ON_BETA


def test_a_line_of_a_step_whose_text_is_the_row_s_own(example: Callable[..., Ran]) -> None:
    matrix = Path(MATRIX)
    text = matrix.read_text()
    setting = '"CONFIG_FILE=recipes/sglang/tiny-8k1k.yaml:zip_override_scale[2]"'
    matrix.write_text(text.replace(setting, setting[:-1] + " NOTE='a b'\""))
    for line in ("export IS_MULTINODE", "bash ./runners/launch_", "join(fromJson(inputs.prefill-additional-settings)"):
        found = example("affects", at(MULTI, line), "--format", "json").json
        rows = {row["entry"]: (row["affected"], row["points"]) for row in found["affects"]}
        assert set(rows) == ON_ALPHA | ON_BETA
        assert len(set(rows["tiny-fp8-alpha-dynamo-sglang"])) == 1, line  # all of its points, those of that row too


@pytest.mark.parametrize("line", ["0", "00", "66", "99999", "9" * 5000])
def test_a_line_that_the_file_does_not_have(example: Callable[..., Ran], line: str) -> None:
    ran = example("affects", f"{SINGLE}:{line}")
    assert (ran.code, ran.out) == (2, "") and "has 65 lines, counted from 1" in ran.err


def test_lines_of_what_has_none(example: Callable[..., Ran]) -> None:
    Path("empty.sh").write_text("")
    assert "has 0 lines" in example("affects", "empty.sh:1").err
    assert "only a file has lines" in example("affects", "runners:1").err
    assert "no such path" in example("affects", "runners/nothing.sh:1").err


def test_check_takes_no_line_and_says_who_does(example: Callable[..., Ran]) -> None:
    ran = example("check", "runners/launch_alpha-slurm.sh:58")
    assert ran.code == 2 and "configlint affects runners/launch_alpha-slurm.sh:58" in ran.err
