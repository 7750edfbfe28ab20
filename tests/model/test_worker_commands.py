"""What a recipe starts: which command each role becomes, and what srtctl adds to it at which revision."""

from __future__ import annotations

import pytest

from configlint.catalog.recipes.behaviour import FEATURES, features
from configlint.catalog.recipes.known import known
from configlint.launch.values import shown
from configlint.model.composition import variants
from configlint.model.workers.commands import Command, Commands
from configlint.model.workers.context import Context
from configlint.model.workers.flags import Fate
from configlint.model.workers.jobs import commands
from configlint.model.workers.recipe import Recipe
from configlint.profile.globs import Globs
from configlint.profile.profile import Compose
from configlint.syntax.yaml import load_string

COMPOSE = Compose("base", "override_", "zip_override_")
SUBMISSION, VLLM_GB200, DSV4 = "sa-submission-q2-2026", "aflowers/vllm-gb200-v0.20.0", "aflowers/gb200-dsv4-recipes"

DISAGGREGATED = """\
resources: { gpu_type: GPU, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 2, decode_nodes: 2, decode_workers: 1 }
"""
AGGREGATED = "resources: { gpu_type: h200, gpus_per_node: 8, agg_nodes: NODES, agg_workers: 1 }\n"


def started(
    text: str, revision: str | None = "v1.0.68", model: str = "/models/m", touched: tuple[str, ...] = ()
) -> Commands:
    root = load_string(text).root
    assert root is not None
    (variant,) = variants(root, COMPOSE, None)
    found = known().by_name(revision) if revision is not None else None
    assert (found is None) == (revision is None)
    schema = found.schema if found is not None else None
    has = features(known(), found) if found is not None else None
    return commands(Context(Recipe(variant, Globs(touched, "."), schema, model), has), revision or "")


def command(found: Commands, role: str, rank: str = "") -> Command:
    (one,) = [one for one in found.commands if (one.role, one.rank) == (role, rank)]
    return one


def line(found: Commands, role: str, rank: str = "") -> str:
    return shown(" ".join(command(found, role, rank).words))


def disaggregated(backend: str, more: str = "", gpu: str = "h200", frontend: str = "dynamo") -> str:
    keys = f"    prefill: {{ x_y: 1 }}\n    decode: {{ z: true, off: false }}\n{more}"
    head = f"backend:\n  type: {backend}\n  {backend}_config:\n{keys}frontend: {{ type: {frontend} }}\n"
    return head + DISAGGREGATED.replace("GPU", gpu)


# --- entry points -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "frontend", "entries"),
    [
        ("vllm", "dynamo", ["dynamo.vllm", "dynamo.vllm", "dynamo.vllm", "dynamo.frontend"]),
        ("sglang", "dynamo", ["dynamo.sglang", "dynamo.sglang", "dynamo.sglang", "dynamo.frontend"]),
        ("sglang", "sglang", ["sglang.launch_server", "sglang.launch_server", "sglang.launch_server", "sglang_router"]),
        ("trtllm", "dynamo", ["dynamo.trtllm", "dynamo.trtllm", "dynamo.frontend"]),
        ("trtllm", "trtllm_serve", ["trtllm-serve", "trtllm-serve", "trtllm-serve disaggregated"]),
    ],
)
def test_entry_points_of_disaggregated_jobs(backend: str, frontend: str, entries: list[str]) -> None:
    found = started(disaggregated(backend, frontend=frontend))
    assert [one.entry.name for one in found.commands] == entries
    assert found.unknown == ()


@pytest.mark.parametrize(
    ("backend", "frontend", "entries"),
    [
        ("vllm", "vllm", ["vllm serve"]),
        ("vllm", "dynamo", ["dynamo.vllm", "dynamo.frontend"]),
        ("trtllm", "trtllm_serve", ["trtllm-serve"]),
        ("sglang", "sglang", ["sglang.launch_server", "sglang_router"]),
    ],
)
def test_entry_points_of_aggregated_jobs(backend: str, frontend: str, entries: list[str]) -> None:
    text = f"backend: {{ type: {backend}, {backend}_config: {{ aggregated: {{ a: 1 }} }} }}\n"
    found = started(f"{text}frontend: {{ type: {frontend}, args: {{ b: 1 }} }}\n" + AGGREGATED.replace("NODES", "1"))
    assert [one.entry.name for one in found.commands] == entries
    own_frontend = len(entries) == 1
    assert [one.path for one in found.idle] == (["frontend.args.b"] if own_frontend else [])


