"""The frontend in front of the workers: Dynamo's, SGLang's router, TensorRT-LLM's orchestrator, or none at all."""

from __future__ import annotations

from collections.abc import Iterator

from configlint.catalog.entrypoints import DYNAMO_FRONTEND, SGLANG_ROUTER, TRTLLM_ORCHESTRATOR
from configlint.launch.values import unknown
from configlint.model.workers.commands import FRONTEND_ROLE, Command
from configlint.model.workers.context import PORT, Context
from configlint.model.workers.flags import FRONTEND, FlagUse, own

_URL = unknown("address of a worker")


def arguments(context: Context) -> tuple[FlagUse, ...]:
    """The arguments that the recipe gives the frontend."""
    return tuple(context.recipe.arguments.uses(FRONTEND))


def command(context: Context) -> Command | None:
    """The command of the frontend; None where a worker is its own frontend."""
    recipe, given = context.recipe, arguments(context)
    if recipe.frontend == "dynamo":
        port = FlagUse("http-port", (f"--http-port={PORT}",), PORT)
        return Command(FRONTEND_ROLE, DYNAMO_FRONTEND, (port, *given))
    if recipe.frontend == "sglang":
        return Command(FRONTEND_ROLE, SGLANG_ROUTER, (*_routed(context), *given))
    if recipe.frontend == "trtllm_serve" and recipe.is_disaggregated:
        return Command(FRONTEND_ROLE, TRTLLM_ORCHESTRATOR, (own("config", "/logs/ser.yaml"), *given))
    return None


def _routed(context: Context) -> Iterator[FlagUse]:
    recipe = context.recipe
    prefill, decode = recipe.size("prefill").workers, recipe.size("decode").workers
    if prefill or decode:
        yield own("pd-disaggregation")
        yield from (own("prefill", _URL, PORT) for _ in range(min(prefill, 64)))
        yield from (own("decode", _URL) for _ in range(min(decode, 64)))
    else:
        yield own("worker-urls", *([_URL] * min(recipe.size("aggregated").workers, 64)))
    yield own("host", "0.0.0.0")
    yield own("port", PORT)
