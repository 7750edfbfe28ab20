from __future__ import annotations

from collections.abc import Mapping

import pytest

from configlint.launch.values import shown, unknown
from configlint.model.environment import Environment, Environments
from configlint.model.matrix import EVAL, THROUGHPUT
from tests.model.trees import CALLER, MULTI, SINGLE, both, layout, matrix, point

ALPHA, BETA = "alpha-fp8-north", "beta-fp4-south-multi"


def environment(
    key: str = ALPHA,
    item: int = 0,
    index: int = 0,
    mode: str = THROUGHPUT,
    changes: Mapping[str, str | bytes | None] | None = None,
) -> Environment:
    made, environments = both(changes)
    return environments.of(point(made, key, item, index), "north-a_0", mode)


def value(found: Environment, name: str) -> str | None:
    variable = found.get(name)
    return None if variable is None else shown(variable.value)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("IMAGE", "engine/server:1.2"),
        ("TP", "4"),
        ("PP_SIZE", "1"),
        ("RATIO", "0.8"),
        ("FLAG", "true"),
        ("TOKEN", "x-{?secrets.TOKEN}"),
        ("CONC", "8"),
        ("DP_ATTENTION", "false"),
        ("RUN_EVAL", "false"),
        ("SCENARIO_SUBDIR", "fixed/"),
        ("FAST", "0"),
        ("NOTHING", ""),
        ("LEVEL", "step"),
        ("RUNNER_NAME", "north-a_0"),
        ("RESULT", "alpha_8k1k-job-c8-north-a_0"),
        ("HOME", "{?HOME}"),
        ("GITHUB_ACTIONS", "true"),
        ("SLURM_JOB_ID", "{?SLURM_JOB_ID}"),
        ("UNHEARD_OF", None),
    ],
)
def test_variables_of_a_single_node_point(name: str, expected: str | None) -> None:
    assert value(environment(), name) == expected


def test_variables_of_a_multi_node_point() -> None:
    found = environment(BETA)
    assert value(found, "CONC_LIST") == "4 32"
    assert value(found, "PREFILL_TP") == "4"
    assert value(found, "KV_OFFLOAD_BACKEND") == ""
    assert value(environment(BETA, 1), "KV_OFFLOAD_BACKEND") == "tier"
    assert value(environment(BETA, 1, 1), "CONC_LIST") == "16"


def test_kinds_of_variables() -> None:
    found = environment()
    kinds = {name: found.get(name) for name in ("TP", "RESULT", "HOME", "SLURM_JOB_ID", "GITHUB_WORKSPACE", "NOTHING")}
    assert {name: one.kind for name, one in kinds.items() if one} == {
        "TP": "template", "RESULT": "step", "HOME": "host", "SLURM_JOB_ID": "operator",
        "GITHUB_WORKSPACE": "workspace", "NOTHING": "template",
    }  # fmt: skip
    assert {name for name, one in kinds.items() if one and one.is_nonempty} == {
        "TP",
        "RESULT",
        "HOME",
        "GITHUB_WORKSPACE",
    }
    assert found.names()[:3] == ("IMAGE", "TP", "PP_SIZE")
    assert "RESULT" in found.names()


def test_a_variable_knows_where_it_is_from() -> None:
    found = environment()
    variable = found.get("TP")
    assert variable is not None
    assert variable.place is not None
    assert variable.place.text.slice(variable.place.span) == "${{ inputs.tp }}"
    [through] = variable.through
    assert (through.path, through.text.slice(through.span)) == (
        ".github/workflows/run-sweep.yml", "${{ matrix.config.tp }}",
    )  # fmt: skip
    assert variable.reads == (("tp",),)
    [place] = found.places(variable)
    assert (place.path, place.line) == ("configs/first-master.yaml", 15)
    result = found.get("RESULT")
    assert result is not None
    assert set(result.reads) == {("exp-name",), ("conc",)}
    multi = environment(BETA, 1)
    backend = multi.get("KV_OFFLOAD_BACKEND")
    assert backend is not None
    assert backend.reads == (("kv-offload-backend", "name"),)
    assert [place.line for place in multi.places(backend)] == [33]


def test_points_of_an_item_share_what_does_not_vary() -> None:
    made, environments = both()
    first, second = (environments.of(point(made, ALPHA, 0, index), "r_0") for index in (0, 1))
    assert first.get("TP") is second.get("TP")
    assert first.get("RATIO") is second.get("RATIO")
    assert first.get("CONC") is not second.get("CONC")
    assert (first.varies("TP"), first.varies("CONC"), first.varies("RATIO")) == (False, True, False)
    assert (value(first, "CONC"), value(second, "CONC")) == ("8", "16")
    assert first.run is second.run
    other = environments.of(point(made, ALPHA, 0, 1), "s_0")
    assert value(other, "RESULT") == "alpha_8k1k-job-c16-s_0"


