"""The bash syntax tree: small, immutable, and free of the parser that made it.

``start`` and ``end`` are byte offsets into the text the tree was parsed from. A node holds no
reference to its text: whoever owns the tree (:class:`Script`) knows it.
"""

from __future__ import annotations

from typing import TypeAlias

from configlint.source.records import entity, record
from configlint.source.text import Span, Text


@record
class Node:
    """Anything with a place."""

    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


# --- words -------------------------------------------------------------------------------------


@record
class Literal(Node):
    """Characters that stand for themselves, after quote removal.

    ``quoted`` characters came from quotes, backslashes or ``$'..'``: they neither split nor glob.
    An unquoted literal may hold glob characters, a leading tilde, or brace expansions (kept as text).
    """

    text: str
    quoted: bool = False


@record
class Parameter(Node):
    """``$name`` or ``${...}``.

    ``name`` is a variable, a digit or a special parameter (``@ * # ? $ ! - 0``). ``index`` is the
    subscript as a word (``@`` and ``*`` as literals). ``operator`` is "" or one of
    ``:- - := = :? ? :+ + # ## % %% / // /# /% : ^ ^^ , ,, @ `` with ``argument`` (for ``/`` forms the pattern, with
    ``replacement``; for ``:`` the offset, with ``replacement`` as length). ``length`` is ``${#name}``,
    ``indirect`` is ``${!name}`` (``${!name[@]}`` has an index too), ``prefix`` is ``${!name*}``/``${!name@}``.
    ``quoted`` means inside double quotes.
    """

    name: str
    operator: str = ""
    argument: Word | None = None
    replacement: Word | None = None
    index: Word | None = None
    length: bool = False
    indirect: bool = False
    prefix: bool = False
    quoted: bool = False


@record
class CommandSubstitution(Node):
    """``$(...)`` or backticks. ``body`` is what runs; ``$(< file)`` is an ordinary redirect-only command."""

    body: Sequence
    backtick: bool = False
    quoted: bool = False


@record
class Arithmetic(Node):
    """``$((...))`` or ``$[...]``: the expression as a word, to be expanded and then evaluated, as bash does."""

    expression: Word
    quoted: bool = False


@record
class ProcessSubstitution(Node):
    """``<(...)`` or ``>(...)``."""

    direction: str
    body: Sequence


@record
class Opaque(Node):
    """A construct that is not modelled; ``text`` is its source, ``kind`` names it for messages."""

    kind: str
    text: str


Part: TypeAlias = Literal | Parameter | CommandSubstitution | Arithmetic | ProcessSubstitution | Opaque


@record
class Word(Node):
    """One shell word before expansion: parts in order. ``""`` is one empty quoted Literal."""

    parts: tuple[Part, ...]

    @property
    def literal(self) -> str | None:
        """The word's text if it needs no expansion at all, else None (unquoted globs still count as text)."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal):
            return self.parts[0].text
        texts = [part.text for part in self.parts if isinstance(part, Literal)]
        return "".join(texts) if len(texts) == len(self.parts) else None


# --- commands ----------------------------------------------------------------------------------


@record
class Assignment(Node):
    """``name=value``, ``name+=value``, ``name[index]=value`` or ``name=(...)``."""

    name: str
    value: (
        Word | ArrayValue | None
    )  # None: ``name=`` with nothing is an empty Word instead; None only in ``export name``
    append: bool = False
    index: Word | None = None


@record
class ArrayValue(Node):
    """``( ... )`` on the right of an assignment; an element may carry an index (``[k]=v``)."""

    elements: tuple[tuple[Word | None, Word], ...]


@record
class HereDocument(Node):
    """The body of a here-document; ``start``/``end`` span the body lines in the file.

    ``body`` is the text as a word (one quoted Literal when the delimiter is quoted, else parts to
    expand; tabs already stripped for ``<<-``).
    """

    body: Word
    delimiter: str
    expands: bool
    strip_tabs: bool = False


@record
class Redirect(Node):
    """A redirection. ``operator`` is one of ``< > >> >| <> <& >& &> &>> << <<- <<<``.

    ``fd`` is the number or ``{name}`` in front, None by default. ``target`` is a word, or the
    document for ``<<`` and ``<<-``.
    """

    operator: str
    target: Word | HereDocument
    fd: str | None = None


@record
class Simple(Node):
    """Assignments, words and redirects in source order of their kind; ``words[0]`` is the command."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


