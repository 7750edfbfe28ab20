"""What one abstract run of a launcher came to: the interface between the interpreter and the model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from configlint.launch.texts import VirtualText
from configlint.launch.values import Value
from configlint.source.records import entity
from configlint.source.text import Place

if TYPE_CHECKING:
    from configlint.launch.files import Files


@entity
class Cell:
    """A value with its origin: where it was made, by what, from which other cells.

    ``name`` is the variable (or command) that holds it. ``at`` is None for a value that came with the
    environment; then the environment of the point says where it is from.
    """

    value: Value
    name: str = ""
    at: Place | None = None
    what: str = ""  # "assigned", "exported", "default", "loop", "output of sed", "input", ...
    via: tuple[Cell, ...] = ()
    perhaps: bool = False  # it may as well not be set at all (the value then has an empty alternative)


@entity
class ArrayCell:
    """An array variable: elements by index (or key, for an associative array), in order."""

    items: tuple[tuple[str, Cell], ...]
    name: str = ""
    at: Place | None = None
    associative: bool = False
    is_open: bool = False  # there may be any number of elements; the one there is stands for them


Variable: TypeAlias = Cell | ArrayCell


@entity
class Edit:
    """One change to a virtual file: a sed, an append, a copy over it, a declared effect.

    ``matched`` counts the lines an edit program acted on (0: it matched nothing); None where the edit does not
    match (append, overwrite). ``before`` is None where the file did not exist, ``after`` is None
    where what it contains afterwards is not known (``why`` says why, ``touches`` which YAML paths may have
    changed: ``("backend.**",)``, or ``("**",)``).
    ``command`` is the source text for people. ``program`` are the parts of a sed program as they were run, ``hits`` on
    how many lines each of its commands acted.
    """

    kind: str  # "sed", "append", "write", "copy", "declared", "opaque", "remove"
    path: str
    at: Place
    command: str
    before: VirtualText | None
    after: VirtualText | None
    matched: int | None = None
    touches: tuple[str, ...] = ()
    why: str = ""
    operand: Cell | None = None  # the path operand as given, with its origin
    program: tuple[str, ...] = ()
    extended: bool = False  # the program's expressions are extended ones
    hits: tuple[int, ...] = ()


@entity
class Clone:
    """A repository brought in by the launcher.

    ``ref`` is the revision as the launcher names it last (branch, tag, commit), or the default branch's name where it
    names none; ``named_at`` is where it is named (the clone itself for a default branch).
    ``commit`` is what the ref source resolves it to, None where it cannot be read. ``pin`` is False for a
    default branch or a branch name.
    """

    url: str
    ref: str
    at: Place
    named_at: Place
    directory: str
    commit: str | None
    is_default: bool = False
    patched: tuple[str, ...] = ()

    @property
    def revision(self) -> str:
        """The revision for people: the ref, or that it is the default branch, with its name where that is known."""
        return revision_text(self.ref, is_default=self.is_default)


def revision_text(ref: str, *, is_default: bool) -> str:
    """A ref for people; ``HEAD`` and nothing are names of a default branch whose real name is not known."""
    if not is_default:
        return ref
    return "default branch" if ref in ("HEAD", "") else f"default branch ({ref})"


@entity
class FileUse:
    """A file operand the launcher reads, tests, copies from, sources or runs."""

    how: str  # "source", "run", "copy", "test", "read", "edit", "submit", "match" (a pattern that matches nothing)
    command: str  # name of the command
    at: Place
    operand: Cell
    path: str | None  # in the virtual file system, None where the operand is not known
    exists: bool | None  # None: unknown


@entity
class Decision:
    """A branch: the condition's place, which side ran, and the cells that decided it."""

    at: Place
    taken: str  # "true", "false", "both", "assumed"
    cells: tuple[Cell, ...] = ()
    note: str = ""


@entity
class Assumption:
    """Something the run had to assume: an opaque command succeeds, an undecided exit is not taken."""

    at: Place
    text: str


class End(Enum):
    """How a run ended."""

    SUBMIT = "srtctl"  # a document was submitted
    SCRIPT = "script"  # a benchmark script was started
    ABORT = "abort"  # a command that must succeed is known to fail (errexit)
    EXIT = "exit"  # the launcher itself exits without a sink
    FALLTHROUGH = "end"  # end of script reached without a sink
    NOT_ANALYSED = "not-analysed"


@entity
class Sink:
    """What the launcher hands over to: the submitted document or the script, with the words that did it."""

    at: Place
    argv: tuple[Cell, ...]
    config: Cell | None = None  # the document as given, selector included
    config_path: str | None = None  # in the virtual file system, selector stripped
    script: Cell | None = None
    script_path: str | None = None
    container: Cell | None = None  # the container image the sink names, if any
    environment: tuple[tuple[str, Cell], ...] = ()  # names added by the sink's own command line


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of one path through a launcher, with everything met on the way, in order."""

    end: End
    at: Place | None
    reason: str  # for ABORT, EXIT and NOT_ANALYSED: why, for people
    status: int | None
    sink: Sink | None
    clones: tuple[Clone, ...]
    edits: tuple[Edit, ...]
    uses: tuple[FileUse, ...]
    decisions: tuple[Decision, ...]
    assumptions: tuple[Assumption, ...]
    variables: dict[str, Variable]
    files: Files
    cwd: str
    reads: frozenset[str] = frozenset()  # paths of the reviewed tree whose content or absence mattered
    executed: frozenset[tuple[str, int]] = frozenset()  # (path, byte offset) of the statements that ran
