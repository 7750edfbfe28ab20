"""Jobs: what each variant that a launch submits starts, and on which versions of the programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from configlint.catalog.entrypoints import DYNAMO_TABLE, ENGINE_TABLES
from configlint.catalog.recipes.behaviour import features
from configlint.launch.values import UNKNOWN
from configlint.model.aliases import Use
from configlint.model.documents import Document
from configlint.model.submitted import Submitted
from configlint.model.versions.accepted import AcceptedFlags
from configlint.model.versions.dynamo import dynamo_match
from configlint.model.versions.engine import engine_match
from configlint.model.versions.match import Match
from configlint.model.workers import frontend, sglang, trtllm, vllm
from configlint.model.workers.commands import Command, Commands
from configlint.model.workers.context import HUB, Context
from configlint.model.workers.flags import WORKER, FlagUse, Settings, first_node
from configlint.model.workers.recipe import ENGINES, ROLES, NotModelled, Recipe
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.catalog.recipes.known import Revision
    from configlint.catalog.store import Catalogs
    from configlint.model.recipes.pins import Pins

_BUILDERS: Mapping[str, Callable[[Context, str], Iterator[Command]]] = {
    "vllm": vllm.commands,
    "sglang": sglang.commands,
    "trtllm": trtllm.commands,
}
_FRONTENDS = {"vllm": ("dynamo", "vllm"), "sglang": ("dynamo", "sglang"), "trtllm": ("dynamo", "trtllm_serve")}
"""Backend -> the frontends that it works behind."""


@dataclass(frozen=True, eq=False)
class Job:
    """One submitted variant: the commands it starts and the versions they meet.

    ``engine`` is None where the backend runs none that is known, ``dynamo`` where none runs. ``revision`` is the known
    revision of srtctl, empty where it is not known: then only what the recipe says is in the commands.
    """

    document: Document
    variant: str
    commands: Commands
    engine: Match | None
    dynamo: Match | None
    revision: str
    image: Use | None

    @property
    def workers(self) -> tuple[Command, ...]:
        """The commands of all roles, the frontend left out."""
        return tuple(one for one in self.commands.commands if one.role in ROLES)

    def place(self, flag: FlagUse) -> Place | None:
        """Where the value of a recipe's flag is written; None for one that srtctl adds."""
        return self.document.place(flag.node) if flag.node is not None else None

    def settings_place(self, settings: Settings) -> Place | None:
        """Where a mapping of the recipe starts."""
        node = first_node(dict(settings.values))
        return self.document.place(node) if node is not None else None

    def key_place(self, flag: FlagUse) -> Place | None:
        """Where the key of a recipe's flag is written."""
        from configlint.syntax.yaml import path_to

        if flag.node is None:
            return None
        root = flag.node.file.root
        steps = path_to(root, flag.node)
        if root is None or not steps or flag.spelled not in steps:
            return self.place(flag)
        steps = steps[: len(steps) - 1 - steps[::-1].index(flag.spelled)]
        owner = root.at(*steps)
        key = owner.key(flag.spelled) if owner is not None and owner.kind == "map" else None
        return self.document.place(key) if key is not None else self.place(flag)