def test_defaults_are_sglang_behind_dynamo() -> None:
    found = started("backend: { sglang_config: { aggregated: { a: 1 } } }\n" + AGGREGATED.replace("NODES", "1"))
    assert [one.entry.name for one in found.commands] == ["dynamo.sglang", "dynamo.frontend"]


@pytest.mark.parametrize(
    ("text", "revision", "reason"),
    [
        (disaggregated("vllm", frontend="vllm"), "v1.0.68", "frontend.type vllm starts aggregated workers only"),
        (disaggregated("vllm", frontend="vllm"), "v1.0.36", "v1.0.36 has only dynamo, sglang, trtllm_serve"),
        (disaggregated("trtllm", frontend="trtllm_serve"), "v1.0.8", "v1.0.8 has only dynamo, sglang"),
        (disaggregated("vllm", frontend="sglang"), "v1.0.68", "vllm does not work behind frontend.type sglang"),
        (disaggregated("mocker"), "v1.0.68", "backend.type mocker is not modelled"),
        (disaggregated("vllm").replace("type: vllm", "type: [vllm]"), "v1.0.68", "is not modelled"),
    ],
)
def test_what_starts_nothing_says_why(text: str, revision: str, reason: str) -> None:
    found = started(text, revision)
    assert found.commands == ()
    assert reason in found.unknown[-1]


def test_settings_of_a_role_without_workers_are_idle() -> None:
    found = started(disaggregated("vllm", "    aggregated: { never: 1 }\n"))
    assert [(one.name, one.path) for one in found.idle] == [("never", "backend.vllm_config.aggregated.never")]


@pytest.mark.parametrize(
    ("resources", "role", "size"),
    [
        ("{ gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 2, decode_workers: 0 }", "prefill", (2, 4, 1)),
        ("{ gpus_per_node: 4, prefill_nodes: 4, prefill_workers: 2 }", "prefill", (2, 8, 2)),
        ("{ prefill_nodes: 1, prefill_workers: 1, gpus_per_prefill: 2 }", "prefill", (1, 2, 1)),
        ("{ prefill_workers: 1 }", "prefill", (1, 4, 1)),  # four GPUs a node by default
        ("{ gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 4, decode_nodes: 0, decode_workers: 4 }", "decode",
         (4, 2, 1)),
        ('{ gpus_per_node: "8", agg_nodes: "2", agg_workers: "1" }', "aggregated", (1, 16, 2)),
    ],
)  # fmt: skip
def test_sizes_of_workers(resources: str, role: str, size: tuple[int, int, int]) -> None:
    found = started(f"backend: {{ type: trtllm }}\nresources: {resources}\n")
    one = command(found, role)
    assert (one.workers, one.gpus, one.nodes) == size


# --- vLLM -------------------------------------------------------------------------------------------


def test_a_dynamo_worker_of_vllm() -> None:
    found = started(disaggregated("vllm"))
    assert line(found, "prefill") == (
        "python3 -m dynamo.vllm --model /model --served-model-name {?name of the model} --disaggregation-mode prefill"
        ' --kv-transfer-config {"kv_connector": "NixlConnector", "kv_role": "kv_both"} --device-ids {?GPUs}'
        " --request-plane tcp --dump-config-to {?log folder} --x-y 1"
    )
    assert "--master-addr {?address of the first node} --nnodes 2 --node-rank 0 --" in line(
        found, "decode", "first node"
    )
    assert "--node-rank {?rank} --headless --" in line(found, "decode", "other nodes")
    (off, z) = command(found, "decode", "first node").of_recipe
    assert (off.name, off.fate, z.words) == ("off", Fate.OMITTED, ("--z",))
    assert line(found, "frontend") == "python3 -m dynamo.frontend --http-port={?port}"


