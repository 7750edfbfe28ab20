"""Miniature packages in the manner of vLLM, SGLang, ATOM and TensorRT-LLM, hand-written: every form, few flags."""

from __future__ import annotations

from collections.abc import Mapping

_VLLM_UTILS = """
import dataclasses
from pydantic.dataclasses import dataclass as pydantic_dataclass
def config(cls=None, *, config=None):
    def wrap(cls):
        return pydantic_dataclass(cls, config=config)
    return wrap if cls is None else wrap(cls)
"""

_VLLM_MODEL = """
from dataclasses import InitVar
from typing import Annotated, Any, ClassVar, Literal, Optional, Union
from pydantic import ConfigDict, Field, SkipValidation, field_validator, model_validator
import vllm.envs as envs
from vllm.config.utils import config
from vllm.config.words import Task, Wide, Level, Digest
from vllm.config.inner import InnerConfig
from torch import dtype as torch_dtype

Mode = Literal["auto", "slow"]
BASE = 16

@config
class ModelConfig:
    model: str = "small/model"
    runner: Task = "auto"
    mode: Mode | str = "auto"
    wide: Wide = "a"
    level: "Level" = Level.LOW
    digest: Digest = Digest.BLAKE
    numbers: Literal[8, BASE, 32] = 8
    maybe_number: Literal[0, 1] | None = None
    dtype: Union[Mode, torch_dtype] = "auto"
    max_model_len: int = None
    blocks: SkipValidation[int] = 2**10
    batch: int | None = None
    ratio: Annotated[float, Field(gt=0, le=1)] = 0.9
    names: Optional[Union[str, list[str]]] = None
    pair: tuple[int, int] = (1, 2)
    many: tuple[float, ...] = ()
    kinds: list[Mode] | None = None
    bag: set[str] = Field(default_factory=set)
    flags: bool = True
    trace: bool | str | None = None
    words: dict[str, int] = Field(default_factory=dict)
    words_or_text: dict[str, Any] | str = Field(default_factory=dict)
    opaque: Any = None
    where: str = envs.VLLM_WHERE
    inner: InnerConfig = Field(default_factory=lambda: InnerConfig())
    inner_or_none: Optional[InnerConfig] = None
    shown: str = Field("s", alias="display")
    hidden: int = Field(init=False, default=3)
    local: InitVar[int] = 3
    LIMIT: ClassVar[int] = 5
    @field_validator("ratio", mode="before")
    def _as_number(cls, value): ...
"""

