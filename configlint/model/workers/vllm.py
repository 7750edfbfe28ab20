"""vLLM workers: ``python3 -m dynamo.vllm`` behind Dynamo, ``vllm serve`` where vLLM is its own frontend."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from configlint.catalog.entrypoints import DYNAMO_VLLM, VLLM_SERVE
from configlint.launch.values import unknown
from configlint.model.workers.commands import Command
from configlint.model.workers.context import ADDRESS, DUMP, GPUS, PORT, RANK, Context
from configlint.model.workers.flags import FlagUse, Style, own, python_value
from configlint.model.workers.recipe import NotModelled

_TOPOLOGY = frozenset({"headless", "host", "port", "master-addr", "nnodes", "node-rank"})
_API_SERVER = frozenset({"api-server-count"})
_CONNECTORS: Mapping[str, Mapping[str, str]] = {
    "nixl": {"kv_connector": "NixlConnector", "kv_role": "kv_both"},
    "lmcache": {"kv_connector": "LMCacheConnectorV1", "kv_role": "kv_both"},
    "kvbm": {
        "kv_connector": "DynamoConnector",
        "kv_connector_module_path": "kvbm.vllm_integration.connector",
        "kv_role": "kv_both",
    },
}
_NO_CONNECTOR = ("null", "none")
_DEFAULT_RPC_PORT = "13345"


def commands(context: Context, role: str) -> Iterator[Command]:
    """The commands of the workers of a role."""
    direct = context.recipe.frontend == "vllm"
    if direct and role != "aggregated":
        raise NotModelled("frontend.type vllm starts aggregated workers only")
    builder = _Worker(context, role)
    for rank in builder.ranks(direct):
        yield builder.direct(rank) if direct else builder.dynamo(rank)


class _Worker:
    def __init__(self, context: Context, role: str) -> None:
        self.context, self.recipe, self.role = context, context.recipe, role
        self.config = self.recipe.config(role)
        self.size = self.recipe.size(role)
        self.style = Style(keep_dotted=context.has("vllm-dotted-keys-kept"))
        self.is_data_parallel = self._value("data-parallel-size") is not None

    def ranks(self, direct: bool) -> tuple[str, ...]:
        alike = self.is_data_parallel and not direct and not self._has_headless_ranks
        return ("",) if alike and not self._spans_nodes else self.context.ranks(self.size)

    @property
    def _is_per_node(self) -> bool:
        given = self.recipe.value("backend.dp_launch_mode")
        known = self.recipe.has_field("VLLMProtocol.dp_launch_mode")
        return known and (given or self.recipe.default("VLLMProtocol.dp_launch_mode")) == "per_node"

    @property
    def _has_headless_ranks(self) -> bool:
        return self._is_per_node and self.context.has("vllm-headless-dp-ranks")

    @property
    def _spans_nodes(self) -> bool:
        """Whether one replica of a data-parallel worker is larger than its share of a node."""
        if not (self.is_data_parallel and self._is_per_node and self.context.has("vllm-dp-over-nodes")):
            return False
        return self._replica > self._local_gpus

    @property
    def _replica(self) -> int:
        sizes = (self._value("tensor-parallel-size") or 1, self._value("pipeline-parallel-size") or 1)
        return int(sizes[0]) * int(sizes[1]) if all(str(one).isdigit() for one in sizes) else 1

    @property
    def _local_gpus(self) -> int:
        return min(self.size.gpus or self.recipe.per_node, self.recipe.per_node)

    def _value(self, name: str) -> Any:
        """The value of a key in either spelling."""
        dashed = self.config.get(name)
        return self.config.get(name.replace("-", "_")) if dashed is None else dashed

    # --- commands ---------------------------------------------------------------------------------

    def _command(self, entry: Any, flags: list[FlagUse], rank: str, operands: tuple[str, ...] = ()) -> Command:
        before = (unknown("profiler"),) if self.recipe.is_profiled else ()
        size = self.size
        return Command(self.role, entry, tuple(flags), size.workers, size.gpus, size.nodes, rank, before, operands)

    def direct(self, rank: str) -> Command:
        """``vllm serve``."""
        flags, taken = [], {"connector"}
        if self.context.has("vllm-serve-owns-topology"):
            taken |= self._spelled(_TOPOLOGY)
            if rank == "other nodes":
                taken |= self._spelled(_API_SERVER)
        elif self.context.is_known:
            taken |= {"host", "port"}
        if self.context.is_known:
            if rank != "other nodes":
                flags += [own("host", "0.0.0.0"), own("port", PORT)]
            flags += self._several_nodes(rank)
            flags += self._device_ids()
        named = "served-model-name" not in self.config.values and self.context.is_known
        flags += self._of_recipe(taken, own("served-model-name", self.context.served_name) if named else None)
        return self._command(VLLM_SERVE, flags, rank, (self.context.model,))

    def dynamo(self, rank: str) -> Command:
        """``dynamo.vllm``."""
        context, flags, taken = self.context, [], {"connector"}
        if context.is_known:
            flags += [own("model", context.model), own("served-model-name", context.served_name)]
            if self.role != "aggregated":
                flags.append(own("disaggregation-mode", self.role))
            flags += self._transfer()
            flags += self._device_ids()
            flags += self._placed(rank, taken)
            if context.has("vllm-request-plane"):
                flags.append(own("request-plane", context.request_plane))
            flags.append(own("dump-config-to", DUMP))
            flags += self._events()
        flags += self._of_recipe(taken)
        return self._command(DYNAMO_VLLM, flags, rank)

    # --- parts ------------------------------------------------------------------------------------

    def _spelled(self, names: frozenset[str]) -> set[str]:
        return {key for key in self.config.values if key.replace("_", "-") in names}

    def _of_recipe(self, taken: set[str], extra: FlagUse | None = None) -> list[FlagUse]:
        """The recipe's flags, and among them what srtctl puts into the mapping before it is sorted."""
        profiler = self._profiler()
        config = self.config if profiler is None else self.config.without(profiler.name)
        found = list(config.uses(self.style, taken))
        for one in (extra, profiler):
            if one is not None:
                found.insert(sum(1 for other in found if (other.spelled or other.name) < one.name), one)
        return found

    def _profiler(self) -> FlagUse | None:
        """What a profiled worker is told; the recipe's own value is replaced."""
        if not (self.recipe.is_profiled and self.context.has("vllm-profiler-config")):
            return None
        short = "aggregated" if self.role == "aggregated" else self.role
        steps = [self.recipe.value(f"profiling.{short}.{name}") for name in ("start_step", "stop_step")]
        return own("profiler-config", unknown("steps of the profile")) if None not in steps else None

    def _transfer(self) -> list[FlagUse]:
        """``connector`` of the role, else of the backend, as ``--kv-transfer-config``."""
        given = self.config.get("connector")
        if given is None:
            written = self.recipe.node("backend.connector")
            given = python_value(written) if written is not None else "nixl"
        if not given or given in _NO_CONNECTOR:
            return []
        preset = _CONNECTORS.get(str(given).lower())
        return [own("kv-transfer-config", json.dumps(preset) if preset is not None else str(given))]

    def _device_ids(self) -> list[FlagUse]:
        if not self.recipe.has_field("VLLMProtocol.set_cuda_visible_devices"):
            return []
        return [] if self.recipe.value("backend.set_cuda_visible_devices") is True else [own("device-ids", GPUS)]

    def _placed(self, rank: str, taken: set[str]) -> list[FlagUse]:
        """What tells a process its place among the others."""
        if not self.is_data_parallel:
            return self._several_nodes(rank)
        if self._is_per_node:
            return self._per_node(rank, taken)
        found = [own("data-parallel-rank", RANK), own("data-parallel-address", ADDRESS)]
        return [*found, own("data-parallel-rpc-port", self._rpc_port(taken))]

    def _rpc_port(self, taken: set[str]) -> str:
        dashed, underscored = "data-parallel-rpc-port", "data_parallel_rpc_port"
        if self.context.has("vllm-allocated-rpc-port"):
            taken |= {dashed, underscored}
            return PORT
        value = self.config.get(dashed)
        taken.add(dashed)
        if not value:
            taken.add(underscored)
            value = self.config.get(underscored) if underscored in self.config.values else _DEFAULT_RPC_PORT
        return str(value)

    def _per_node(self, rank: str, taken: set[str]) -> list[FlagUse]:
        for name in ("rpc-port", "size-local", "start-rank"):
            taken |= {f"data-parallel-{name}", f"data-parallel-{name}".replace("-", "_")}
        address = [own("data-parallel-address", ADDRESS), own("data-parallel-rpc-port", PORT)]
        if not self._has_headless_ranks:
            taken |= {"data-parallel-hybrid-lb", "data_parallel_hybrid_lb", "headless"}
        if self._spans_nodes:
            several = self._several_nodes(rank)
            headless = [one for one in several if one.name == "headless"]
            return [*(one for one in several if one.name != "headless"), *address, *headless]
        local = self._local_gpus // self._replica if self.context.has("vllm-dp-over-nodes") else self._local_gpus
        found = [own("data-parallel-size-local", str(local)), own("data-parallel-start-rank", RANK), *address]
        if not self._has_headless_ranks:
            return [*found, own("data-parallel-hybrid-lb")]
        balanced = self._value("data-parallel-hybrid-lb")
        is_balanced = balanced is True or str(balanced).strip().lower() in ("1", "true", "yes", "on")
        return [*found, own("headless")] if rank == "other nodes" and not is_balanced else found

    def _several_nodes(self, rank: str) -> list[FlagUse]:
        if not rank:
            return []
        found = [own("master-addr", ADDRESS), own("nnodes", str(self.size.nodes))]
        found.append(own("node-rank", "0" if rank == "first node" else RANK))
        return [*found, own("headless")] if rank == "other nodes" else found

    def _events(self) -> list[FlagUse]:
        """``--kv-events-config`` for the roles that publish events."""
        if not self.recipe.has_field("VLLMProtocol.kv_events_config"):
            return []
        defaults = {"publisher": "zmq", "topic": "kv-events", "enable_kv_cache_events": True}
        return events(self.recipe.value("backend.kv_events_config"), self.role, defaults)


def events(given: Any, role: str, defaults: Mapping[str, Any]) -> list[FlagUse]:
    """``--kv-events-config`` as the backend's setting asks for it: for prefill and decode, or role by role."""
    chosen = given.get(role) if isinstance(given, dict) else given is True and role != "aggregated"
    if not given or chosen in (None, False) or not (chosen is True or isinstance(chosen, dict)):
        return []
    merged = {**defaults, **(chosen if isinstance(chosen, dict) else {}), "endpoint": f"tcp://*:{PORT}"}
    text = json.dumps(merged, default=str)  # spells the hole in ASCII, too
    return [own("kv-events-config", text.replace(json.dumps(PORT)[1:-1], PORT))]
