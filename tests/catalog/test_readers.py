"""The readers of environment names, of aiperf's options, and of a client of one file."""

from __future__ import annotations

import pytest

from configlint.catalog.extract.client import script_arguments
from configlint.catalog.members import MemoryMembers, Rooted
from configlint.catalog.tools import TOOLS

ENVS = """
import os
from typing import Any, Callable
if True:
    VLLM_NOT_IN_THE_TABLE: int = 1
def maybe(value): ...
environment_variables: dict[str, Callable[[], Any]] = {
    # a comment
    "VLLM_HOST_IP": lambda: os.getenv("VLLM_HOST_IP", ""),
    "VLLM_NEW": lambda: os.getenv("VLLM_NEW", os.getenv("VLLM_OLD")),
    "MAX_JOBS": lambda: os.getenv("MAX_JOBS", f"VLLM_PREFIX_{os.getpid()}"),
    PREFIX + "X": lambda: 1,
}
"""


def test_vllms_names_are_the_keys_of_its_table() -> None:
    snapshot = TOOLS["vllm"].extract(MemoryMembers({"vllm/envs.py": ENVS}))["vllm.env"]
    assert list(snapshot.facts) == ["MAX_JOBS", "VLLM_HOST_IP", "VLLM_NEW", "VLLM_OLD"]
    assert [str(one) for one in snapshot.unresolved] == ["vllm/envs.py:12: a key of the table (not a string)"]
    missing = TOOLS["vllm"].extract(MemoryMembers({"vllm/__init__.py": ""}))["vllm.env"]
    assert (missing.facts, len(missing.unresolved)) == ({}, 1)


SGLANG = {
    "python/sglang/__init__.py": "",
    "python/sglang/srt/__init__.py": "",
    "python/sglang/srt/environ.py": '''
class Envs:
    SGLANG_A = EnvBool(False)
    helper = 3
def _print_deprecated_env(new_name, old_name): ...
_print_deprecated_env("SGLANG_A", "SGLANG_OLD_A")
''',
    "python/sglang/srt/layers/x.py": 'B = is_on("SGL_B", "false")\nNOT = "say SGLANG_C here"\nX = "SGLANG_"\n',
    "python/sglang/test/test_x.py": 'C = "SGLANG_ONLY_IN_TESTS"\n',
    "python/sglang/broken.py": 'D = "SGLANG_D"\ndef (:\n',
}  # fmt: skip


def test_sglangs_names_are_fields_and_mentions() -> None:
    snapshot = TOOLS["sglang"].extract(MemoryMembers(SGLANG))["sglang.env"]
    assert snapshot.facts == {"SGLANG_A": {}, "SGLANG_OLD_A": {"dep": "SGLANG_A"}, "SGL_B": {}}
    assert ["sglang/broken.py" in str(one) for one in snapshot.unresolved] == [True]


AIPERF = {
    "aiperf/__init__.py": "",
    "aiperf/cli_commands/__init__.py": "",
    "aiperf/cli_commands/profile.py": '''
from typing import Annotated
from cyclopts import App, Parameter
from aiperf.config.flags import CLIConfig, ServiceConfig
app = App(name="profile")
@app.default
def profile(cli_config: CLIConfig, *, service: ServiceConfig | None = None,
            config: Annotated[CLIConfig | None, Parameter(parse=False)] = None) -> None: ...
''',
    "aiperf/config/__init__.py": "",
    "aiperf/config/flags.py": '''
from __future__ import annotations
from typing import Annotated, Literal, Optional, TypeAlias
from enum import Enum
from cyclopts import Parameter
class Kind(str, Enum):
    CHAT = "chat"
class CLIParameter(Parameter):
    pass
class Defaults:
    DEPTH = 4
Rate: TypeAlias = float | None
class Base:
    inherited: Annotated[bool, CLIParameter(name="--inherited")] = False
class Loader:
    depth: Annotated[int, Field(ge=1), CLIParameter(name=("--depth", "-d"))] = Defaults.DEPTH
class ServiceConfig:
    never: Annotated[int, CLIParameter(name="--never")] = 1
class CLIConfig(Base):
    loader: Loader = Loader()
    model_names: Annotated[list[str], Field(), CLIParameter(name=("--model-names", "--model", "-m"))]
    endpoint_type: Annotated[Kind, CLIParameter(name=("--endpoint-type",))] = Kind.CHAT
    rate: Annotated[Rate, CLIParameter()] = None
    mode: Annotated[Literal["a", "b"] | None, CLIParameter(name="--mode")] = "a"
    telemetry: Annotated[Optional[bool], CLIParameter(name="--telemetry", negative="--no-telemetry")] = None
    odd: Annotated[str, CLIParameter(name=made())] = ""
    internal: int = 3
''',
}  # fmt: skip