@record
class Declaration(Node):
    """``export``, ``local``, ``declare``, ``typeset``, ``readonly``: options and bare names are words.

    ``assignments`` stand in front of the keyword (``A=1 export B``); hardly anybody writes that.
    """

    keyword: str
    items: tuple[Assignment | Word, ...]
    redirects: tuple[Redirect, ...] = ()
    assignments: tuple[Assignment, ...] = ()


@record
class Pipeline(Node):
    """``a | b``, ``! a``; one command only where it is negated or timed. ``merges_stderr[i]``: ``|&`` after i."""

    commands: tuple[Command, ...]
    negated: bool = False
    merges_stderr: tuple[bool, ...] = ()
    timed: bool = False


@record
class AndOr(Node):
    """``left && right`` or ``left || right``."""

    left: Command
    operator: str
    right: Command


@record
class Background(Node):
    """``command &``."""

    command: Command


@record
class Sequence(Node):
    """Commands one after the other."""

    commands: tuple[Command, ...]


@record
class If(Node):
    """``if``/``elif`` clauses as (condition, body) with the place of each clause's keyword, and ``else``."""

    clauses: tuple[IfClause, ...]
    otherwise: Sequence | None
    redirects: tuple[Redirect, ...] = ()


@record
class IfClause(Node):
    """``if``, or ``elif``, up to the end of its body."""

    condition: Sequence
    body: Sequence


@record
class CaseArm(Node):
    """``terminator`` is ``;;``, ``;&`` or ``;;&`` (``;;`` for a last arm without one)."""

    patterns: tuple[Word, ...]
    body: Sequence
    terminator: str = ";;"


@record
class Case(Node):
    """``case subject in arms esac``."""

    subject: Word
    arms: tuple[CaseArm, ...]
    redirects: tuple[Redirect, ...] = ()


@record
class For(Node):
    """``for name in words``; ``words`` is None for the positional parameters. ``select`` marks ``select``."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    redirects: tuple[Redirect, ...] = ()
    select: bool = False


@record
class ArithmeticFor(Node):
    """``for ((initial; condition; step))``; each part a word or None."""

    initial: Word | None
    condition: Word | None
    step: Word | None
    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@record
class While(Node):
    """``while``, or ``until`` with ``until`` set."""

    condition: Sequence
    body: Sequence
    until: bool = False
    redirects: tuple[Redirect, ...] = ()


@record
class Group(Node):
    """``{ ...; }``."""

    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@record
class Subshell(Node):
    """``( ... )``."""

    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@record
class Function(Node):
    """``name() body`` or ``function name body``. Redirects behind it belong to the body, as in bash."""

    name: str
    body: Command
    redirects: tuple[Redirect, ...] = ()


@record
class ArithmeticCommand(Node):
    """``(( expression ))``; ``let`` is an ordinary command."""

    expression: Word
    redirects: tuple[Redirect, ...] = ()


@record
class Conditional(Node):
    """``[[ expression ]]``."""

    expression: Condition
    redirects: tuple[Redirect, ...] = ()


@record
class UnaryTest(Node):
    """``-n word`` and friends; a bare word is ``-n``."""

    operator: str
    operand: Word


@record
class BinaryTest(Node):
    """``left op right``; for ``== = !=`` the right side is a pattern whose quoted parts are literal; ``=~`` a regex."""

    left: Word
    operator: str
    right: Word


@record
class NotTest(Node):
    """``! operand``."""

    operand: Condition


@record
class LogicalTest(Node):
    """``left && right`` or ``left || right`` inside ``[[ ]]``."""

    left: Condition
    operator: str
    right: Condition


Condition: TypeAlias = UnaryTest | BinaryTest | NotTest | LogicalTest | Opaque

Command: TypeAlias = (
    Simple | Declaration | Pipeline | AndOr | Background | Sequence | If | Case | For | ArithmeticFor | While
    | Group | Subshell | Function | ArithmeticCommand | Conditional | Opaque
)  # fmt: skip


@record
class Fault(Node):
    """A place where the parser gave up: what is there cannot be trusted."""

    message: str


@entity
class Script:
    """A parsed script: its text, its commands, and the parser's faults (empty where all was understood)."""

    text: Text
    body: Sequence
    faults: tuple[Fault, ...] = ()