VLLM: Mapping[str, str] = {
    "vllm/__init__.py": "",
    "vllm/envs.py": "environment_variables = {'VLLM_WHERE': lambda: 1}\n",
    "vllm/config/__init__.py": (
        "from vllm.config.model import ModelConfig, Mode\n"
        "from vllm.config.inner import InnerConfig\n"
        "from vllm.config.utils import config\n"
    ),
    "vllm/config/utils.py": _VLLM_UTILS,
    "vllm/config/model.py": _VLLM_MODEL,
    "vllm/config/words.py": '''
import enum
from enum import Enum
from typing import Literal, TypeAlias, get_args
Plain = Literal["a", "b"]
type Wide = Literal[Plain, "c"]
Task: TypeAlias = Literal["auto", Literal["generate", "pool"]]
class Level(str, Enum):
    LOW = "low"
    HIGH = "high"
class Digest(enum.Enum):
    BLAKE = "blake3"
    SHA = "sha256"
class Registry:
    known = {"hermes": 1, "pythonic": 2}
def generic[T](value: T) -> T: ...
''',
    "vllm/config/inner.py": '''
from dataclasses import field
from pydantic import ConfigDict, Field, model_validator
from vllm.config.utils import config
@config
class DeepConfig:
    depth: int = Field(default=1, ge=1)
@config(config=ConfigDict(arbitrary_types_allowed=True))
class InnerConfig:
    sizes: list[int] | None = None
    deep: DeepConfig = field(default_factory=DeepConfig)
    by_name: dict[str, DeepConfig] = field(default_factory=dict)
    either: "DeepConfig | OtherConfig | None" = None
    needed: str = Field()
@config
class OtherConfig:
    width: int = 1
    @model_validator(mode="before")
    def _any(cls, data): ...
''',
    "vllm/utils/__init__.py": "",
    "vllm/utils/argparse_utils.py": '''
import argparse
class FlexibleArgumentParser(argparse.ArgumentParser):
    pass
def human_readable_int(text): ...
def human_readable_int_or_auto(text): ...
''',
    "vllm/platforms.py": "current_platform = object()\n",
    "vllm/engine/__init__.py": "",
    "vllm/engine/arg_utils.py": '''
import argparse, copy, functools, json, sys
from dataclasses import dataclass, fields
from vllm.config import InnerConfig, ModelConfig
from vllm.config.words import Level, Registry
from vllm.platforms import current_platform
from vllm.utils.argparse_utils import FlexibleArgumentParser, human_readable_int, human_readable_int_or_auto
def optional_type(convert): ...
def parse_type(convert): ...
def _expand_json_human_readable_numbers(text): ...
@functools.lru_cache
def _compute_kwargs(cls):
    made = {}
    for one in fields(cls):
        def parse_record(text, cls=cls):
            return _expand_json_human_readable_numbers(text)
        made[one.name]["nargs"] = "?"
        made[one.name]["const"] = True
        readable = {"batch"}
        made[one.name]["type"] = human_readable_int if one.name in readable else int
    return made
def get_kwargs(cls):
    return copy.deepcopy(_compute_kwargs(cls))
@dataclass
class EngineArgs:
    model: str = ModelConfig.model
    inner: InnerConfig = InnerConfig()
    @staticmethod
    def add_cli_args(parser: FlexibleArgumentParser) -> FlexibleArgumentParser:
        model_kwargs = get_kwargs(ModelConfig)
        group = parser.add_argument_group(title="ModelConfig", description=ModelConfig.__doc__)
        if not ("serve" in sys.argv[1:] and "--help" in sys.argv[1:]):
            group.add_argument("--model", **model_kwargs["model"])
        for_all = ("runner", "mode", "wide", "level", "digest", "numbers", "blocks", "batch", "ratio", "pair", "many",
                   "kinds", "bag", "flags", "trace", "words", "opaque", "where", "inner")
        for name in for_all:
            group.add_argument(f"--{name}", **model_kwargs[name])
        group.add_argument("--dtype", **model_kwargs["dtype"])
        group.add_argument("--maybe-number", **model_kwargs["maybe_number"])
        group.add_argument("--max-model-len", **model_kwargs["max_model_len"])
        group.add_argument("--served-name", "--served-names", **model_kwargs["names"])
        group.add_argument("--words-or-text", **model_kwargs["words_or_text"])
        group.add_argument("--inner-or-none", "-i", **model_kwargs["inner_or_none"])
        group.add_argument("--flags-or-nothing", **{**model_kwargs["flags"], "default": None})
        model_kwargs["mode"]["choices"] = list(Registry.known.keys())
        group.add_argument("--parser", **model_kwargs["mode"])
        group.add_argument("--levels", nargs="*", choices=[one.value for one in Level])
        group.add_argument("--old", action="store_true", deprecated=True)
        return parser
@dataclass
class AsyncEngineArgs(EngineArgs):
    log_requests: bool = False
    @staticmethod
    def add_cli_args(parser, async_args_only: bool = False):
        if not async_args_only:
            parser = EngineArgs.add_cli_args(parser)
        parser.add_argument("--log-requests", action=argparse.BooleanOptionalAction,
                            default=AsyncEngineArgs.log_requests)
        current_platform.pre_register_and_update(parser)
        return parser
''',
    "vllm/entrypoints/__init__.py": "",
    "vllm/entrypoints/openai/__init__.py": "",
    "vllm/entrypoints/openai/cli_args.py": '''
import argparse, json, ssl
from typing import Any
from dataclasses import field
from vllm.config import config
from vllm.engine.arg_utils import AsyncEngineArgs, optional_type
class AppendPairs(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None): ...
@config
class BaseFrontendArgs:
    lora_modules: list[str] | None = None
    template_words: dict[str, Any] | None = None
    middleware: list[str] = field(default_factory=lambda: [])
    @classmethod
    def _customize_cli_kwargs(cls, kwargs):
        kwargs["template_words"]["type"] = json.loads
        kwargs["lora_modules"]["type"] = optional_type(str)
        kwargs["lora_modules"]["action"] = AppendPairs
        return kwargs
    @classmethod
    def add_cli_args(cls, parser):
        from vllm.engine.arg_utils import get_kwargs
        kwargs = cls._customize_cli_kwargs(get_kwargs(cls))
        group = parser.add_argument_group(title=cls.__name__)
        for key, value in kwargs.items():
            extra = value.pop("flags", [])
            group.add_argument(*extra, f"--{key.replace('_', '-')}", **value)
        return parser
@config
class FrontendArgs(BaseFrontendArgs):
    host: str | None = None
    port: int = 8000
    allowed_origins: list[str] = field(default_factory=lambda: ["*"])
    certificates: int = int(ssl.CERT_NONE)
    @classmethod
    def _customize_cli_kwargs(cls, kwargs):
        kwargs = super()._customize_cli_kwargs(kwargs)
        kwargs["allowed_origins"]["type"] = json.loads
        del kwargs["allowed_origins"]["nargs"]
        kwargs["middleware"]["action"] = "append"
        kwargs["middleware"]["type"] = str
        if "nargs" in kwargs["middleware"]:
            del kwargs["middleware"]["nargs"]
        return kwargs
def make_arg_parser(parser):
    parser.add_argument("model_tag", type=str, nargs="?")
    parser.add_argument("--headless", action="store_true", default=False)
    parser = FrontendArgs.add_cli_args(parser)
    parser = AsyncEngineArgs.add_cli_args(parser)
    return parser
''',
}  # fmt: skip
"""vLLM: configuration classes made into arguments by its own ladder, and hand edits of what the ladder made."""

