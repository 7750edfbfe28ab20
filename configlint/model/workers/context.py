"""What the builders of command lines have in common: the recipe, the revision's features, words for unknown values."""

from __future__ import annotations

from configlint.launch.values import unknown
from configlint.model.workers.recipe import Recipe, Size

PORT, ADDRESS, RANK, GPUS, MODEL, DUMP = (
    unknown(name) for name in ("port", "address of the first node", "rank", "GPUs", "name of the model", "log folder")
)

HUB = "hf:"


class Context:
    """A recipe with what its srtctl does. ``features`` is None where the revision is not known."""

    def __init__(self, recipe: Recipe, features: frozenset[str] | None) -> None:
        self.recipe, self.features = recipe, features

    def has(self, feature: str) -> bool:
        """Whether srtctl has a feature; False where the revision is not known."""
        return self.features is not None and feature in self.features

    @property
    def is_known(self) -> bool:
        return self.features is not None

    @property
    def model(self) -> str:
        """The model as workers name it: mounted, or by its name on the hub."""
        path = self.recipe.model_path
        if not path:
            return MODEL
        return path.removeprefix(HUB) if path.startswith(HUB) else "/model"

    @property
    def hub_name(self) -> str:
        """The last part of the model's name on the hub; empty for one that is not loaded from there."""
        path = self.recipe.model_path
        return path.removeprefix(HUB).rpartition("/")[2] if path.startswith(HUB) else ""

    @property
    def served_name(self) -> str:
        """The name that the model is served under: the recipe's, else the last part of its path on the cluster."""
        return self.recipe.served_name() or self.hub_name or MODEL

    @property
    def request_plane(self) -> str:
        return self.recipe.request_plane or unknown("request plane")

    def ranks(self, size: Size) -> tuple[str, ...]:
        """The commands of a worker that differ by node."""
        return ("first node", "other nodes") if self.is_known and (size.nodes or 1) > 1 else ("",)