def test_aiperfs_options_are_the_fields_of_its_models() -> None:
    found = TOOLS["aiperf"].extract(Rooted(MemoryMembers({f"src/{p}": t for p, t in AIPERF.items()}), ("src", "")))
    snapshot = found["aiperf.profile"]
    assert snapshot.facts == {
        "depth": {"al": ["-d"], "d": 4, "k": "int"},
        "endpoint-type": {"k": "str"},
        "inherited": {"d": False, "k": "bool"},
        "mode": {"ch": ["a", "b"], "d": "a", "k": "str"},
        "model-names": {"al": ["--model", "-m"], "k": "list", "multi": True},
        "no-telemetry": {"k": "bool"},
        "rate": {"d": None, "k": "float"},
        "telemetry": {"d": None, "k": "bool"},
        "never": {"d": 1, "k": "int"},
    }
    assert [one.what for one in snapshot.unresolved] == ["option of odd"]


CLIENT = """
import numpy
try:
    from engine.utils import FlexibleArgumentParser
except ImportError:
    from argparse import ArgumentParser as FlexibleArgumentParser
import json
CHOICES = {"openai": 1, "vllm": 2}
def add_more(target, prefix="x"):
    for name, kind in (("rate", float), ("count", int)):
        target.add_argument(f"--{prefix}-{name}", type=kind, default=None)
def main(args): ...
if __name__ == "__main__":
    parser = FlexibleArgumentParser(description="...")
    parser.add_argument("--backend", type=str, default="vllm", choices=list(CHOICES.keys()))
    parser.add_argument("--headers", type=json.loads)
    parser.add_argument("--burstiness", type=float, default=1.0)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--keep", action="store_false", dest="drop")
    parser.add_argument("--metadata", metavar="KEY=VALUE", nargs="*")
    parser.add_argument("--lora", action="append", default=[])
    parser.add_argument("--maybe", nargs="?", const="auto")
    parser.add_argument("positional")
    group = parser.add_argument_group("more")
    add_more(group, prefix="r")
    add_more(target=parser)
    if EXTRA:
        group.add_argument("--extra", type=lambda text: text.split())
    args = parser.parse_args()
    main(args)
"""


def test_a_client_of_one_file() -> None:
    snapshot = script_arguments(CLIENT, "utils/client.py")
    assert snapshot.facts == {
        "backend": {"ch": ["openai", "vllm"], "d": "vllm", "k": "str"},
        "burstiness": {"d": 1.0, "k": "float"},
        "extra": {"d": None, "k": "str"},
        "headers": {"d": None, "k": "json"},
        "keep": {"d": True, "k": "bool"},
        "lora": {"d": [], "k": "str", "multi": True},
        "maybe": {"d": None, "k": "str", "nargs": "?"},
        "metadata": {"d": None, "k": "list", "nargs": "*"},
        "r-count": {"d": None, "k": "int"},
        "r-rate": {"d": None, "k": "float"},
        "save": {"d": False, "k": "bool"},
        "x-count": {"d": None, "k": "int"},
        "x-rate": {"d": None, "k": "float"},
    }
    assert (snapshot.unresolved, snapshot.seen) == ((), 14)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def (:\n", "utils/c.py:1: client"),
        ("import argparse\np = argparse.ArgumentParser()\np.add_argument(NAME)\n", "utils/c.py:3: a flag whose name"),
        ("import argparse\np = argparse.ArgumentParser()\np.add_argument('--a b')\n", "'a b' (not a name"),
    ],
)
def test_what_a_client_hides_is_told_with_its_place(text: str, says: str) -> None:
    snapshot = script_arguments(text, "utils/c.py")
    assert snapshot.facts == {}
    assert [says in str(one) for one in snapshot.unresolved] == [True], snapshot.unresolved