_SGLANG_ACTIONS = """
import argparse
class DeprecatedAction(argparse.Action):
    def __init__(self, option_strings, dest, nargs=0, error_message="", **kwargs):
        super().__init__(option_strings, dest, nargs=nargs, **kwargs)
class DeprecatedAliasStoreAction(argparse.Action):
    def __init__(self, option_strings, dest, new_flag="", **kwargs): ...
class DeprecatedStoreTrueAction(argparse.Action):
    def __init__(self, option_strings, dest, new_flag="", **kwargs):
        super().__init__(option_strings, dest, nargs=0, **kwargs)
class PairsAction(argparse.Action): ...
"""

_SGLANG_COMMON: Mapping[str, str] = {
    "sglang/__init__.py": "",
    "sglang/srt/__init__.py": "",
    "sglang/srt/environ.py": "class Envs:\n    SGLANG_A = EnvBool(False)\nenvs = Envs()\n",
    "sglang/srt/actions.py": _SGLANG_ACTIONS,
    "sglang/srt/utils/__init__.py": "",
    "sglang/srt/utils/common.py": '''
def json_list_type(value): ...
def human_readable_int(value): ...
def nullable_str(value): ...
''',
    "sglang/srt/parsers.py": '''
from enum import Enum
class Detectors:
    known = {"qwen": 1, "kimi": 2}
class Check(Enum):
    NONE = 0
    ALL = 1
class Backend:
    FULL = "full"
    OFF = "off"
    ALL = (FULL, OFF)
''',
}  # fmt: skip

