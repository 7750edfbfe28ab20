"""Sources in a newer grammar than the running Python's parser knows, said in the older one.

vLLM's and other packages' sources may use what came with Python 3.12: ``type X = ...``, ``def f[T](...)``,
``class C[T]: ...``. libcst reads them on any Python; what comes out has the same lines, so places stay right.
"""

from __future__ import annotations

import re

from configlint.syntax.python import Unparsable

# Only sources that may hold such a statement are handed to libcst, which takes ten times as long as the own parser.
_NEWER = re.compile(r"^[ \t]*(?:type[ \t]+\w+[ \t]*[\[=]|(?:async[ \t]+def|def|class)[ \t]+\w+[ \t]*\[)", re.MULTILINE)
_MAX_DEPTH = 150  # brackets open at once: libcst recurses
_MAX_INDENT = 100  # levels


def in_older_grammar(source: str) -> str:
    """The source without statements and parameters for types; the source itself where it has none."""
    if _NEWER.search(source) is None:
        return source
    _refuse_depth(source)
    import libcst

    class Older(libcst.CSTTransformer):
        def leave_TypeAlias(self, original_node: libcst.TypeAlias, updated_node: libcst.TypeAlias) -> libcst.Assign:
            return libcst.Assign([libcst.AssignTarget(updated_node.name)], updated_node.value)

        def leave_FunctionDef(
            self, original_node: libcst.FunctionDef, updated_node: libcst.FunctionDef
        ) -> libcst.FunctionDef:
            return updated_node.with_changes(type_parameters=None)

        def leave_ClassDef(self, original_node: libcst.ClassDef, updated_node: libcst.ClassDef) -> libcst.ClassDef:
            return updated_node.with_changes(type_parameters=None)

    try:
        return libcst.parse_module(source).visit(Older()).code
    except libcst.ParserSyntaxError as fault:
        raise Unparsable(f"not Python: {fault.message}", fault.raw_line) from None
    except (RecursionError, MemoryError):
        raise Unparsable("nested too deeply") from None


def _refuse_depth(source: str) -> None:
    """Refuse what is nested deeply: an upper bound, strings and comments are counted as well."""
    depth = deepest = 0
    for letter in source:
        if letter in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in ")]}":
            depth = max(0, depth - 1)
    indent = max((len(line) - len(line.lstrip(" \t")) for line in source.splitlines()), default=0)
    if deepest > _MAX_DEPTH or indent > 8 * _MAX_INDENT:
        raise Unparsable("nested too deeply")