def test_evaluations_come_from_their_own_jobs() -> None:
    made, environments = both()
    evaluated = [one for one in made.points if EVAL in environments.modes(one)]
    assert [(one.entry.key, one.concurrency) for one in evaluated] == [(ALPHA, 32), (ALPHA, 64)]
    found = environments.of(evaluated[0], "r_0", EVAL)
    assert found.job is not None
    assert found.job.name == "eval"
    assert (value(found, "EVAL_ONLY"), value(found, "RUN_EVAL"), value(found, "TP")) == ("true", "true", "4")
    throughput = environments.of(evaluated[0], "r_0")
    assert (value(throughput, "EVAL_ONLY"), value(throughput, "RUN_EVAL")) == ("false", "false")


def test_without_jobs_for_evaluations_one_job_does_both() -> None:
    caller = CALLER[: CALLER.index("  eval:")] + CALLER[CALLER.index("  multi:") :]
    made, environments = both({".github/workflows/run-sweep.yml": caller})
    marked = point(made, ALPHA, 0, 2)
    assert environments.modes(marked) == (THROUGHPUT,)
    assert value(environments.of(marked, "r_0"), "RUN_EVAL") == "true"


def test_the_script_of_the_step() -> None:
    run = environment(BETA).run
    assert run is not None
    assert run.text == (
        "export CONFIG_FILE=recipes/beta.yaml:override_big EXTRA=ü \n\nbash ./runners/launch_$NAME.sh\n"
    )
    assert run.options == ("--noprofile", "--norc", "-e", "-o", "pipefail")
    assert [one.source for one in run.substitutions] == [
        "${{ join(fromJson(inputs.prefill-settings), ' ') }}",
        "${{ join(fromJson(inputs.decode-settings), ' ') }}",
    ]
    raw = run.text.encode()

    def where(needle: str) -> tuple[str, int, str]:
        place = run.place_at(raw.index(needle.encode()))
        return place.path.rpartition("/")[2], place.line, place.text.slice(place.span)[:12]

    line = MULTI[: MULTI.index("export")].count("\n") + 1
    assert where("export") == ("benchmark-multinode-tmpl.yml", line, "export ${{ j")
    assert where("CONFIG_FILE") == ("second-master.yaml", 23, '"CONFIG_FILE')
    assert where("EXTRA") == ("second-master.yaml", 24, '"EXTRA=ü"')
    assert where("bash ") == ("benchmark-multinode-tmpl.yml", line + 2, "bash ./runne")
    assert where("launch_") == ("benchmark-multinode-tmpl.yml", line + 2, "launch_$NAME")
    assert environment().run is not None
    assert environment().run.options == ("-e",)  # type: ignore[union-attr]


def test_a_script_that_is_no_literal_block() -> None:
    text = (
        SINGLE[: SINGLE.index("      run: |")]
        + '      run: "bash runners/launch_a.sh ${{ inputs.tp }} ${{ github.sha }}"\n'
    )
    run = environment(changes={".github/workflows/benchmark-tmpl.yml": text}).run
    assert run is not None
    assert shown(run.text) == "bash runners/launch_a.sh 4 {?github.sha}"
    assert run.place_at(3) == run.place


def test_pins_and_workspace() -> None:
    seen = layout()
    environments = Environments(seen, workspace="/w", pins={"TP": "7", "NEW": "x"})
    found = environments.of(point(matrix(), ALPHA), "r_0")
    assert value(found, "TP") == "7"
    assert value(found, "NEW") == "x"
    assert value(found, "GITHUB_WORKSPACE") == "/w"


def test_a_tree_without_workflows_has_the_conventional_environment() -> None:
    names = ("benchmark-tmpl", "benchmark-multinode-tmpl", "run-sweep")
    gone = dict.fromkeys(f".github/workflows/{name}.yml" for name in names)
    found = environment(changes=gone)
    assert found.template.assumed
    assert value(found, "MODEL_PREFIX") == "alpha"
    assert value(found, "SCENARIO_SUBDIR") == "fixed_seq_len/"
    assert value(found, "CONC") == "8"
    multi = environment(BETA, changes=gone)
    assert value(multi, "CONC_LIST") == "4 32"
    assert value(multi, "IS_MULTINODE") == "true"
    assert value(multi, "DISAGG") == "true"
    assert multi.run is not None
    assert multi.run.text.startswith("export CONFIG_FILE=recipes/beta.yaml:override_big EXTRA=ü \nbash ")
    made, environments = both(gone)
    assert EVAL in environments.modes(point(made, ALPHA, 0, 2))


