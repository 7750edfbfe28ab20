"""srtctl's recipe schema, read from modules written like its own, kept, and asked."""

from __future__ import annotations

import pytest

from configlint.catalog.recipes.known import decode, encode, known
from configlint.catalog.recipes.read import NoSchema, read_schema
from configlint.catalog.recipes.schema import Facts

SCHEMA = """
from dataclasses import field
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, Optional, Union
from marshmallow import Schema, ValidationError, fields
from marshmallow_dataclass import dataclass
from srtctl.backends import BackendConfig, OneProtocol, TwoProtocol
from srtctl.core.paths import PathField

class Colour(str, Enum):
    RED = "red"

class BackendField(fields.Field):
    def _deserialize(self, value, attr, data, **kwargs):
        if value is None:
            return OneProtocol()
        if not isinstance(value, dict):
            raise ValidationError("no")
        kind = value.get("type", "one")
        if kind == "one":
            return OneProtocol.Schema().load(value)
        elif kind == "two":
            schema = TwoProtocol.Schema()
            return schema.load(value)
        else:
            raise ValidationError("no")

class TableField(fields.Field):
    def _deserialize(self, value, attr, data, **kwargs):
        if not isinstance(value, dict):
            raise ValidationError("no")
        return value

@dataclass(frozen=True)
class Inner:
    container: str
    port: int
    command: str | None = None
    Schema: ClassVar[type[Schema]] = Schema

@dataclass(frozen=True)
class Front:
    type: str = "a"
    args: dict[str, Any] | None = None

@dataclass
class Pinned:
    _PLANES: ClassVar[tuple[str, ...]] = ("x", "y")
    _EVENTS: ClassVar[tuple[str, ...]] = ("z",)
    plane: str = "x"
    events: str | None = None

    def __post_init__(self):
        if self.plane not in self._PLANES:
            raise ValueError("no")
        if self.events is not None and self.events not in self._EVENTS:
            raise ValueError("no")

@dataclass(frozen=True)
class SrtConfig:
    name: str
    inner: Inner
    backend: Annotated[BackendConfig, BackendField()] = field(default_factory=OneProtocol)
    frontend: Front = field(default_factory=Front)
    pinned: Pinned = field(default_factory=Pinned)
    exporter: "Inner | None" = None
    sweeping: Annotated[dict, TableField(allow_none=True)] | None = None
    colour: Annotated[Colour, fields.Enum(Colour, by_value=True)] = Colour.RED
    by_name: Colour = Colour.RED
    env: dict[str, str] = field(default_factory=dict)
    anything: dict = field(default_factory=dict)
    mounts: dict[Annotated[str, PathField()], Annotated[str, PathField()]] = field(default_factory=dict)
    concurrencies: list[int] | str | None = None
    rate: str | int | None = "inf"
    events: bool | dict[str, Any] | None = None
    maybe: Optional[float] = None
    either: Union[int, str] = 3
    many: tuple[str, ...] | None = None
    deep: dict[str, list[Any]] = field(default_factory=dict)
    mode: Literal["zip", "grid"] = "zip"
    _explicit: int | None = field(
        default=None, metadata={"marshmallow_field": fields.Integer(data_key="explicit", allow_none=True)}
    )
    strange: complex = 0j
    Schema: ClassVar[type[Schema]] = Schema
"""

FILES = {
    "src/srtctl/core/schema.py": SCHEMA,
    "src/srtctl/core/paths.py": """
from marshmallow import fields
class PathField(fields.Field):
    def _deserialize(self, value, attr, data, **kwargs):
        if isinstance(value, str):
            return value
        raise self.make_error("invalid")
""",
    "src/srtctl/backends/__init__.py": """
from .one import OneProtocol
from .two import TwoProtocol
BackendConfig = OneProtocol | TwoProtocol
""",
    "src/srtctl/backends/one.py": """
from __future__ import annotations
from typing import Literal
from marshmallow_dataclass import dataclass
Launch = Literal["per_gpu", "per_node"]
@dataclass(frozen=True)
class Shared:
    gpu: str | None = None
@dataclass(frozen=True)
class OneProtocol(Shared):
    type: Literal["one"] = "one"
    launch: Launch = "per_gpu"
""",
    "src/srtctl/backends/two.py": """
from typing import Literal
from marshmallow_dataclass import dataclass
@dataclass(frozen=True)
class TwoProtocol:
    type: Literal["two"] = "two"
""",
    "src/srtctl/frontends/base.py": """
def get_frontend(frontend_type):
    if frontend_type == "a":
        return A()
    elif frontend_type == "b":
        return B()
    else:
        raise ValueError("no")
""",
    "src/srtctl/core/config.py": """
def load_config(path):
    lock = config.pop("lock", None)
""",
    "src/srtctl/core/sweep.py": """
def expand(config):
    del config["sweep"]
""",
}

