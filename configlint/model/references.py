"""Files that a script names and that do not exist, as far as that can be read off its text.

Only what bash would certainly make of a word counts: literal text, the script's own path, the checkout's root, and
``dirname``, ``cd ... && pwd`` and the like around them. Anything else is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from configlint.launch import patterns
from configlint.model.statements import Statement
from configlint.profile.profile import Profile
from configlint.source.text import Place
from configlint.source.trees import Kind, Tree
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Assignment, Command, CommandSubstitution, Literal, Parameter, Script, Word
from configlint.syntax.bash.walk import commands

ROOT = "\0"  # the checkout, in front of a path
_SHELLS = frozenset({"bash", "sh"})
_PYTHONS = frozenset({"python", "python3"})
_MOVES = frozenset({"cd", "pushd"})
_DEPTH = 20  # variables made of variables


@dataclass(frozen=True)
class MissingFile:
    """A file of the tree that a script needs and that is not there. ``how``: source, run, copy or read.

    ``conditional``: the statement may never run. ``near`` are files of that name elsewhere, the nearest ones.
    """

    at: Place
    path: str
    how: str
    conditional: bool = False
    near: tuple[str, ...] = ()


def resolved(path: str) -> str | None:
    """A path below :data:`ROOT` relative to the root, ``.`` and ``..`` resolved; None where it is or leads outside."""
    if not path.startswith(ROOT):
        return None
    steps: list[str] = []
    for step in path[1:].split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


@dataclass(eq=False)
class References:
    """The files that one script names. ``is_sourced``: whether other scripts source one, so that ``$0`` is another."""

    script: Script
    statements: tuple[Statement, ...]
    tree: Tree
    profile: Profile
    is_sourced: Callable[[str], bool]
    _values: dict[str, str | None] = field(default_factory=dict)

    def sourced(self) -> Iterator[str]:
        """The files of the tree that the script sources, itself taken for a program that is run."""
        for one in self.statements:
            if one.name in ("source", "."):
                for word in one.node.words[1:2]:
                    path = resolved(self.value(word) or "")
                    if path:
                        yield path

    def named(self) -> Iterator[tuple[str, str]]:
        """The files of the tree that the script certainly sources, runs or copies, each with how."""
        for one in self.statements:
            for word, how in self._needs(one):
                path = self._path(word, how)
                if path and self.tree.kind(path) is Kind.FILE:
                    yield path, how

    def missing(self) -> Iterator[MissingFile]:
        """Needed files that do not exist; what the script expects to be missing, or makes itself, is left out."""
        for one in self.statements:
            if one.excused:
                continue
            for word, how in self._needs(one):
                path = self._path(word, how)
                if path and not self._exists(path) and not self._is_made(path, one):
                    yield MissingFile(Place(self.script.text, word.span), path, how, one.conditional)

    @staticmethod
    def _needs(one: Statement) -> Iterator[tuple[Word, str]]:
        """The words of a statement that name a file which has to exist."""
        name, words = one.name.rpartition("/")[2], one.node.words
        start = one.skipped
        operands = [word for word in words[start + 1 :] if not (word.literal or "").startswith("-")]
        if name in ("source", "."):
            yield from ((word, "source") for word in operands[:1])
        elif name in _SHELLS | _PYTHONS:
            if not any((word.literal or "")[:2] in ("-c", "-m", "-s") for word in words[start + 1 :]):
                yield from ((word, "run") for word in operands[:1])
        elif name == "cp":
            yield from ((word, "copy") for word in operands[:-1])
        elif words[start].literal is None:
            yield words[start], "run"

    def _path(self, word: Word, how: str) -> str | None:
        """The path in the tree that a word certainly is."""
        value = self.value(word)
        if value is None:
            return None
        if value.startswith(ROOT):
            return resolved(value)
        # A relative path depends on where the script runs: only at the root does it name the tree's own folders.
        first = value.partition("/")[0]
        if how != "source" or "/" not in value or self._moves or self.tree.kind(first) is not Kind.DIRECTORY:
            return None
        own = self.script.text.path.rpartition("/")[0]
        if self._exists(resolved(f"{ROOT}/{own}/{value}") or ""):
            return None
        return resolved(f"{ROOT}/{value}")

    def _exists(self, path: str) -> bool:
        return self.tree.kind(path) is not Kind.ABSENT

    def _is_made(self, path: str, user: Statement) -> bool:
        """True if the path looks like something that is made when the script runs."""
        steps = path.split("/")
        if any(step.startswith(".") for step in steps):
            return True
        known = 0
        while known < len(steps) - 1 and self._exists("/".join(steps[: known + 1])):
            known += 1
        name = steps[known]  # the first step that is not in the tree
        return known == 0 or any(name in text for text in self._other_texts(user))

    def _other_texts(self, user: Statement) -> Iterator[str]:
        """The source of statements that do not use files the same way, and of redirections."""
        for one in self.statements:
            if one.name not in ("source", ".", "[", "test", "echo", user.name):
                yield self.script.text.slice(one.node.span)
            else:
                yield from (self.script.text.slice(r.span) for r in one.node.redirects if ">" in r.operator)

    @cached_property
    def _moves(self) -> bool:
        return any(one.name in _MOVES for one in self.statements)

    # --- values ---------------------------------------------------------------------------------------

    def value(self, word: Word, depth: int = 0) -> str | None:
        """What a word certainly is, the checkout's root written as :data:`ROOT`; None where it is not certain."""
        texts: list[str] = []
        for part in word.parts:
            text: str | None = None
            if isinstance(part, Literal):
                text = None if not part.quoted and any(c in "*?[{~" for c in part.text) else part.text
            elif isinstance(part, Parameter):
                text = self._parameter(part, depth)
            elif isinstance(part, CommandSubstitution):
                text = self._output(part.body, depth)
            if text is None:
                return None
            texts.append(text)
        return self._from_mount("".join(texts))

    def _from_mount(self, text: str) -> str:
        for mount in self.profile.launch.mounts:
            if text.startswith(mount.rstrip("/") + "/"):
                return ROOT + text[len(mount.rstrip("/")) :]
        return text

    def _parameter(self, part: Parameter, depth: int) -> str | None:
        value = self._variable(part.name, depth) if part.index is None or part.index.literal == "0" else None
        if value is None or part.length or part.indirect or part.prefix:
            return None
        if part.operator in ("", ":-", "-"):
            return value
        pattern = part.argument.literal if part.argument is not None else None
        if part.operator in ("%", "%%", "#", "##") and pattern is not None:
            return patterns.remove(value, part.operator, patterns.compile_pattern(((pattern, False),)))
        return None

    def _variable(self, name: str, depth: int) -> str | None:
        if name == "BASH_SOURCE" or (name == "0" and not self.is_sourced(self.script.text.path)):
            return f"{ROOT}/{self.script.text.path}"
        if name in self.profile.variables.workspace:
            return ROOT
        if name not in self._values and depth < _DEPTH:
            self._values[name] = None  # one that is made of itself is not certain
            assigned = self._assignments.get(name, ())
            if len(assigned) == 1 and assigned[0] is not None:
                self._values[name] = (
                    self.value(assigned[0], depth + 1) or None
                )  # who leaves it empty lets others set it
        return self._values.get(name)

    @cached_property
    def _assignments(self) -> dict[str, list[Word | None]]:
        """Every variable with the words it is set to; None for what is no plain assignment."""
        found: dict[str, list[Word | None]] = {}
        for command in commands(self.script.body):
            if isinstance(command, nodes.Simple):
                items: Iterable[Assignment | Word] = command.assignments
                if command.words and command.words[0].literal in ("read", "mapfile", "readarray", "getopts", "unset"):
                    for word in command.words[1:]:
                        found.setdefault(word.literal or "", []).append(None)
            elif isinstance(command, nodes.Declaration):
                items = command.items
            else:
                if isinstance(command, nodes.For):
                    found.setdefault(command.name, []).append(None)
                continue
            for item in items:
                if isinstance(item, Assignment):
                    plain = isinstance(item.value, Word) and not item.append and item.index is None
                    found.setdefault(item.name, []).append(
                        item.value if plain and isinstance(item.value, Word) else None
                    )
        return found

    def _output(self, body: Command, depth: int) -> str | None:
        """What a command certainly prints."""
        if isinstance(body, nodes.Sequence) and len(body.commands) == 1:
            return self._output(body.commands[0], depth)
        if isinstance(body, nodes.AndOr) and body.operator == "&&":
            moved = self._operand(body.left, ("cd",), depth)
            prints = isinstance(body.right, nodes.Simple) and [w.literal for w in body.right.words][:1] == ["pwd"]
            return moved if prints and moved is not None and moved.startswith(ROOT) else None
        name = body.words[0].literal if isinstance(body, nodes.Simple) and body.words else None
        if name in ("dirname", "basename"):
            value = self._operand(body, (name,), depth)
            if value is None:
                return None
            head, _, tail = value.rstrip("/").rpartition("/")
            return tail if name == "basename" else head or "."
        if name in ("realpath", "readlink"):
            path = resolved(self._operand(body, (name,), depth) or "")
            return None if path is None else f"{ROOT}/{path}"
        return None

    def _operand(self, command: Command, names: tuple[str, ...], depth: int) -> str | None:
        """The only operand of a call of one of these commands."""
        if not isinstance(command, nodes.Simple) or not command.words or command.words[0].literal not in names:
            return None
        operands = [word for word in command.words[1:] if not (word.literal or "").startswith("-")]
        return self.value(operands[0], depth + 1) if len(operands) == 1 else None
