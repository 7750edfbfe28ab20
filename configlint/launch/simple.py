"""Assignments and declarations."""

from __future__ import annotations

from configlint.launch.arithmetic import NotArithmetic, Undecided
from configlint.launch.arrays import element, items_of, open_array, ordered, with_element
from configlint.launch.fields import join_values
from configlint.launch.machine import Machine, NotAnalysed
from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.parameters import scalar_of
from configlint.launch.plans import Declared
from configlint.launch.state import Frame, Hidden, State
from configlint.launch.values import INPUT, UNKNOWN, Value, is_hole, options, unknown
from configlint.syntax.bash.nodes import ArrayValue, Assignment, Declaration, Word


def assign(
    machine: Machine, state: State, node: Assignment, *, ready: Cell | None = None, what: str = "assigned"
) -> None:
    """``name=value`` in all its forms. ``ready``: the value, where it has been expanded before."""
    name = node.name
    if isinstance(node.value, ArrayValue):
        machine.set(state, name, array(machine, state, node, node.value, machine.variable(state, name)))
        return
    cell = ready if ready is not None else _value(machine, state, node, what)
    if name in state.shapes:
        cell = _shaped(machine, state, node, cell)
    elif node.append and node.index is None:
        cell = _appended(machine, state, node, cell)
    if node.index is not None:
        machine.set(state, name, _with_element(machine, state, node, machine.variable(state, name), cell))
        return
    old = state.variables.get(name)
    machine.set(state, name, with_element(old, name, "0", cell) if isinstance(old, ArrayCell) else cell)


def _value(machine: Machine, state: State, node: Assignment, what: str) -> Cell:
    expander = machine.expander
    value = expander.assigned(node.value, state) if isinstance(node.value, Word) else ""
    return Cell(value, node.name, machine.place(state, node), what, expander.take_used())


def _appended(machine: Machine, state: State, node: Assignment, cell: Cell) -> Cell:
    """``name+=value``."""
    old = machine.variable(state, node.name)
    before = old if isinstance(old, Cell) else element(old, "0")
    if before is None:
        return cell
    return Cell(join_values([before.value, cell.value], node.name), node.name, cell.at, cell.what, (before, *cell.via))


def _shaped(machine: Machine, state: State, node: Assignment, cell: Cell) -> Cell:
    """The value as ``declare -i``, ``-u`` or ``-l`` make it."""
    shape = state.shapes[node.name]
    if "i" in shape:
        text = cell.value if isinstance(cell.value, str) else UNKNOWN
        old = scalar_of(machine.variable(state, node.name)) if node.append else "0"
        try:
            number = machine.expander.evaluate(text, state) if text else 0
            number += machine.expander.evaluate(old if isinstance(old, str) else UNKNOWN, state)
            value: Value = str(number)
        except (Undecided, NotArithmetic):
            value = unknown(f"arithmetic for {node.name}")
    else:
        cell = _appended(machine, state, node, cell) if node.append else cell
        value = machine.force(cell.value) if isinstance(cell.value, str) else UNKNOWN
        if UNKNOWN in value:
            value = unknown(f"{node.name} in other case")
        value = value.upper() if "u" in shape else value.lower()
    return Cell(value, node.name, cell.at, cell.what, cell.via)


def array(machine: Machine, state: State, node: Assignment, value: ArrayValue, old: Variable | None) -> Variable:
    """The array that ``name=( ... )`` makes of what the variable was."""
    kept = items_of(old) if node.append else ()
    before = old
    associative = isinstance(old, ArrayCell) and old.associative
    expander = machine.expander
    is_open = node.append and isinstance(old, ArrayCell) and old.is_open
    items = dict(kept)
    following = int(kept[-1][0]) + 1 if kept and not associative else 0
    for key, word in value.elements:
        place = machine.place(state, word)
        if key is not None:
            found = expander.scalar(key, state) if associative else expander.arithmetic(key, state)
            index = machine.force(found) if isinstance(found, str) else UNKNOWN
            text = expander.scalar(word, state)
            if UNKNOWN in index or (index.startswith("-") and not associative):
                return open_array(node.name, node.name, place, "assigned", associative=associative)
            items[index] = Cell(text, node.name, place, "assigned", expander.take_used())
            following = 0 if associative else int(index) + 1
            continue
        fields = expander.word_fields(word, state)
        used = tuple(expander.used)
        for field in fields:
            is_open |= is_hole(field) and not all(getattr(part, "quoted", False) for part in word.parts)
            items[str(following)] = Cell(field, node.name, place, "assigned", used)
            following += 1
        expander.take_used()
    now = machine.variable(state, node.name) if node.append else before
    if now is not before and isinstance(now, ArrayCell):  # an expansion has assigned elements on its way
        was = dict(kept)
        items.update({key: cell for key, cell in now.items if key in was and cell is not was[key]})
    at = machine.place(state, node)
    return ArrayCell(ordered(items.items(), associative), node.name, at, associative, is_open)


