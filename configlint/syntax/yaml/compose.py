"""Text to PyYAML's node graph, through libyaml, with bounds on what a file may cost.

Composing recurses in C and takes memory for every node, so nesting and number of nodes are bounded
before (a glance at the bytes that clears nearly every file) or during composition (hooks that count).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from yaml._yaml import CParser
from yaml.error import MarkedYAMLError, YAMLError
from yaml.nodes import MappingNode, ScalarNode
from yaml.reader import ReaderError

from configlint.syntax.yaml.scalars import STR

MAX_DEPTH = 200
MAX_NODES = 200_000
MAX_EXPANDED = 1_000_000
_SMALL = MAX_NODES  # bytes, none of which makes more than one node
_MAX_DIRECTIVES = 64
_SAFE_DEPTH = 2000  # levels that composing, which recurses in C, certainly survives

# In the patterns, 85, a8, a9 and bf end the further line breaks of libyaml and the byte order mark.
# All that may stand between the start of a line and a block collection becomes a blank.
_BLANKED = bytes.maketrans(b"\t?:-", b"    ")
_RUN = b" " * 60
_INDENT = re.compile(rb"(?:^|[\r\n\x85\xa8\xa9\xbf])[ \t?:-]{59,}")
# A literal first character makes these searches fast; the look-behind then keeps shell and globs out.
_DIRECTIVE = re.compile(rb"(?:^|[\r\n\x85\xa8\xa9\xbf])%")
_ANCHOR = re.compile(rb"&(?<![^\s,\[{:?\x85\xa8\xa9\xbf]&)[\w-]")
_ALIAS = re.compile(rb"\*(?<![^\s,\[{:?\x85\xa8\xa9\xbf]\*)[\w-]")
# What libyaml refuses to read anywhere in a stream.
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Problem(NamedTuple):
    """Why a document could not be read. The places are code-point indexes of the stream, -1 for none.

    ``limit``: other readers may read it, it only costs more than is spent here.
    """

    message: str
    at: int
    related: int = -1
    limit: bool = False


class Composed(NamedTuple):
    """The node graphs of a stream; None stands for a document that could not be read."""

    documents: tuple[Any, ...]
    problems: tuple[Problem, ...]
    aliased: bool  # some node may be reached on two ways


class _Stop(Exception):
    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.problem = Problem(message, index, limit=True)


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
    reached = 0  # where the last collection begins: documents that are nothing but empty have none

    def descend_resolver(self, parent: Any, index: Any) -> None:  # type: ignore[override]
        self.depth += 1
        self.nodes += 1
        if parent is not None:
            self.reached = parent.start_mark.index
        if self.depth > MAX_DEPTH + 1:
            raise _Stop(f"nested deeper than {MAX_DEPTH} levels", self.reached)
        if self.nodes > MAX_NODES:
            raise _Stop(f"more than {MAX_NODES:,} nodes", self.reached)

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
    if b"%" in raw and raw.count(b"%TAG") + raw.count(b"%YAML") > _MAX_DIRECTIVES and _DIRECTIVE.search(raw):
        # libyaml compares every directive with all others
        return Composed((None,), (Problem(f"more than {_MAX_DIRECTIVES} directives", 0, limit=True),), False)
    documents: list[Any] = []
    problems: list[Problem] = []
    try:
        depth = _nesting_bound(raw)
        quick = depth <= _SAFE_DEPTH and _node_bound(raw) <= MAX_NODES
        loader = (_Quick if quick else _Guarded)(raw)
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
        problems.append(Problem(f"cannot be read: {error}", 0, limit=isinstance(error, MemoryError)))
    if problems:
        documents.append(None)
    aliased = bool(_ALIAS.search(raw) and _ANCHOR.search(raw))
    if aliased or depth > MAX_DEPTH:
        for at, document in enumerate(documents):
            if document is not None and not _is_plain_tree(document):
                problem = _expansion(document)
                if problem:
                    documents[at] = None
                    problems.append(problem)
    return Composed(tuple(documents), tuple(problems), aliased)


def _nesting_bound(raw: bytes) -> int:
    """Levels of nesting that the bytes cannot exceed, found without parsing.

    Every flow level takes a bracket; those of ``${{`` open none, since ``$`` would be a scalar before
    them. Every block level starts further right than the one around it, after nothing but blanks and
    indicators of its line (a sequence directly inside a mapping may share its column: twice as many).
    """
    flow = raw.count(b"[") + raw.count(b"{") - 2 * raw.count(b"${{")
    if _RUN not in raw.translate(_BLANKED):
        return flow + 2 * len(_RUN)
    return flow + 2 * max((len(found[0]) for found in _INDENT.finditer(raw)), default=0) + 2


def _node_bound(raw: bytes) -> int:
    """A number of nodes that the bytes cannot exceed, found without parsing."""
    if len(raw) <= _SMALL:
        return len(raw)
    return 2 * sum(map(raw.count, (b",", b":", b"\n", b"\r", b"[", b"{", b"-", b"?"))) + 2


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


def _collections(node: Any) -> list[Any]:
    """The nodes directly below that have nodes below them."""
    if type(node) is MappingNode:
        return [child for pair in node.value for child in pair if type(child) is not ScalarNode]
    return [child for child in node.value if type(child) is not ScalarNode]


def _is_plain_tree(root: Any) -> bool:
    """True if no collection is reached twice and nesting is within bounds: the fast answer, level by level."""
    level = [] if type(root) is ScalarNode else [root]
    seen: set[int] = set()
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _collections(node)]
        if not level:
            return True
        before = len(seen)
        seen.update(map(id, level))
        if len(seen) - before < len(level):
            return False
    return False


def _expansion(root: Any) -> Problem | None:
    """A problem if the document, aliases replaced by what they name, is endless, too large or too deep.

    Where it is not, readers may treat it as a finite tree of at most :data:`MAX_EXPANDED` nodes and
    :data:`MAX_DEPTH` levels.
    """
    sizes: dict[int, tuple[int, int]] = {id(root): _OPEN}  # id -> nodes, levels
    stack = [_Frame(root)]
    while stack:
        frame = stack[-1]
        if frame.children:
            child = frame.children.pop()
            known = sizes.get(id(child))
            if known is None:
                sizes[id(child)] = _OPEN
                stack.append(_Frame(child))
                continue
            if known is _OPEN:
                return Problem("an alias names a collection that contains it", child.start_mark.index, limit=True)
        else:
            if frame.size > MAX_EXPANDED:
                message = f"aliases expand to more than {MAX_EXPANDED:,} nodes"
                return Problem(message, frame.node.start_mark.index, limit=True)
            if frame.depth > MAX_DEPTH:
                return Problem(f"nested deeper than {MAX_DEPTH} levels", frame.node.start_mark.index, limit=True)
            known = sizes[id(frame.node)] = (frame.size, frame.depth)
            stack.pop()
            if not stack:
                break
            frame = stack[-1]
        frame.size += known[0]
        frame.depth = max(frame.depth, known[1] + 1)
    return None


class _Frame:
    """A collection whose expanded size is being summed up."""

    __slots__ = ("children", "depth", "node", "size")

    def __init__(self, node: Any) -> None:
        self.node = node
        self.children = _collections(node)
        self.depth = 1
        self.size = 1 + len(node.value) * (2 if type(node) is MappingNode else 1) - len(self.children)


_OPEN = (0, 0)  # the size of a collection that is not summed up yet