@dataclass(eq=False)
class Jobs:
    """The jobs of a tree's documents. Variants of the same text under the same revision share their commands."""

    pins: Pins
    accepted: AcceptedFlags | None = None
    _commands: dict[tuple[object, ...], Commands] = field(default_factory=dict)
    _recipes: dict[tuple[object, ...], Recipe] = field(default_factory=dict)
    _versions: dict[tuple[object, ...], tuple[Match | None, Match | None]] = field(default_factory=dict)

    @cached_property
    def catalogs(self) -> Catalogs:
        """The catalogs, read when a table is asked for."""
        from configlint.catalog.store import Catalogs

        return Catalogs.standard()

    def of(self, submitted: tuple[Submitted, ...]) -> tuple[Job, ...]:
        """The jobs of a launch's submitted variants; none where srtctl is not what submits them."""
        return tuple(self._job(one) for one in submitted) if self.pins.is_modelled else ()

    def accepts(self, job: Job, flag: str) -> bool:
        """Whether the user vouches for a flag in the image of a job."""
        image = job.image
        if image is None or self.accepted is None:
            return False
        alias = image.alias.name if image.alias is not None else ""
        spelled = f"{image.image.registry}/{image.image.repository}:{image.image.tag}" if image.image else ""
        return any(self.accepted.accepts(one, flag) for one in (image.given, alias, spelled) if one)

    def _job(self, one: Submitted) -> Job:
        document, settled, image = one.document, one.settled, one.container
        revision = self.pins.revision(document)
        name = revision.name if revision is not None else ""
        text = document.last_known[0]
        key = (
            text.text if text is not None else "",
            settled.variant.name,
            name or (document.clone.url, document.clone.ref) if document.clone is not None else "",
            settled.touched.patterns,
            _model(one),
        )
        if key not in self._commands:
            schema = self.pins.schema(document, document.clone) if document.clone is not None else None
            recipe = self._recipes[key] = Recipe(settled.variant, settled.touched, schema, key[-1])
            self._commands[key] = commands(Context(recipe, self._features(revision)), name)
        versions = (*key, image.given if image is not None else "", image.image if image is not None else None)
        if versions not in self._versions:
            self._versions[versions] = self._matches(self._recipes[key], image)
        engine, dynamo = self._versions[versions]
        return Job(document, settled.variant.name, self._commands[key], engine, dynamo, name, image)

    def _features(self, revision: Revision | None) -> frozenset[str] | None:
        return features(self.pins.known, revision) if revision is not None else None

    def _matches(self, recipe: Recipe, image: Use | None) -> tuple[Match | None, Match | None]:
        found = image.image if image is not None else None
        spelled = image.given if image is not None else ""
        try:
            engine = ENGINES.get(recipe.backend, "")
            behind_dynamo = recipe.frontend == "dynamo"
        except NotModelled:
            return None, None
        dynamo = dynamo_match(recipe.installed, found, self._known(DYNAMO_TABLE)) if behind_dynamo else None
        if not engine:
            return None, dynamo
        shown = "" if UNKNOWN in spelled else spelled
        return engine_match(found, engine, self._known(ENGINE_TABLES[engine]), shown), dynamo

    def _known(self, table: str) -> tuple[str, ...]:
        """The versions that a table knows; none where it is not there or damaged."""
        from configlint.catalog.tables import TableError

        try:
            found = self.catalogs.table(table)
        except TableError:
            return ()
        return found.versions if found is not None else ()


def _model(one: Submitted) -> str:
    """The model as the job finds it: names that are aliases looked up. Empty where that is not known."""
    use = one.models[0] if one.models else None
    if use is None or use.is_unknown:
        return ""
    path = use.alias.value if use.alias is not None else use.given
    return path if path.startswith(("/", HUB)) and (UNKNOWN not in path or not path.startswith(HUB)) else ""


def commands(context: Context, revision: str) -> Commands:
    """Everything that a recipe starts."""
    recipe, unknown = context.recipe, []
    if not context.is_known:
        unknown.append("what srtctl adds: its revision is not known here")
    try:
        _supported(recipe, revision)
        found = [
            one for role in ROLES if recipe.size(role).workers > 0 for one in _BUILDERS[recipe.backend](context, role)
        ]
        front = frontend.command(context)
        idle = [one for role in ROLES if recipe.size(role).workers <= 0 for one in recipe.config(role).uses(WORKER)]
    except NotModelled as reason:
        return Commands((), (), (*unknown, str(reason)))
    if front is None:
        idle += frontend.arguments(context)
    unknown += [f"{one}: the launcher may have changed it" for one in _unsure(recipe)]
    return Commands((*found, *([front] if front is not None else [])), tuple(idle), tuple(unknown))


def _supported(recipe: Recipe, revision: str) -> None:
    backend, behind = recipe.backend, recipe.frontend
    if any(one.startswith(("resources", "*")) for one in recipe.unsure):
        raise NotModelled("the launcher may have changed resources")
    if backend not in _BUILDERS:
        raise NotModelled(f"backend.type {backend} is not modelled")
    if recipe.frontends and behind not in recipe.frontends:
        known = ", ".join(recipe.frontends)
        raise NotModelled(f"frontend.type {behind}: {revision or 'this revision'} has only {known}")
    if behind not in _FRONTENDS[backend]:
        raise NotModelled(f"backend.type {backend} does not work behind frontend.type {behind}")


def _unsure(recipe: Recipe) -> list[str]:
    """What an edit of unknown effect may have changed of the commands."""
    found = [one for one in recipe.unsure if one.startswith(("backend", "frontend", "*"))]
    return [one for one in found if not one.startswith("backend.*_environment")]