EXPECTED: Facts = {
    "SrtConfig.name": {"t": "str", "req": True},
    "SrtConfig.inner": {"t": ["class", "Inner"], "req": True},
    "SrtConfig.backend": {"t": ["by", "type", "one", {"one": "OneProtocol", "two": "TwoProtocol"}]},
    "SrtConfig.frontend": {"t": ["class", "Front"]},
    "SrtConfig.exporter": {"t": ["class", "Inner"], "null": True},
    "SrtConfig.sweeping": {"t": ["map", "any", "any"], "null": True},
    "SrtConfig.colour": {"t": ["choice", "red"]},
    "SrtConfig.by_name": {"t": ["choice", "RED"]},
    "SrtConfig.env": {"t": ["map", "str", "str"]},
    "SrtConfig.anything": {"t": ["map", "any", "any"]},
    "SrtConfig.mounts": {"t": ["map", "str", "str"]},
    "SrtConfig.concurrencies": {"t": ["union", ["list", "int"], "str"], "null": True},
    "SrtConfig.rate": {"t": ["union", "str", "int"], "null": True, "d": "inf"},
    "SrtConfig.events": {"t": ["union", "bool", ["map", "str", "any"]], "null": True},
    "SrtConfig.maybe": {"t": "float", "null": True},
    "SrtConfig.either": {"t": ["union", "int", "str"], "d": 3},
    "SrtConfig.many": {"t": ["list", "str"], "null": True},
    "SrtConfig.deep": {"t": ["map", "str", ["list", "any"]]},
    "SrtConfig.mode": {"t": ["choice", "zip", "grid"], "d": "zip"},
    "SrtConfig.explicit": {"t": "int", "null": True},
    "SrtConfig.strange": {"t": "any"},
    "SrtConfig.lock": {"t": "any", "null": True, "pop": True},
    "SrtConfig.sweep": {"t": "any", "null": True, "pop": True},
    "SrtConfig.pinned": {"t": ["class", "Pinned"]},
    "Inner.container": {"t": "str", "req": True},
    "Inner.port": {"t": "int", "req": True},
    "Inner.command": {"t": "str", "null": True},
    "Front.type": {"t": "str", "d": "a", "ch": ["a", "b"]},
    "Front.args": {"t": ["map", "str", "any"], "null": True},
    "Pinned.plane": {"t": "str", "d": "x", "ch": ["x", "y"]},
    "Pinned.events": {"t": "str", "null": True, "ch": ["z"]},
    "OneProtocol.gpu": {"t": "str", "null": True},
    "OneProtocol.type": {"t": ["choice", "one"], "d": "one"},
    "OneProtocol.launch": {"t": ["choice", "per_gpu", "per_node"], "d": "per_gpu"},
    "TwoProtocol.type": {"t": ["choice", "two"], "d": "two"},
}


def test_every_form() -> None:
    facts, unresolved = read_schema(FILES.get)
    assert facts == EXPECTED
    assert unresolved == ("SrtConfig.strange: complex",)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"src/srtctl/core/schema.py": "class SrtConfig"},
        {"src/srtctl/core/schema.py": "SrtConfig = 3"},
        {"src/srtctl/core/schema.py": "from srtctl.core.other import SrtConfig"},
    ],
)
def test_sources_without_a_schema(files: dict[str, str]) -> None:
    with pytest.raises(NoSchema):
        read_schema(files.get)


def test_revisions_survive_being_written() -> None:
    first: Facts = {"A.x": {"t": "int"}, "A.y": {"t": "str"}}
    second: Facts = {"A.x": {"t": "int"}, "A.z": {"t": "str"}}
    changed: Facts = {"A.x": {"t": "str"}}
    tags = {"v1": ("a" * 40, first), "v2": ("b" * 40, second), "v3": ("c" * 40, second), "v4": ("d" * 40, changed)}
    lines = encode(tags, {"side": ("e" * 40, first)})
    made = decode(lines)
    assert {one.name: one.schema.facts for one in made.revisions} == {
        "v1": first, "v2": second, "v3": second, "v4": changed, "side": first,
    }  # fmt: skip
    assert len(made.distinct) == 3
    assert '["A.z", [[{"t": "str"}, ["v2..v3"]]]]' in lines
    assert lines[1:] == sorted(lines[1:])
    assert encode(tags, {"side": ("e" * 40, first)}) == lines


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["v1"], "v1"),
        (["v2", "v3"], "v2 to v3"),
        (["v2", "v3", "v4"], "v2 and later"),
        (["v1", "v3", "v4", "side"], "v1, v3 and later, side"),
        (["v1", "v2", "v3", "v4"], "every tag"),
        (["v4"], "v4"),
    ],
)
def test_revisions_are_spelled_as_ranges(names: list[str], text: str) -> None:
    facts: Facts = {}
    made = decode(encode({f"v{n}": (str(n) * 40, facts) for n in range(1, 5)}, {"side": ("e" * 40, facts)}))
    assert made.spelled(names) == text


def test_a_commit_is_found_by_its_beginning() -> None:
    tag = known().revisions[0]
    found = known().by_commit(tag.commit[:9].upper())
    assert found is tag
    assert known().by_commit(tag.commit[:6]) is None
    assert known().by_commit("0" * 40) is None


def test_what_is_shipped() -> None:
    """Counts of the shipped data: a rebuild that changes them is looked at."""
    tags = [one for one in known().revisions if one.is_tag]
    assert (len(tags), tags[0].name, tags[-1].name) == (69, "v1.0.0", "v1.0.68")
    assert len(known().revisions) - len(tags) == 3
    assert len(known().distinct) == 32
    assert {one.name: len(one.schema.facts) for one in (tags[0], tags[-1])} == {"v1.0.0": 206, "v1.0.68": 243}

    def has(revision: str, key: str) -> bool:
        found = known().by_name(revision)
        assert found is not None
        return key in found.schema.facts

    assert not any(has(one.name, "BenchmarkConfig.aiperf_server_metrics") for one in known().revisions)
    assert has("v1.0.58", "TelemetryConfig.provider")
    assert not has("v1.0.59", "TelemetryConfig.provider")
    assert not has("sa-submission-q2-2026", "BenchmarkConfig.command")
    frontends = known().by_name("v1.0.36"), known().by_name("v1.0.37")
    assert [one.schema.facts["FrontendConfig.type"].get("ch") for one in frontends if one] == [
        ["dynamo", "sglang", "trtllm_serve"],
        ["dynamo", "sglang", "trtllm_serve", "vllm"],
    ]
