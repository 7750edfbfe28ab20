"""From tree-sitter's tree over an outline to commands. No node of tree-sitter leaves this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from configlint.syntax.bash.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Background,
    Case,
    CaseArm,
    Command,
    Conditional,
    Declaration,
    For,
    Function,
    Group,
    If,
    IfClause,
    Opaque,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Subshell,
    While,
)
from configlint.syntax.bash.outline import Outline, Places, Prefix, Raw
from configlint.syntax.bash.reader import MAX_CHAIN, Reader, SyntaxFault

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_SEPARATORS = frozenset((";", "&", ";;"))


class _Broken(Exception):
    """The statement being built contains what the grammar did not understand."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.tree = tree


def _first_error(tree: Tree) -> Tree:
    """The first node in the tree that the grammar did not understand or had to invent."""
    stack = [tree]
    while stack:
        found = stack.pop()
        if found.is_error or found.is_missing:
            return found
        stack.extend(child for child in reversed(found.children) if child.has_error or child.is_missing)
    return tree


def _sequence(commands: list[Command], at: int) -> Sequence:
    """The commands in a row; ``at`` is the place of an empty one."""
    if not commands:
        return Sequence(at, at, ())
    return Sequence(commands[0].start, commands[-1].end, tuple(commands))


def simple(raw: Raw) -> Simple | Declaration:
    """The command that the outline read."""
    redirects = tuple(raw.redirects)
    assignments = tuple(raw.assignments)
    if raw.declaration:
        return Declaration(raw.start, raw.end, raw.declaration, tuple(raw.items), redirects, assignments)
    return Simple(raw.start, raw.end, assignments, tuple(raw.words), redirects)


