"""Flags as srtctl makes them of a mapping in a recipe: which words each key becomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from configlint.launch.values import unknown
from configlint.model.composition import Merged
from configlint.profile.globs import Globs

if TYPE_CHECKING:
    from configlint.syntax.yaml import Node

_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_BINARY = "tag:yaml.org,2002:binary"


class Fate(Enum):
    """What became of a key."""

    PASSED = "passed"  # it is on the command line
    OMITTED = "omitted"  # its value, false or null, puts nothing there
    TAKEN = "taken"  # srtctl takes it out and passes what it wants itself, if anything
    UNSURE = "unsure"  # an edit of unknown effect may have changed its value


@dataclass(frozen=True, eq=False)
class FlagUse:
    """One flag of a worker, or one key of a recipe that becomes none.

    ``name`` is the flag without dashes as the program gets it, ``spelled`` the key as the recipe has it, ``path`` its
    dotted path in the document; both are empty where srtctl adds the flag itself. ``value`` is the Python value, for a
    flag of srtctl's its text. ``words`` are what is on the command line; what is only known on the cluster is a hole
    in them (:func:`configlint.launch.values.shown` writes it ``{?name}``). ``node`` is where the value is written.
    """

    name: str
    words: tuple[str, ...]
    value: Any = None
    spelled: str = ""
    path: str = ""
    node: Node | None = None
    fate: Fate = Fate.PASSED

    @property
    def is_own(self) -> bool:
        """True if srtctl adds it, not the recipe."""
        return not self.path

    @property
    def is_passed(self) -> bool:
        """True if it is on the command line, with its value or with one that is not sure."""
        return self.fate in (Fate.PASSED, Fate.UNSURE)

    @property
    def is_sure(self) -> bool:
        """False if its value may have changed since."""
        return self.fate is not Fate.UNSURE

    @property
    def is_taken(self) -> bool:
        """True if srtctl takes the key out."""
        return self.fate is Fate.TAKEN


def own(name: str, *values: str) -> FlagUse:
    """A flag that srtctl adds."""
    return FlagUse(name, (f"--{name}", *values), values[0] if values else True)


@dataclass(frozen=True)
class Style:
    """How keys are spelled as flags, in which order, and whether a list becomes several words."""

    dashes: bool = True
    ordered: bool = True
    spread: bool = True
    keep_dotted: bool = False

    def name(self, key: str) -> str:
        """The flag of a key, without dashes."""
        if not self.dashes:
            return key
        head, dot, below = key.partition(".")
        return head.replace("_", "-") + dot + (below if self.keep_dotted else below.replace("_", "-"))


WORKER = Style()
FRONTEND = Style(dashes=False, ordered=False, spread=False)


@dataclass(frozen=True, eq=False)
class Settings:
    """A mapping of a recipe that becomes flags, at its dotted path. ``touched``: what may have changed since."""

    path: str
    values: Mapping[str, Merged]
    touched: Globs

    def get(self, key: str) -> Any:
        """The Python value of a key; None where there is none, or it is not sure."""
        merged = self.values.get(key)
        if merged is None or (self.touched.patterns and self.touched.matches(f"{self.path}.{key}")):
            return None
        return python_value(merged)

    def without(self, key: str) -> Settings:
        """The same without a key."""
        return Settings(self.path, {name: value for name, value in self.values.items() if name != key}, self.touched)

    def uses(self, style: Style, taken: frozenset[str] | set[str] = frozenset()) -> Iterator[FlagUse]:
        """The flags. ``taken`` are the keys, as they are spelled, that srtctl takes out."""
        is_sure = not self.touched.patterns
        for key in sorted(self.values) if style.ordered else self.values:
            merged, path, name = self.values[key], f"{self.path}.{key}", style.name(key)
            node = first_node(merged)
            if not is_sure and self.touched.matches(path):
                yield FlagUse(name, (f"--{name}", unknown("value")), None, key, path, node, Fate.UNSURE)
                continue
            value = python_value(merged)
            words = _words(name, value, style) if key not in taken else ()
            fate = Fate.TAKEN if key in taken else Fate.PASSED if words else Fate.OMITTED
            yield FlagUse(name, words, value, key, path, node, fate)


def _words(name: str, value: Any, style: Style) -> tuple[str, ...]:
    flag = f"--{name}"
    if value is True:
        return (flag,)
    if value is False or value is None:
        return ()
    if style.spread and isinstance(value, list):
        return (flag, *(str(one) for one in value))
    return (flag, str(value))


def first_node(merged: Merged) -> Node | None:
    """The node of a value; of a mapping that was merged from several, the first that is in it."""
    while isinstance(merged, dict):
        if not merged:
            return None
        merged = next(iter(merged.values()))
    return merged


def python_value(merged: Merged) -> Any:
    """The Python value that PyYAML's safe loader makes, which is what srtctl sees."""
    if isinstance(merged, dict):
        return {key: python_value(value) for key, value in merged.items()}
    if merged.kind == "list":
        return [python_value(one) for one in merged.elements()]
    if merged.kind == "map":
        return {_key(pair[0]): python_value(pair[1]) for pair in merged.typed_items()}
    return _scalar(merged)


def _key(node: Node) -> Any:
    return _scalar(node) if node.kind == "scalar" else node.name


def _scalar(node: Node) -> Any:
    value = node.plain()
    if type(value) is not str or not (value[:1].isdigit() or node.raw.tag is not None):
        return value  # dates begin with a digit, all else that stays text here has a tag
    tag = node.tag
    if tag not in (_TIMESTAMP, _BINARY):
        return value
    from yaml.constructor import ConstructorError, SafeConstructor

    constructor: Any = SafeConstructor()
    try:
        if tag == _TIMESTAMP:
            return constructor.construct_yaml_timestamp(node.raw)
        return constructor.construct_yaml_binary(node.raw)
    except (ValueError, OverflowError, ConstructorError):
        return node.text  # the loader refuses the document