@pytest.mark.parametrize(
    ("revision", "has", "lacks"),
    [
        ("v1.0.14", [], ["--request-plane", "--device-ids"]),
        ("v1.0.15", ["--request-plane nats"], ["--device-ids"]),
        ("v1.0.24", ["--request-plane tcp"], ["--device-ids"]),
        ("v1.0.25", ["--request-plane tcp", "--device-ids {?GPUs}"], []),
        (SUBMISSION, ["--request-plane nats"], ["--device-ids"]),
        (DSV4, [], ["--request-plane", "--device-ids"]),
    ],
)
def test_what_revisions_add_to_vllm(revision: str, has: list[str], lacks: list[str]) -> None:
    text = line(started(disaggregated("vllm"), revision), "prefill")
    assert all(one in text for one in has)
    assert not any(one in text for one in lacks)


@pytest.mark.parametrize(
    ("written", "passed"),
    [
        ("", '{"kv_connector": "NixlConnector", "kv_role": "kv_both"}'),
        ("  connector: null\n", None),
        ("  connector: none\n", None),
        ("  connector: LMCache\n", '{"kv_connector": "LMCacheConnectorV1", "kv_role": "kv_both"}'),
        ('  connector: \'{"kv_connector": "Mine"}\'\n', '{"kv_connector": "Mine"}'),
    ],
)
def test_connectors_become_a_transfer_config(written: str, passed: str | None) -> None:
    text = line(started(disaggregated("vllm", written)), "prefill")
    assert ("--kv-transfer-config" in text) == (passed is not None)
    assert passed is None or f"--kv-transfer-config {passed} --" in text


def test_the_connector_of_a_role_wins_and_is_taken_out() -> None:
    found = started(disaggregated("vllm").replace("x_y: 1", "connector: lmcache"))
    assert "LMCacheConnectorV1" in line(found, "prefill")
    (connector,) = command(found, "prefill").of_recipe
    assert connector.is_taken
    assert "NixlConnector" in line(found, "decode", "first node")


def data_parallel(mode: str = "", keys: str = "") -> str:
    head = f"backend:\n  type: vllm\n  connector: null\n{mode}  vllm_config:\n    aggregated:\n"
    return f"{head}      data_parallel_size: 16\n{keys}" + AGGREGATED.replace("NODES", "2")


@pytest.mark.parametrize(
    ("mode", "revision", "has"),
    [
        ("", "v1.0.36", "--data-parallel-rank {?rank} --data-parallel-address {?address of the first node}"),
        ("", "v1.0.68", "--data-parallel-size-local 8 --data-parallel-start-rank {?rank}"),  # the default changed
        ("per_gpu", "v1.0.68", "--data-parallel-rank {?rank}"),
        ("per_node", "v1.0.36", "--data-parallel-rpc-port {?port} --data-parallel-hybrid-lb"),
        ("per_node", "v1.0.29", "--data-parallel-rank {?rank}"),  # which has no such field
    ],
)
def test_data_parallel_workers(mode: str, revision: str, has: str) -> None:
    found = started(data_parallel(f"  dp_launch_mode: {mode}\n" if mode else ""), revision)
    text = line(found, "aggregated")
    assert has in text
    assert "--headless" not in text
    assert text.endswith("--data-parallel-size 16")


def test_ranks_without_a_server_for_four_tags() -> None:
    text = data_parallel("  dp_launch_mode: per_node\n")
    assert "--headless" in line(started(text, "v1.0.33"), "aggregated", "other nodes")
    assert "--headless" not in line(started(text, "v1.0.33"), "aggregated", "first node")
    balanced = data_parallel("  dp_launch_mode: per_node\n", "      data-parallel-hybrid-lb: true\n")
    assert "--headless" not in line(started(balanced, "v1.0.33"), "aggregated", "other nodes")


