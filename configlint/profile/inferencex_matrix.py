"""Matrix expansion for the ``inferencex`` profile: from the plain data of an entry to rows.

Equal to what the repository's own generator makes of a full sweep, field by field and in order, but tolerant: where
the generator would stop, a fault is noted and the rest is expanded. Older spellings (sequence lengths
directly under the entry, offload backends as plain strings, a duration in the scenario) are read too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from configlint.launch.values import unknown
from configlint.profile.rows import MAX_ROWS, Expansion, Path, Row, RowFault, RowGroup

SEQUENCES = {(1024, 1024): "1k1k", (1024, 8192): "1k8k", (8192, 1024): "8k1k"}
EVAL_SEQUENCE = (8192, 1024)
MIN_EVAL_CONC = 16
AGENTIC_DURATION = 3600  # seconds
MAX_DRAM_MIB = 2_861_022  # 3 TB, before the utilization is applied
LARGEST_SHARE = 30  # digits before or after the point of a share of it; more would only cost time
BYTES_PER_MIB, BYTES_PER_GB = 1024 * 1024, 1_000_000_000

FIXED, AGENTIC = "fixed-seq-len", "agentic-coding"
HEADER = ("image", "model", "model-prefix", "precision", "framework", "runner")
LARGEST = 2**53  # of a whole number: beyond it, GitHub's own expressions lose digits
CONTEXT_HEADROOM = 256  # tokens between input plus output and the model's length limit


class _Wrong(Exception):
    """A part of an entry cannot be expanded."""

    def __init__(self, message: str, *path: str | int, lacks: str = "") -> None:
        super().__init__(message)
        self.path: Path = path
        self.lacks = lacks


class _Source(NamedTuple):
    """What the rows of an item are made of."""

    entry: Mapping[Any, Any]
    header: Row
    block: Mapping[Any, Any]
    item: Mapping[Any, Any]
    multi: bool
    path: Path


def expand(key: str, entry: object, runners: object) -> Expansion:
    """The rows of one entry."""
    result = Expansion()
    if not isinstance(entry, Mapping):
        result.faults.append(RowFault("the entry is no mapping", ()))
        return result
    header = _header(key, entry, result.faults)
    multi = entry.get("multinode", False)
    if not isinstance(multi, bool):
        result.faults.append(RowFault("multinode is neither true nor false", ("multinode",)))
        multi = False
    rows = 0
    for scenario, block, path in _blocks(entry, result.faults):
        items = block.get("search-space")
        if not isinstance(items, list):
            result.faults.append(RowFault("search-space is missing or no list", (*path, "search-space")))
            continue
        for index, item in enumerate(items):
            at = (*path, "search-space", index)
            try:
                if not isinstance(item, Mapping):
                    raise _Wrong("the item is no mapping")
                source = _Source(entry, header, block, item, multi, at)
                group, missing = (_fixed(source), None) if scenario == FIXED else _agentic(source, runners)
            except _Wrong as wrong:
                result.faults.append(RowFault(str(wrong), (*at, *wrong.path)))
                continue
            if missing is not None:
                result.faults.append(RowFault(str(missing), (*at, *missing.path), missing.lacks))
            rows += len(group.varying)
            if rows > MAX_ROWS:
                result.faults.append(RowFault(f"more than {MAX_ROWS} points in one entry: the rest is left out", at))
                return result
            if group.varying:
                result.groups.append(group)
    return result


def _header(key: str, entry: Mapping[Any, Any], faults: list[RowFault]) -> Row:
    """The fields that all rows of an entry share; one that is missing or no string becomes a named unknown."""
    header: Row = {}
    for name in HEADER:
        value = entry.get(name)
        if not isinstance(value, str):
            faults.append(RowFault(f"{name} is missing" if value is None else f"{name} is no string", (name,)))
            value = unknown(f"{name} of {key}")
        header[name] = value
    return header


def _blocks(entry: Mapping[Any, Any], faults: list[RowFault]) -> Iterator[tuple[str, Mapping[Any, Any], Path]]:
    """(scenario, block, path of the block) for each block that has a search space."""
    scenarios = entry.get("scenarios")
    sources: list[tuple[str, object, Path]] = []
    if isinstance(scenarios, Mapping):
        sources = [(name, scenarios.get(name), ("scenarios", name)) for name in (FIXED, AGENTIC)]
    elif "seq-len-configs" in entry:  # before scenarios existed
        sources = [(FIXED, entry["seq-len-configs"], ("seq-len-configs",))]
    else:
        faults.append(RowFault("scenarios is missing or no mapping", ("scenarios",)))
    for scenario, blocks, path in sources:
        if blocks is None:
            continue
        if not isinstance(blocks, list):
            faults.append(RowFault(f"{path[-1]} is no list", path))
            continue
        for index, block in enumerate(blocks):
            if isinstance(block, Mapping):
                yield scenario, block, (*path, index)
            else:
                faults.append(RowFault("the block is no mapping", (*path, index)))


def _whole(data: Mapping[Any, Any], name: str, default: int | None = None) -> int:
    value = data.get(name, default)
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > LARGEST:
            raise _Wrong(f"{name} is out of range", name)
        return value
    raise _Wrong(f"{name} is missing" if value is None else f"{name} is no whole number", name)


def _concurrencies(item: Mapping[Any, Any]) -> tuple[list[int], list[Path]]:
    """The concurrencies of an item, and where each is written."""
    listed = item.get("conc-list")
    if listed:
        if not isinstance(listed, list):
            raise _Wrong("conc-list is no list", "conc-list")
        for index, value in enumerate(listed):
            if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= LARGEST:
                raise _Wrong("a concurrency is no whole number above 0", "conc-list", index)
        return list(listed), [("conc-list", index) for index in range(len(listed))]
    start, end = _whole(item, "conc-start"), _whole(item, "conc-end")
    if start <= 0 or end < start:
        raise _Wrong("conc-start must be above 0 and not above conc-end", "conc-start")
    values, at = [], start
    while at < end:
        values.append(at)
        at *= 2
    values.append(end)
    where: list[Path] = [("conc-start",)] * len(values)
    where[-1] = ("conc-end",)
    return values, where


def _worker(item: Mapping[Any, Any], role: str) -> Row:
    worker = item.get(role)
    if not isinstance(worker, Mapping):
        raise _Wrong(f"{role} is missing or no mapping", role)
    return {
        **worker,
        "pp": worker.get("pp", 1),
        "dcp-size": worker.get("dcp-size", 1),
        "pcp-size": worker.get("pcp-size", 1),
    }


def _components(item: Mapping[Any, Any], entry: Mapping[Any, Any]) -> Row:
    """Optional metadata of the item, else of the entry."""
    values = {name: item.get(name, entry.get(name)) for name in ("router", "kv-p2p-transfer")}
    return {name: value for name, value in values.items() if value is not None}


def _word(value: object) -> str:
    """A scalar as a part of a name; nothing for what cannot be one."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return ""
    return str(value) if isinstance(value, (str, int, float)) else ""


