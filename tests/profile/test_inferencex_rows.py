"""Expansion of entries, on plain data."""

from __future__ import annotations

import copy
import itertools
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configlint.launch.values import is_known
from configlint.profile.inferencex_matrix import expand, mark
from configlint.profile.rows import MAX_ROWS, Expansion

RUNNERS = {"labels": {}, "hardware": {"cluster:a": {"available-cpu-dram-mib": 1_000_000, "gpus-per-node": 8}}}
HEAD = {
    "image": "i:1", "model": "org/M", "model-prefix": "m1", "precision": "fp8", "framework": "engine",
    "runner": "cluster:a",
}  # fmt: skip
WORKER = {"num-worker": 2, "tp": 4, "ep": 4, "dp-attn": True, "additional-settings": ["A=1"]}


def fixed(*items: object, isl: object = 8192, osl: object = 1024, **more: object) -> dict[str, Any]:
    return {**HEAD, **more, "scenarios": {"fixed-seq-len": [{"isl": isl, "osl": osl, "search-space": list(items)}]}}


def agentic(*items: object, block: dict[str, Any] | None = None, **more: object) -> dict[str, Any]:
    return {**HEAD, **more, "scenarios": {"agentic-coding": [{**(block or {}), "search-space": list(items)}]}}


def rows(entry: object, which: str = "swept") -> list[dict[str, Any]]:
    expansion = expand("key", entry, RUNNERS)
    assert expansion.faults == []
    return marked(expansion, which)


def marked(expansion: Expansion, which: str = "swept") -> list[dict[str, Any]]:
    mark(expansion.groups)
    return [
        {**group.shared, **row, **group.plain, **getattr(group, which).get(index, {})}
        for group in expansion.groups
        for index, row in enumerate(group.varying)
        if which == "swept" or index in group.evals
    ]


def test_a_single_node_item_gives_a_row_for_each_concurrency() -> None:
    made = rows(fixed({"tp": 8, "conc-start": 4, "conc-end": 40, "spec-decoding": "mtp"}, isl=1024))
    assert [row["conc"] for row in made] == [4, 8, 16, 32, 40]
    assert made[0] == {
        **HEAD,
        "isl": 1024, "osl": 1024, "tp": 8, "pp": 1, "dcp-size": 1, "pcp-size": 1, "conc": 4, "max-model-len": 2304,
        "ep": 1, "dp-attn": False, "spec-decoding": "mtp", "exp-name": "m1_1k1k", "disagg": False, "run-eval": False,
    }  # fmt: skip


@pytest.mark.parametrize(("start", "end", "values"), [(1, 1, [1]), (4, 8, [4, 8]), (3, 7, [3, 6, 7]), (5, 6, [5, 6])])
def test_ranges_double_and_include_the_end(start: int, end: int, values: list[int]) -> None:
    assert [row["conc"] for row in rows(fixed({"tp": 1, "conc-start": start, "conc-end": end}))] == values


def test_a_multi_node_item_is_one_row() -> None:
    item = {"prefill": WORKER, "decode": {**WORKER, "pp": 2, "dcp-size": 4}, "conc-list": [8, 64]}
    [row] = rows(fixed(item, multinode=True, disagg=True, **{"kv-p2p-transfer": "nixl"}))
    assert row["conc"] == [8, 64]
    assert row["prefill"] == {**WORKER, "pp": 1, "dcp-size": 1, "pcp-size": 1}
    assert row["decode"]["pp"] == 2
    assert (row["disagg"], row["kv-p2p-transfer"], row["exp-name"]) == (True, "nixl", "m1_8k1k")
    assert (row["run-eval"], row["eval-conc"]) == (True, 64)


def test_an_unusual_length_names_itself() -> None:
    assert rows(fixed({"tp": 1, "conc-list": [1]}, isl=7, osl=5))[0]["exp-name"] == "m1_7_5"


def test_metadata_of_the_item_wins() -> None:
    router = {"name": "r", "version": "2"}
    item = {"tp": 1, "conc-list": [1], "router": router}
    assert rows(fixed(item, router={"name": "other", "version": "1"}))[0]["router"] is router
    assert "router" not in rows(fixed({**item, "router": None}, router=router))[0]


def test_agentic_rows_carry_topology_and_memory() -> None:
    item = {"tp": 4, "kv-offloading": "dram", "kv-offload-backend": {"name": "tier"}, "conc-list": [2, 6]}
    first, second = rows(agentic(item, block={"dram-utilization": 0.8}))
    assert first["exp-name"] == "m1_tp4_conc2_kvdram-tier"
    assert second["conc"] == 6
    assert first["total-cpu-dram-gb"] == int(1_000_000 * 1024 * 1024 * 0.8 * 4 / 8 / 1_000_000_000)
    assert first["kv-offload-backend"] == {"name": "tier"}
    assert (first["duration"], first["scenario-type"], first["run-eval"]) == (3600, "agentic-coding", False)
    assert "isl" not in first


