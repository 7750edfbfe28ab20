"""Entries against models written the way pydantic is used: what is refused, where, and what is not known."""

from __future__ import annotations

import ast

import pytest

from configlint.model.validation.check import Checker
from configlint.syntax.python import Module, Modules, parse

SOURCE = """
from typing import Dict, List, Literal, Optional, Union, Annotated, ClassVar
from enum import Enum
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

class Fields(Enum):
    NAME = "the-name"

class Colour(str, Enum):
    RED = "red"

Mode = Literal["fast", "slow"]

class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1)
    version: Optional[str] = Field(default=None, min_length=2)

    @field_validator("version")
    @classmethod
    def release(cls, version):
        if version is not None and version.startswith("image:"):
            raise ValueError("no image")
        return version

class Base(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    COUNT: ClassVar[int] = 3
    number: int = 1
    strict_number: int = Field(default=1, gt=0, strict=True)
    fraction: Optional[float] = Field(default=None, gt=0, le=1)
    flag: Optional[bool] = None
    mode: Mode = "fast"
    off: Literal[False] = False
    colour: Optional[Colour] = None
    renamed: str = Field(default="x", alias=Fields.NAME.value)
    numbers: Optional[List[int]] = Field(default=None, min_length=1)
    table: Dict[str, int] = Field(default_factory=dict)
    part: Optional[Part] = None
    parts: List[Part] = []
    either: Union[int, List[int], None] = None
    limited: Annotated[int, Field(ge=2)] = 2
    odd: "SomethingElse" = None

    @model_validator(mode="after")
    def checks(self):
        return _checks(self)

def _checks(self):
    if self.number > 100 and self.flag is None:
        raise ValueError(f"flag is needed for {self.number}")
    if self.odd == "surprise":
        raise ValueError("never told")
    return self

class Entry(Base):
    needed: str

class Other(BaseModel):
    kind: str

    class Config:
        extra = "forbid"

def check(entries):
    for key, entry in entries.items():
        try:
            if entry.get("other", False):
                Other(**entry)
            else:
                Entry(**entry)
        except ValidationError as fault:
            raise ValueError(f"{key}: {fault}")
    return entries
"""


def wrong(data: dict[str, object], source: str = SOURCE) -> set[str]:
    """``path: message`` of everything that is wrong."""
    module = Module("m", parse(source))
    modules = Modules({"m": module}.get)
    function = modules.resolve(module, "check")
    assert function is not None
    verdict = Checker(modules).run(function, {"e": data})
    return {f"{'.'.join(map(str, one.path))}: {one.message}" for one in verdict.wrong} | {
        f"unsure: {reason}" for reason in verdict.unsure if "odd" not in reason and "condition" not in reason
    }


GOOD: list[dict[str, object]] = [
    {},
    {"number": "8"},
    {"number": 8.0},
    {"number": True},
    {"strict_number": 8},
    {"fraction": 1},
    {"fraction": "0.5"},
    {"flag": "yes"},
    {"flag": 0},
    {"flag": None},
    {"mode": "slow"},
    {"off": False},
    {"off": 0},
    {"colour": "red"},
    {"the-name": "a"},
    {"renamed": "by its attribute"},
    {"numbers": [1, "2"]},
    {"table": {"a": 1}},
    {"part": {"name": "a", "version": "v1"}},
    {"parts": [{"name": "a"}]},
    {"either": 3},
    {"either": [3]},
    {"either": None},
    {"limited": 2},
    {"odd": {"anything": ["at", "all"]}},
    {"number": 101, "flag": True},
]


