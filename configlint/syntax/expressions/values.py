"""Values of GitHub expressions: JSON data, plus what is only partly known; and GitHub's conversions.

Known values are Python data (``None``, ``bool``, ``int``, ``float``, ``str``, ``list``, ``dict``), as the
YAML reader and ``json`` give them. Anywhere in that data an :class:`UnknownValue` or a :class:`Holed` string
may stand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

MOST_ALTERNATIVES = 16


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A value that is not known here. ``name`` says what it is: ``secrets.TOKEN``, ``github.sha``.

    ``among`` lists the values it can have, where that is known: ``x == 'a'`` with an unknown ``x`` is one
    of true and false. With ``or_falsy`` it may also be some falsy value that nobody knows.
    """

    name: str
    among: tuple[object, ...] | None = None
    or_falsy: bool = False


@dataclass(frozen=True, slots=True)
class Holed:
    """A string of which parts are unknown. No two strings stand side by side, none is empty."""

    parts: tuple[str | UnknownValue, ...]

    @property
    def prefix(self) -> str:
        first = self.parts[0] if self.parts else ""
        return first if isinstance(first, str) else ""

    @property
    def suffix(self) -> str:
        last = self.parts[-1] if self.parts else ""
        return last if isinstance(last, str) else ""


def joined(parts: Iterable[str | UnknownValue | Holed]) -> str | Holed:
    """Strings, holes and strings with holes, put together."""
    flat: list[str | UnknownValue] = []
    text: list[str] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Holed) else (part,):
            if isinstance(piece, str):
                text.append(piece)
            else:
                flat += filter(None, ("".join(text),))
                text = []
                flat.append(piece)
    rest = "".join(text)
    if not flat:
        return rest
    return Holed((*flat, rest) if rest else tuple(flat))


# --- alternatives ------------------------------------------------------------------------------------


def unknown_boolean(name: str) -> UnknownValue:
    """True or false, nobody knows."""
    return UnknownValue(name, (True, False))


def one_of(name: str, values: Iterable[object], *, or_falsy: bool = False) -> object:
    """The value if all are the same one, else an unknown among them."""
    different: list[object] = []
    for value in values:
        for each in _alternatives(value):
            if isinstance(each, UnknownValue):
                return UnknownValue(name)
            if not any(_identical(each, other) for other in different):
                different.append(each)
    if len(different) > MOST_ALTERNATIVES:
        return UnknownValue(name)
    if len(different) == 1 and not or_falsy:
        return different[0]
    return UnknownValue(name, tuple(different), or_falsy)


def _alternatives(value: object) -> tuple[object, ...]:
    if isinstance(value, UnknownValue) and value.among is not None and not value.or_falsy:
        return value.among
    return (value,)


