"""What all runs over one tree share: the tree, the settings, parsed scripts, refs, and remembered results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from configlint.launch import awk, plans
from configlint.launch.files import Files, Found, Mount
from configlint.launch.plans import Declared, Guarded, Planned
from configlint.launch.settings import RefAnswer, RefLookup, Settings
from configlint.launch.texts import MAX_VIRTUAL, VirtualText, verbatim
from configlint.launch.values import unknown
from configlint.source.text import Place, Text
from configlint.source.trees import Kind, Tree, Unreadable
from configlint.syntax import sed
from configlint.syntax.bash import parse
from configlint.syntax.bash.nodes import Declaration, Node, Script, Simple
from configlint.syntax.sed import Invocation, Program

FRAGMENT = "<fragment>"
"""The path of a script that a script made (``eval``)."""
WRITTEN = "<written>"
"""The path of a file that a script wrote and then runs."""
MADE = frozenset({FRAGMENT, WRITTEN})


@dataclass(eq=False)
class World:
    """One tree under analysis. Caches only what depends on nothing but its key."""

    tree: Tree
    settings: Settings
    refs: RefLookup
    places: dict[int, Place] = field(default_factory=dict)
    spots: dict[int, tuple[str, int]] = field(default_factory=dict)  # statement -> path and offset
    large: dict[str, int] = field(default_factory=dict)  # script -> steps of its large runs
    _scripts: dict[str, Script | str] = field(default_factory=dict)
    _texts: dict[Text, VirtualText] = field(default_factory=dict)
    _refs: dict[tuple[str, str | None], RefAnswer] = field(default_factory=dict)
    _sed: dict[tuple[tuple[str, ...], bool, bool, str], sed.Result | str] = field(default_factory=dict)
    _programs: dict[tuple[tuple[str, ...], bool, bool], Program] = field(default_factory=dict)
    _sed_calls: dict[tuple[str, ...], Invocation | None] = field(default_factory=dict)
    _awk: dict[tuple[str, str, str | None, tuple[tuple[str, str], ...]], awk.Result | None] = field(
        default_factory=dict
    )
    _fragments: dict[tuple[str, str], Script] = field(default_factory=dict)
    _substitutions: dict[int, tuple[Guarded, ...]] = field(default_factory=dict)
    _plans: dict[int, tuple[Planned, ...]] = field(default_factory=dict)
    _lines: dict[tuple[Text, int], Place] = field(default_factory=dict)
    _inert: dict[int, bool] = field(default_factory=dict)
    _printing: dict[int, str | None] = field(default_factory=dict)
    _declared: dict[int, Declared] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The checkout as a path of the virtual file system."""
        return unknown(self.settings.workspace)

    def files(self) -> Files:
        """The file system a launch starts with: the checkout, and the host around it."""
        return Files(Files(), Mount(self.root, self.tree))

    def ref(self, url: str, ref: str | None) -> RefAnswer:
        """What the ref sources say about a revision of another repository."""
        key = (url, ref)
        if key not in self._refs:
            self._refs[key] = self.refs(url, ref)
        return self._refs[key]

    def script(self, path: str) -> Script | str:
        """The parsed script at a path of the tree, or why it cannot be had."""
        if path not in self._scripts:
            try:
                text = self.tree.read(path)
                self._scripts[path] = parse(text)
            except FileNotFoundError:
                self._scripts[path] = "no such file"
            except Unreadable as fault:
                self._scripts[path] = fault.reason
        return self._scripts[path]

    def blocked(self, path: str) -> str:
        """Why a file of the tree that is there cannot be read; empty where it can, or is not there."""
        try:
            self.tree.read(path)
        except FileNotFoundError:
            return ""
        except Unreadable as fault:
            return fault.reason
        return ""

    def fragment(self, text: str, path: str = FRAGMENT) -> Script:
        """A script given as text (``eval``, ``bash -c``), or that a script wrote."""
        key = (path, text)
        if key not in self._fragments:
            self._fragments[key] = parse(Text(path, text.encode("utf-8", "replace")))
        return self._fragments[key]

    def substitutions(self, statement: Node) -> tuple[Guarded, ...]:
        """The command substitutions to run before a statement of a parsed script."""
        key = id(statement)  # parsed scripts live as long as the world, so identities are stable
        found = self._substitutions.get(key)
        if found is None:
            found = self._substitutions[key] = plans.substitutions(statement)
        return found

    def plan(self, node: Simple) -> tuple[Planned, ...]:
        """How to expand each word of a command: known text, one string, or in general."""
        key = id(node)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = plans.plan(node)
        return found

    def is_inert(self, node: Simple) -> bool:
        """True if expanding a command's words changes nothing, so that a command whose output nobody sees need not."""
        key = id(node)
        found = self._inert.get(key)
        if found is None:
            found = self._inert[key] = plans.is_inert(node)
        return found

    def line(self, source: Text, line: int) -> Place:
        """A line of a script, or its last one."""
        line = min(line, len(source.line_starts))
        key = (source, line)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = Place(source, source.line_span(line))
        return found

    def only_prints(self, node: Simple) -> str | None:
        """The name of a command that does nothing but print; None for all others."""
        key = id(node)
        if key not in self._printing:
            self._printing[key] = plans.only_prints(node)
        return self._printing[key]

    def declared(self, node: Declaration) -> Declared:
        """What a declaration does."""
        key = id(node)
        found = self._declared.get(key)
        if found is None:
            found = self._declared[key] = plans.declared(node)
        return found

    def content(self, found: Found) -> VirtualText | None:
        """The text of a file, None where it cannot be read."""
        if found.tree is None:
            return found.text
        try:
            text = found.tree.read(found.path)
        except (Unreadable, FileNotFoundError):
            return None
        if text not in self._texts:
            self._texts[text] = verbatim(text)
        virtual = self._texts[text]
        return virtual if len(virtual.text) <= MAX_VIRTUAL else None

    def sed(self, scripts: Sequence[str], extended: bool, quiet: bool, text: str) -> tuple[sed.Result | str, int]:
        """A sed program's result on a text, or why it is not modelled; and the steps it took, none if it was known."""
        key = (tuple(scripts), extended, quiet, text)
        known = self._sed.get(key)
        if known is not None:
            return known, 0
        meter = sed.Meter()
        found: sed.Result | str
        try:
            found = sed.run(self._program(key[0], extended, quiet), text, meter=meter)
        except (sed.Unsupported, sed.BadProgram) as fault:
            found = str(fault)
        self._sed[key] = found
        size = 0 if isinstance(found, str) else len(found.text) + 8 * len(found.lines)
        return found, (meter.spent >> 6) + (size >> 8) + (_excess(sum(map(len, scripts))) >> 3)

    def _program(self, scripts: tuple[str, ...], extended: bool, quiet: bool) -> Program:
        key = (scripts, extended, quiet)
        if key not in self._programs:
            self._programs[key] = sed.parse(list(scripts), extended=extended, quiet=quiet)
        return self._programs[key]

    def sed_call(self, words: tuple[str, ...]) -> Invocation | None:
        """What the words of a ``sed`` command ask for; None where that is not modelled."""
        if words not in self._sed_calls:
            try:
                self._sed_calls[words] = sed.command_line(list(words))
            except (sed.Unsupported, sed.BadProgram):
                self._sed_calls[words] = None
        return self._sed_calls[words]

    def awk(
        self, program: str, text: str, separator: str | None, variables: tuple[tuple[str, str], ...]
    ) -> tuple[awk.Result | None, int]:
        """An awk program's result on a text, None where it is not modelled; and the steps, none if it was known."""
        key = (program, text, separator, variables)
        if key in self._awk:
            return self._awk[key], 0
        meter = awk.Meter()
        try:
            self._awk[key] = awk.run(program, text, separator=separator, variables=dict(variables), meter=meter)
        except (awk.Unsupported, RecursionError):
            self._awk[key] = None
        return self._awk[key], (meter.steps >> 2) + (_excess(len(program)) >> 3)

    def tree_path(self, path: str) -> str | None:
        """The path in the tree of a path of the virtual file system, None where it is outside."""
        root = self.root
        if path == root:
            return ""
        return path[len(root) + 1 :] if path.startswith(root + "/") else None

    def is_file(self, path: str) -> bool:
        return self.tree.kind(path) is Kind.FILE


def _excess(size: int) -> int:
    """The characters of a program that are more than programs have: each is dear, regular expressions most of all."""
    return max(0, size - 512)
