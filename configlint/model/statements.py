"""The simple commands of a script, each with whether anything stops the script when it fails.

Read off the syntax, without running anything, by bash's own rules of ``set -e``: it does not apply inside a
condition, nor to what stands before ``&&`` or ``||``, nor to a pipeline's earlier commands without ``pipefail``.
Where the syntax does not settle it (functions, traps), a failure counts as looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from configlint.source.text import Text
from configlint.syntax.bash import nodes
from configlint.syntax.bash.nodes import Command, Node, Script, Sequence, Simple, Word
from configlint.syntax.bash.walk import commands

_GOES_ON = frozenset({"true", ":", "echo", "printf"})
_WRAPPERS = frozenset({"sudo", "command", "env", "exec", "nohup"})
_MAX_WRAPPERS = 8
_FILE_TESTS = frozenset({"-e", "-f", "-d", "-r", "-s", "-x"})
_GIT_WITH_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})


@dataclass(frozen=True, eq=False)
class Statement:
    """A simple command. ``checked``: its failure stops the script or is looked at.

    ``block`` tells lists of commands apart: statements of one block follow each other. ``function`` is the one it
    stands in.
    ``excused``: it stands in a condition, before ``||``, or behind a test for a file, so that it may well not work.
    ``conditional``: it stands in a branch, a loop or a function, so that it may never run.
    """

    text: Text
    node: Simple
    skipped: int  # words of commands that only run another one
    checked: bool
    block: int
    function: str = ""
    excused: bool = False
    conditional: bool = False
    tested: bool = False  # checked by what stands around it, not by errexit

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, as far as they are literal, else as written (``"$X"`` without its quotes)."""
        return tuple(shown_word(self.text, word) for word in self.node.words[self.skipped :])

    @property
    def name(self) -> str:
        """The command's first word."""
        return shown_word(self.text, self.node.words[self.skipped])

    def mentions(self, ending: str) -> bool:
        """True if a word ends with this text."""
        end = ending.encode()
        words = (self.text.raw[word.start : word.end].rstrip(b"\"'") for word in self.node.words)
        return any(word.endswith(end) for word in words)

    @property
    def git(self) -> tuple[str, ...]:
        """The words from the git command on (``checkout v1``); empty where it is none."""
        if self.name.rpartition("/")[2] != "git":
            return ()
        index = 1
        while index < len(self.words) and self.words[index].startswith("-"):
            index += 2 if self.words[index] in _GIT_WITH_VALUE else 1
        return self.words[index:]

    @property
    def pin(self) -> str | None:
        """The revision that this command puts a checkout at, as written; None where it does something else."""
        git = self.git
        if git[:1] in (("checkout",), ("switch",)):
            # Paths behind `--` are restored, and a new branch starts where the checkout is.
            if "--" in git or any(one in git for one in ("-b", "-B", "-c", "-C", "--orphan", ".")):
                return None
        elif git[:1] != ("reset",) or "--hard" not in git:
            return None
        operands = [word for word in git[1:] if word == "-" or not word.startswith("-")]
        return operands[0] if len(operands) == 1 and operands[0] not in ("-", "HEAD") else None

    @property
    def applies_patch(self) -> bool:
        """True for a command that changes what is checked out, and fails where that is another revision."""
        return self.git[:1] in (("apply",), ("am",), ("cherry-pick",)) or self.name.rpartition("/")[2] == "patch"

    @property
    def cloned(self) -> str | None:
        """What this command clones: the branch it names, empty for the default branch; None where it is no clone."""
        git = self.git
        if git[:1] != ("clone",):
            return None
        for index, word in enumerate(git):
            if word in ("-b", "--branch") and index + 1 < len(git):
                return git[index + 1]
            if word.startswith("--branch="):
                return word.partition("=")[2]
        return ""

    @property
    def source(self) -> str:
        """The address that a clone names, as written; empty where this is no clone or nothing looks like one."""
        return next((word for word in self.git if "://" in word or word.startswith("git@")), "")


