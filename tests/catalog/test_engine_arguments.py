"""The readers of vLLM, SGLang, ATOM and TensorRT-LLM, on hand-written packages: one for each form upstream has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from configlint.catalog.members import MemoryMembers
from configlint.catalog.snapshot import Snapshot
from configlint.catalog.tools import TOOLS
from configlint.cli.main import main
from tests.catalog.engines import ATOM_FLEXIBLE, ATOM_STRICT, SGLANG_FIELDS, SGLANG_PLAIN, TRTLLM, VLLM
from tests.catalog.packages import folder_of, wheel


def read(tool: str, part: str, files: Mapping[str, str]) -> Snapshot:
    return TOOLS[tool].extract(MemoryMembers(dict(files)))[f"{tool}.{part}"]


def changed(files: Mapping[str, str], path: str, old: str, new: str) -> dict[str, str]:
    assert old in files[path]
    return {**files, path: files[path].replace(old, new)}


NOTHING = ["", "None"]


def test_vllms_engine_each_rung_of_its_ladder() -> None:
    found = read("vllm", "engine", VLLM)
    assert found.unresolved == ()
    assert found.facts == {
        "bag": {"k": "list", "nargs": "+", "d": []},
        "batch": {"k": "int", "also": NOTHING, "units": True, "d": None},
        "blocks": {"k": "int", "d": 1024},
        "digest": {"k": "str"},  # an enumeration that does not mix with str: its default has no spelling
        "dtype": {"k": "str", "ch": ["auto", "slow"], "d": "auto"},
        "flags": {"k": "bool+no", "d": True},
        "flags-or-nothing": {"k": "bool+no", "d": None},  # {**kwargs["flags"], "default": None}
        "inner": {"k": "json", "units": True, "cls": "InnerConfig"},
        "inner-or-none": {"k": "json", "also": NOTHING, "units": True, "cls": "InnerConfig", "d": None, "al": ["-i"]},
        "kinds": {"k": "list", "nargs": "+", "also": NOTHING, "ch": ["auto", "slow", "None"], "d": None},
        "level": {"k": "str", "d": "low"},
        "levels": {"k": "list", "nargs": "*", "ch": ["low", "high"], "d": None},
        "log-requests": {"k": "bool+no", "d": False},
        "many": {"k": "list", "nargs": "+", "el": "float", "d": []},
        "max-model-len": {"k": "int", "also": ["auto", "-1"], "units": True, "d": None},
        "maybe-number": {"k": "int", "also": NOTHING, "ch": [0, 1, "None"], "d": None},
        "mode": {"k": "str", "open": True, "ch": ["auto", "slow"], "d": "auto"},
        "model": {"k": "str", "d": "small/model"},
        "numbers": {"k": "int", "ch": [8, 16, 32], "d": 8},
        "old": {"k": "bool", "dep": True, "d": False},
        "opaque": {"k": "str", "d": None},
        "pair": {"k": "list", "nargs": "2", "el": "int", "d": [1, 2]},
        "parser": {"k": "str", "open": True, "ch": ["hermes", "pythonic"], "d": "auto"},
        "ratio": {"k": "float", "d": 0.9},
        "runner": {"k": "str", "ch": ["auto", "generate", "pool"], "d": "auto"},
        "served-name": {"k": "list", "nargs": "+", "d": None, "al": ["--served-names"]},
        "trace": {"k": "str", "nargs": "?", "d": None},
        "where": {"k": "str", "env": "VLLM_WHERE"},
        "wide": {"k": "str", "ch": ["a", "b", "c"], "d": "a"},
        "words": {"k": "json", "d": {}},
        "words-or-text": {"k": "str", "d": {}},
    }


def test_vllms_frontend_is_a_loop_with_hand_edits_and_has_nothing_of_the_engine() -> None:
    found = read("vllm", "frontend", VLLM)
    assert found.unresolved == ()
    assert found.facts == {
        "allowed-origins": {"k": "json", "d": ["*"]},
        "certificates": {"k": "int"},
        "headless": {"k": "bool", "d": False},
        "host": {"k": "str", "d": None},
        "lora-modules": {"k": "list", "nargs": "+", "d": None},
        "middleware": {"k": "str", "multi": True, "d": []},
        "port": {"k": "int", "d": 8000},
        "template-words": {"k": "json", "d": None},
    }


def test_vllms_records_are_those_that_arguments_lead_to() -> None:
    found = read("vllm", "config", VLLM)
    assert found.unresolved == ()
    assert found.facts == {
        "DeepConfig": {"extra": "forbid"},
        "DeepConfig.depth": {"k": "int", "d": 1, "ge": 1},
        "InnerConfig": {"extra": "forbid"},
        "InnerConfig.by_name": {"k": "json", "cls": "DeepConfig", "d": {}},
        "InnerConfig.deep": {"k": "json", "cls": "DeepConfig"},
        "InnerConfig.either": {"k": "json", "cls": ["DeepConfig", "OtherConfig"], "null": True, "d": None},
        "InnerConfig.needed": {"k": "str", "req": True},
        "InnerConfig.sizes": {"k": "list", "null": True, "d": None},
        "OtherConfig": {"extra": "forbid"},
        "OtherConfig.width": {"k": "int", "open": True, "d": 1},  # a validator sees it first
    }


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return data", {"extra": "forbid"}),
        ('data.pop("old", None); return data', {"extra": "forbid", "also": ["old"]}),
        ('data["width"] = data.get("wide"); return data', {"extra": "forbid", "also": ["wide"]}),
        ("return dict(data)", {"extra": "forbid"}),
        ("return migrate(data)", {}),
        ("return migrate(values=data)", {}),
    ],
)
def test_a_validator_of_the_whole_may_take_more_keys(body: str, says: object) -> None:
    source = changed(VLLM, "vllm/config/inner.py", "def _any(cls, data): ...", f"def _any(cls, data): {body}")
    assert read("vllm", "config", source).facts["OtherConfig"] == says


@pytest.mark.parametrize(
    ("path", "old", "new", "key", "says"),
    [
        # what the ladder of this version lacks, its arguments lack
        ("vllm/engine/arg_utils.py", 'made[one.name]["const"] = True', "pass", "trace", {"k": "bool+no", "d": None}),
        ("vllm/engine/arg_utils.py", "return _expand_json_human_readable_numbers(text)", "return text", "inner",
         {"k": "json", "cls": "InnerConfig"}),
        ("vllm/engine/arg_utils.py", 'readable = {"batch"}', "readable = {'other'}", "batch",
         {"k": "int", "also": NOTHING, "d": None}),
        # aliases of types: a string, a union, one that is not there
        ("vllm/config/model.py", "runner: Task =", 'runner: "Task" =', "runner",
         {"k": "str", "ch": ["auto", "generate", "pool"], "d": "auto"}),
        ("vllm/config/model.py", "runner: Task =", "runner: Literal['x'] | Task =", "runner",
         {"k": "str", "ch": ["auto", "generate", "pool", "x"], "d": "auto"}),
        ("vllm/config/words.py", "type Wide = Literal", "Wide = Literal", "wide",
         {"k": "str", "ch": ["a", "b", "c"], "d": "a"}),
        # a default that is not there to be read is not guessed
        ("vllm/config/model.py", 'model: str = "small/model"', "model: str = compute()", "model", {"k": "str"}),
        ("vllm/config/model.py", 'model: str = "small/model"', "model: str = Field(default='m')", "model",
         {"k": "str", "d": "m"}),
        ("vllm/config/model.py", "ratio: Annotated[float, Field(gt=0, le=1)]", "ratio: float", "ratio",
         {"k": "float", "d": 0.9}),
    ],
)  # fmt: skip
def test_vllms_forms_that_come_and_go(path: str, old: str, new: str, key: str, says: object) -> None:
    assert read("vllm", "engine", changed(VLLM, path, old, new)).facts[key] == says


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    source = changed(VLLM, "vllm/engine/arg_utils.py", "get_kwargs(ModelConfig)", "get_kwargs(find_it())")
    (told, *_) = read("vllm", "engine", source).unresolved
    assert str(told).startswith("vllm/engine/arg_utils.py:")
    assert "arguments of a class that is not known" in str(told)
    empty = changed(VLLM, "vllm/engine/arg_utils.py", "class AsyncEngineArgs", "class OtherEngineArgs")
    assert [str(one) for one in read("vllm", "engine", empty).unresolved] == [
        "no vllm.engine.arg_utils.AsyncEngineArgs.add_cli_args"
    ]


def test_sglangs_plain_calls() -> None:
    found = read("sglang", "server", SGLANG_PLAIN)
    assert found.unresolved == ()
    assert found.facts == {
        "detector": {"k": "str", "ch": ["auto", "qwen", "kimi"], "d": None},
        "disable-b": {"k": "bool", "d": True},
        "enable-a": {"k": "bool", "d": False},
        "fixed": {"k": "str", "ch": ["a", "b"], "d": "a"},
        "gone": {"k": "bool", "dep": True, "gone": True},
        "host": {"k": "str", "d": "127.0.0.1"},
        "model-path": {"k": "str", "req": True, "d": None, "al": ["--model"]},
        "port": {"k": "int", "d": 30000},
        "quantization": {"k": "str", "open": True, "ch": ["fp8", "awq"], "d": None},  # plugins add to the list
        "sizes": {"k": "list", "el": "int", "nargs": "+", "d": None},
        "tp-size": {"k": "int", "d": 1, "al": ["--tensor-parallel-size", "--tp"]},
        "words": {"k": "json"},
    }


def test_sglangs_annotated_fields() -> None:
    found = read("sglang", "server", SGLANG_FIELDS)
    assert found.unresolved == ()
    assert found.facts == {
        "backend": {"k": "str", "ch": ["full", "off"], "d": None},  # a constant of a class, made of others of it
        "check": {"k": "str", "ch": ["none", "all"], "d": "none"},
        "detector": {"k": "str", "ch": ["auto", "qwen", "kimi"], "d": None},
        "either": {"k": "str", "d": None},
        "gone": {"k": "bool", "dep": True, "gone": True},
        "host": {"k": "str", "d": "127.0.0.1"},
        "length": {"k": "int", "units": True, "d": None},
        "maybe": {"k": "bool", "d": None},
        "mode": {"k": "str", "ch": ["fast", "slow"], "d": "fast"},
        "model-path": {"k": "str", "req": True, "d": None, "al": ["--model"]},
        "names": {"k": "list", "nargs": "*", "d": None},
        "negatable": {"k": "bool+no", "d": True},
        "old-mode": {"k": "str", "dep": "mode", "d": None},
        "old-switch": {"k": "bool", "dep": "trust"},
        "pairs": {"k": "list", "nargs": "+", "d": None},
        "picked": {"k": "int", "ch": [1, 2], "d": None},
        "ports": {"k": "json", "d": None},
        "quantization": {"k": "str", "open": True, "ch": ["fp8", "awq"], "d": None},
        "ratio": {"k": "float", "d": 0.5},
        "sampler": {"k": "str", "ch": ["flash", "torch", "oracle"], "d": None},  # both sides of what is not known
        "scale": {"k": "str", "d": "1"},
        "sizes": {"k": "list", "el": "int", "nargs": "+", "d": None},
        "tensor-parallel-size": {"k": "int", "d": 1, "al": ["--tp"]},
        "token": {"k": "str", "also": ["None"], "open": True, "ch": ["x"], "d": None},
        "trust": {"k": "bool", "d": False},
        "words": {"k": "json", "d": None},
    }


def test_a_name_that_cannot_be_read_is_unresolved() -> None:
    server = "sglang/srt/server_args.py"
    for old, new in (
        ('cli_name="--tensor-parallel-size"', "cli_name=spelled()"),
        ('parser.add_argument("--detector"', "parser.add_argument(spelled()"),
    ):
        found = read("sglang", "server", changed(SGLANG_FIELDS, server, old, new))
        assert ["a flag whose name is not known" in str(one) for one in found.unresolved] == [True]
        assert found.seen == len(found.facts) + 1


def test_a_server_without_arguments_is_told() -> None:
    nothing = "import os\nclass ServerArgs:\n    @staticmethod\n    def add_cli_args(parser): ...\n"
    found = read("sglang", "server", {**SGLANG_FIELDS, "sglang/srt/server_args.py": nothing})
    assert found.facts == {}
    assert [str(one) for one in found.unresolved] == [
        "sglang/srt/server_args.py:4: sglang.srt.server_args.ServerArgs.add_cli_args was not seen to declare anything"
    ]


ATOM: dict[str, dict[str, object]] = {
    "balance": {"k": "str", "ch": ["round", "least"], "d": "least"},
    "eplb": {"k": "bool", "d": False, "al": ["--enable-eplb", "--enable_eplb"]},
    "host": {"k": "str", "d": "0.0.0.0"},
    "index-dtype": {"k": "str", "d": None, "al": ["--index_dtype"]},
    "kv-cache-dtype": {"k": "str", "ch": ["bf16", "fp8"], "d": "bf16", "sp": "--kv_cache_dtype"},
    "overrides": {"k": "json", "d": None},
    "prefix-caching": {"k": "bool+no", "d": True, "sp": "--prefix_caching"},
    "tbo": {"k": "str", "nargs": "?", "ch": ["prefill", "all"], "d": None},
    "tensor-parallel-size": {"k": "int", "d": 1, "al": ["-tp"]},
}


def test_atoms_spellings_count_only_where_its_parser_minds() -> None:
    strict = read("atom", "server", ATOM_STRICT)
    assert (strict.facts, strict.unresolved) == (ATOM, ())
    flexible = read("atom", "server", ATOM_FLEXIBLE)
    spelled = {**ATOM, "index-dtype": {"k": "str", "d": None}}
    for key in ("kv-cache-dtype", "prefix-caching"):
        spelled[key] = {name: value for name, value in ATOM[key].items() if name != "sp"}
    assert (flexible.facts, flexible.unresolved) == (spelled, ())
    nothing = read("atom", "server", {"atom/__init__.py": ""})
    assert [str(one) for one in nothing.unresolved] == [
        "no main in atom.entrypoints.openai.api_server or atom.entrypoints.openai_server"
    ]


SHARED = {
    "batch_sizes": {"k": "list", "null": True, "d": None},
    "max_batch_size": {"k": "int", "d": 0},
}
DRAFT = {"max_draft_len": {"k": "int", "null": True, "d": None, "al": ["max_draft_len", "draft_len"]}}
LLM = {
    "checked": {"k": "int", "open": True, "d": 0},
    "env_overrides": {"k": "json", "null": True, "d": None},
    "graph": {"k": "json", "cls": ["DecodeGraphConfig", "EncodeGraphConfig"], "null": True, "d": None},
    "kv_cache_config": {"k": "json", "cls": "CacheConfig"},
    "loose": {"k": "list", "cls": "Loose", "d": []},
    "model": {"k": "str", "open": True, "req": True},
    "older": {"k": "json", "cls": "Older", "null": True, "d": None},
    "open": {"k": "json", "cls": "Open", "null": True, "d": None},
    "speculative_config": {"k": "json", "cls": ["MTPConfig", "EagleConfig"], "null": True, "d": None},
    "tensor_parallel_size": {"k": "int", "d": 1, "ge": 1},
}
RECORDS: dict[str, dict[str, object]] = {
    "CacheConfig": {
        "dtype": {"k": "str", "d": "auto"},
        "free_fraction": {"k": "float", "null": True, "d": 0.9, "gt": 0, "lt": 1.0},
        "policy": {"k": "str", "ch": ["MAX", "GUARANTEED"], "d": "MAX"},
    },
    "DecodeGraphConfig": {**SHARED, "mode": {"k": "str", "ch": ["decode"], "d": "decode"}},
    "EagleConfig": {
        **DRAFT,
        "decoding_type": {"k": "str", "ch": ["Eagle"], "d": "Eagle"},
        "model_dir": {"k": "str", "null": True, "d": None},
    },
    "EncodeGraphConfig": {
        **SHARED,
        "mode": {"k": "str", "ch": ["encode"], "d": "encode"},
        "num_tokens": {"k": "list", "null": True, "d": None, "min_length": 1},
    },
    "Loose": {"name": {"k": "str", "req": True}},
    "MTPConfig": {
        **DRAFT,
        "decoding_type": {"k": "str", "ch": ["MTP"], "d": "MTP"},
        "num_layers": {"k": "int", "d": 1},
    },
    "Older": {"name": {"k": "str", "d": "n"}},
    "Open": {"name": {"k": "str", "d": "n"}},
    "TorchLlmArgs": {
        **LLM,
        "attn_backend": {"k": "str", "d": "TRTLLM"},
        "backend": {"k": "str", "ch": ["pytorch"], "d": "pytorch"},
    },
    "TrtLlmArgs": {**LLM, "fast_build": {"k": "bool", "d": False}},
}


def test_tensorrt_llms_models() -> None:
    found = read("tensorrt-llm", "config", TRTLLM)
    assert found.unresolved == ()
    extra = dict.fromkeys(RECORDS, "forbid") | {"Loose": "ignore", "Open": "allow"}
    wanted: dict[str, object] = {name: {"extra": extra[name]} for name in RECORDS}
    wanted.update((f"{name}.{key}", says) for name, fields in RECORDS.items() for key, says in fields.items())
    assert found.facts == wanted
    assert read("tensorrt-llm", "config", {"tensorrt_llm/__init__.py": ""}).unresolved


@pytest.mark.parametrize(
    ("tool", "files", "path", "cut", "table"),
    [
        ("vllm", VLLM, "vllm/engine/arg_utils.py", r' "many",\s+"kinds", "bag", "flags"', "engine"),
        ("sglang", SGLANG_FIELDS, "sglang/srt/server_args.py", r" +(ratio|trust|words|either|scale): .*\n", "server"),
        ("tensorrt-llm", TRTLLM, "tensorrt_llm/llmapi/llm_args.py", r" +(loose|open|older|graph): .*\n", "config"),
        ("atom", ATOM_STRICT, "atom/model_engine/arg_utils.py", r" +parser.*overrides.*\n", "server"),
    ],
)
def test_versions_are_added_from_a_clone_and_a_wheel_and_losses_are_refused(
    tool: str,
    files: Mapping[str, str],
    path: str,
    cut: str,
    table: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clone = folder_of(tmp_path / "clone", files, ".")
    data = ["--data", str(tmp_path / "data")]
    assert main(["catalog", "add", f"{tool}@0.1.0", "--from", str(clone), "--allow-shrink", *data]) == 0
    before = (tmp_path / "data" / f"{tool}.{table}.jsonl").read_bytes()
    fewer = re.sub(cut, "", files[path])
    assert fewer != files[path]
    package = str(wheel(tmp_path, {**files, path: fewer}, f"{tool}-0.2.0-py3-none-any.whl"))
    capsys.readouterr()
    assert main(["catalog", "add", f"{tool}@0.2.0", "--from", package, *data]) == 1
    assert f"{tool}.{table} 0.2.0 has " in capsys.readouterr().err
    assert (tmp_path / "data" / f"{tool}.{table}.jsonl").read_bytes() == before