@pytest.mark.parametrize("data", GOOD, ids=str)
def test_accepted(data: dict[str, object]) -> None:
    assert wrong({"needed": "x", **data}) == set()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"needed": 1}, "needed: 1 is not a string"),
        ({"nedded": "x"}, "nedded: nedded is not accepted here"),
        ({"number": "eight"}, "number: 'eight' is not an integer"),
        ({"number": 1.5}, "number: 1.5 is not an integer"),
        ({"number": None}, "number: null is not an integer"),
        ({"number": float("inf")}, "number: inf is not an integer"),
        ({"strict_number": "8"}, "strict_number: '8' is not an integer"),
        ({"strict_number": True}, "strict_number: true is not an integer"),
        ({"strict_number": 0}, "strict_number: 0 is not greater than 0"),
        ({"fraction": 1.5}, "fraction: 1.5 is not at most 1"),
        ({"fraction": 0}, "fraction: 0 is not greater than 0"),
        ({"flag": 2}, "flag: 2 is not true or false"),
        ({"flag": "perhaps"}, "flag: 'perhaps' is not true or false"),
        ({"mode": "medium"}, "mode: 'medium' is not 'fast' or 'slow'"),
        ({"off": True}, "off: true is not false"),
        ({"colour": "blue"}, "colour: 'blue' is not 'red'"),
        ({"numbers": 4}, "numbers: 4 is not a list"),
        ({"numbers": []}, "numbers: an empty list has fewer than 1 elements"),
        ({"numbers": [1, "x"]}, "numbers.1: 'x' is not an integer"),
        ({"table": {"a": "b"}}, "table.a: 'b' is not an integer"),
        ({"table": {1: 1}}, "table.1: 1 is not a string"),
        ({"part": "lmcache"}, "part: 'lmcache' is not a mapping"),
        ({"part": {}}, "part: name is missing"),
        ({"part": {"name": ""}}, "part.name: '' has fewer than 1 characters"),
        ({"part": {"name": "a", "version": "image:x"}}, "part.version: no image"),
        ({"parts": [{"name": "a"}, {"nam": "b"}]}, "parts.1: name is missing"),
        (
            {"parts": [{"name": "a", "versoin": "v1"}]},
            "parts.0.versoin: versoin is not accepted here; did you mean version?",
        ),
        ({"either": "x"}, "either: 'x' fits none of the 2 forms that are accepted here"),
        ({"limited": 1}, "limited: 1 is not at least 2"),
        ({"number": 101}, ": flag is needed for 101"),
        ({"other": True, "kind": "a"}, "other: other is not accepted here"),
    ],
)
def test_refused(data: dict[str, object], expected: str) -> None:
    assert expected in wrong({"needed": "x", **data})


def test_a_missing_field_is_told_at_what_lacks_it() -> None:
    assert wrong({"number": 1}) == {": needed is missing"}


def test_checks_across_fields_run_on_what_is_valid_only() -> None:
    assert wrong({"needed": "x", "number": 101, "fraction": 7}) == {"fraction: 7 is not at most 1"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('extra="forbid", populate_by_name=True', 'extra="forbid", str_strip_whitespace=True'),
        ('@model_validator(mode="after")', '@model_validator(mode="wrap")'),
        ('@model_validator(mode="after")', '@model_validator(mode="before")'),
        ('@model_validator(mode="after")', "@something_else"),
        ('Field(default="x", alias=Fields.NAME.value)', 'Field(default="x", alias=make_alias())'),
        ('Field(default="x", alias=Fields.NAME.value)', 'Field(default="x", validation_alias="the-name")'),
        ("class Base(BaseModel):", "class Base(make_base()):"),
    ],
)
def test_a_class_that_does_more_than_is_modelled_is_left_alone(old: str, new: str) -> None:
    assert old in SOURCE
    found = wrong({"number": "nonsense"}, SOURCE.replace(old, new, 1))
    assert found
    assert all(one.startswith("unsure: ") for one in found)


def test_an_annotation_that_is_not_known_accepts_anything() -> None:
    assert (
        wrong({"needed": "x", "number": "nonsense"}, SOURCE.replace("number: int = 1", "number: Strange[int] = 1"))
        == set()
    )


def test_the_models_are_never_run() -> None:
    bomb = SOURCE.replace("def check(", "raise SystemExit\n\ndef check(")
    assert wrong({"needed": "x"}, bomb) == set()
    assert isinstance(parse(bomb), ast.Module)