def test_templates_that_nobody_calls_take_fields_by_name() -> None:
    found = environment(changes={".github/workflows/run-sweep.yml": None})
    assert found.job is None
    assert value(found, "TP") == "4"
    assert value(found, "PP_SIZE") == "1"
    assert value(found, "FAST") == "0"
    multi = environment(BETA, changes={".github/workflows/run-sweep.yml": None})
    assert value(multi, "PREFILL_TP") == "{?inputs.prefill-tp}"


def test_rows_with_one_value_where_the_caller_writes_brackets() -> None:
    caller = CALLER.replace("conc-list: ${{ toJson(matrix.config.conc) }}", "conc-list: '[${{ matrix.config.conc }}]'")
    assert value(environment(BETA, 1, 1, changes={".github/workflows/run-sweep.yml": caller}), "CONC_LIST") == "16"


def test_a_malformed_header_stays_unknown_on_the_way() -> None:
    from tests.model.trees import FIRST

    changes = {"configs/first-master.yaml": FIRST.replace("&image engine/server:1.2", "[1, 2]")}
    found = environment(changes=changes)
    variable = found.get("IMAGE")
    assert variable is not None
    assert variable.value == unknown("image of alpha-fp8-north")


def test_inputs_and_env_mean_what_they_mean_where_they_stand() -> None:
    caller = CALLER.replace(
        "on: push",
        """\
on:
  workflow_dispatch:
    inputs:
      tp: { type: string, default: 'from the caller' }
      fast: { type: boolean }
      must: { required: true }
""",
    ).replace("tp: ${{ matrix.config.tp }}", "tp: ${{ inputs.tp }}", 1)
    caller = caller.replace("exp-name: ${{ matrix.config.exp-name }}", "exp-name: ${{ inputs.must }}", 1)
    caller = caller.replace("conc: ${{ matrix.config.conc }}", "conc: ${{ inputs.tp || inputs.fast }}", 1)
    caller = caller.replace("image: ${{ matrix.config.image }}", "image: x${{ inputs.image }}${{ env.IMAGE }}", 1)
    template = SINGLE.replace("default: '1'", "default: '${{ inputs.pp }}'")
    template = template.replace("  FLAG: on", "  FLAG: ${{ env.FLAG }}\n  OTHER: a${{ env.FLAG }}${{ inputs.pp }}")
    changes = {".github/workflows/run-sweep.yml": caller, ".github/workflows/benchmark-tmpl.yml": template}
    found = environment(changes=changes)
    assert value(found, "TP") == "from the caller"
    assert value(found, "EXP_NAME") == "{?inputs.must}"
    assert value(found, "CONC") == "from the caller"
    assert value(found, "IMAGE") == "x{?env.IMAGE}"
    assert value(found, "PP_SIZE") == "{?inputs.pp}"
    assert value(found, "FLAG") == "{?env.FLAG}"
    assert value(found, "OTHER") == "a{?env.FLAG}{?inputs.pp}"


@pytest.mark.parametrize(
    "text",
    [
        "", "jobs: 3", "env: [1]\njobs: {a: {steps: [{run: runners/launch_}]}}", "jobs: {a: {steps: [1, {run: [x]}]}}",
        "on: {workflow_call: {inputs: [1]}}\njobs: {a: {steps: [{run: 'runners/launch_ ${{', env: {A: {b: 1}}}]}}",
        "env: {A: '${{ inputs.a ${{ }}', B: '${{ (((((( }}'}\njobs: {a: {steps: [{run: runners/launch_}]}}",
    ],
)  # fmt: skip
def test_workflows_may_be_anything(text: str) -> None:
    for path in ("benchmark-tmpl", "benchmark-multinode-tmpl", "run-sweep"):
        changes = {f".github/workflows/{path}.yml": text}
        for key in (ALPHA, BETA):
            found = environment(key, changes=changes)
            for name in found.names():
                value(found, name)
            assert found.run is not None


def test_a_hostile_expression_costs_little() -> None:
    import time

    begin = time.process_time()
    for body in ("${{" * 200_000, "${{ " + "'a'" * 200_000 + " }}", "${{ '" * 100_000, "${{ 1 }}" * 50_000):
        text = SINGLE.replace("  FLAG: on", f'  FLAG: "{body}"').replace("        export RESULT\n", f"        {body}\n")
        found = environment(changes={".github/workflows/benchmark-tmpl.yml": text})
        value(found, "FLAG")
        assert found.run is not None
    assert time.process_time() - begin < 8
