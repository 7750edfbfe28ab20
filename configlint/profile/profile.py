"""The schema of a repository's layout: everything configlint must be told, as data.

A profile says where the matrix, the runners, the workflow templates and the launchers are, which variable
carries what, and which paths inside a document have a meaning. It is TOML; built-in ones live in
``builtin/``. The rest of configlint asks the profile and never names a repository's file or variable
itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from configlint.profile.decode import ProfileError, decode
from configlint.profile.globs import Globs
from configlint.profile.identity import Identity
from configlint.profile.matrix import Matrix

Table = dict[str, str]

__all__ = ["Profile", "ProfileError", "load", "loads"]


@dataclass(frozen=True)
class Generation:
    """One layout that the kind of repository has had. The first whose ``requires`` all match a file is used.

    ``matrices`` are globs of matrix files, ``runners`` the file that declares labels, both empty for layouts
    without a matrix.
    """

    name: str
    requires: tuple[str, ...]
    matrices: tuple[str, ...] = ()
    runners: str = ""


@dataclass(frozen=True)
class RunnersFile:
    """The keys of the runners file. Without ``labels``, the file's top level is the table of labels."""

    labels: str = "labels"
    hardware: str = "hardware"


@dataclass(frozen=True)
class Condition:
    """What a point must be for something to apply; an absent part accepts anything."""

    multi: bool | None = None
    scenario: str | None = None
    mode: str | None = None

    def holds(self, *, multi: bool, scenario: str, mode: str) -> bool:
        return self.multi in (None, multi) and self.scenario in (None, scenario) and self.mode in (None, mode)


@dataclass(frozen=True)
class Template:
    """A reusable workflow that runs a launcher; its launch step is the one whose ``run`` contains ``step``."""

    path: str
    multi: bool
    step: str


@dataclass(frozen=True)
class Dispatch:
    """Which job of a caller workflow a point comes from: the one whose job matrix contains ``rows``.

    ``{sequence}`` in ``rows`` stands for the point's sequence name.
    """

    when: Condition
    rows: str


@dataclass(frozen=True)
class Conventional:
    """The environment of a tree that has no workflow templates: what the templates are known to set."""

    env: Table = field(default_factory=dict)
    run: str = ""


@dataclass(frozen=True)
class Workflows:
    """Templates, the workflows that call them, and what is assumed about GitHub's contexts.

    ``rows_context`` is the context path under which a job sees its row (``matrix.config``).
    ``contexts`` gives values to context paths (``github.event_name``); all others are named unknowns.
    """

    templates: tuple[Template, ...] = ()
    callers: tuple[str, ...] = ()
    dispatch: tuple[Dispatch, ...] = ()
    rows_context: str = "matrix.config"
    contexts: dict[str, Any] = field(default_factory=dict)
    conventional: Conventional = Conventional()


@dataclass(frozen=True)
class Guess:
    """How to guess a launcher for a label that the runners file does not declare."""

    strip: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class Submit:
    """A command that submits a document: its first words, and the options that name document and setup script.

    ``schema`` is the catalog that says what documents may hold, ``upstream`` the repositories whose tags it knows.
    """

    command: tuple[str, ...]
    document: tuple[str, ...]
    setup: tuple[str, ...] = ()
    schema: str = ""
    upstream: tuple[str, ...] = ()


@dataclass(frozen=True)
class When:
    """A condition on an environment variable. ``fold``: ASCII case and surrounding blanks do not count."""

    variable: str
    equals: str
    fold: bool = True


@dataclass(frozen=True)
class Opaque:
    """A program that is not interpreted, with what it declares to do.

    ``program`` is its path in the tree. It changes the document given as argument number ``document`` (1-based),
    and there only what ``touches`` lists, and only where ``when`` holds; otherwise nothing.
    """

    program: str
    document: int
    touches: tuple[str, ...]
    when: When | None = None


@dataclass(frozen=True)
class Creates:
    """A well-known program that makes a path it is not given."""

    command: tuple[str, ...]
    path: str


@dataclass(frozen=True)
class Launch:
    """Launchers and what they hand over to.

    ``path`` is the launcher of a runner, ``{prefix}`` being the runner's name up to ``separator``. ``mounts`` are the
    directories under which containers see the checkout.
    """

    path: str
    launchers: tuple[str, ...]
    separator: str = "_"
    guess: Guess = Guess()
    scripts: tuple[str, ...] = ()
    document_variable: str = ""
    selector_separator: str = ":"
    job_name_variable: str = ""
    submits: tuple[Submit, ...] = ()
    opaque: tuple[Opaque, ...] = ()
    mounts: tuple[str, ...] = ()
    creates: tuple[Creates, ...] = ()


@dataclass(frozen=True)
class Variables:
    """Variables that come from outside the workflow. Names may contain ``*``.

    ``workspace`` hold the root of the checked-out tree. ``runner`` hold the concrete runner's name.
    ``host`` are set and not empty, with unknown values. ``operator`` may be set by whoever runs the machines: unset is
    assumed, never proven. ``fixed`` have a known value on every runner.
    """

    workspace: tuple[str, ...] = ()
    runner: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    operator: tuple[str, ...] = ()
    fixed: Table = field(default_factory=dict)

    @cached_property
    def _host(self) -> Globs:
        return Globs(self.host)

    @cached_property
    def _operator(self) -> Globs:
        return Globs(self.operator)

    def is_host(self, name: str) -> bool:
        return self._host.matches(name)

    def is_operator(self, name: str) -> bool:
        return self._operator.matches(name)