class _Context(NamedTuple):
    """Who looks at a command's status. ``tested``: a condition or ``||`` does. ``fatal``: ``set -e`` applies here."""

    tested: bool = False
    fatal: bool = True
    function: str = ""
    block: int = 0
    excused: bool = False
    conditional: bool = False


@dataclass
class _Walk:
    text: Text
    asks_for_status: bool
    asks_for_revision: bool
    errexit: bool = False
    pipefail: bool = False
    ever: bool = False  # errexit is on somewhere
    blocks: int = 0
    out: list[Statement] = field(default_factory=list)
    functions: list[nodes.Function] = field(default_factory=list)

    def sequence(self, body: Sequence, context: _Context) -> None:
        self.blocks += 1
        last = context._replace(block=self.blocks)
        inner = last._replace(tested=False, fatal=context.fatal and not context.tested)
        asks = self._last_question(body.commands)
        for index, command in enumerate(body.commands):
            following = body.commands[index + 1] if index + 1 < len(body.commands) else None
            here = inner if following is not None else last
            looked_at = self._looked_at(command, following, index < asks)
            self.command(command, here._replace(tested=True) if looked_at else here)

    def _last_question(self, commands: tuple[Command, ...]) -> int:
        """The index of the last command that asks which revision is checked out, -1 where none does."""
        if not self.asks_for_revision:
            return -1
        asking = [index for index, one in enumerate(commands) if "rev-parse" in self._condition(one)]
        return asking[-1] if asking else -1

    def _looked_at(self, command: Command, following: Command | None, asked: bool) -> bool:
        """True if what follows asks for the status, or (``asked``) which revision is checked out now."""
        if self.asks_for_status and following is not None and "$?" in self._condition(following):
            return True
        return asked and isinstance(command, Simple) and bool(command.words) and command.words[0].literal == "git"

    def _condition(self, command: Command) -> str:
        """The source of what a command tests."""
        node: Node = command
        if isinstance(command, nodes.If):
            node = command.clauses[0].condition
        elif not isinstance(
            command, (Simple, nodes.Conditional, nodes.AndOr, nodes.ArithmeticCommand, nodes.Declaration)
        ):
            return ""
        return self.text.slice(node.span)

    def command(self, node: Command, context: _Context) -> None:
        body = context._replace(tested=False, fatal=context.fatal and not context.tested, conditional=True)
        if isinstance(node, Simple):
            self._simple(node, context)
        elif isinstance(node, Sequence):
            self.sequence(node, context)
        elif isinstance(node, nodes.AndOr):
            self._and_or(node, context)
        elif isinstance(node, nodes.Pipeline):
            for one in node.commands[:-1]:
                self.command(one, context if self.pipefail else body._replace(fatal=False))
            self.command(node.commands[-1], context._replace(fatal=context.fatal and not node.negated))
        elif isinstance(node, nodes.If):
            inside = context._replace(conditional=True)
            for clause in node.clauses:
                self.sequence(clause.condition, context._replace(tested=True, excused=True))
                inside = inside._replace(excused=inside.excused or _asks_for_files(clause.condition))
                self.sequence(clause.body, inside)
            if node.otherwise is not None:
                self.sequence(node.otherwise, inside)
        elif isinstance(node, nodes.Case):
            for arm in node.arms:
                self.sequence(arm.body, context._replace(conditional=True))
        elif isinstance(node, nodes.While):
            self.sequence(node.condition, context._replace(tested=True, excused=True))
            self.sequence(node.body, body)
        elif isinstance(node, (nodes.For, nodes.ArithmeticFor)):
            self.sequence(node.body, body)
        elif isinstance(node, nodes.Group):
            self.sequence(node.body, context)
        elif isinstance(node, nodes.Subshell):
            saved = self.errexit, self.pipefail, self.ever
            self.sequence(node.body, context)
            self.errexit, self.pipefail, self.ever = saved
        elif isinstance(node, nodes.Function):
            self.functions.append(node)
        elif isinstance(node, nodes.Background):
            self.command(node.command, body._replace(fatal=False))

    def _and_or(self, node: nodes.AndOr, context: _Context) -> None:
        handled = context.tested if node.operator == "&&" else not _goes_on(node.right)
        excused = context.excused or node.operator == "||"
        self.command(node.left, context._replace(tested=handled, fatal=False, excused=excused))
        excused = context.excused or _asks_for_files(node.left)
        self.command(node.right, context._replace(excused=excused, conditional=True))

    def _simple(self, node: Simple, context: _Context) -> None:
        names = [word.literal for word in node.words[:_MAX_WRAPPERS]]
        if names[:1] in (["set"], ["trap"]):
            self._options(tuple(word.literal or "" for word in node.words))
        skipped = 0
        while (
            skipped + 1 < len(names) and names[skipped] in _WRAPPERS and not (names[skipped + 1] or "").startswith("-")
        ):
            skipped += 1
        if names:
            checked = context.tested or (self.errexit and context.fatal)
            fixed = (self.text, node, skipped, checked, context.block, context.function)
            one = Statement(*fixed, context.excused, context.conditional, context.tested)
            self.out.append(one)

    def _options(self, words: tuple[str, ...]) -> None:
        """``set`` and traps on errors change what a failure does from here on."""
        if words[:1] == ("trap",) and "ERR" in words[2:]:
            self.errexit = self.ever = True
        if words[:1] != ("set",):
            return
        for index, word in enumerate(words[1:], 1):
            if word[:1] not in ("-", "+") or word[:2] == "--":
                continue
            on = word[0] == "-"
            name = words[index + 1] if word.endswith("o") and index + 1 < len(words) else ""
            if "e" in word[1:] or name == "errexit":
                self.errexit = on
                self.ever |= on
            if name == "pipefail":
                self.pipefail = on