def _with_element(machine: Machine, state: State, node: Assignment, old: Variable | None, cell: Cell) -> Variable:
    assert node.index is not None
    associative = isinstance(old, ArrayCell) and old.associative
    if associative:
        index = machine.expander.scalar(node.index, state)
    else:
        index = machine.expander.arithmetic(node.index, state)
    if not isinstance(index, str) or UNKNOWN in (index := machine.force(index)):
        return open_array(node.name, node.name, cell.at, "assigned", associative=associative)
    before = element(old, index)
    if node.append and before is not None:
        cell = Cell(join_values([before.value, cell.value], node.name), node.name, cell.at, cell.what, (before,))
    return with_element(old, node.name, index, cell)


def declare(machine: Machine, state: State, node: Declaration) -> None:
    """``export``, ``local``, ``declare``, ``readonly``, ``typeset``."""
    plan = machine.world.declared(node)
    if plan.refers:
        raise NotAnalysed(machine.place(state, node), "a reference to another variable is not modelled")
    if plan.asks:
        _ask(state, node, plan.flags)
        return
    if node.keyword == "local" and function_frame(state) is None:
        state.status, state.failure = 1, "local: outside of a function"
        return
    declaration = _Declaration(machine, state, plan)
    values = [declaration.value(item) for item in node.items]  # all words are expanded before the first is assigned
    for item, value in zip(node.items, values, strict=True):
        names = [declaration.assign(item, value)] if isinstance(item, Assignment) else declaration.bare(item)
        if plan.exports:
            if not state.exported.issuperset(names):
                state.exported = state.exported.union(names)
        elif plan.unexports:
            state.exported = state.exported.difference(names)


def _ask(state: State, node: Declaration, flags: str) -> None:
    """``declare -F name`` and the like print; they fail where there is no such function."""
    names = [w.literal for w in node.items if isinstance(w, Word) and (w.literal or "-")[:1] not in ("-", "+")]
    state.status = int(any(name not in state.functions for name in names)) if set("fF") & set(flags) else None
    state.failure = "there is no such function"
    if state.captured is not None:
        state.captured.append(unknown(f"output of {node.keyword}"))


class _Declaration:
    """One declaration with its options."""

    def __init__(self, machine: Machine, state: State, plan: Declared) -> None:
        self._machine, self._state, self._flags = machine, state, plan.flags
        self._local = plan.local and bool(state.frames)
        self._shape, self._what = plan.shape, plan.what

    def value(self, item: Assignment | Word) -> Cell | None:
        """The value of ``name=word``; None where there is none, or it is an array."""
        if not isinstance(item, Assignment) or isinstance(item.value, ArrayValue):
            return None
        return _value(self._machine, self._state, item, self._what)

    def assign(self, item: Assignment, value: Cell | None) -> str:
        machine, state, name = self._machine, self._state, item.name
        fresh = self._local and not is_hidden(state, name)
        if isinstance(item.value, ArrayValue):
            old = None if fresh else machine.variable(state, name)
            if "A" in self._flags and not (isinstance(old, ArrayCell) and old.associative):
                old = ArrayCell((), name, None, True)
            made = array(machine, state, item, item.value, old)
            self._declare(name)
            machine.set(state, name, made)
            return name
        self._declare(name)
        if fresh:
            machine.unset(state, name)
        assign(machine, state, item, ready=value, what=self._what)
        return name

    def _declare(self, name: str) -> None:
        if self._local:
            hide(self._state, name)
        if self._shape:
            self._state.shapes = {**self._state.shapes, name: self._shape}

    def bare(self, word: Word) -> list[str]:
        """A name without a value, or words that expand to ``name=value`` (``export $SETTINGS``)."""
        if (word.literal or "")[:1] in ("-", "+"):
            return []
        machine, state = self._machine, self._state
        names = []
        for field in machine.expander.word_fields(word, state):
            via = machine.expander.take_used()
            for option in options(field):
                name, equals, value = option.partition("=")
                if INPUT in name or not equals:
                    name, equals, value = machine.force(option).partition("=")
                if UNKNOWN in name:
                    machine.assume(state, word, "no variable of interest is set by a name that is not known")
                if not name.isidentifier():
                    continue
                names.append(name)
                if equals:
                    self._declare(name)
                    machine.set(state, name, Cell(value, name, machine.place(state, word), self._what, via))
                else:
                    self._without_value(name, word)
        return names

    def _without_value(self, name: str, word: Word) -> None:
        machine, state = self._machine, self._state
        fresh = self._local and not is_hidden(state, name)
        frame = function_frame(state)
        self._declare(name)
        if fresh and not (frame is not None and name in frame.brought):
            machine.unset(state, name)
        if set("aA") & set(self._flags) and not isinstance(state.variables.get(name), ArrayCell):
            place = machine.place(state, word)
            machine.set(state, name, ArrayCell((), name, place, "A" in self._flags))


def function_frame(state: State) -> Frame | None:
    """The innermost function call."""
    for frame in reversed(state.frames):
        if frame.name == "bash":  # a script that was started knows nothing of the calls outside
            return None
        if frame.name not in ("source", "eval"):
            return frame
    return None


def is_hidden(state: State, name: str) -> bool:
    """True if the name is local to the innermost function already, or there is none."""
    frame = function_frame(state)
    return frame is None or name in frame.hidden


def hide(state: State, name: str) -> None:
    """Make a name local to the innermost function: what it was comes back when the function returns."""
    frame = function_frame(state)
    if frame is not None and name not in frame.hidden:
        frame.hidden[name] = Hidden(state.variables.get(name), name in state.unset)
