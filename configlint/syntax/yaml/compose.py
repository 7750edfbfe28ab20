"""Text to PyYAML's node graph, through libyaml, with bounds on what a file may cost.

Composing recurses in C and takes memory for every node, so nesting and number of nodes are bounded
before (a glance at the bytes that clears nearly every file) or during composition (hooks that count).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from yaml._yaml import CParser
from yaml.error import MarkedYAMLError, YAMLError
from yaml.nodes import MappingNode, ScalarNode
from yaml.reader import ReaderError

from configlint.syntax.yaml.scalars import STR

MAX_DEPTH = 200
MAX_NODES = 300_000
MAX_EXPANDED = 1_000_000
_SMALL = 256 * 1024
_MAX_DIRECTIVES = 64

_MAX_COLUMN = 60  # block collections starting left of it nest at most twice as deep
_INDENT = re.compile(rb"^[ \t?:-]{%d}" % _MAX_COLUMN, re.MULTILINE)
_ANCHOR = re.compile(rb"&[\w-]")
_ALIAS = re.compile(rb"\*[\w-]")
# What libyaml refuses to read anywhere in a stream.
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Problem(NamedTuple):
    """Why a document could not be read. The places are code-point indexes of the stream, -1 for none."""

    message: str
    at: int
    related: int = -1


class Composed(NamedTuple):
    """The node graphs of a stream; None stands for a document that could not be read."""

    documents: tuple[Any, ...]
    problems: tuple[Problem, ...]
    shared: bool  # some node may be reached on two ways, through an alias


class _Stop(Exception):
    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.problem = Problem(message, index)


class _Quick(CParser):  # type: ignore[misc, unused-ignore]
    """Composes without resolving tags: ``tag`` stays None where the text decides, and is found on demand."""

    @staticmethod
    def resolve(kind: type, value: str | None, implicit: Any) -> str | None:
        # implicit is (plain, quoted) for scalars, a bool for collections; "!" forces a string
        if kind is ScalarNode and not implicit[0]:
            return STR
        return None

    @staticmethod
    def descend_resolver(parent: Any, index: Any) -> None:
        """Nothing: there are no path resolvers."""

    @staticmethod
    def ascend_resolver() -> None:
        """Nothing: there are no path resolvers."""


class _Guarded(_Quick):
    """The same, counting depth and nodes. libyaml's look-ahead stays short, so it stops early."""

    depth = 0
    nodes = 0

    def descend_resolver(self, parent: Any, index: Any) -> None:  # type: ignore[override]
        self.depth += 1
        self.nodes += 1
        if self.depth > MAX_DEPTH + 1:
            raise _Stop(f"nested deeper than {MAX_DEPTH} levels", parent.start_mark.index)
        if self.nodes > MAX_NODES:
            raise _Stop(f"more than {MAX_NODES:,} nodes", parent.start_mark.index)

    def ascend_resolver(self) -> None:  # type: ignore[override]
        self.depth -= 1


def compose(raw: bytes) -> Composed:
    """Compose every document of a UTF-8 stream. Never raises for bad input; stops at the first fault."""
    if not raw.isascii():
        try:
            string = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            before = len(raw[: error.start].decode("utf-8")) - raw.startswith(b"\xef\xbb\xbf")
            return Composed((None,), (Problem("not UTF-8 text", max(0, before)),), False)
    else:
        string = ""
    if raw.count(b"%TAG") + raw.count(b"%YAML") > _MAX_DIRECTIVES and re.search(rb"(?m)^%", raw):
        # libyaml compares every directive with all others
        return Composed((None,), (Problem(f"more than {_MAX_DIRECTIVES} directives", 0),), False)
    documents: list[Any] = []
    problems: list[Problem] = []
    try:
        loader = (_Quick if _is_shallow(raw) else _Guarded)(raw)
        while loader.check_node():
            documents.append(loader.get_node())
    except _Stop as stop:
        problems.append(stop.problem)
    except MarkedYAMLError as error:
        problems.append(_marked(error))
    except ReaderError as error:
        found = _CONTROL.search(string or raw.decode("utf-8"))
        index = found.start() - raw.startswith(b"\xef\xbb\xbf") if found else 0
        problems.append(Problem(str(error.reason), max(0, index)))
    except (YAMLError, ValueError, MemoryError) as error:
        problems.append(Problem(f"cannot be read: {error}", 0))
    if problems:
        documents.append(None)
    shared = bool(_ALIAS.search(raw) and _ANCHOR.search(raw))
    if shared:
        for at, document in enumerate(documents):
            problem = None if document is None else _expansion(document)
            if problem:
                documents[at] = None
                problems.append(problem)
    return Composed(tuple(documents), tuple(problems), shared)


def _is_shallow(raw: bytes) -> bool:
    """True if the bytes cannot nest deeply nor hold too many nodes.

    Every level of block nesting starts further right than the one around it, after nothing but blanks
    and indicators (a sequence directly inside a mapping may share its column, hence the half).
    """
    if len(raw) > _SMALL or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH - 2 * _MAX_COLUMN:
        return False
    return not _INDENT.search(raw)


def _marked(error: MarkedYAMLError) -> Problem:
    mark, related = error.problem_mark, error.context_mark
    message = error.problem or error.context or "cannot be parsed"
    if error.problem == "second occurrence":
        message = "the anchor is defined twice"
    elif error.context and error.problem:
        message = f"{error.problem} ({error.context})"
    at = mark if mark is not None else related
    index = at.index if at is not None else 0
    return Problem(message, index, related.index if related is not None and related.index != index else -1)


def _children(node: Any) -> Iterator[Any]:
    if type(node) is ScalarNode:
        return
    if type(node) is MappingNode:
        for key, value in node.value:
            yield key
            yield value
    else:
        yield from node.value


def _expansion(root: Any) -> Problem | None:
    """A problem if the document, aliases replaced by what they name, is endless, too large or too deep.

    Whoever reads a document may therefore treat it as a finite tree of at most :data:`MAX_EXPANDED`
    nodes and :data:`MAX_DEPTH` levels.
    """
    sizes: dict[int, tuple[int, int]] = {}  # id -> nodes, levels; (0, 0) while it is open
    stack: list[tuple[Any, Iterator[Any], int, int]] = [(root, _children(root), 1, 1)]
    sizes[id(root)] = (0, 0)
    while True:
        node, children, size, depth = stack.pop()
        for child in children:
            known = sizes.get(id(child))
            if known is None:
                if type(child) is ScalarNode:
                    known = sizes[id(child)] = (1, 0)
                else:
                    stack.append((node, children, size, depth))
                    sizes[id(child)] = (0, 0)
                    stack.append((child, _children(child), 1, 1))
                    break
            elif known == (0, 0):
                return Problem("an alias names a collection that contains it", child.start_mark.index)
            size += known[0]
            depth = max(depth, known[1] + 1)
        else:
            if size > MAX_EXPANDED:
                return Problem(f"aliases expand to more than {MAX_EXPANDED:,} nodes", node.start_mark.index)
            if depth > MAX_DEPTH + 1:
                return Problem(f"aliases nest deeper than {MAX_DEPTH} levels", node.start_mark.index)
            sizes[id(node)] = (size, depth)
            if not stack:
                return None
            node, children, outer, levels = stack.pop()
            stack.append((node, children, outer + size, max(levels, depth + 1)))