def _or(value: object, default: object) -> object:
    return default if value is None else value


def _topology(item: Mapping[Any, Any]) -> Row:
    return {
        "tp": _whole(item, "tp"),
        "pp": _whole(item, "pp", 1),
        "dcp-size": _whole(item, "dcp-size", 1),
        "pcp-size": _whole(item, "pcp-size", 1),
        "ep": _or(item.get("ep"), 1),
        "dp-attn": _or(item.get("dp-attn"), False),
    }


def _fixed(source: _Source) -> RowGroup:
    entry, header, block, item, multi, path = source
    isl, osl = _block_whole(block, "isl"), _block_whole(block, "osl")
    sequence = SEQUENCES.get((isl, osl), f"{isl}_{osl}")
    values, where = _concurrencies(item)
    topology = {role: _worker(item, role) for role in ("prefill", "decode")} if multi else _topology(item)
    shared: Row = {
        **header,
        "isl": isl,
        "osl": osl,
        **topology,
        "spec-decoding": item.get("spec-decoding", "none"),
        "max-model-len": isl + osl + CONTEXT_HEADROOM,
        "exp-name": f"{header['model-prefix']}_{sequence}",
        "disagg": entry.get("disagg", False),
        **_components(item, entry),
    }
    if multi:  # one job runs the whole list
        varying: list[Row] = [{"conc": values}]
        where = [("conc-list",) if item.get("conc-list") else ("conc-start",)]
    else:
        varying = [{"conc": value} for value in values]
    return RowGroup(path, FIXED, sequence, multi, shared, varying, where)