def test_replicas_that_are_larger_than_a_node() -> None:
    text = data_parallel("  dp_launch_mode: per_node\n", "      tensor-parallel-size: 16\n").replace("16\n", "1\n", 1)
    found = started(text, "v1.0.68")
    assert "--nnodes 2 --node-rank {?rank} --data-parallel-address {?address of the first node}" in line(
        found, "aggregated", "other nodes"
    )
    assert "--data-parallel-size-local 8" in line(started(text, "v1.0.66"), "aggregated")


def test_keys_of_the_topology_are_srtctls() -> None:
    keys = "".join(f"      {key}: 7\n" for key in ("data-parallel-rpc-port", "data_parallel_size_local", "headless"))
    found = started(data_parallel("  dp_launch_mode: per_node\n", keys))
    taken = [one.spelled for one in command(found, "aggregated").of_recipe if one.is_taken]
    assert taken == ["data-parallel-rpc-port", "data_parallel_size_local", "headless"]
    found = started(data_parallel("  dp_launch_mode: per_gpu\n", keys))
    taken = [one.spelled for one in command(found, "aggregated").of_recipe if one.is_taken]
    assert taken == ["data-parallel-rpc-port"]


def test_an_old_branch_takes_one_port_and_leaves_the_other() -> None:
    keys = "      data-parallel-rpc-port: 1111\n      data_parallel_rpc_port: 2222\n"
    text = line(started(data_parallel("", keys), DSV4), "aggregated")
    assert "--data-parallel-rpc-port 1111 --" in text
    assert text.endswith("--data-parallel-rpc-port 2222 --data-parallel-size 16")
    assert "--data-parallel-rpc-port 13345" in line(started(data_parallel(), DSV4), "aggregated")


def test_one_branch_keeps_what_follows_a_dot() -> None:
    text = disaggregated("vllm").replace("x_y: 1", "a_b.c_d: 1")
    assert line(started(text, VLLM_GB200), "prefill").endswith("--a-b.c_d 1")
    assert line(started(text, "v1.0.0"), "prefill").endswith("--a-b.c-d 1")


def direct(keys: str, nodes: int = 1) -> str:
    head = "backend:\n  type: vllm\n  vllm_config:\n    aggregated:\n"
    return f"{head}{keys}frontend: {{ type: vllm }}\n" + AGGREGATED.replace("NODES", str(nodes))


def test_vllm_serve() -> None:
    found = started(direct("      tool-call-parser: x\n      port: 1\n      master_addr: a\n      connector: nixl\n"))
    assert line(found, "aggregated") == (
        "vllm serve /model --host 0.0.0.0 --port {?port} --device-ids {?GPUs}"
        " --served-model-name {?name of the model} --tool-call-parser x"
    )
    taken = {one.spelled for one in command(found, "aggregated").of_recipe if one.is_taken}
    assert taken == {"port", "master_addr", "connector"}
    early = started(direct("      port: 1\n      master_addr: a\n"), "v1.0.37")
    assert {one.spelled for one in command(early, "aggregated").of_recipe if one.is_taken} == {"port"}


def test_vllm_serve_on_several_nodes() -> None:
    found = started(direct("      served-model-name: s\n      api-server-count: 4\n", 2))
    first, others = line(found, "aggregated", "first node"), line(found, "aggregated", "other nodes")
    assert "--port {?port} --master-addr" in first
    assert "--api-server-count 4 --served-model-name s" in first
    assert "--port" not in others.replace("rpc-port", "")
    assert "--headless" in others
    assert "--api-server-count" not in others


