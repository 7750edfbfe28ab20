"""The containers that a launch's engine runs in, with what they were made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configlint.launch.outcome import Cell, Outcome
from configlint.launch.values import holes, options, shown
from configlint.model.documents import Documents, place_in
from configlint.model.launches import Launch
from configlint.profile.profile import Profile
from configlint.source.text import Place


@dataclass(frozen=True)
class Container:
    """A container: its value for people, where the launcher names it, and the cells that went into it.

    ``cells`` is None where that is not known. ``undetermined`` names what is not known about the value, the host's own
    variables aside. ``asked_at`` are the places in the document that name it.
    """

    value: str
    place: Place
    cells: tuple[Cell, ...] | None
    undetermined: tuple[str, ...] = ()
    asked_at: tuple[Place, ...] = ()

    @property
    def made_at(self) -> Place:
        """Where its value is assigned; where it is named, if that is all there is."""
        pending, seen = list(self.cells or ()), set[int]()
        while pending:
            cell = pending.pop(0)
            if cell.what == "assigned" and cell.at is not None:
                return cell.at
            if id(cell) not in seen:
                seen.add(id(cell))
                pending += cell.via
        return self.place


def containers(launch: Launch, outcome: Outcome, documents: Documents) -> Iterator[Container]:
    """The container of the script that is started, or the files behind the aliases that the document names.

    Containers beside the engine are left out, and so are those that a document names without an alias.
    """
    profile, sink = documents.profile, outcome.sink
    if sink is None:
        return
    if sink.container is not None:
        bound = launch.bind(sink.container.value)
        place = sink.container.at or sink.at
        unclear = _undetermined(profile, *options(bound))
        yield from _engine(profile, Container(shown(bound), place, (sink.container,), unclear))
    if sink.config is not None:
        yield from _aliased(launch, outcome, documents)


def _engine(profile: Profile, container: Container) -> Iterator[Container]:
    if not profile.policy.is_side_image(container.value):
        yield container


def _aliased(launch: Launch, outcome: Outcome, documents: Documents) -> Iterator[Container]:
    profile = documents.profile
    generated = documents.generated(outcome, profile.aliases.file) if profile.aliases.file else None
    root = generated[1].root if generated is not None else None
    table = root.get(profile.aliases.containers) if root is not None and root.kind == "map" else None
    document = next((one for one in documents.of(launch) if one.outcome is outcome), None)
    if generated is None or table is None or table.kind != "map" or document is None:
        return
    asked: dict[str, list[Place]] = {}
    for variant in document.variants:
        node = variant.node(profile.documents.container)
        if node is not None and node.kind == "scalar":
            place = document.place(node)
            asked.setdefault(node.text, []).extend([place] if place is not None else [])
    for name, places in asked.items():
        value = table.get(name)
        at = place_in(generated[0], value) if value is not None else None
        if value is not None and at is not None:
            cells = documents.provenance.behind(launch, outcome, at, value_only=True)
            shown_value, unclear = shown(value.text), _undetermined(profile, value.text)
            yield from _engine(profile, Container(shown_value, at, cells, unclear, tuple(dict.fromkeys(places))))


def _undetermined(profile: Profile, *texts: str) -> tuple[str, ...]:
    variables = profile.variables
    names = {hole for text in texts for hole in holes(text)}
    return tuple(sorted(name for name in names if not variables.is_host(name) and name not in variables.workspace))
