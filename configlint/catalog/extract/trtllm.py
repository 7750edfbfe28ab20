"""TensorRT-LLM: the models that ``LLM`` and ``trtllm-serve`` make of a configuration, and all that they hold."""

from __future__ import annotations

from configlint.catalog.extract.arguments import Arguments
from configlint.catalog.extract.configs import config_facts
from configlint.catalog.extract.records import Records
from configlint.catalog.extract.sources import Sources
from configlint.catalog.extract.types import Types
from configlint.catalog.members import Members
from configlint.catalog.snapshot import Snapshot, Unresolved

_MODULE = "tensorrt_llm.llmapi.llm_args"
_MODELS = ("TorchLlmArgs", "TrtLlmArgs")  # the default backend's, the older one's


def arguments(members: Members) -> dict[str, Snapshot]:
    """The records that a worker's configuration is made into."""
    sources = Sources(members, ("tensorrt_llm",))
    module = sources.modules.module(_MODULE)
    found = {name: sources.modules.resolve(module, name) for name in _MODELS} if module is not None else {}
    start = {name: one for name, one in found.items() if one is not None}
    if not start:
        return {"config": Snapshot(unresolved=(Unresolved(f"no model of {_MODULE}"), *sources.unreadable))}
    records = Records(sources.modules, Arguments(sources).symbols)
    made = config_facts(records, Types(sources.modules), start, frozenset(), sources)
    return {"config": Snapshot(made.facts, (*made.unresolved, *sources.unreadable), made.seen)}