def _block_whole(block: Mapping[Any, Any], name: str) -> int:
    try:
        return _whole(block, name)
    except _Wrong as wrong:
        raise _Wrong(str(wrong)) from None  # the item's place: the key belongs to the block above it


def _agentic(source: _Source, runners: object) -> tuple[RowGroup, _Wrong | None]:
    """The group, and why the memory for offloading is not known, if so."""
    entry, header, block, item, multi, path = source
    values, where = _concurrencies(item)
    topology = {role: _worker(item, role) for role in ("prefill", "decode")} if multi else _topology(item)
    offload, suffix, missing = _offload(block, item, header["runner"], multi, runners)
    shared: Row = {
        **header,
        **topology,
        "spec-decoding": item.get("spec-decoding", "none"),
        **offload,
        "duration": block.get("duration", AGENTIC_DURATION),
        "scenario-type": AGENTIC,
        **_components(item, entry),
    }
    prefix, speculation = header["model-prefix"], _word(shared["spec-decoding"])
    varying: list[Row]
    if multi:
        shared["disagg"] = entry.get("disagg", False)
        roles = f"{_worker_tag(topology['prefill'], 'p')}_{_worker_tag(topology['decode'], 'd')}"
        tail = "" if offload.get("kv-offloading", "none") == "none" else f"_{suffix}"
        varying = [{"conc": [value], "exp-name": f"{prefix}_{roles}_conc{value}{tail}"} for value in values]
    else:
        tail = suffix + (f"_spec-{speculation}" if speculation != "none" else "")
        prefix = f"{prefix}_tp{topology['tp']}"
        varying = [{"conc": value, "exp-name": f"{prefix}_conc{value}_{tail}"} for value in values]
        if "offload-mode" in offload:
            varying = [{**row, "users": row["conc"]} for row in varying]
    return RowGroup(path, AGENTIC, "agentic", multi, shared, varying, where), missing


def _offload(
    block: Mapping[Any, Any], item: Mapping[Any, Any], runner: object, multi: bool, runners: object
) -> tuple[Row, str, _Wrong | None]:
    """The fields about offloading, the suffix of experiment names, and why the memory is not known, if so."""
    if "cpu-offloading" in item:  # the first schema, with two modes and users instead of concurrencies
        mode = "on" if item["cpu-offloading"] else "off"
        return {"offload-mode": mode}, f"offload{mode}", None
    if "duration" in block or "offloading" in item:  # the schema before backends existed
        mode = item.get("offloading", "none")
        return {"offloading": mode}, f"offload{_word(mode)}", None
    if not multi and "kv-offloading" not in item:
        raise _Wrong("kv-offloading is missing", "kv-offloading")
    mode, backend = item.get("kv-offloading", "none"), item.get("kv-offload-backend")
    missing: _Wrong | None = None
    memory: int | str = unknown("memory for offloading")
    try:
        memory = _dram_gb(block, item, runner, runners)
    except _Wrong as wrong:
        missing = wrong
    fields: Row = {"kv-offloading": mode, "total-cpu-dram-gb": memory}
    if backend is not None:
        fields["kv-offload-backend"] = backend
    return fields, "kvnone" if mode == "none" else f"kv{_word(mode)}-{_backend_name(backend)}", missing


def _backend_name(backend: object) -> object:
    if isinstance(backend, Mapping):
        backend = backend.get("name")
    if isinstance(backend, str):
        return backend
    raise _Wrong("kv-offload-backend is missing or has no name", "kv-offload-backend")


def _worker_tag(worker: object, role: str) -> str:
    assert isinstance(worker, Mapping)
    expert = worker.get("ep", 1)
    tag = f"{role}{_word(worker.get('num-worker'))}x{_word(worker.get('tp'))}"
    return tag + (f"ep{_word(expert)}" if expert != 1 else "") + ("dpa" if worker.get("dp-attn", False) else "")


