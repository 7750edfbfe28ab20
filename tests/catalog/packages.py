"""Miniature packages in the manner of upstream ones, hand-written, as a wheel, a source archive, a folder, a commit."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

UTILS = """
import os
def env_or_default(env_var, default, value_type=None):
    return os.environ.get(env_var, default)
def add_argument(parser, *, flag_name, env_var, default, help, obsolete_flag=None, arg_type=str, **kwargs):
    parser.add_argument(flag_name, default=env_or_default(env_var, default), type=arg_type, **kwargs)
def add_negatable_bool_argument(parser, *, flag_name, env_var, default, help, dest=None, obsolete_flag=None):
    add_argument(parser, flag_name=flag_name, env_var=env_var, default=default, help=help)
"""

GROUPS = """
import argparse, enum
from dynamo.common.configuration.arg_group import ArgGroup
from dynamo.common.configuration.utils import add_argument, add_negatable_bool_argument, env_or_default
class Mode(enum.Enum):
    AGG = "agg"
    PREFILL = "prefill"
class _DeprecatedSwitch(argparse.BooleanOptionalAction):
    pass
DEFAULT_DEPTH = 2 ** 3
class RuntimeArgGroup(ArgGroup):
    def add_arguments(self, parser):
        g = parser.add_argument_group("Runtime")
        add_argument(g, flag_name="--namespace", env_var="DYN_NAMESPACE", default="dynamo", help="...")
        add_argument(g, flag_name="--depth", env_var="DYN_DEPTH", default=DEFAULT_DEPTH, arg_type=int, help="...",
                     obsolete_flag="--old-depth")
        add_argument(g, flag_name="--mode", env_var="DYN_MODE", default=None, help="...",
                     choices=[m.value for m in Mode])
        add_negatable_bool_argument(g, flag_name="--kv-events", env_var="DYN_KV_EVENTS", default=True, help="...")
        g.add_argument("-i", "--interactive", action=argparse.BooleanOptionalAction,
                       default=env_or_default("DYN_INTERACTIVE", False))
        g.add_argument("--enforce", action=_DeprecatedSwitch, default=False)
def add_shared(g, *, prefix):
    add_negatable_bool_argument(g, flag_name="--shared", env_var=f"DYN_{prefix}_SHARED", default=False, help="...")
class EngineArgGroup(RuntimeArgGroup):
    def add_arguments(self, parser):
        super().add_arguments(parser)
        add_shared(parser, prefix="X")
        for flag, variable, new in (("--old-a", "DYN_OLD_A", "--a"), ("--old-b", "DYN_OLD_B", "--b")):
            add_argument(parser, flag_name=flag, env_var=variable, default=None, arg_type=int, help=f"use {new}")
"""

FILES: Mapping[str, str] = {
    "dynamo/__init__.py": "",
    "dynamo/common/__init__.py": "",
    "dynamo/common/configuration/__init__.py": "",
    "dynamo/common/configuration/arg_group.py": "class ArgGroup:\n    pass\n",
    "dynamo/common/configuration/utils.py": UTILS,
    "dynamo/common/configuration/groups.py": GROUPS,
    "dynamo/vllm/__init__.py": "",
    "dynamo/vllm/args.py": '''
import argparse
from vllm.engine.arg_utils import AsyncEngineArgs
from dynamo.common.configuration.groups import EngineArgGroup
def register(parser):
    other = argparse.ArgumentParser()
    other.add_argument("--from-elsewhere", nargs="+", default=[])
def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    group = EngineArgGroup()
    group.add_arguments(parser)
    parser = AsyncEngineArgs.add_cli_args(parser)
    register(parser)
    return parser.parse_args(argv)
''',
    "dynamo/sglang/__init__.py": "",
    "dynamo/sglang/args.py": '''
import argparse, os
from dynamo._core import parsers
DYNAMO_ARGS = {
    "endpoint": {"flags": ["--endpoint"], "type": str, "help": f"say {os.sep}"},
    "limit": {"flags": ["--migration-limit"], "type": int, "default": 0, "help": "..."},
    "parser": {"flags": ["--dyn-tool-call-parser"], "type": str, "default": None, "choices": parsers(), "help": "..."},
    "embedding": {"flags": ["--embedding-worker"], "action": "store_true", "default": False, "help": "..."},
    "plane": {"flags": ["--request-plane"], "type": str, "choices": ["nats", "tcp"],
              "default": os.environ.get("DYN_REQUEST_PLANE", "tcp"), "help": "..."},
}
async def parse_args(args):
    parser = argparse.ArgumentParser()
    for info in DYNAMO_ARGS.values():
        kwargs = {"default": info["default"] if "default" in info else None, "help": info["help"]}
        if "type" in info:
            kwargs["type"] = info["type"]
        if "choices" in info:
            kwargs["choices"] = info["choices"]
        if "action" in info:
            kwargs["action"] = info["action"]
        parser.add_argument(*info["flags"], **kwargs)
''',
    "dynamo/trtllm/__init__.py": "",
    "dynamo/trtllm/args.py": '''
import argparse
def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model-path", "--model", type=str, required=True)
    parser.add_argument(argv[0])
    for name in unknown():
        parser.add_argument(f"--{name}")
''',
    "dynamo/frontend/__init__.py": "",
    "dynamo/frontend/main.py": '''
import argparse
def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--http_port", type=int, default=8000)
    parser.add_argument("--version", action="version", version="1")
''',
    "dynamo/frontend/tests/test_main.py": "NAME = 'DYN_ONLY_IN_TESTS'\n",
}  # fmt: skip


def wheel(folder: Path, files: Mapping[str, str] = FILES, name: str = "ai_dynamo-1.0.0-py3-none-any.whl") -> Path:
    """A wheel."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in files.items():
            archive.writestr(member, text)
    return path


def sdist(folder: Path, files: Mapping[str, str] = FILES, name: str = "ai_dynamo-1.0.0") -> Path:
    """A source archive, the package below ``components/src`` as in the repository."""
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for member, text in files.items():
            raw = text.encode()
            info = tarfile.TarInfo(f"{name}/components/src/{member}")
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return path


def folder_of(folder: Path, files: Mapping[str, str] = FILES, below: str = "components/src") -> Path:
    """A folder, the package below ``components/src``."""
    for member, text in files.items():
        path = folder / below / member
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
