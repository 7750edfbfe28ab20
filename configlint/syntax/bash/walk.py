"""Walking the tree: commands in commands, the substitutions and the parameters of their words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Assignment, CommandSubstitution, Node, Redirect, Word

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def find_substitutions(statement: Node) -> Iterator[CommandSubstitution]:
    """Command substitutions in the statement's own words, in order; not those of nested commands."""
    for word in own_words(statement):
        yield from _in_word(word)


def at_offsets(node: Node, offsets: Sequence[int]) -> Iterator[Node]:
    """The nodes in which one of these offsets lies, this one included, in order of their start."""
    pending, ordered = [node], sorted(offsets)
    while pending:
        current = pending.pop()
        first = bisect_left(ordered, current.start)
        if first == len(ordered) or ordered[first] >= current.end:
            continue
        yield current
        below: list[Node] = []
        for name in _slots(type(current)):
            value = getattr(current, name)
            if isinstance(value, Node):
                below.append(value)
            elif isinstance(value, tuple):
                # Elements of an array are pairs of index and value.
                flat = (part for one in value for part in (one if isinstance(one, tuple) else (one,)))
                below += [part for part in flat if isinstance(part, Node)]
        pending += sorted(below, key=lambda one: -one.start)


def _slots(kind: type[Node]) -> tuple[str, ...]:
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))


def own_words(statement: Node) -> Iterator[Word]:
    """The words a statement expands itself: arguments, values, tests, and (for a simple command) redirects."""
    if isinstance(statement, nodes.Simple):
        for assignment in statement.assignments:
            yield from _in_assignment(assignment)
        yield from statement.words
        yield from _in_redirects(statement.redirects)
    elif isinstance(statement, nodes.Declaration):
        for item in statement.items:
            if isinstance(item, Assignment):
                yield from _in_assignment(item)
            else:
                yield item
        yield from _in_redirects(statement.redirects)
    elif isinstance(statement, nodes.Conditional):
        yield from _in_condition(statement.expression)
    elif isinstance(statement, nodes.ArithmeticCommand):
        yield statement.expression
    elif isinstance(statement, nodes.Case):
        yield statement.subject
    elif isinstance(statement, nodes.For) and statement.words is not None:
        yield from statement.words


def _in_redirects(redirects: tuple[Redirect, ...]) -> Iterator[Word]:
    for redirect in redirects:
        target = redirect.target
        yield target if isinstance(target, Word) else target.body


def _in_assignment(assignment: Assignment) -> Iterator[Word]:
    if assignment.index is not None:
        yield assignment.index
    if isinstance(assignment.value, Word):
        yield assignment.value
    elif assignment.value is not None:
        for key, value in assignment.value.elements:
            if key is not None:
                yield key
            yield value


def _in_condition(condition: nodes.Condition) -> Iterator[Word]:
    if isinstance(condition, nodes.LogicalTest):
        yield from _in_condition(condition.left)
        yield from _in_condition(condition.right)
    elif isinstance(condition, nodes.NotTest):
        yield from _in_condition(condition.operand)
    elif isinstance(condition, nodes.UnaryTest):
        yield condition.operand
    elif isinstance(condition, nodes.BinaryTest):
        yield condition.left
        yield condition.right


def _in_word(word: Word) -> Iterator[CommandSubstitution]:
    for part in word.parts:
        if isinstance(part, CommandSubstitution):
            yield part
        elif isinstance(part, nodes.Arithmetic):
            yield from _in_word(part.expression)
        elif isinstance(part, nodes.Parameter):
            for inner in (part.index, part.argument, part.replacement):
                if inner is not None:
                    yield from _in_word(inner)


def commands(root: nodes.Command) -> Iterator[nodes.Command]:
    """Every command below a command, itself first, in source order; those of command substitutions are left out."""
    pending = [root]
    while pending:
        command = pending.pop()
        yield command
        pending.extend(reversed(tuple(_inside(command))))


def _inside(command: nodes.Command) -> Iterator[nodes.Command]:
    if isinstance(command, nodes.Sequence):
        yield from command.commands
    elif isinstance(command, nodes.AndOr):
        yield command.left
        yield command.right
    elif isinstance(command, nodes.Pipeline):
        yield from command.commands
    elif isinstance(command, nodes.If):
        for clause in command.clauses:
            yield clause.condition
            yield clause.body
        if command.otherwise is not None:
            yield command.otherwise
    elif isinstance(command, nodes.Case):
        for arm in command.arms:
            yield arm.body
    elif isinstance(command, nodes.While):
        yield command.condition
        yield command.body
    elif isinstance(command, (nodes.For, nodes.ArithmeticFor, nodes.Group, nodes.Subshell, nodes.Function)):
        yield command.body
    elif isinstance(command, nodes.Background):
        yield command.command


def parameters(root: nodes.Node) -> Iterator[str]:
    """The names of all parameters that a command or word expands, in source order, once for each place."""
    if isinstance(root, Word):
        yield from _of_word(root)
        return
    for command in commands(root):  # type: ignore[arg-type]
        for word in own_words(command):
            yield from _of_word(word)


def _of_word(word: Word) -> Iterator[str]:
    for part in word.parts:
        if isinstance(part, nodes.Parameter):
            yield part.name
            for inner in (part.index, part.argument, part.replacement):
                if inner is not None:
                    yield from _of_word(inner)
        elif isinstance(part, nodes.Arithmetic):
            for piece in part.expression.parts:  # bare names are variables there
                if isinstance(piece, nodes.Literal):
                    yield from _NAME.findall(piece.text)
            yield from _of_word(part.expression)
        elif isinstance(part, (CommandSubstitution, nodes.ProcessSubstitution)):
            yield from parameters(part.body)
