"""Types and records that a package may have to make its reader slow, endless or wrong: they end in facts or reasons."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from configlint.catalog.members import MemoryMembers
from configlint.catalog.snapshot import Snapshot
from configlint.catalog.tools import TOOLS
from tests.catalog.engines import SGLANG_FIELDS, TRTLLM, VLLM

_SECONDS = 8  # far more than any needs, far less than what is not bounded would take

_HEAD = """
from __future__ import annotations
from typing import Annotated, Any, Dict, List, Literal, Optional, TypeAlias, Union
from enum import Enum
from pydantic import BaseModel, Field
"""


def chain(first: str, step: str, many: int) -> str:
    """``T0 = first``, and each later one made of the one before it."""
    lines = [f"T0 = {first}"]
    lines += [f"T{n} = {step.replace('@', f'T{n - 1}')}" for n in range(1, many)]
    return "\n".join(lines) + "\n"


TYPES: Mapping[str, tuple[str, str]] = {
    "an alias of itself": ("X = X\n", "X"),
    "aliases in a circle": ("X = Y\nY = Optional[Z]\nZ = X\n", "X"),
    "a type of itself": ("type X = list[X] | dict[str, X]\n", "X"),
    "a quoted circle": ('X = "Y"\nY = "X"\n', "X"),
    "unions that double": (chain("int", "Union[@, @]", 24), "T23"),
    "unions that double, quoted": (chain("int", '"@ | @"', 24), "T23"),
    "brackets that double": (chain("int", "Dict[@, @]", 24), "T23"),
    "brackets with many": (chain("int", "Dict[@, Union[@, List[@]]]", 24), "T23"),
    "literals that double": (chain('Literal["a"]', "Literal[@, @, 1]", 24), "T23"),
    "unions of sixteen": (chain("int", f"Union[{', '.join('@' * 16)}]", 24), "T23"),
    "brackets of sixteen": (chain("int", f"Dict[str, Union[{', '.join('List[@]' for _ in range(16))}]]", 24), "T23"),
    "literals of sixteen": (chain('Literal["a"]', f"Literal[{', '.join('@' * 16)}, 1]", 24), "T23"),
    "a literal of very many": ("X = Literal[" + ", ".join(f'"v{n}"' for n in range(50_000)) + "]\n", "X"),
    "a union of very many": ("X = Union[" + ", ".join(f'Literal["v{n}"]' for n in range(20_000)) + "]\n", "X"),
    "a long sum": ("X = " + " | ".join(["int"] * 60) + "\n", "X"),
    "deep brackets": ("X = " + "List[" * 90 + "int" + "]" * 90 + "\n", "X"),
    "a very long quotation": ('X = "' + "int | " * 50_000 + 'str"\n', "X"),
    "an enumeration of very many": (
        "class X(str, Enum):\n" + "".join(f"    V{n} = 'v{n}'\n" for n in range(20_000)),
        "X",
    ),
    "an enumeration of itself": ("class X(str, Enum):\n    A = B\n    B = A\n", "X"),
    "a class that is its own base": ("class X(X): ...\n", "X"),
    "bases in a circle": ("class X(Y): ...\nclass Y(Z): ...\nclass Z(X): ...\n", "X"),
    "a diamond of many": (
        "class X0(BaseModel):\n    a: int = 1\n"
        + "".join(
            f"class X{n}(X{n - 1}, Z{n - 1}):\n    b{n}: int = 1\nclass Z{n}(X{n - 1}): ...\n" for n in range(1, 40)
        )
        + "class Z0(BaseModel): ...\n",
        "X39",
    ),
    "a record in itself": (
        "class X(BaseModel):\n    x: X\n    xs: list[X] = []\n    by: dict[str, Optional[X]] = {}\n",
        "X",
    ),
    "records in a circle": ("class X(BaseModel):\n    y: Y\nclass Y(BaseModel):\n    x: X\n", "X"),
    "very many records": (
        "".join(f"class R{n}(BaseModel):\n    a: R{n + 1}\n" for n in range(3_000)) + "class R3000(BaseModel): ...\n",
        "R0",
    ),
    "a record of very many fields": (
        "class X(BaseModel):\n" + "".join(f"    f{n}: int = {n}\n" for n in range(10_000)),
        "X",
    ),
    "a record below itself in a default": (
        "class X(BaseModel):\n    x: Any = Field(default_factory=lambda: X())\n",
        "X",
    ),
    "a class whose constants are made of all others": (
        "class X(BaseModel):\n"
        + "".join(f"    c{n}: int = " + " + ".join(f"c{k}" for k in range(n)) + " + 1\n" for n in range(1, 60)),
        "X",
    ),
}


def _timed(tool: str, part: str, files: Mapping[str, str]) -> Snapshot:
    start = time.perf_counter()
    found = TOOLS[tool].extract(MemoryMembers(dict(files)))[f"{tool}.{part}"]
    assert time.perf_counter() - start < _SECONDS
    return found


def _models(body: str, kind: str) -> Snapshot:
    fields = f"    before: int = 1\n    it: {kind} = None\n    after: int = 2\n"
    source = f"{_HEAD}{body}class TorchLlmArgs(BaseModel):\n{fields}"
    return _timed("tensorrt-llm", "config", {**TRTLLM, "tensorrt_llm/llmapi/llm_args.py": source})


@pytest.mark.parametrize("name", TYPES)
def test_a_model_with_such_a_field(name: str) -> None:
    found = _models(*TYPES[name])
    assert found.facts["TorchLlmArgs.before"] == {"k": "int", "d": 1}
    assert found.facts["TorchLlmArgs.after"] == {"k": "int", "d": 2}
    assert "k" in found.facts["TorchLlmArgs.it"]
    assert sum(len(str(says)) for says in found.facts.values()) < 3_000_000


def test_what_is_not_followed_is_told() -> None:
    many = _models(*TYPES["very many records"])
    assert ["more records than are followed" in str(one) for one in many.unresolved] == [True]
    deep = _models("X = " + " | ".join(["int"] * 3_000) + "\n", "X")
    assert deep.facts == {}
    assert any("nested too deeply" in str(one) for one in deep.unresolved)


def _before(path: str, files: Mapping[str, str], marker: str, body: str, head: str) -> str:
    assert marker in files[path]
    return head + files[path].replace(marker, f"{body}{marker}", 1)


@pytest.mark.parametrize("name", TYPES)
def test_arguments_of_such_a_type(name: str) -> None:
    body, kind = TYPES[name]
    path, head = (
        "vllm/config/model.py",
        "from typing import Dict, List\nfrom enum import Enum\nfrom pydantic import BaseModel\n",
    )
    engine = _before(path, VLLM, "@config\nclass", body, head).replace("runner: Task =", f"runner: {kind} =")
    found = _timed("vllm", "engine", {**VLLM, path: engine})
    assert {"model", "runner", "wide"} <= found.facts.keys()
    path = "sglang/srt/server_args.py"
    server = _before(path, SGLANG_FIELDS, "@dataclasses.dataclass\nclass", body, head)
    server = server.replace('either: A[Union[str, int, None], "..."]', f'either: A[{kind}, "..."]')
    found = _timed("sglang", "server", {**SGLANG_FIELDS, path: server})
    assert {"host", "either", "words"} <= found.facts.keys()


def test_constants_of_a_class_that_are_made_of_one_another() -> None:
    every = "".join(f"    C{n} = [{', '.join(f'C{k}' for k in range(n))}, {n}]\n" for n in range(40))
    source = SGLANG_FIELDS["sglang/srt/parsers.py"].replace(
        "class Backend:\n", f"class Backend:\n{every}    A = B\n    B = A\n"
    )
    for name in ("A", "C39"):
        server = SGLANG_FIELDS["sglang/srt/server_args.py"].replace("choices=Backend.ALL", f"choices=Backend.{name}")
        files = {**SGLANG_FIELDS, "sglang/srt/parsers.py": source, "sglang/srt/server_args.py": server}
        assert _timed("sglang", "server", files).facts["backend"]["open"] is True


@pytest.mark.parametrize(
    "text",
    [
        "type X = " + "(" * 400 + "int" + ")" * 400 + "\n",
        "type X[T] = " + "list[" * 400 + "T" + "]" * 400 + "\n",
        "type X = int\n" + "".join(" " * n + "if a:\n" for n in range(300)),
        "type X = \x00\n",
        "type X =\n",
        "def f[T](:\n",
    ],
)
def test_newer_grammar_that_is_none(text: str) -> None:
    found = _timed("vllm", "engine", {**VLLM, "vllm/config/words.py": text})
    assert any("vllm/config/words.py" in str(one) for one in found.unresolved)