@dataclass(frozen=True)
class Health:
    """Where a document says how long the server may take to start: attempts times interval (seconds)."""

    attempts: str
    interval: str
    default_attempts: int
    default_interval: int


@dataclass(frozen=True)
class Mask:
    """A limit inside a document that gives up before the health window does.

    ``path`` is a dotted path, ``*`` stands for text within one step. ``unit`` says how its value counts: ``seconds``,
    ``minutes``, or ``clock`` (``[days-]hours:minutes:seconds``).
    """

    path: str
    what: str
    unit: str = "seconds"

    def __post_init__(self) -> None:
        if self.unit not in ("seconds", "minutes", "clock"):
            raise ValueError(f"unit is seconds, minutes or clock, not {self.unit!r}")


@dataclass(frozen=True)
class Compose:
    """Keys of documents that contain variants: a base, overrides merged over it, and zipped lists of overrides."""

    base: str = ""
    override: str = ""
    zip_override: str = ""


@dataclass(frozen=True)
class Documents:
    """Paths inside a submitted document that have a meaning.

    ``include`` are globs of documents checked in here. ``limits`` are patterns (``*`` within one step, ``**`` any
    steps) of values that are windows, budgets or limits: less of them hurts. ``container_fields`` and
    ``model_fields`` are resolved through the alias tables. ``client`` is the bash that starts the benchmark client.
    """

    include: tuple[str, ...] = ()
    name: str = "name"
    model: str = ""
    container: str = ""
    container_fields: tuple[str, ...] = ()
    model_fields: tuple[str, ...] = ()
    setup_script: str = ""
    setup_search: tuple[str, ...] = ()
    client: str = ""
    health: Health | None = None
    masks: tuple[Mask, ...] = ()
    limits: tuple[str, ...] = ()
    compose: Compose = Compose()
    identity: Identity = field(default_factory=Identity)

    @cached_property
    def _limits(self) -> Globs:
        return Globs(self.limits, ".")

    def is_limit(self, path: str) -> bool:
        """True if the value at this dotted path is a window, budget or limit."""
        return self._limits.matches(path)


@dataclass(frozen=True)
class Aliases:
    """The cluster file a launcher generates beside the document, and its tables of aliases.

    A model that starts with one of ``model_prefixes`` needs no alias.
    """

    file: str = ""
    models: str = ""
    containers: str = ""
    model_prefixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Policy:
    """Truths of this kind of repository that rules read.

    ``release_branches``: globs of branch names that are as good as a tag. ``side_images``: globs of images that need
    not come from the entry. ``image_variables``: variables that carry the entry's image. ``equal_precisions``: groups
    of labels that mean the same. ``retired``: globs of files that are kept, but that nothing runs any more.
    """

    release_branches: tuple[str, ...] = ()
    side_images: tuple[str, ...] = ()
    image_variables: tuple[str, ...] = ()
    equal_precisions: tuple[tuple[str, ...], ...] = ()
    retired: tuple[str, ...] = ()

    @cached_property
    def _retired(self) -> Globs:
        return Globs(self.retired)

    def is_retired(self, path: str) -> bool:
        return self._retired.matches(path)

    def is_release_branch(self, name: str) -> bool:
        return any(fnmatchcase(name, one) for one in self.release_branches)

    def is_side_image(self, image: str) -> bool:
        return any(fnmatchcase(image, one) for one in self.side_images)


@dataclass(frozen=True)
class Scaffold:
    """What a short example of a rule may leave out: with this ``launcher`` and no matrix, ``path`` holds ``text``."""

    launcher: str
    path: str
    text: str


@dataclass(frozen=True)
class Profile:
    """A kind of repository."""

    name: str
    generations: tuple[Generation, ...]
    launch: Launch
    summary: str = ""
    runners: RunnersFile = RunnersFile()
    matrix: Matrix | None = None
    workflows: Workflows = Workflows()
    variables: Variables = Variables()
    documents: Documents = Documents()
    aliases: Aliases = Aliases()
    policy: Policy = Policy()
    scaffold: Scaffold | None = None

    @cached_property
    def launchers(self) -> Globs:
        """Which paths are launchers."""
        return Globs(self.launch.launchers)

    @cached_property
    def scripts(self) -> Globs:
        """Which paths are benchmark scripts: starting one ends a launcher's run."""
        return Globs(self.launch.scripts)

    @cached_property
    def recipes(self) -> Globs:
        """Which paths are documents checked in here."""
        return Globs(self.documents.include)


def loads(text: str, bases: Mapping[str, Mapping[str, Any]] | None = None) -> Profile:
    """A profile from TOML text. ``extends`` names one of ``bases``. Raises :class:`ProfileError`."""
    from configlint.profile.toml import BadToml, read

    try:
        data: object = read(text)
    except BadToml as fault:
        raise ProfileError("", f"not TOML: {fault}") from None
    return load(data, bases)


def load(data: object, bases: Mapping[str, Mapping[str, Any]] | None = None) -> Profile:
    """A profile from plain data; tables of a base are merged, all else is replaced."""
    if isinstance(data, Mapping) and "extends" in data:
        base = (bases or {}).get(str(data["extends"]))
        if base is None:
            known = ", ".join(sorted(bases or {})) or "none"
            raise ProfileError("extends", f"no profile {data['extends']!r} (known: {known})")
        data = _merged(base, {name: value for name, value in data.items() if name != "extends"})
    return decode(Profile, data)


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for name, value in over.items():
        below = result.get(name)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            result[name] = _merged(below, value)
        else:
            result[name] = value
    return result
