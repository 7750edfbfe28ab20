"""TensorRT-LLM workers: the engine's options are a file that srtctl writes, the command line names it."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.catalog.entrypoints import DYNAMO_TRTLLM, TRTLLM_SERVE
from configlint.launch.values import unknown
from configlint.model.workers.commands import Command, EngineFile
from configlint.model.workers.context import MODEL, PORT, Context
from configlint.model.workers.flags import FlagUse, own

_BOUND_MACHINES = ("gb200", "gb300")
_PARALLEL = ("tensor_parallel_size", "moe_expert_parallel_size", "pipeline_parallel_size")


def commands(context: Context, role: str) -> Iterator[Command]:
    """The command of the workers of a role: one for all their nodes."""
    recipe, size = context.recipe, context.recipe.size(role)
    config = recipe.config(role)
    name = "agg" if role == "aggregated" else role
    file = EngineFile(f"/logs/trtllm_config_{name}.yaml", config)
    direct = recipe.frontend == "trtllm_serve"
    flags = []
    if direct:
        flags += [own("host", "0.0.0.0"), own("port", PORT)] if context.is_known else []
        flags += [own(key, str(value)) for key in _PARALLEL if (value := config.get(key)) is not None]
        flags.append(own("config", file.path))
    else:
        flags += _dynamo(context, role, file)
    operands = (_model(context),) if direct else ()
    entry = TRTLLM_SERVE if direct else DYNAMO_TRTLLM
    before = _before(context, role)
    yield Command(role, entry, tuple(flags), size.workers, size.gpus, size.nodes, "", before, operands, file)


def _dynamo(context: Context, role: str, file: EngineFile) -> Iterator[FlagUse]:
    if not context.is_known:
        yield own("extra-engine-args", file.path)
        return
    yield own("model-path", _model(context))
    yield own("served-model-name", context.hub_name or MODEL)
    if role != "aggregated":
        yield own("disaggregation-mode", role)
    yield own("extra-engine-args", file.path)
    yield own("request-plane", context.request_plane if context.has("trtllm-request-plane") else "nats")
    if _publishes(context):
        yield own("publish-events-and-metrics")


def _model(context: Context) -> str:
    if context.hub_name:
        return context.model if context.has("trtllm-hub-model") else "/model"
    is_staged = context.has("trtllm-staged-model") and context.recipe.value("model.stage_dir")
    return MODEL if is_staged else context.model


def _publishes(context: Context) -> bool:
    if context.has("trtllm-always-publishes"):
        return True
    field = "TRTLLMProtocol.publish_events_and_metrics"
    given = context.recipe.value("backend.publish_events_and_metrics")
    return context.recipe.has_field(field) and (context.recipe.default(field) if given is None else given) is True


def _before(context: Context, role: str) -> tuple[str, ...]:
    recipe = context.recipe
    profiler = (unknown("profiler"),) if recipe.is_profiled else ()
    given = recipe.value("backend.numa_memory_bind")
    if given is None or not recipe.has_field("TRTLLMProtocol.numa_memory_bind"):
        bound = recipe.value("resources.gpu_type") in _BOUND_MACHINES
    else:
        bound = given is True
    has = context.has("trtllm-numactl") and bound and role != "aggregated"
    return (*profiler, *(("numactl", "-m", "0,1") if has else ()), "trtllm-llmapi-launch")