def test_agentic_multi_node_rows_are_one_for_each_concurrency() -> None:
    item = {"prefill": WORKER, "decode": {**WORKER, "ep": 1, "dp-attn": False}, "conc-list": [1, 2]}
    first, second = rows(agentic(item, multinode=True))
    assert (first["conc"], second["conc"]) == ([1], [2])
    assert first["exp-name"] == "m1_p2x4ep4dpa_d2x4_conc1"
    assert (first["kv-offloading"], first["total-cpu-dram-gb"], first["disagg"]) == ("none", 0, False)


def test_a_worker_larger_than_a_node_has_all_its_memory() -> None:
    item = {
        "prefill": {**WORKER, "tp": 16}, "decode": WORKER, "conc-list": [1], "kv-offloading": "dram",
        "kv-offload-backend": {"name": "b"},
    }  # fmt: skip
    [row] = rows(agentic(item, block={"dram-utilization": 1}, multinode=True))
    assert row["total-cpu-dram-gb"] == 1_000_000 * 1024 * 1024 // 1_000_000_000


# Evaluations


def evaluated(*entries: object) -> list[tuple[int, object]]:
    groups = [group for number, entry in enumerate(entries) for group in expand(str(number), entry, RUNNERS).groups]
    mark(groups)
    return [(group.shared["tp"], group.varying[index]["conc"]) for group in groups for index in sorted(group.swept)]  # type: ignore[misc]


def test_highest_and_median_concurrency_of_a_series_are_evaluated() -> None:
    one = {"tp": 8, "conc-list": [1, 16, 32, 64]}
    two = {"tp": 4, "conc-list": [32, 128]}
    assert evaluated(fixed(one, two)) == [(8, 64), (4, 128)]  # levels 16 32 64 128: the median is 64
    assert evaluated(fixed(one), fixed(two)) == [(8, 64), (4, 128)]  # a series spans entries
    assert evaluated(fixed(one), fixed(two, runner="b")) == [(8, 32), (8, 64), (4, 128)]
    assert evaluated(fixed(one, isl=1024)) == []
    assert evaluated(fixed({"tp": 1, "conc-list": [15]})) == []


def test_a_multi_node_topology_is_evaluated_once() -> None:
    items = [{"prefill": WORKER, "decode": WORKER, "conc-list": [conc]} for conc in (4, 64, 32, 64)]
    expansion = expand("k", fixed(*items, multinode=True), RUNNERS)
    mark(expansion.groups)
    assert [group.swept for group in expansion.groups] == [{}, {0: {"run-eval": True, "eval-conc": 64}}, {}, {}]
    assert expansion.groups[1].evals == {0: {"run-eval": True, "eval-conc": 64, "eval-only": True}}


def test_agentic_rows_are_evaluated_only_on_request() -> None:
    items = [{"tp": tp, "kv-offloading": "none", "conc-list": [1, 4]} for tp in (2, 4)]
    expansion = expand("k", agentic(*items), RUNNERS)
    assert all(row["run-eval"] is False for row in marked(expansion))
    assert [(row["tp"], row["conc"], row["eval-only"]) for row in marked(expansion, "evals")] == [(2, 4, True)]


# Older schemas


def test_lengths_directly_under_the_entry() -> None:
    entry: dict[str, Any] = {
        **HEAD,
        "seq-len-configs": [{"isl": 1024, "osl": 8192, "search-space": [{"tp": 1, "conc-list": [1]}]}],
    }
    [row] = rows(entry)
    assert row["exp-name"] == "m1_1k8k"
    assert expand("k", entry, None).groups[0].path == ("seq-len-configs", 0, "search-space", 0)


def test_offloading_before_backends_existed() -> None:
    [row] = rows(agentic({"tp": 2, "offloading": "cpu", "conc-list": [1]}, block={"duration": 300}))
    assert (row["offloading"], row["duration"], row["exp-name"]) == ("cpu", 300, "m1_tp2_conc1_offloadcpu")
    assert "kv-offloading" not in row


def test_offloading_with_two_modes() -> None:
    [row] = rows(agentic({"tp": 2, "cpu-offloading": True, "conc-list": [3]}))
    assert (row["offload-mode"], row["users"], row["conc"]) == ("on", 3, 3)


def test_a_backend_that_is_a_plain_name() -> None:
    item = {"tp": 8, "kv-offloading": "dram", "kv-offload-backend": "tier", "conc-list": [1]}
    assert rows(agentic(item, block={"dram-utilization": 0.5}))[0]["exp-name"] == "m1_tp8_conc1_kvdram-tier"


# Malformed entries


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"image": ["a", "b"]}, "image is no string"),
        ({"model": None}, "model is missing"),
        ({"runner": {"a": 1}}, "runner is no string"),
        ({"multinode": "yes"}, "multinode is neither true nor false"),
    ],
)
def test_a_wrong_header_becomes_an_unknown(change: dict[str, object], message: str) -> None:
    expansion = expand("key", {**fixed({"tp": 1, "conc-list": [1, 2]}), **change}, RUNNERS)
    assert [fault.message for fault in expansion.faults] == [message]
    assert [fault.path for fault in expansion.faults] == [tuple(change)]
    assert len(marked(expansion)) == 2
    name = next(iter(change))
    assert name == "multinode" or not is_known(str(expansion.groups[0].shared[name]))


