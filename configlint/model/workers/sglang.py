"""SGLang workers: ``python3 -m dynamo.sglang`` behind Dynamo, ``sglang.launch_server`` behind SGLang's own router."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.catalog.entrypoints import DYNAMO_SGLANG, SGLANG_SERVER
from configlint.launch.values import unknown
from configlint.model.workers.commands import Command
from configlint.model.workers.context import ADDRESS, DUMP, PORT, RANK, Context
from configlint.model.workers.flags import WORKER, FlagUse, own
from configlint.model.workers.recipe import Size
from configlint.model.workers.vllm import events

_OWN = ("model-path", "model_path", "served-model-name", "served_model_name")


def commands(context: Context, role: str) -> Iterator[Command]:
    """The commands of the workers of a role."""
    recipe, size = context.recipe, context.recipe.size(role)
    direct = recipe.frontend == "sglang"
    before = (unknown("profiler"),) if recipe.is_profiled else ()
    entry = SGLANG_SERVER if direct else DYNAMO_SGLANG
    for rank in context.ranks(size):
        taken: set[str] = set()
        flags = list(_own(context, role, size, rank, direct, taken)) if context.is_known else []
        flags += recipe.config(role).uses(WORKER, taken)
        yield Command(role, entry, tuple(flags), size.workers, size.gpus, size.nodes, rank, before)


def _own(context: Context, role: str, size: Size, rank: str, direct: bool, taken: set[str]) -> Iterator[FlagUse]:
    if context.has("sglang-owns-model"):
        taken.update(_OWN)
    yield own("model-path", context.model if context.has("sglang-owns-model") else "/model")
    yield own("served-model-name", context.served_name)
    yield own("host", "0.0.0.0")
    yield own("port", PORT)
    if context.has("sglang-nccl-port"):
        taken.update(("nccl-port", "nccl_port"))
        yield own("nccl-port", PORT)
    if role != "aggregated":
        yield own("disaggregation-mode", role)
        if role == "prefill" and (direct or context.has("sglang-bootstrap-always")):
            yield own("disaggregation-bootstrap-port", PORT)
    if rank:
        yield own("dist-init-addr", f"{ADDRESS}:{PORT}")
        yield own("nnodes", str(size.nodes))
        yield own("node-rank", "0" if rank == "first node" else RANK)
    if not direct:
        yield own("dump-config-to", DUMP)
    defaults = {"publisher": "zmq", "topic": "kv-events"}
    yield from events(context.recipe.value("backend.kv_events_config"), role, defaults)
    if not direct and context.has("sglang-request-plane"):
        yield own("request-plane", context.request_plane)
