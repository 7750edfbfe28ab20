"""A launch told to people: its effective document line by line, and the story of how it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from configlint.cli.views import EffectiveLine, EffectiveView, TraceStep, TraceView
from configlint.launch.outcome import Cell, End, Outcome
from configlint.launch.values import shown
from configlint.model.documents import Document
from configlint.model.launches import Launch
from configlint.model.matrix import Point
from configlint.model.project import Model
from configlint.source.text import Place

_MAX_CHAIN = 6


def points_text(points: Sequence[Point]) -> str:
    """``conc 1 2 4``."""
    numbers: list[object] = []
    for point in points:
        value = point.concurrency
        numbers.extend(value if isinstance(value, list) else [value])
    return "conc " + " ".join(map(str, numbers))


def item_number(launch: Launch) -> int:
    """The item's position in its entry, from 1."""
    return launch.entry.items.index(launch.item) + 1


def effective_view(model: Model, launch: Launch, outcome: Outcome, document: Document | None) -> EffectiveView:
    """What one outcome submits, with the origin of every changed value."""
    facts = [("launcher", launch.launcher.path)]
    if outcome.clones:
        clone = outcome.clones[-1]
        readable = "" if model.launches.world.ref(clone.url, clone.ref).tree is not None else " (not readable here)"
        facts.append(("renderer", f"{_short(clone.url)} @ {clone.ref}{readable}"))
    lines: tuple[EffectiveLine, ...] = ()
    declared = effective = None
    missing = ""
    if document is None:
        missing = _ending(launch, outcome)
    else:
        facts.append(("recipe", _recipe(document)))
        if document.effective_text is None:
            missing = next((f"{e.why}: unknown after {_where(e.at)}" for e in reversed(document.edits) if e.why), "")
            missing = missing or "the recipe cannot be read here"
        else:
            lines = tuple(_lines(launch, document))
            effective = shown(document.effective_text.text)
            declared = shown(document.declared_text.text) if document.declared_text is not None else None
    return EffectiveView(
        entry=launch.entry.key, item=item_number(launch), place=launch.item.place, points=points_text(launch.points),
        mode=launch.mode, facts=tuple(facts), lines=lines, declared=declared, effective=effective, missing=missing,
    )  # fmt: skip


def _short(url: str) -> str:
    return url.removesuffix(".git").split("://", 1)[-1].partition("/")[2] or url


def _recipe(document: Document) -> str:
    given = document.given or "unknown"
    source = document.source
    return f"{given}, from {source.shown}" if source is not None else given


def _ending(launch: Launch, outcome: Outcome) -> str:
    if outcome.end is End.SCRIPT and outcome.sink is not None:
        return f"starts the script {outcome.sink.script_path}"
    where = f" at {_where(outcome.at)}" if outcome.at else ""
    words = {End.ABORT: "dies", End.EXIT: "exits", End.FALLTHROUGH: "ends", End.NOT_ANALYSED: "is not analysed"}
    return f"{launch.launcher.path} {words.get(outcome.end, 'ends')}{where}: {outcome.reason}"


def _where(place: Place) -> str:
    return f"{place.path}:{place.line}"


def _lines(launch: Launch, document: Document) -> Iterator[EffectiveLine]:
    text, declared = document.effective_text, document.declared_text
    assert text is not None
    for index, line in enumerate(text.text.split("\n")):
        origin = text.line(index)
        if origin is None or not origin.edited:
            yield EffectiveLine(shown(launch.bind(line)))
            continue
        was = _before(text, index)
        yield EffectiveLine(shown(launch.bind(line)), was, origin.place)
    if declared is None:
        return


def _before(text: object, index: int) -> str:
    """The declared line's value, where the line was rewritten in place."""
    from configlint.launch.texts import VirtualText

    node = text
    while isinstance(node, VirtualText) and node.base is not None:
        old = node.mapping[index] if index < len(node.mapping) else -1
        if old < 0:
            return "added"
        node, index = node.base, old
    if not isinstance(node, VirtualText):
        return ""
    line = node.text.split("\n")[index]
    return line.partition(":")[2].strip() or line.strip()