@pytest.mark.parametrize(
    ("setting", "prefill", "aggregated"),
    [
        ("true", True, False),
        ("false", False, False),
        ("{ prefill: true }", True, False),
        ("{ prefill: { topic: mine } }", True, False),
        ("{ aggregated: true }", False, True),
        ("{ prefill: false }", False, False),
    ],
)
@pytest.mark.parametrize("backend", ["vllm", "sglang"])
def test_events(backend: str, setting: str, prefill: bool, aggregated: bool) -> None:
    found = started(disaggregated(backend, f"  kv_events_config: {setting}\n"))
    assert ("--kv-events-config" in line(found, "prefill")) == prefill
    if prefill:
        topic = "mine" if "mine" in setting else "kv-events"
        assert f'"topic": "{topic}"' in line(found, "prefill")
        assert '"endpoint": "tcp://*:{?port}"}' in line(found, "prefill")
    text = f"backend: {{ type: {backend}, kv_events_config: {setting} }}\n" + AGGREGATED.replace("NODES", "1")
    assert ("--kv-events-config" in line(started(text), "aggregated")) == aggregated
    if backend == "vllm":
        assert "--kv-events-config" not in line(started(text, "v1.0.7"), "aggregated")


def test_a_profiled_worker() -> None:
    profiling = "profiling: { type: nsys, prefill: { start_step: 1, stop_step: 2 } }\n"
    text = disaggregated("vllm").replace("x_y: 1", "profiler-config: mine, a: 1") + profiling
    assert line(started(text), "prefill").startswith("{?profiler} python3 -m dynamo.vllm")
    assert line(started(text), "prefill").endswith("--a 1 --profiler-config {?steps of the profile}")
    assert line(started(text, "v1.0.19"), "prefill").endswith("--a 1 --profiler-config mine")


# --- SGLang -----------------------------------------------------------------------------------------


def test_an_sglang_worker() -> None:
    text = disaggregated("sglang").replace("x_y: 1", "model-path: x, served_model_name: s, nccl-port: 1")
    assert line(started(text), "prefill") == (
        "python3 -m dynamo.sglang --model-path /model --served-model-name s --host 0.0.0.0 --port {?port}"
        " --nccl-port {?port} --disaggregation-mode prefill --disaggregation-bootstrap-port {?port}"
        " --dump-config-to {?log folder} --request-plane tcp"
    )
    assert line(started(text, "v1.0.57"), "prefill").endswith("--nccl-port 1")
    assert "--dist-init-addr {?address of the first node}:{?port} --nnodes 2 --node-rank 0" in line(
        started(text), "decode", "first node"
    )
    branch = line(started(text, SUBMISSION), "prefill")
    assert branch.endswith("--request-plane nats --model-path x --nccl-port 1 --served-model-name s")
    assert "--disaggregation-bootstrap-port" not in branch


def test_sglangs_own_server_and_router() -> None:
    text = disaggregated("sglang", frontend="sglang") + "extra: 1\n"
    text = text.replace("{ type: sglang }", "{ type: sglang, args: { policy: x, dp_aware: true, off: false } }")
    found = started(text)
    assert "--dump-config-to" not in line(found, "prefill")
    assert "--request-plane" not in line(found, "prefill")
    worker = "{?address of a worker}"
    assert line(found, "frontend") == (
        f"python -m sglang_router.launch_router --pd-disaggregation --prefill {worker} {{?port}}"
        f" --prefill {worker} {{?port}} --decode {worker} --host 0.0.0.0 --port {{?port}} --policy x --dp_aware"
    )


# --- TensorRT-LLM -----------------------------------------------------------------------------------


def test_a_trtllm_worker_reads_a_file() -> None:
    found = started(disaggregated("trtllm", gpu="gb200"))
    assert line(found, "prefill") == (
        "numactl -m 0,1 trtllm-llmapi-launch python3 -m dynamo.trtllm --model-path /model"
        " --served-model-name {?name of the model} --disaggregation-mode prefill"
        " --extra-engine-args /logs/trtllm_config_prefill.yaml --request-plane tcp"
    )
    one = command(found, "decode")
    assert one.file is not None
    assert one.file.path == "/logs/trtllm_config_decode.yaml"
    assert sorted(one.file.settings.values) == ["off", "z"]
    assert one.of_recipe == ()


