"""Jobs: what each variant that a launch submits starts, and on which versions of the programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from configlint.catalog.entrypoints import DYNAMO_TABLE, ENGINE_TABLES
from configlint.catalog.recipes.behaviour import features
from configlint.launch.values import UNKNOWN
from configlint.model.aliases import is_reference
from configlint.model.documents import Document, Settled
from configlint.model.images import Image, parse_image
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
    from configlint.catalog.tables import Table
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
    revision of srtctl, empty where it is not known: then only what the recipe says is in the commands. ``container``
    is the container as the recipe names it, ``image`` the image that this stands for.
    """

    document: Document
    variant: str
    commands: Commands
    engine: Match | None
    dynamo: Match | None
    revision: str
    container: str
    image: Image | None
    jobs: Jobs

    @property
    def workers(self) -> tuple[Command, ...]:
        """The commands of all roles, the frontend left out."""
        return tuple(one for one in self.commands.commands if one.role in ROLES)

    def place(self, flag: FlagUse) -> Place | None:
        """Where the value of a recipe's flag is written; None for one that srtctl adds."""
        return self.document.place(flag.node) if flag.node is not None else None

    def tables(self, command: Command) -> tuple[tuple[Table, Match], ...]:
        """The tables whose flags a command takes, each with the versions it may be.

        Empty where one of them is not there: then nothing can be said about a flag.
        """
        found = []
        for name in command.entry.tables:
            program = name.partition(".")[0]
            match = next((one for one in (self.engine, self.dynamo) if one and one.program == program), None)
            table = self.jobs.table(name)
            if table is None or match is None:
                return ()
            versions = tuple(one for one in match.versions if table.version(one) is not None)
            if not versions:
                return ()
            found.append((table, match if versions == match.versions else replace(match, versions=versions)))
        return tuple(found)

    def accepts(self, flag: str) -> bool:
        """Whether the user's configuration vouches for a flag in this image, whatever the tables say."""
        accepted, image = self.jobs.accepted, self.image
        if accepted is None:
            return False
        spelled = f"{image.registry}/{image.repository}:{image.tag}" if image is not None else ""
        return any(accepted.accepts(one, flag) for one in (self.container, spelled) if one)

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
    catalogs: Catalogs
    accepted: AcceptedFlags | None = None
    _commands: dict[tuple[object, ...], Commands] = field(default_factory=dict)
    _recipes: dict[tuple[object, ...], Recipe] = field(default_factory=dict)
    _features: dict[str, frozenset[str]] = field(default_factory=dict)
    _versions: dict[tuple[object, ...], tuple[Match | None, Match | None]] = field(default_factory=dict)

    def of(self, document: Document, submitted: tuple[Submitted, ...]) -> tuple[Job, ...]:
        """The jobs of a document's submitted variants; none where srtctl is not what submits them.

        ``submitted`` are the variants with names looked up, empty where it is not known which names there are.
        """
        if not self.pins.is_modelled:
            return ()
        known = {id(one.settled): one for one in submitted}
        return tuple(self._job(document, one, known.get(id(one))) for one in document.settled)

    def _job(self, document: Document, settled: Settled, names: Submitted | None) -> Job:
        revision = self.pins.revision(document)
        clone, name = document.clone, revision.name if revision is not None else ""
        text, model = document.last_known[0], _model(settled, names)
        ref = name or ((clone.url, clone.ref) if clone is not None else "")
        key = (text.text if text is not None else "", settled.variant.name, ref, settled.touched.patterns, model)
        if key not in self._commands:
            schema = self.pins.schema(document, clone) if clone is not None else None
            recipe = self._recipes[key] = Recipe(settled.variant, settled.touched, schema, model)
            self._commands[key] = commands(Context(recipe, self._features_of(revision)), name)
        spelled, image = self._container(settled, names)
        versions = (*key, spelled, image)
        if versions not in self._versions:
            self._versions[versions] = self._matches(self._recipes[key], spelled, image)
        engine, dynamo = self._versions[versions]
        return Job(document, settled.variant.name, self._commands[key], engine, dynamo, name, spelled, image, self)

    def _container(self, settled: Settled, names: Submitted | None) -> tuple[str, Image | None]:
        """The container as the recipe names it, and the image that this stands for."""
        use = names.container if names is not None else None
        if use is not None and not use.is_unknown:
            return use.given, use.image
        node = settled.value(self.pins.profile.documents.container)
        given = use.given if use is not None else node.text if node is not None else ""
        # Nobody calls one image by the full name of another.
        return given, parse_image(given) if is_reference(given) and UNKNOWN not in given else None

    def _features_of(self, revision: Revision | None) -> frozenset[str] | None:
        if revision is None:
            return None
        if revision.name not in self._features:
            self._features[revision.name] = features(self.pins.known, revision)
        return self._features[revision.name]

    def _matches(self, recipe: Recipe, spelled: str, image: Image | None) -> tuple[Match | None, Match | None]:
        try:
            engine = ENGINES.get(recipe.backend, "")
            behind_dynamo = recipe.frontend == "dynamo"
        except NotModelled:
            return None, None
        dynamo = dynamo_match(recipe.installed, image, self._known(DYNAMO_TABLE)) if behind_dynamo else None
        if not engine:
            return None, dynamo
        shown = "" if UNKNOWN in spelled else spelled
        return engine_match(image, engine, self._known(ENGINE_TABLES[engine]), shown), dynamo

    def _known(self, table: str) -> tuple[str, ...]:
        found = self.table(table)
        return found.versions if found is not None else ()

    def table(self, name: str) -> Table | None:
        """A table of the catalogs; None where it is not there or damaged."""
        from configlint.catalog.tables import TableError

        try:
            return self.catalogs.table(name)
        except TableError:
            return None


def _model(settled: Settled, names: Submitted | None) -> str:
    """The model as the job finds it: names that are aliases looked up. Empty where that is not known."""
    if names is None:
        node = settled.value("model.path")
        path = node.text if node is not None else ""
    else:
        use = names.models[0] if names.models else None
        if use is None or use.is_unknown:
            return ""
        path = use.alias.value if use.alias is not None else use.given
    return path if path.startswith("/") or (path.startswith(HUB) and UNKNOWN not in path and "$" not in path) else ""


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
