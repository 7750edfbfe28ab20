"""Source text to the standard library's syntax tree, for sources that may be hostile."""

from __future__ import annotations

import ast
import warnings

MAX_SOURCE = 512 * 1024  # bytes
MAX_DEPTH = 120  # levels of the tree; readers may then recurse


class Unparsable(Exception):
    """A source that is no Python, or too large or deep to be read. ``line`` is 0 where there is none to name."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


def parse(source: str) -> ast.Module:
    """The tree of a source. Raises :class:`Unparsable` and nothing else."""
    if len(source) > MAX_SOURCE:
        raise Unparsable(f"larger than {MAX_SOURCE // 1024} KiB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in somebody else's strings
            tree = ast.parse(source.removeprefix("\ufeff"))
    except SyntaxError as fault:
        raise Unparsable(f"not Python: {fault.msg}", fault.lineno or 0) from None
    except (RecursionError, MemoryError):
        raise Unparsable("nested too deeply") from None
    except ValueError as fault:
        raise Unparsable(f"not Python: {fault}") from None
    _refuse_depth(tree)
    return tree


def _refuse_depth(tree: ast.Module) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise Unparsable("nested too deeply", getattr(level[0], "lineno", 0))