def _dram_gb(block: Mapping[Any, Any], item: Mapping[Any, Any], runner: object, runners: object) -> int:
    """CPU memory in GB that one server may use for offloading: the share of its GPUs of one node's memory."""
    if item.get("kv-offloading", "none") != "dram":
        return 0
    hardware = runners.get("hardware") if isinstance(runners, Mapping) else None
    facts = hardware.get(runner) if isinstance(hardware, Mapping) else None
    if not isinstance(facts, Mapping):
        raise _Wrong(
            f"runner {runner!s} has no hardware facts, without which no row with offloading to DRAM can be generated",
            "kv-offloading",
            lacks="hardware",
        )
    memory = min(_whole(facts, "available-cpu-dram-mib"), MAX_DRAM_MIB)
    per_node = _whole(facts, "gpus-per-node")
    try:
        share = Decimal(str(block.get("dram-utilization")))
    except InvalidOperation:
        raise _Wrong("dram-utilization is missing or no number") from None
    if not share.is_finite() or abs(share.adjusted()) > LARGEST_SHARE:
        raise _Wrong("dram-utilization is no finite number")
    role = item.get("prefill")
    worker = role if isinstance(role, Mapping) else item
    used = _whole(worker, "tp") * _whole(worker, "pp", 1) * _whole(worker, "pcp-size", 1)
    if used <= 0 or per_node <= 0:
        raise _Wrong("the number of GPUs is not above 0", "tp")
    if isinstance(role, Mapping):
        if (used % per_node if used > per_node else per_node % used) != 0:
            raise _Wrong(f"a worker of {used} GPUs does not tile nodes of {per_node}", "prefill")
        used = min(used, per_node)
    elif used > per_node:
        raise _Wrong(f"{used} GPUs do not fit a node of {per_node}", "tp")
    return int(Decimal(memory) * BYTES_PER_MIB * share * used / per_node / BYTES_PER_GB)


# Which points are evaluated


def mark(groups: Sequence[RowGroup]) -> None:
    """Mark the rows that get an evaluation.

    A full sweep evaluates sequences of 8k in, 1k out only: per single-node series the highest and the median
    concurrency, per multi-node topology the highest. An evaluation adds the highest concurrency of each agentic
    series or topology.
    """
    single: dict[object, list[tuple[RowGroup, int, int]]] = {}
    best: dict[object, tuple[RowGroup, int, int]] = {}
    for group in groups:
        group.plain = {"run-eval": False}
        group.swept, group.evals = {}, {}
        shared = group.shared
        agentic = group.scenario == AGENTIC
        if not agentic and (shared["isl"], shared["osl"]) != EVAL_SEQUENCE:
            continue
        key: object
        if group.multi:
            key = (agentic, _frozen(shared))
        else:
            names = ["model", "runner", "framework", "precision"]
            if not agentic:
                names += ["spec-decoding", "dp-attn"]
            key = (agentic, *(_frozen(shared[name]) for name in names))
        for index, row in enumerate(group.varying):
            highest = _highest(row["conc"])
            if highest < MIN_EVAL_CONC and (group.multi or not agentic):
                continue
            if group.multi or agentic:
                if key not in best or best[key][2] < highest:
                    best[key] = (group, index, highest)
            else:
                single.setdefault(key, []).append((group, index, highest))
    for rows in single.values():
        levels = sorted({level for _, _, level in rows})
        wanted = {levels[-1], levels[len(levels) // 2]}
        for group, index, level in rows:
            if level in wanted:
                _set(group, index, {})
    for group, index, level in best.values():
        _set(group, index, {"eval-conc": level} if group.multi else {})


def _set(group: RowGroup, index: int, more: Row) -> None:
    if group.scenario != AGENTIC:
        group.swept[index] = {"run-eval": True, **more}
    group.evals[index] = {"run-eval": True, **more, "eval-only": True}


def _highest(conc: object) -> int:
    values = conc if isinstance(conc, list) else [conc]
    return max(value for value in values if isinstance(value, int))


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _frozen(value: object) -> object:
    """A hashable stand-in for plain data, equal where the data is equal."""
    if isinstance(value, Mapping):
        return frozenset((name, one if type(one) in _SCALARS else _frozen(one)) for name, one in value.items())
    if isinstance(value, list):
        return tuple(_frozen(one) for one in value)
    return value
