"""Assignments and declarations."""

from __future__ import annotations

from configlint.launch.fields import join_values
from configlint.launch.machine import Machine
from configlint.launch.outcome import ArrayCell, Cell, Variable
from configlint.launch.parameters import scalar_of
from configlint.launch.state import State
from configlint.launch.values import UNKNOWN, options, unknown
from configlint.syntax.bash.nodes import ArrayValue, Assignment, Declaration, Word


def assign(machine: Machine, state: State, node: Assignment, *, what: str = "assigned") -> None:
    """``name=value`` in all its forms."""
    expander = machine.expander
    place = machine.place(state, node)
    if isinstance(node.value, ArrayValue):
        machine.set(state, node.name, _array(machine, state, node, node.value))
        return
    value = expander.scalar(node.value, state) if node.value is not None else ""
    old = machine.variable(state, node.name) if node.append or node.index is not None else None
    if node.index is not None:
        machine.set(state, node.name, _with_element(machine, state, node, old, Cell(
            value, node.name, place, what, expander.take_used())))  # fmt: skip
        return
    if node.append and old is not None:
        if isinstance(old, ArrayCell):
            first = old.items[0][1] if old.items else Cell("")
            both = Cell(join_values([first.value, value], node.name), node.name, place, what, (first,))
            machine.set(state, node.name, ArrayCell((("0", both), *old.items[1:]), node.name, place, old.associative))
            return
        expander.used.append(old)
        value = join_values([scalar_of(old), value], node.name)
    machine.set(state, node.name, Cell(value, node.name, place, what, expander.take_used()))


def _array(machine: Machine, state: State, node: Assignment, value: ArrayValue) -> ArrayCell:
    old = machine.variable(state, node.name)
    kept: tuple[tuple[str, Cell], ...] = ()
    associative = isinstance(old, ArrayCell) and old.associative
    if node.append and old is not None:
        kept = old.items if isinstance(old, ArrayCell) else (("0", old),)
    items = dict(kept)
    following = int(kept[-1][0]) + 1 if kept and not associative and kept[-1][0].isdigit() else 0
    for key, word in value.elements:
        place = machine.place(state, word)
        if key is not None:
            index = str(machine.expander.scalar(key, state) if associative else machine.expander.arithmetic(key, state))
            text = machine.expander.scalar(word, state)
            items[index] = Cell(text, node.name, place, "assigned", machine.expander.take_used())
            following = int(index) + 1 if index.isdigit() else following
            continue
        for field in machine.expander.word_fields(word, state):
            items[str(following)] = Cell(field, node.name, place, "assigned", tuple(machine.expander.used))
            following += 1
        machine.expander.take_used()
    ordered = items.items() if associative else sorted(items.items(), key=lambda item: (len(item[0]), item[0]))
    return ArrayCell(tuple(ordered), node.name, machine.place(state, node), associative)


def _with_element(machine: Machine, state: State, node: Assignment, old: Variable | None, cell: Cell) -> Variable:
    assert node.index is not None
    associative = isinstance(old, ArrayCell) and old.associative
    if associative:
        index = machine.expander.scalar(node.index, state)
    else:
        index = machine.expander.arithmetic(node.index, state)
    if not isinstance(index, str) or UNKNOWN in index:
        return Cell(unknown(node.name), node.name, cell.at, "assigned")
    items = dict(old.items if isinstance(old, ArrayCell) else (("0", old),) if old is not None else ())
    if node.append and index in items:
        cell = Cell(
            join_values([items[index].value, cell.value], node.name), node.name, cell.at, cell.what, (items[index],)
        )
    items[index] = cell
    ordered = items.items() if associative else sorted(items.items(), key=lambda item: (len(item[0]), item[0]))
    return ArrayCell(tuple(ordered), node.name, cell.at, associative)


def declare(machine: Machine, state: State, node: Declaration) -> None:
    """``export``, ``local``, ``declare``, ``readonly``, ``typeset``."""
    words = [item.literal or "" for item in node.items if isinstance(item, Word)]
    flags = "".join(word[1:] for word in words if word[:1] in ("-", "+"))
    unexport = node.keyword == "export" and "n" in flags
    exports = (node.keyword == "export" and not unexport) or "x" in flags
    local = node.keyword == "local" or (
        node.keyword in ("declare", "typeset") and bool(state.frames) and "g" not in flags
    )
    for item in node.items:
        if isinstance(item, Assignment):
            _hide(state, item.name, local)
            if "A" in flags and isinstance(item.value, ArrayValue):
                machine.set(state, item.name, ArrayCell((), item.name, machine.place(state, item), True))
            assign(machine, state, item, what="exported" if exports else "assigned")
            names = [item.name]
        else:
            names = _bare(machine, state, item, local, flags, exports)
        if exports:
            state.exported |= set(names)
        elif unexport:
            state.exported -= set(names)


def _hide(state: State, name: str, local: bool) -> None:
    frame = next((f for f in reversed(state.frames) if f.name not in ("source", "bash")), None)
    if local and frame is not None and name not in frame.hidden:
        frame.hidden[name] = state.variables.get(name)


def _bare(machine: Machine, state: State, word: Word, local: bool, flags: str, exports: bool) -> list[str]:
    """A name without a value, or words that expand to ``name=value`` (``export $SETTINGS``)."""
    if (word.literal or "")[:1] in ("-", "+"):
        return []
    names = []
    for field in machine.expander.word_fields(word, state):
        via = machine.expander.take_used()
        for option in options(field):
            text = machine.force(option)
            name, equals, value = text.partition("=")
            if not name.isidentifier():
                continue
            names.append(name)
            if equals:
                machine.set(state, name, Cell(value, name, machine.place(state, word), "exported", via))
            elif local:
                _hide(state, name, local)
                state.variables.pop(name, None)
                state.unset |= {name}
            if "A" in flags or "a" in flags:
                machine.set(state, name, ArrayCell((), name, machine.place(state, word), "A" in flags))
    return names if exports or names else []