@pytest.mark.parametrize(
    ("item", "message", "path"),
    [
        (7, "the item is no mapping", ()),
        ({"conc-list": [1]}, "tp is missing", ("tp",)),
        ({"tp": True, "conc-list": [1]}, "tp is no whole number", ("tp",)),
        ({"tp": 10**60, "conc-list": [1]}, "tp is out of range", ("tp",)),
        ({"tp": 1}, "conc-start is missing", ("conc-start",)),
        ({"tp": 1, "conc-list": "8"}, "conc-list is no list", ("conc-list",)),
        ({"tp": 1, "conc-list": [1, "x"]}, "a concurrency is no whole number above 0", ("conc-list", 1)),
        ({"tp": 1, "conc-start": 0, "conc-end": 8}, "conc-start must be above 0", ("conc-start",)),
        ({"tp": 1, "conc-start": 9, "conc-end": 8}, "conc-start must be above 0", ("conc-start",)),
    ],
)
def test_a_wrong_item_is_left_out(item: object, message: str, path: tuple[object, ...]) -> None:
    expansion = expand("key", fixed(item, {"tp": 2, "conc-list": [4]}), RUNNERS)
    [fault] = expansion.faults
    assert fault.message.startswith(message)
    assert fault.path == ("scenarios", "fixed-seq-len", 0, "search-space", 0, *path)
    assert [row["tp"] for row in marked(expansion)] == [2]


@pytest.mark.parametrize(
    ("item", "block", "message"),
    [
        ({"tp": 16}, {"dram-utilization": 1}, "16 GPUs do not fit a node of 8"),
        ({"tp": 8}, {}, "dram-utilization is missing or no number"),
        ({"tp": 8}, {"dram-utilization": ".nan"}, "dram-utilization is missing or no number"),
        ({"tp": 8}, {"dram-utilization": float("nan")}, "dram-utilization is no finite number"),
        ({"tp": 0}, {"dram-utilization": 1}, "the number of GPUs is not above 0"),
    ],
)
def test_points_whose_memory_is_not_known_are_kept(item: dict[str, int], block: dict[str, Any], message: str) -> None:
    item = {**item, "kv-offloading": "dram", "kv-offload-backend": {"name": "b"}, "conc-list": [1]}  # type: ignore[dict-item]
    expansion = expand("key", agentic(item, block=block), RUNNERS)
    assert [fault.message for fault in expansion.faults] == [message]
    [row] = marked(expansion)
    assert not is_known(row["total-cpu-dram-gb"])


def test_entries_may_be_anything() -> None:
    entries: list[Any] = [None, 3, "x", [], {}, {**HEAD, "scenarios": []}, {**HEAD, "scenarios": {"fixed-seq-len": 3}}]
    for entry in entries:
        expansion = expand("key", entry, RUNNERS)
        assert expansion.groups == []
        assert expansion.faults


def test_points_are_bounded() -> None:
    item = {"tp": 1, "conc-list": list(range(1, MAX_ROWS // 2))}
    expansion = expand("key", fixed(item, item, item, item), RUNNERS)
    assert sum(len(group.varying) for group in expansion.groups) <= MAX_ROWS
    assert "more than" in expansion.faults[0].message


scalars = st.none() | st.booleans() | st.integers(-2, 40) | st.text("ab:1", max_size=3) | st.floats(allow_nan=True)
VALUE = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner))
GOOD = [
    fixed({"tp": 8, "conc-list": [1, 16]}, {"tp": 4, "conc-start": 1, "conc-end": 64}),
    fixed({"prefill": WORKER, "decode": WORKER, "conc-list": [16]}, multinode=True),
    agentic(
        {"tp": 4, "kv-offloading": "dram", "kv-offload-backend": {"name": "b"}, "conc-list": [2]},
        block={"dram-utilization": 0.8},
    ),
    agentic({"prefill": WORKER, "decode": WORKER, "conc-list": [16, 32]}, multinode=True),
]


@given(st.sampled_from(GOOD), st.data())
def test_nothing_in_an_entry_raises(entry: dict[str, Any], data: st.DataObject) -> None:
    """Any one node of a good entry replaced by anything."""
    entry = copy.deepcopy(entry)
    node: Any = entry
    while True:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if isinstance(node[key], (dict, list)) and node[key] and data.draw(st.booleans()):
            node = node[key]
        else:
            break
    node[key] = data.draw(VALUE)
    marked(expand("key", entry, RUNNERS))
    marked(expand("key", entry, node[key]))


def test_cost_grows_with_rows_not_faster() -> None:
    """By events of the interpreter, calls of built-ins included: they are the same on every machine."""

    def events(count: int) -> int:
        entry = fixed(*({"tp": 8, "conc-list": list(range(16, 16 + count))} for _ in range(10)))
        seen = itertools.count()
        sys.setprofile(lambda frame, event, argument: next(seen) and None)
        try:
            marked(expand("key", entry, RUNNERS))
        finally:
            sys.setprofile(None)
        return next(seen)

    assert events(160) < events(1600) < 11 * events(160)
