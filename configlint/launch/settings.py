"""What the interpreter is told about a kind of repository: plain data, filled from a profile by the model.

The interpreter itself knows bash and common commands, nothing of a particular repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from configlint.source.trees import Tree


class RefAnswer(Protocol):
    """What a ref source says about a revision of another repository."""

    @property
    def tree(self) -> Tree | None: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


RefLookup = Callable[[str, str | None], RefAnswer]


@dataclass(frozen=True)
class SubmitCommand:
    """A command that submits a document: ``words`` it begins with, options that name the document."""

    words: tuple[str, ...]
    options: tuple[str, ...]
    selector: str = ":"  # what separates a path from the variant chosen in it; "" for none


@dataclass(frozen=True)
class OpaqueProgram:
    """A program that is not interpreted, with its declared effect.

    It acts only where each variable in ``when`` has the given value, and then may change ``touches`` (YAML path
    patterns) of the file that its argument number ``argument`` (0-based, after the program) names.
    """

    path: str
    argument: int
    touches: tuple[str, ...]
    when: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """How launchers of one kind of repository meet the world."""

    workspace: str  # variable that holds the path of the checkout
    is_host: Callable[[str], bool]  # a variable the host provides: set, not empty, value unknown
    submit: tuple[SubmitCommand, ...] = ()
    is_script: Callable[[str], bool] = lambda _: False  # whether a path of the checkout is a script that is a sink
    script_prefixes: tuple[str, ...] = ()  # text that the path of such a script contains
    mounts: tuple[str, ...] = ()  # where containers see the checkout: "/workspace"
    opaque: tuple[OpaqueProgram, ...] = ()
    creates: Mapping[tuple[str, ...], str] = field(default_factory=dict)  # words -> path it makes by default


MAX_WORK = 20_000
"""Steps of one run. A statement is one; joining paths and long values cost as many as they take time."""
LARGE_RUN = MAX_WORK // 10
"""Steps from which a run is large: all large runs of a script together have :data:`MAX_LARGE` steps."""
MAX_LARGE = 2 * MAX_WORK
MAX_NAMES = 2_000
"""Variables of one path, and functions; joining and copying them costs time for each statement that follows."""
MAX_ELEMENTS = 1_024
"""Elements of an array that are followed."""
MAX_EDITS = 200
"""Edits of one file; the document it may be is read anew after each."""
MAX_PATHS = 32
MANY_LAYERS = 64
"""Changes of files from which each statement costs more than one step."""
MAX_CALLS = 8
MAX_ROUNDS = 64