# --- traces ---------------------------------------------------------------------------------------


def trace_view(launch: Launch, outcome: Outcome, variables: Sequence[str]) -> TraceView:
    """How a launch went, in the order of the launcher's lines as they ran."""
    steps = [
        *(_decision(launch, one) for one in outcome.decisions),
        *(TraceStep("assume", one.text, one.at) for one in outcome.assumptions),
        *(TraceStep("clone", f"{one.url} at {one.ref}", one.named_at) for one in outcome.clones),
        *(TraceStep("edit" if e.kind == "sed" else "write", _edit_text(e), e.at) for e in outcome.edits),
        *(
            TraceStep(use.how if use.how in ("source", "copy") else "call", _use_text(launch, use), use.at)
            for use in outcome.uses
            if use.how in ("source", "run", "copy")
        ),
    ]
    steps.sort(key=lambda step: (step.at.path, step.at.span.start) if step.at else ("", 0))
    kinds = {End.SUBMIT: "submit", End.SCRIPT: "script", End.ABORT: "abort"}
    last = _ending(launch, outcome)
    if outcome.end is End.SUBMIT and outcome.sink is not None and outcome.sink.config is not None:
        last = f"submits {shown(launch.bind(outcome.sink.config.value))}"
    steps.append(TraceStep(kinds.get(outcome.end, "exit"), last, outcome.at))
    told = tuple(_variable(launch, outcome, name) for name in variables)
    return TraceView(
        launch.entry.key, item_number(launch), launch.item.place, launch.launcher.path, launch.launcher.runner,
        launch.mode, tuple(steps), told,
    )  # fmt: skip


def _decision(launch: Launch, decision: object) -> TraceStep:
    from configlint.launch.outcome import Decision

    assert isinstance(decision, Decision)
    why = tuple(
        f"{cell.name} = {shown(launch.bind(cell.value))}{_from(launch, cell)}" for cell in decision.cells if cell.name
    )
    return TraceStep(
        "branch", f"{decision.at.text.slice(decision.at.span).splitlines()[0]} is {decision.taken}", decision.at, why
    )


def _from(launch: Launch, cell: Cell) -> str:
    if cell.at is not None:
        return f" ({cell.what} at {_where(cell.at)})"
    if cell.what == "input":
        places = launch.matrix_places(cell.name)
        variable = launch.environment.variable(cell.name)
        where = places[0] if places else variable.place if variable is not None else None
        return f" ({_where(where)})" if where is not None else ""
    return f" ({cell.what})" if cell.what else ""


def _edit_text(edit: object) -> str:
    from configlint.launch.outcome import Edit

    assert isinstance(edit, Edit)
    changed = "1 line" if edit.matched == 1 else f"{edit.matched} lines"
    effect = edit.why or ("matches nothing" if edit.matched == 0 else changed if edit.matched else edit.kind)
    return f"{shown(edit.path)}: {effect}"


def _use_text(launch: Launch, use: object) -> str:
    from configlint.launch.outcome import FileUse

    assert isinstance(use, FileUse)
    state = {True: "", False: " (does not exist)", None: " (not known here)"}[use.exists]
    return f"{use.command} {shown(launch.bind(use.operand.value))}{state}"


def _variable(launch: Launch, outcome: Outcome, name: str) -> tuple[str, str, tuple[str, ...]]:
    variable = outcome.variables.get(name)
    if variable is None:
        found = launch.environment.variable(name)
        if found is None:
            return name, "not set", ()
        places = launch.matrix_places(name)
        at = places or ((found.place,) if found.place is not None else ())
        return name, shown(found.value), tuple(f"{found.kind} at {_where(place)}" for place in at)
    cells = [variable] if isinstance(variable, Cell) else [cell for _, cell in variable.items]
    value = " ".join(shown(launch.bind(cell.value)) for cell in cells)
    chain = [
        f"{one.name} {one.what} = {shown(launch.bind(one.value))}{_from(launch, one)}"
        for cell in cells
        for one in launch.sources(cell)
    ]
    return name, value, tuple(chain[:_MAX_CHAIN])
