"""What starts a server, and which tables say what it accepts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EntryPoint:
    """A command that starts a worker or a frontend.

    ``name`` is what people call it, ``words`` how it is started. Its flags are those of all ``tables``, in the order
    in which they are asked; none where no catalog knows it.
    """

    name: str
    words: tuple[str, ...]
    tables: tuple[str, ...] = ()


DYNAMO_VLLM = EntryPoint("dynamo.vllm", ("python3", "-m", "dynamo.vllm"), ("ai-dynamo.vllm", "vllm.engine"))
VLLM_SERVE = EntryPoint("vllm serve", ("vllm", "serve"), ("vllm.engine", "vllm.frontend"))
DYNAMO_SGLANG = EntryPoint("dynamo.sglang", ("python3", "-m", "dynamo.sglang"), ("ai-dynamo.sglang", "sglang.server"))
SGLANG_SERVER = EntryPoint("sglang.launch_server", ("python3", "-m", "sglang.launch_server"), ("sglang.server",))
DYNAMO_TRTLLM = EntryPoint("dynamo.trtllm", ("python3", "-m", "dynamo.trtllm"), ("ai-dynamo.trtllm",))
TRTLLM_SERVE = EntryPoint("trtllm-serve", ("trtllm-serve",))
DYNAMO_FRONTEND = EntryPoint("dynamo.frontend", ("python3", "-m", "dynamo.frontend"), ("ai-dynamo.frontend",))
SGLANG_ROUTER = EntryPoint("sglang_router", ("python", "-m", "sglang_router.launch_router"))
TRTLLM_ORCHESTRATOR = EntryPoint("trtllm-serve disaggregated", ("trtllm-serve", "disaggregated"))

ENGINE_TABLES = {
    "vllm": "vllm.engine",
    "sglang": "sglang.server",
    "atom": "atom.server",
    "tensorrt-llm": "tensorrt-llm.config",
}
"""The table whose versions are an engine's."""

DYNAMO = "ai-dynamo"
DYNAMO_TABLE = "ai-dynamo.frontend"
