"""The script that makes the shipped tables: says what it needs, and gives the same bytes for the same sources."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from configlint.catalog.store import SHIPPED, Catalogs
from tests.catalog.packages import FILES, folder_of, sdist, wheel

ROOT = Path(__file__).resolve().parent.parent.parent

SOURCES = """
[ai-dynamo]
versions = ["1.1.0", "1.0.0"]
[aiperf]
versions = []
[native.env]
NCCL = "NCCL_B NCCL_A"
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rebuild_catalogs", ROOT / "tools" / "rebuild_catalogs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_same_sources_give_the_same_bytes(script: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text(SOURCES)
    results = []
    for name, other in (("first", wheel), ("second", sdist)):
        downloads = tmp_path / name
        downloads.mkdir()
        wheel(downloads)
        other(
            downloads,
            FILES,
            {"wheel": "ai_dynamo-1.1.0-1-py3-none-any.whl", "sdist": "ai-dynamo-1.1.0"}[other.__name__],
        )
        data = tmp_path / f"{name}-data"
        words = [str(downloads), "--data", str(data), "--sources", str(tmp_path / "sources.toml")]
        assert script.main(words) == 0
        once = {path.name: path.read_bytes() for path in data.iterdir()}
        assert script.main(words) == 0
        assert {path.name: path.read_bytes() for path in data.iterdir()} == once
        results.append(once)
    assert results[0] == results[1]
    assert sorted(results[0])[-1] == "native.env.jsonl"
    table = Catalogs((tmp_path / "first-data",)).table("ai-dynamo.vllm")
    assert table is not None and table.versions == ("1.0.0", "1.1.0")


def test_what_is_missing_is_said_and_nothing_is_written(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sources.toml").write_text(SOURCES)
    downloads = tmp_path / "d"
    downloads.mkdir()
    wheel(downloads)
    words = [str(downloads), "--data", str(tmp_path / "data"), "--sources", str(tmp_path / "sources.toml")]
    assert script.main(words) == 1
    assert capsys.readouterr().err.splitlines() == [
        "missing:", "pip download --no-deps --only-binary=:all: -d DOWNLOADS ai-dynamo==1.1.0",
    ]  # fmt: skip
    assert not (tmp_path / "data").exists()
    assert script.main([*words, "--needed"]) == 0
    assert "ai-dynamo==1.1.0" in capsys.readouterr().out


def test_a_release_that_loses_much_is_refused_unless_it_is_named(script: ModuleType, tmp_path: Path) -> None:
    downloads = tmp_path / "d"
    downloads.mkdir()
    wheel(downloads)
    fewer = {**FILES, "dynamo/frontend/main.py": FILES["dynamo/frontend/main.py"].replace('"--version"', '"pos"')}
    wheel(downloads, fewer, "ai_dynamo-1.1.0-py3-none-any.whl")
    (tmp_path / "sources.toml").write_text(SOURCES)
    words = [str(downloads), "--data", str(tmp_path / "data"), "--sources", str(tmp_path / "sources.toml")]
    assert script.main(words) == 1
    assert not (tmp_path / "data" / "ai-dynamo.frontend.jsonl").exists()
    (tmp_path / "sources.toml").write_text(SOURCES + '[ai-dynamo.shrinks]\nfrontend = ["1.1.0"]\n')
    assert script.main(words) == 0


def test_clones_are_read_at_their_tags(script: ModuleType, tmp_path: Path) -> None:
    folder_of(tmp_path / "clones" / "dyn")
    wanted = tomllib.loads('[ai-dynamo]\nrefs = ["v1.0"]\nclone = "dyn"\nurl = "https://example.org/dyn.git"\n')
    found = list(script.sources(wanted, None, tmp_path / "clones", ""))
    assert [one.at for one in found] == [f"{tmp_path / 'clones' / 'dyn'}@v1.0"]
    (missing,) = script.sources(wanted, None, tmp_path / "nowhere", "")
    assert (missing.at, missing.get) == (None, "git clone https://example.org/dyn.git CLONES/dyn")


def test_the_shipped_tables_hold_the_versions_that_the_script_asks_for(script: ModuleType) -> None:
    wanted = tomllib.loads((ROOT / "tools" / "catalog_sources.toml").read_text(encoding="utf-8"))
    known = Catalogs((SHIPPED,))
    for name, said in wanted.items():
        if name == "native":
            continue
        versions = [*said.get("versions", ()), *said.get("refs", ())]
        for part in script.TOOLS[name].tables:
            table = known.table(f"{name}.{part}")
            assert table is not None, (name, part)
            assert {one.name for one in table.known} == set(versions), (name, part)


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        ("ai-dynamo.vllm", {"0.8.1": 21, "1.0.2": 50, "1.3.1": 49, "1.5.1": 119}),
        ("ai-dynamo.sglang", {"0.8.1": 17, "1.0.2": 27, "1.3.1": 39, "1.5.1": 99}),
        ("ai-dynamo.trtllm", {"0.8.1": 32, "1.0.2": 70, "1.3.1": 75, "1.5.1": 138}),
        ("vllm.engine", {"0.18.1": 175, "0.21.0": 194, "0.25.1": 212, "0.28.0": 224}),
        ("vllm.frontend", {"0.18.1": 50, "0.21.0": 53, "0.25.1": 58, "0.28.0": 60}),
        ("sglang.server", {"0.5.8.post1": 328, "0.5.13.post1": 406, "0.5.14": 420, "0.5.19": 503}),
        ("ai-dynamo.frontend", {"0.8.1": 33, "1.0.2": 50, "1.3.1": 84, "1.5.1": 104}),
    ],
)
def test_counts_of_shipped_keys(table: str, counts: dict[str, int]) -> None:
    """What the programs' own parsers were seen to declare when the tables were made."""
    found = Catalogs((SHIPPED,)).table(table)
    assert found is not None
    assert {version: len(found.at(version)) for version in counts} == counts
    if "1.5.1" in counts:
        assert found.at("1.5.1")["version"] == {"k": "bool"}