SGLANG_PLAIN: Mapping[str, str] = {
    **_SGLANG_COMMON,
    "sglang/srt/server_args.py": '''
import argparse, dataclasses, json
from typing import List, Optional
from sglang.srt.actions import DeprecatedAction
from sglang.srt.parsers import Detectors
from sglang.srt.utils import common
QUANTIZATIONS = ["fp8", "awq"]
def add_quantization_choices(more):
    QUANTIZATIONS.extend(more)
FIXED = ["a", "b"]
@dataclasses.dataclass
class ServerArgs:
    model_path: str
    host: str = "127.0.0.1"
    port: int = 30000
    dtype: str = "auto"
    sizes: Optional[List[int]] = None
    @staticmethod
    def add_cli_args(parser: argparse.ArgumentParser):
        parser.add_argument("--model-path", "--model", type=str, required=True)
        parser.add_argument("--host", type=str, default=ServerArgs.host)
        parser.add_argument("--port", type=int, default=ServerArgs.port)
        parser.add_argument("--quantization", type=str, choices=QUANTIZATIONS)
        parser.add_argument("--fixed", choices=FIXED, default="a")
        parser.add_argument("--sizes", type=int, nargs="+")
        parser.add_argument("--tp-size", "--tensor-parallel-size", "--tp", type=int, default=1)
        parser.add_argument("--words", type=json.loads, default=ServerArgs.missing)
        parser.add_argument("--detector", choices=["auto"] + list(Detectors.known.keys()))
        parser.add_argument("--gone", action=DeprecatedAction, error_message="no longer")
        parser.add_argument("--enable-a", action="store_true")
        parser.add_argument("--disable-b", action="store_false", dest="b")
''',
}  # fmt: skip
"""SGLang up to 0.5.13: plain calls."""

SGLANG_FIELDS: Mapping[str, str] = {
    **_SGLANG_COMMON,
    "sglang/srt/arg_groups/__init__.py": "",
    "sglang/srt/arg_groups/arg_utils.py": '''
import dataclasses
from typing import Annotated
A = Annotated
@dataclasses.dataclass(frozen=True)
class Arg:
    help: str = ""
@dataclasses.dataclass(frozen=True)
class NS:
    path: str
def add_cli_args_from_dataclass(parser, cls, fields=None):
    for one in dataclasses.fields(cls):
        parser.add_argument(f"--{one.name}")
''',
    "sglang/srt/server_args.py": '''
import argparse, dataclasses, json
from typing import Dict, List, Literal, Optional, Union
from sglang.srt.arg_groups.arg_utils import NS, A, Arg, add_cli_args_from_dataclass
from sglang.srt.actions import (
    DeprecatedAction, DeprecatedAliasStoreAction, DeprecatedStoreTrueAction, PairsAction,
)
from sglang.srt.environ import envs
from sglang.srt.parsers import Backend, Check, Detectors
from sglang.srt.utils.common import human_readable_int, json_list_type, nullable_str
QUANTIZATIONS = ["fp8", "awq"]
add_quantization_choices = QUANTIZATIONS.extend
SAMPLERS = {"torch", "flash"}
@dataclasses.dataclass
class ServerArgs:
    model_path: A[str, Arg(help="where", aliases=["--model"])]
    host: A[str, "Where to listen."] = "127.0.0.1"
    ratio: A[float, "A" "share."] = 0.5
    tp_size: A[int, Arg(help="...", cli_name="--tensor-parallel-size", aliases=["--tp"]), NS("parallel")] = 1
    trust: A[bool, "..."] = False
    maybe: A[Optional[bool], "..."] = None
    negatable: A[bool, Arg(action=argparse.BooleanOptionalAction)] = True
    sizes: A[Optional[List[int]], "..."] = None
    names: A[Optional[List[str]], Arg(nargs="*")] = None
    mode: A[Literal["fast", "slow"], "..."] = "fast"
    picked: A[Optional[Literal[1, 2]], "..."] = None
    either: A[Union[str, int, None], "..."] = None
    quantization: A[Optional[str], Arg(choices=QUANTIZATIONS)] = None
    backend: A[Optional[Literal["full", "off"]], Arg(choices=Backend.ALL)] = None
    length: A[Optional[int], Arg(type_parser=human_readable_int)] = None
    ports: A[Optional[List[int]], Arg(type_parser=json_list_type)] = None
    words: A[Optional[Dict[str, str]], Arg(type_parser=json.loads)] = None
    scale: A[str, Arg(type_parser=lambda text: text)] = "1"
    token: A[Optional[str], Arg(type_parser=nullable_str, choices=["x", None])] = None
    pairs: A[Optional[list], Arg(action=PairsAction, action_kwargs={"nargs": "+"})] = None
    inside: A[int, Arg(no_cli=True)] = 0
    plain: int = 3
    sampler: Optional[str] = None
    @staticmethod
    def add_cli_args(parser: argparse.ArgumentParser):
        add_cli_args_from_dataclass(parser, ServerArgs)
        samplers = set(SAMPLERS)
        if envs.SGLANG_A.get():
            samplers.add("oracle")
        parser.add_argument("--sampler", type=str, choices=samplers, default=ServerArgs.sampler)
        parser.add_argument("--detector", type=str, choices=["auto"] + list(Detectors.known.keys()))
        parser.add_argument("--check", type=str, default="none", choices=[m.name.lower() for m in Check])
        parser.add_argument("--gone", action=DeprecatedAction, error_message="use another")
        parser.add_argument("--old-mode", action=DeprecatedAliasStoreAction, new_flag="--mode", dest="mode", type=str)
        parser.add_argument("--old-switch", action=DeprecatedStoreTrueAction, new_flag="--trust", dest="trust")
''',
}  # fmt: skip
"""SGLang from 0.5.14: annotated fields, and a few calls."""

