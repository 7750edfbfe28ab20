"""What small pure functions come to; what is not known spreads, and decides nothing."""

from __future__ import annotations

import pytest

from configlint.syntax.python import (
    UNKNOWN,
    Evaluator,
    Fuel,
    Module,
    Modules,
    Raised,
    Record,
    Unsure,
    parse,
)

SOURCE = """
from enum import Enum
from functools import lru_cache

PREFIX = "cluster:"

class Names(Enum):
    A = "the-a"

class Kind(str, Enum):
    RED = "red"

def other(value, limit=3, *, strict=False):
    return value > limit and not strict

@lru_cache
def decorated():
    return 1

def f(self):
{body}
"""


def evaluator(body: str, fuel: int = 100_000) -> tuple[Evaluator, Modules, Module]:
    source = SOURCE.replace("{body}", "\n".join(f"    {line}" for line in body.splitlines()))
    module = Module("m", parse(source))
    modules = Modules({"m": module}.get)
    return Evaluator(modules, fuel=Fuel(fuel)), modules, module


def call(body: str, argument: object = None, fuel: int = 100_000) -> object:
    made, modules, module = evaluator(body, fuel)
    function = modules.resolve(module, "f")
    assert function is not None
    return made.call(function, argument)


RECORD = Record(
    "Thing",
    {"a": 6, "b": 4, "none": None, "items": [1, 2, 3], "text": "cluster:x", "hidden": UNKNOWN, "kind": "red"},
    frozenset({"a", "text"}),
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("self.a % self.b", 2),
        ("self.a + self.b * 2 - 1", 13),
        ("self.a // self.b", 1),
        ("self.none is None and self.a is not None", True),
        ("bool(self.none) != bool(self.a)", True),
        ("not self.items", False),
        ("len(self.items) > 0", True),
        ("1 < self.b <= 4", True),
        ("self.text.startswith(PREFIX)", True),
        ("self.text.replace(':', '-')", "cluster-x"),
        ("Names.A.value", "the-a"),
        ("self.kind == Kind.RED", True),
        ("'the-a' == Names.A", False),
        ("self.kind in ('red', 'blue')", True),
        ("self.kind not in (None, '')", True),
        ("all(x > 0 for x in self.items)", True),
        ("any(x > 2 for x in self.items if x != 3)", False),
        ("[x + y for x in self.items for y in [10]]", [11, 12, 13]),
        ("getattr(self, 'missing', None)", None),
        ("getattr(self, 'a', None)", 6),
        ("{'a', 'b'} & self.model_fields_set", frozenset({"a"})),
        ("', '.join(sorted({'b', 'a'}))", "a, b"),
        ("f'{Names.A.value} is {self.a}'", "the-a is 6"),
        ("'yes' if self.a else 'no'", "yes"),
        ("self.items[-1]", 3),
        ("other(self.a)", True),
        ("other(self.a, limit=9)", False),
        ("other(self.a, strict=True)", False),
        # What is not known spreads, but only as far as it matters.
        ("self.hidden", UNKNOWN),
        ("self.hidden == 1", UNKNOWN),
        ("self.hidden and False", False),
        ("self.hidden or True", True),
        ("False and self.hidden", False),
        ("any([self.hidden, True])", True),
        ("all([self.hidden, True])", UNKNOWN),
        ("1 in [self.hidden, 1]", True),
        ("1 in [self.hidden, 2]", UNKNOWN),
        ("self.nowhere", UNKNOWN),
        ("nowhere", UNKNOWN),
        ("10 ** 9", None),
    ],
)
def test_expressions(expression: str, value: object) -> None:
    if value is None and "**" in expression:
        with pytest.raises(Unsure):
            call(f"return {expression}", RECORD)
    else:
        assert call(f"return {expression}", RECORD) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("if self.a > self.b:\n    return 'more'\nreturn 'less'", "more"),
        ("for x in self.items:\n    if x == 1:\n        continue\n    return x", 2),
        ("last = 0\nfor x in self.items:\n    if x > 2:\n        break\n    last = x\nreturn last", 2),
        ("for key, value in {}.items():\n    return key\nreturn 'none'", None),
        ("'text'\npass\nreturn 1", 1),
        ("x: int = 2\nreturn x", 2),
        ("try:\n    return self.a\nexcept ValueError as e:\n    raise TypeError(e)", 6),
        ("", None),
    ],
)
def test_statements(body: str, value: object) -> None:
    if "{}" in body:
        with pytest.raises(Unsure):  # a dictionary display is not a form that occurs
            call(body, RECORD)
    else:
        assert call(body or "pass", RECORD) == value


def test_a_local_name_hides_one_of_the_module() -> None:
    assert call("Names = self\nreturn Names.a", RECORD) == 6


def test_what_is_raised_is_told() -> None:
    with pytest.raises(Raised) as found:
        call("if self.a:\n    raise ValueError(f'{self.a} is {self.hidden}')", RECORD)
    assert (found.value.kind, found.value.message) == ("ValueError", "6 is ...")


@pytest.mark.parametrize(
    "body",
    [
        "if self.hidden:\n    return 1\nreturn 2",
        "for x in self.hidden:\n    return x",
        "with open('x') as f:\n    return f",
        "import os\nreturn os.system('x')",
        "return __import__('os')",
        "return self.a.__class__.__mro__",
        "return (lambda: 1)()",
        "return decorated()",
        "return other()",
        "return other(1, 2, 3)",
        "return f(self)",
        "return self.a % 0",
        "return self.none.name",
        "try:\n    return 1\nexcept ValueError:\n    pass",
        "while True:\n    pass",
        "return eval('1')",
    ],
)
def test_what_is_not_known_is_unsure(body: str) -> None:
    try:
        value = call(body, RECORD)
    except Unsure:
        return
    assert value is UNKNOWN


@pytest.mark.parametrize(
    "body",
    [
        "x = 'a'\n" + "x = x + x\n" * 60 + "return x",
        "x = [1]\n" + "x = x + x\n" * 60 + "return x",
        "x = 3\n" + "x = x * x\n" * 60 + "return x",
        "x = 'ab'\n" + "x = x.replace('a', 'aaaaaaaaaa')\n" * 60 + "return x",
    ],
)
def test_nothing_grows_without_bound(body: str) -> None:
    assert call(body, RECORD) is UNKNOWN


def test_loops_burn_fuel() -> None:
    nested = (
        "n = 0\n" + "".join("  " * i + f"for a{i} in self.items:\n" for i in range(18)) + "  " * 18 + "n = 1\nreturn n"
    )
    with pytest.raises(Unsure, match="too long"):
        call(nested, RECORD)