def _identical(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def lift(
    name: str, function: Callable[..., object], values: Sequence[object], failed: Callable[[str], object] = UnknownValue
) -> object:
    """Apply a function of known values to values of which some are unknown among a few.

    ``failed`` makes the result where one of them can be anything.
    """
    for value in values:
        if isinstance(value, UnknownValue):
            break
    else:
        return function(*values)
    sets = [_alternatives(value) for value in values]
    if any(isinstance(each[0], UnknownValue) for each in sets) or math.prod(map(len, sets)) > MOST_ALTERNATIVES:
        return failed(name)
    return one_of(name, [function(*combination) for combination in product(*sets)])


# --- conversions -------------------------------------------------------------------------------------


def truth(value: object) -> bool | None:
    """Whether a value counts as true (false, 0, -0, NaN, "" and null do not); None where it may or may not."""
    if value is None or isinstance(value, (str, bool)):
        return bool(value)
    if isinstance(value, UnknownValue):
        truths: set[bool | None] = {False} if value.or_falsy else set()
        truths.update([None] if value.among is None else map(truth, value.among))
        return truths.pop() if len(truths) == 1 else None
    if isinstance(value, Holed):
        return True if any(isinstance(part, str) for part in value.parts) else None
    if isinstance(value, (int, float)):
        return value != 0 and not math.isnan(value)
    return True


def to_text(value: object) -> str | UnknownValue | Holed:
    """The value as text, as it is put into a string or an environment variable."""
    if isinstance(value, (str, Holed)):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return "Array"
    if isinstance(value, dict):
        return "Object"
    if isinstance(value, UnknownValue):
        if value.among is None or value.or_falsy:
            return value
        text = one_of(value.name, map(to_text, value.among))
        return text if isinstance(text, (str, Holed, UnknownValue)) else value
    return UnknownValue(type(value).__name__)


def number_text(number: float) -> str:
    """A number as GitHub prints it: up to 15 significant digits, no trailing zeros (.NET's ``G15``)."""
    try:
        number = float(number)
    except OverflowError:
        number = math.inf if number > 0 else -math.inf
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return "0" if number == 0 else f"{number:.15g}".replace("e", "E")


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_BASED = re.compile(r"0x([0-9a-fA-F]{1,8})|0o([0-7]{1,11})", re.ASCII)
LONGEST_NUMBER = 400


def parse_number(text: str) -> float:
    """The number a string stands for; NaN if none, 0 if blank."""
    text = text.strip()
    if not text:
        return 0.0
    if based := _BASED.fullmatch(text):
        return float(int(based[1], 16) if based[1] else int(based[2], 8))
    if len(text) <= LONGEST_NUMBER and _NUMBER.fullmatch(text):
        return float(text)
    return {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}.get(text, math.nan)


def to_number(value: object) -> float:
    """The number a known value converts to; NaN for lists and mappings."""
    if value is None:
        return 0.0
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return parse_number(value) if isinstance(value, str) else math.nan


def fold(text: str) -> str:
    """The string for comparison without regard to case, character by character."""
    if text.isascii():
        return text.upper()
    return "".join([upper if len(upper := character.upper()) == 1 else character for character in text])


# --- comparison --------------------------------------------------------------------------------------


def equal(left: object, right: object) -> bool | None:
    """GitHub's ``==`` of two values that are not unknown as a whole; None if it depends on a hole."""
    if isinstance(left, str) and isinstance(right, str):
        return left == right or (len(left) == len(right) and fold(left) == fold(right))
    if isinstance(left, Holed) or isinstance(right, Holed):
        return _equal_holed(left, right)
    if isinstance(left, (list, dict, tuple)) or isinstance(right, (list, dict, tuple)):
        return left is right
    if left is None and right is None:
        return True
    return to_number(left) == to_number(right)


def _equal_holed(left: object, right: object) -> bool | None:
    if left == right:
        return True
    if not isinstance(left, (str, Holed)) or not isinstance(right, (str, Holed)):
        # A string with a hole may read as a number; lists and mappings equal no string.
        return False if isinstance(left, (list, dict, tuple)) or isinstance(right, (list, dict, tuple)) else None
    starts = [fold(side if isinstance(side, str) else side.prefix) for side in (left, right)]
    ends = [fold(side if isinstance(side, str) else side.suffix) for side in (left, right)]
    common = min(map(len, starts)), min(map(len, ends))
    if starts[0][: common[0]] != starts[1][: common[0]]:
        return False
    if ends[0][len(ends[0]) - common[1] :] != ends[1][len(ends[1]) - common[1] :]:
        return False
    for whole, holed in ((left, right), (right, left)):
        if isinstance(whole, str) and isinstance(holed, Holed):
            least = sum(len(part) for part in holed.parts if isinstance(part, str))
            if least > len(whole):
                return False
    return None


def less(left: object, right: object) -> bool | None:
    """GitHub's ``<`` of two values that are not unknown as a whole; None if it depends on a hole."""
    if isinstance(left, Holed) or isinstance(right, Holed):
        return None
    if isinstance(left, str) and isinstance(right, str):
        return fold(left) < fold(right)
    if isinstance(left, (list, dict, tuple)) or isinstance(right, (list, dict, tuple)):
        return False
    return to_number(left) < to_number(right)