_ATOM_ENGINE = """
import argparse, json
STRATEGIES = ("round", "least")
class EngineArgs:
    @staticmethod
    def add_cli_args(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
        parser.add_argument("--tensor-parallel-size", "-tp", type=int, default=1)
        parser.add_argument("--kv_cache_dtype", choices=["bf16", "fp8"], type=str, default="bf16")
        parser.add_argument("--index-dtype", "--index_dtype", type=str)
        parser.add_argument("--eplb", "--enable-eplb", "--enable_eplb", action="store_true")
        parser.add_argument("--prefix_caching", action=argparse.BooleanOptionalAction, default=True)
        parser.add_argument("--tbo", nargs="?", const="prefill", default=None, choices=["prefill", "all"])
        parser.add_argument("--balance", choices=list(STRATEGIES), default="least")
        parser.add_argument("--overrides", type=json.loads, default=None)
        return parser
"""

ATOM_STRICT: Mapping[str, str] = {
    "atom/__init__.py": "",
    "atom/entrypoints/__init__.py": "",
    "atom/model_engine/__init__.py": "",
    "atom/model_engine/arg_utils.py": _ATOM_ENGINE,
    "atom/entrypoints/openai_server.py": '''
import argparse
from atom.model_engine.arg_utils import EngineArgs
def main():
    parser = argparse.ArgumentParser()
    EngineArgs.add_cli_args(parser)
    parser.add_argument("--host", type=str, default="0.0.0.0")
    args = parser.parse_args()
''',
}  # fmt: skip
"""ATOM's first tags: a plain parser."""

ATOM_FLEXIBLE: Mapping[str, str] = {
    **{path: text for path, text in ATOM_STRICT.items() if "openai_server" not in path},
    "atom/utils/__init__.py": "",
    "atom/utils/arg_parser.py": '''
import argparse
class FlexibleArgumentParser(argparse.ArgumentParser):
    def add_argument(self, *names, **kwargs):
        return super().add_argument(*names, **kwargs)
''',
    "atom/entrypoints/openai_server.py": '''
if __name__ == "__main__":
    from atom.entrypoints.openai.api_server import main
    main()
''',
    "atom/entrypoints/openai/__init__.py": "",
    "atom/entrypoints/openai/api_server.py": '''
from atom.model_engine.arg_utils import EngineArgs
from atom.utils.arg_parser import FlexibleArgumentParser
def main():
    parser = FlexibleArgumentParser(description="server")
    EngineArgs.add_cli_args(parser)
    parser.add_argument("--host", type=str, default="0.0.0.0")
    args = parser.parse_args()
''',
}  # fmt: skip
"""ATOM later: a parser for which ``-`` and ``_`` are the same."""