def statements(script: Script) -> tuple[Statement, ...]:
    """The simple commands of a script in source order; those of command substitutions are left out."""
    raw = script.text.raw
    walk = _Walk(script.text, b"$?" in raw, b"rev-parse" in raw)
    walk.sequence(script.body, _Context())
    done = seen = 0
    tested_names: set[str] = set()
    while done < len(walk.functions):
        function = walk.functions[done]
        done += 1
        tested_names.update(one.name for one in walk.out[seen:] if one.tested)
        seen = len(walk.out)
        tested = function.name in tested_names
        walk.errexit = walk.ever  # who calls it when is not followed
        walk.command(function.body, _Context(tested=tested, function=function.name, conditional=True))
    return tuple(sorted(walk.out, key=lambda one: one.node.start))


def _goes_on(command: Command) -> bool:
    """True for what stands behind ``||`` only to hide or to mention a failure."""
    if isinstance(command, nodes.Group):
        return all(_goes_on(one) for one in command.body.commands)
    return isinstance(command, Simple) and bool(command.words) and command.words[0].literal in _GOES_ON


def _asks_for_files(command: Command) -> bool:
    """True if a condition tests whether files exist."""
    for one in commands(command):
        if isinstance(one, nodes.Conditional) and _file_tests(one.expression):
            return True
        words = [word.literal for word in one.words] if isinstance(one, Simple) else []
        if words[:1] in (["["], ["test"]) and not _FILE_TESTS.isdisjoint(words):
            return True
    return False


def _file_tests(condition: nodes.Condition) -> bool:
    if isinstance(condition, nodes.LogicalTest):
        return _file_tests(condition.left) or _file_tests(condition.right)
    if isinstance(condition, nodes.NotTest):
        return _file_tests(condition.operand)
    return isinstance(condition, nodes.UnaryTest) and condition.operator in _FILE_TESTS


def shown_word(text: Text, word: Word) -> str:
    """A word as far as it is literal, else as written, without quotes around all of it."""
    if word.literal is not None:
        return word.literal
    source = text.slice(word.span)
    return source[1:-1] if source[:1] == source[-1:] == '"' and source.count('"') == 2 else source
