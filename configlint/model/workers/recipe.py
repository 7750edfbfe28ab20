"""What a recipe says about the job: backend, frontend, how many workers of which size. srtctl's own field names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from configlint.catalog.recipes.schema import Schema
from configlint.model.composition import Merged, Variant
from configlint.model.versions.dynamo import Installed
from configlint.model.workers.flags import Settings, python_value
from configlint.profile.globs import Globs

ROLES = ("prefill", "decode", "aggregated")
ENGINES = {"vllm": "vllm", "sglang": "sglang", "trtllm": "tensorrt-llm"}
"""Backend -> the engine that it runs."""

_SHORT = {"prefill": "prefill", "decode": "decode", "aggregated": "agg"}


class NotModelled(Exception):
    """What the recipe starts is not known; the message says why."""


@dataclass(frozen=True)
class Size:
    """The workers of a role. ``None``: not known."""

    workers: int
    gpus: int | None
    nodes: int | None


class Recipe:
    """One submitted variant. ``touched`` may have been changed since; ``schema`` gives the defaults, if it is known."""

    def __init__(self, variant: Variant, touched: Globs, schema: Schema | None, model: str = "") -> None:
        self._variant, self._touched, self._schema, self._model = variant, touched, schema, model
        self._values: dict[str, Any] = {}
        self._configs: dict[str, Settings] = {}

    # --- values -----------------------------------------------------------------------------------

    def is_sure(self, path: str) -> bool:
        """False if an edit of unknown effect may have changed the value."""
        return not (self._touched.patterns and self._touched.matches(path))

    def value(self, path: str) -> Any:
        """The Python value at a dotted path; None where there is none, also where it is null."""
        if path not in self._values:
            found = self._variant.at(path)
            self._values[path] = None if found is None else python_value(found)
        return self._values[path]

    def node(self, path: str) -> Merged | None:
        return self._variant.at(path)

    def default(self, field: str, otherwise: Any = None) -> Any:
        """The default of a field (``Class.name``) in the schema."""
        facts = self._schema.facts.get(field) if self._schema is not None else None
        return facts["d"] if facts is not None and "d" in facts else otherwise

    def has_field(self, field: str) -> bool:
        """Whether the schema has a field; False where it is not known."""
        return self._schema is not None and field in self._schema.facts

    @property
    def unsure(self) -> tuple[str, ...]:
        """Patterns of paths that an edit of unknown effect may have changed."""
        return self._touched.patterns

    def _number(self, path: str) -> int | None:
        value = self.value(path)
        try:
            return int(value) if value is not None and not isinstance(value, bool | list | dict) else None
        except (ValueError, OverflowError):
            return None

    # --- the job ----------------------------------------------------------------------------------

    @property
    def backend(self) -> str:
        """``vllm``, ``sglang``, ``trtllm`` or another one. Raises NotModelled where an edit may have changed it."""
        return self._choice("backend.type", "sglang")

    @property
    def frontend(self) -> str:
        """``dynamo``, ``sglang``, ``vllm`` or ``trtllm_serve``."""
        return self._choice("frontend.type", "dynamo")

    def _choice(self, path: str, default: str) -> str:
        if not self.is_sure(path):
            raise NotModelled(f"{path} is not known")
        value = self.value(path)
        return default if value is None else str(value)

    @property
    def frontends(self) -> tuple[str, ...]:
        """The frontends that the revision has; empty where that is not known."""
        facts = self._schema.facts.get("FrontendConfig.type") if self._schema is not None else None
        choices = facts.get("ch") if facts is not None else None
        return tuple(str(one) for one in choices) if isinstance(choices, list) else ()

    def config(self, role: str) -> Settings:
        """The mapping of a role in the backend's configuration."""
        return self._settings(f"backend.{self.backend}_config.{role}")

    @property
    def arguments(self) -> Settings:
        """The frontend's arguments in the order of the document."""
        return self._settings("frontend.args")

    def _settings(self, path: str) -> Settings:
        if path not in self._configs:
            found = self._variant.at(path)
            is_map = found is not None and (isinstance(found, dict) or found.kind == "map")
            values = (found if isinstance(found, dict) else found.pairs()) if found is not None and is_map else {}
            self._configs[path] = Settings(path, values, self._touched)
        return self._configs[path]

    @property
    def is_profiled(self) -> bool:
        """Whether a profiler is put in front of the workers."""
        return bool(self.value("profiling.type") == "nsys")

    @property
    def model_path(self) -> str:
        """The model as the job finds it: a path, or ``hf:`` and its name on the hub; empty where that is not known."""
        return self._model

    def served_name(self) -> str:
        """The name that the recipe gives the model; empty where it gives none."""
        for role in ("prefill", "aggregated", "decode"):
            config = self.config(role)
            for key in ("served-model-name", "served_model_name"):
                value = config.get(key)
                if value:
                    return str(value)
        return ""

    # --- resources --------------------------------------------------------------------------------

    def size(self, role: str) -> Size:
        """How many workers a role has, on how many GPUs and nodes each."""
        workers = self._number(f"resources.{_SHORT[role]}_workers") or 0
        per_node = self._number("resources.gpus_per_node") or self.default("ResourceConfig.gpus_per_node", 4)
        gpus = self._gpus(role, int(per_node))
        nodes = -(-gpus // int(per_node)) if gpus is not None and int(per_node) > 0 else None
        return Size(workers, gpus, nodes)

    def _gpus(self, role: str, per_node: int) -> int | None:
        short = _SHORT[role]
        explicit = self._number(f"resources.gpus_per_{short}")
        if explicit is not None:
            return explicit
        nodes, workers = self._number(f"resources.{short}_nodes"), self._number(f"resources.{short}_workers")
        if nodes and workers:
            return nodes * per_node // workers
        if role == "decode" and nodes == 0 and workers:
            return self._gpus("prefill", per_node)
        return per_node

    @property
    def per_node(self) -> int:
        return self._number("resources.gpus_per_node") or int(self.default("ResourceConfig.gpus_per_node", 4))

    @property
    def is_disaggregated(self) -> bool:
        return any(self.value(f"resources.{one}_nodes") is not None for one in ("prefill", "decode"))

    # --- Dynamo -----------------------------------------------------------------------------------

    @property
    def request_plane(self) -> str | None:
        """What workers and frontend talk through; None where it is not known."""
        if not self.is_sure("dynamo.request_plane"):
            return None
        value = self.value("dynamo.request_plane")
        return str(value) if value is not None else self.default("DynamoConfig.request_plane")

    @property
    def installed(self) -> Installed:
        """What is installed of Dynamo."""
        names = ("install", "wheel", "hash", "top_of_tree", "version")
        if not all(self.is_sure(f"dynamo.{name}") for name in names):
            return Installed(unknown="the launcher may have changed the dynamo block")
        install, wheel, commit, top, version = (self.value(f"dynamo.{name}") for name in names)
        named = self._variant.at("dynamo.version") is not None
        default = self.default("DynamoConfig.version")
        if not named and not (wheel or commit or top) and default is None and install is not False:
            return Installed(unknown="the recipe names none, and which one srtctl then takes is not known here")
        return Installed(
            install is not False,
            _text(wheel),
            _text(commit),
            top is True,
            _text(version) if named else _text(default),
            not named,
        )


def _text(value: Any) -> str:
    return str(value) if value is not None else ""