@pytest.mark.parametrize(
    ("revision", "more", "publishes", "plane", "bound"),
    [
        ("v1.0.12", "", True, "nats", False),
        ("v1.0.21", "", True, "nats", True),
        ("v1.0.22", "", True, "nats", True),
        ("v1.0.22", "  publish_events_and_metrics: false\n", False, "nats", True),
        ("v1.0.26", "", False, "tcp", True),
        ("v1.0.26", "  publish_events_and_metrics: true\n", True, "tcp", True),
        ("v1.0.64", "  numa_memory_bind: false\n", False, "tcp", False),
        (SUBMISSION, "", False, "nats", True),
        (VLLM_GB200, "", True, "nats", False),
        (DSV4, "", False, "nats", False),
    ],
)
def test_what_revisions_add_to_trtllm(revision: str, more: str, publishes: bool, plane: str, bound: bool) -> None:
    text = line(started(disaggregated("trtllm", more, "gb300"), revision), "prefill")
    assert ("--publish-events-and-metrics" in text) == publishes
    assert f"--request-plane {plane}" in text
    assert text.startswith("numactl") == bound


def test_trtllm_serve() -> None:
    text = disaggregated("trtllm", frontend="trtllm_serve").replace("x_y: 1", "tensor_parallel_size: 4")
    assert line(started(text), "prefill") == (
        "trtllm-llmapi-launch trtllm-serve /model --host 0.0.0.0 --port {?port} --tensor_parallel_size 4"
        " --config /logs/trtllm_config_prefill.yaml"
    )


# --- models, what is not known ------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["vllm", "sglang", "trtllm"])
def test_a_model_from_the_hub(backend: str) -> None:
    text = line(started(disaggregated(backend), model="hf:org/some-name"), "prefill")
    assert " org/some-name --served-model-name some-name " in text
    old = line(started(disaggregated(backend), SUBMISSION, model="hf:org/some-name"), "prefill")
    assert (" org/some-name " in old) == (backend == "vllm")


def test_a_model_that_is_not_known() -> None:
    assert "--model {?name of the model} --served-model-name {?name of the model}" in line(
        started(disaggregated("vllm"), model=""), "prefill"
    )
    staged = disaggregated("trtllm") + "model: { stage_dir: /tmp }\n"
    assert "--model-path {?name of the model}" in line(started(staged), "prefill")
    assert "--model-path /model" in line(started(staged, "v1.0.15"), "prefill")


@pytest.mark.parametrize("backend", ["vllm", "sglang"])
def test_an_unknown_revision_leaves_the_recipes_part(backend: str) -> None:
    found = started(disaggregated(backend), None)
    assert found.unknown == ("what srtctl adds: its revision is not known here",)
    assert line(found, "prefill") == f"python3 -m dynamo.{backend} --x-y 1"
    assert line(found, "decode") == f"python3 -m dynamo.{backend} --z"


def test_an_unknown_revision_may_know_more_frontends() -> None:
    assert line(started(direct("      a: 1\n", 2), None), "aggregated") == "vllm serve /model --a 1"


def test_what_the_launcher_may_have_changed() -> None:
    found = started(disaggregated("vllm"), touched=("backend.**.x_y", "name"))
    assert line(found, "prefill").endswith("--x-y {?value}")
    assert found.unknown == ("backend.**.x_y: the launcher may have changed it",)
    assert started(disaggregated("vllm"), touched=("backend.**",)).unknown[-1] == "backend.type is not known"
    assert started(disaggregated("vllm"), touched=("resources.*",)).commands == ()


# --- the table of features ----------------------------------------------------------------------------


def test_features_name_revisions_that_exist() -> None:
    names = {one.name for one in known().revisions}
    for name, feature in FEATURES.items():
        assert {feature.since, feature.until, *feature.branches} - {""} <= names, name
        assert feature.since or feature.branches, name


def test_a_feature_ends_before_the_tag_that_is_named() -> None:
    has = {one.name: features(known(), one) for one in known().revisions}
    assert "vllm-headless-dp-ranks" in has["v1.0.33"]
    assert "vllm-headless-dp-ranks" not in has["v1.0.34"]
    assert "vllm-headless-dp-ranks" not in has["v1.0.29"]
    assert "sglang-nccl-port" in has["v1.0.68"]