TRTLLM: Mapping[str, str] = {
    "tensorrt_llm/__init__.py": "raise ImportError('never imported')\n",
    "tensorrt_llm/llmapi/__init__.py": "from .llm_args import TorchLlmArgs\n",
    "tensorrt_llm/llmapi/utils.py": '''
from pydantic import BaseModel, ConfigDict
class StrictBaseModel(BaseModel):
    model_config = ConfigDict(extra="forbid")
''',
    "tensorrt_llm/llmapi/llm_args.py": '''
from enum import EnumMeta
from typing import Annotated, Any, ClassVar, Dict, List, Literal, Optional, Type, TypeAlias, Union
from pydantic import AliasChoices, BaseModel, ConfigDict, NonNegativeInt, PositiveInt, PrivateAttr
from pydantic import Field as PydanticField
from pydantic import field_validator, model_validator
from strenum import StrEnum
from ..bindings.executor import KvCacheConfig as _KvCacheConfig
from .utils import StrictBaseModel

def Field(default: Any = ..., *, status: Optional[str] = None, **kwargs: Any) -> Any:
    return PydanticField(default, **kwargs)

class Mirror: ...
class Policy(StrEnum, metaclass=EnumMeta):
    MAX = "MAX"
    GUARANTEED = "GUARANTEED"

class BaseGraphConfig(StrictBaseModel):
    batch_sizes: Optional[List[int]] = Field(default=None, description="...")
    max_batch_size: NonNegativeInt = Field(default=0)
class DecodeGraphConfig(BaseGraphConfig):
    mode: Literal["decode"] = "decode"
class EncodeGraphConfig(BaseGraphConfig):
    mode: Literal["encode"] = "encode"
    num_tokens: Optional[List[PositiveInt]] = Field(default=None, min_length=1)

class CacheConfig(StrictBaseModel, Mirror):
    free_fraction: Optional[float] = Field(default=0.9, gt=0, lt=1.0)
    dtype: str = Field(default="auto")
    policy: Policy = Field(default=Policy.MAX)
    _native: Any = PrivateAttr(default=None)

class DecodingBaseConfig(StrictBaseModel):
    max_draft_len: Optional[int] = Field(default=None, validation_alias=AliasChoices("max_draft_len", "draft_len"))
    decoding_type: ClassVar[str]
class MTPConfig(DecodingBaseConfig):
    decoding_type: Literal["MTP"] = "MTP"
    num_layers: PositiveInt = 1
class EagleConfig(DecodingBaseConfig):
    decoding_type: Literal["Eagle"] = "Eagle"
    model_dir: Optional[str] = None
SpeculativeConfig: TypeAlias = Annotated[
    Union[MTPConfig, EagleConfig], Field(discriminator="decoding_type"),
]

class Loose(BaseModel):
    name: str
class Open(BaseModel):
    model_config = {"extra": "allow"}
    name: str = "n"
class Older(BaseModel):
    class Config:
        extra = "forbid"
    name: str = "n"

class BaseLlmArgs(StrictBaseModel):
    model_config = {"arbitrary_types_allowed": True}
    model: Union[str, "Path"] = Field(description="...")
    tensor_parallel_size: int = Field(default=1, ge=1)
    kv_cache_config: CacheConfig = Field(default_factory=CacheConfig)
    speculative_config: Optional[SpeculativeConfig] = Field(default=None)
    graph: Optional[Union[DecodeGraphConfig, EncodeGraphConfig]] = Field(default=None)
    env_overrides: Optional[Dict[str, str]] = Field(default=None)
    loose: List[Loose] = []
    open: Optional[Open] = None
    older: Optional[Older] = None
    checked: int = 0
    @field_validator("checked", mode="before")
    @classmethod
    def _check(cls, value): ...
class TorchLlmArgs(BaseLlmArgs):
    backend: Literal["pytorch"] = "pytorch"
    attn_backend: str = "TRTLLM"
class TrtLlmArgs(BaseLlmArgs):
    fast_build: bool = False
LlmArgs = TorchLlmArgs
''',
}  # fmt: skip
"""TensorRT-LLM: a tree of pydantic models."""