class Builder:
    """Builds the commands of one outline. Offsets of the tree are relative to the outline's start."""

    def __init__(self, reader: Reader, outline: Outline) -> None:
        self.reader = reader
        self.outline = outline
        self.places = Places(outline)
        self.start, self.end = self.places.start, self.places.end
        self.kinds = {
            "command": self._simple,
            "list": self._chain,
            "pipeline": self._chain,
            "if_statement": self._if,
            "while_statement": self._while,
            "for_statement": self._for,
            "case_statement": self._case,
            "subshell": self._subshell,
            "compound_statement": self._group,
        }

    def build(self, root: Tree) -> Sequence:
        """The commands of a whole list. One that the grammar did not understand is opaque, as bash runs none of it.

        Where the grammar lost the list itself, what follows may belong inside what it lost, so it is opaque, too.
        """
        commands: list[Command] = []
        children = root.children
        while children and children[0].is_error:  # the grammar may put whole commands in front of the error into it
            children = [*children[0].children, *children[1:]]
        depth = self.reader.depth
        for child in children:
            if child.type not in self.kinds and child.type not in _SEPARATORS:
                start = self._line_start(commands, self.start(child.start_byte))
                commands.append(self._opaque(_first_error(child), start, self.end(root.end_byte)))
                break
            try:
                if child.has_error:
                    raise _Broken(_first_error(child))
                self._append(commands, child)
            except _Broken as broken:
                start = self._line_start(commands, self.start(child.start_byte))
                commands.append(self._opaque(broken.tree, start, self.end(child.end_byte)))
            except SyntaxFault as fault:
                self.reader.fault(fault.start, fault.end, fault.message)
                start, end = self.start(child.start_byte), self.end(child.end_byte)
                commands.append(Opaque(start, end, "syntax error", self.reader.text(start, end)))
                self.reader.depth = depth
        return _sequence(commands, self.outline.start)

    def _line_start(self, commands: list[Command], start: int) -> int:
        """Where the opaque rest starts: with the first command of the line of ``start``, as bash runs none of it."""
        line = self.reader.src.rfind("\n", 0, start) + 1
        while commands and commands[-1].end > line:
            start = commands.pop().start
        return start

    def _append(self, commands: list[Command], child: Tree) -> None:
        if child.type == "&":
            if not commands:
                raise _Broken(child)
            last = commands.pop()
            commands.append(Background(last.start, self.end(child.end_byte), last))
        elif child.type not in _SEPARATORS:
            commands.append(self._command(child))

    def _inner(self, children: list[Tree], opening: Tree) -> Sequence:
        """The statements of a body, one level down."""
        at = self.end(opening.end_byte)
        self.reader.deeper(at)
        commands: list[Command] = []
        for child in children:
            self._append(commands, child)
        self.reader.depth -= 1
        return _sequence(commands, at)

    def _opaque(self, error: Tree, start: int, end: int) -> Opaque:
        reader = self.reader
        if error.is_missing and error.parent is not None:
            opening = error.parent.children[0]
            at, stop = self.start(opening.start_byte), self.end(opening.end_byte)
            message = f"syntax error: no `{error.type}` for `{reader.text(at, stop)}`"
        else:
            at, stop = self.start(error.start_byte), self.end(error.end_byte)
            if reader.src[at] == "\n":  # a line's end that should not have been there: by what comes next
                at, stop = self.places.following(error.start_byte)
            shown = reader.text(at, min(stop, at + 40)).split("\n")[0]
            message = f"syntax error near `{shown.strip()}`"
        reader.fault(at, stop, message)
        end = max(start, end)  # what the grammar invents has no width
        return Opaque(start, end, "syntax error", reader.text(start, end))

    # --- statements ----------------------------------------------------------------------------

    def _command(self, tree: Tree) -> Command:
        build = self.kinds.get(tree.type)
        if build is None:
            raise _Broken(tree)
        command = build(tree)
        if build != self._chain and (prefixes := self.outline.prefixes.get(command.start)):
            return self._prefixed(command, prefixes, tree)
        return command

    def _after(self, tree: Tree) -> tuple[Redirect, ...]:
        found = self.outline.trailing.get(self.end(tree.end_byte))
        return tuple(found) if found else ()

    def _prefixed(self, command: Command, prefixes: list[Prefix], tree: Tree) -> Command:
        for position in range(len(prefixes) - 1, -1, -1):
            prefix = prefixes[position]
            if prefix.kind == "function":
                if isinstance(command, Simple | Declaration | Function | Pipeline | Opaque):
                    raise _Broken(tree)
                command = Function(prefix.start, command.end, prefix.name, command)
            elif prefix.kind == "coproc":
                command = Opaque(prefix.start, command.end, "coproc", self.reader.text(prefix.start, command.end))
            else:
                break
        else:
            return command
        return Pipeline(
            prefixes[0].start,
            command.end,
            (command,),
            negated=sum(p.kind == "!" for p in prefixes[: position + 1]) % 2 == 1,
            timed=any(p.kind == "time" for p in prefixes[: position + 1]),
        )

    def _chain(self, tree: Tree) -> Command:
        """Lists and pipelines, regrouped: ``|`` binds closer than ``&&`` and ``||``, which group to the left."""
        commands: list[Command] = []
        operators: list[str] = []
        stack = [tree]
        while stack:
            part = stack.pop()
            kind = part.type
            if kind == "list" or kind == "pipeline":
                stack.extend(reversed(part.children))
            elif kind in ("&&", "||", "|", "|&"):
                operators.append(kind)
            else:
                commands.append(self._command(part))
        if len(commands) != len(operators) + 1:
            raise _Broken(tree)
        if len(operators) - operators.count("|") - operators.count("|&") > MAX_CHAIN:
            raise SyntaxFault(f"more than {MAX_CHAIN} commands in one list", commands[0].start, self.reader.end)
        result: Command | None = None
        joined = ""
        first = 0
        for position in range(len(commands)):
            if position < len(operators) and operators[position] in ("|", "|&"):
                continue
            right = self._pipeline(commands[first : position + 1], operators[first:position])
            result = right if result is None else AndOr(result.start, right.end, result, joined, right)
            joined = operators[position] if position < len(operators) else ""
            first = position + 1
        assert result is not None
        return result

    def _pipeline(self, commands: list[Command], operators: list[str]) -> Command:
        first = commands[0]
        if len(commands) == 1:
            return first
        negated = timed = False
        start = first.start
        if isinstance(first, Pipeline):  # the ``!`` in front of the first command is the pipeline's
            negated, timed = first.negated, first.timed
            commands = [first.commands[0], *commands[1:]]
        merges = tuple(operator == "|&" for operator in operators)
        return Pipeline(start, commands[-1].end, tuple(commands), negated, merges if any(merges) else (), timed)

    def _simple(self, tree: Tree) -> Command:
        found = self.outline.commands.get(self.start(tree.start_byte))
        if found is None:
            raise _Broken(tree)
        if isinstance(found, Raw):
            return simple(found)
        redirects = self.outline.trailing.get(found.end)
        if not redirects:
            return found
        if isinstance(found, Conditional):
            return Conditional(found.start, redirects[-1].end, found.expression, tuple(redirects))
        return ArithmeticCommand(found.start, redirects[-1].end, found.expression, tuple(redirects))

    # --- compound commands -----------------------------------------------------------------------

    def _place(self, tree: Tree) -> tuple[int, int, tuple[Redirect, ...]]:
        redirects = self._after(tree)
        return self.start(tree.start_byte), redirects[-1].end if redirects else self.end(tree.end_byte), redirects

    def _if(self, tree: Tree) -> If:
        clauses: list[IfClause] = []
        otherwise: Sequence | None = None
        children = tree.children
        self._check(children[-1], "fi")
        first = [child for child in children[:-1] if child.type not in ("elif_clause", "else_clause")]
        clauses.append(self._clause(first))
        for child in children:
            if child.type == "elif_clause":
                clauses.append(self._clause(child.children))
            elif child.type == "else_clause":
                parts = child.children
                otherwise = self._inner(parts[1:], parts[0])
        start, end, redirects = self._place(tree)
        return If(start, end, tuple(clauses), otherwise, redirects)

    def _clause(self, children: list[Tree]) -> IfClause:
        kinds = [child.type for child in children]
        if "then" not in kinds:
            raise _Broken(children[0])
        then = kinds.index("then")
        condition = self._inner(children[1:then], children[0])
        body = self._inner(children[then + 1 :], children[then])
        return IfClause(
            self.start(children[0].start_byte), max(body.end, self.end(children[then].end_byte)), condition, body
        )

    def _check(self, tree: Tree, kind: str) -> None:
        if tree.type != kind or tree.is_missing:
            raise _Broken(tree)

    def _do(self, tree: Tree) -> Sequence:
        self._check(tree, "do_group")
        children = tree.children
        self._check(children[0], "do")
        self._check(children[-1], "done")
        return self._inner(children[1:-1], children[0])

    def _while(self, tree: Tree) -> While:
        children = tree.children
        condition = self._inner(children[1:-1], children[0])
        body = self._do(children[-1])
        start, end, redirects = self._place(tree)
        return While(start, end, condition, body, children[0].type == "until", redirects)

    def _for(self, tree: Tree) -> For | ArithmeticFor:
        children = tree.children
        body = self._do(children[-1])
        for child in children[1:-1]:
            if child.type not in ("variable_name", ";"):
                raise _Broken(child)
        start, end, redirects = self._place(tree)
        loop = self.outline.loops[start]
        if loop.arithmetic is not None:
            return ArithmeticFor(start, end, *loop.arithmetic, body, redirects)
        return For(start, end, loop.name, loop.words, body, redirects, children[0].type == "select")

    def _case(self, tree: Tree) -> Case:
        arms: list[CaseArm] = []
        children = tree.children
        self._check(children[-1], "esac")
        for child in children:
            if child.type == "case_item":
                arms.append(self._arm(child))
            elif child.type == "ERROR" or child.is_missing:
                raise _Broken(child)
        start, end, redirects = self._place(tree)
        return Case(start, end, self.outline.subjects[start], tuple(arms), redirects)

    def _arm(self, tree: Tree) -> CaseArm:
        children = tree.children
        start = self.start(tree.start_byte)
        patterns = self.outline.arms.get(start)
        if patterns is None or len(children) < 2:
            raise _Broken(tree)
        self._check(children[1], ")")
        terminator = self.outline.terminators.get(self.start(children[-1].start_byte), ";;")
        body = self._inner(children[2:], children[1])
        return CaseArm(start, self.end(tree.end_byte), patterns, body, terminator)

    def _subshell(self, tree: Tree) -> Subshell:
        start, end, redirects = self._place(tree)
        return Subshell(start, end, self._enclosed(tree, "(", ")"), redirects)

    def _group(self, tree: Tree) -> Group:
        start, end, redirects = self._place(tree)
        return Group(start, end, self._enclosed(tree, "{", "}"), redirects)

    def _enclosed(self, tree: Tree, opening: str, closing: str) -> Sequence:
        children = tree.children
        self._check(children[0], opening)
        self._check(children[-1], closing)
        return self._inner(children[1:-1], children[0])
