"""``configlint catalog`` from end to end, on hand-written packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from configlint.cli.main import main
from tests.catalog.packages import FILES, folder_of, sdist, wheel
from tests.source.conftest import git  # noqa: F401  # a fixture
from tests.source.repositories import Git


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def tables(self) -> Any:
        return json.loads(self.out)["tables"]


@pytest.fixture
def catalog(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def run(*words: str, data: Path | None = tmp_path / "data") -> Ran:
        extra = ["--data", str(data)] if data is not None else []
        code = main(["catalog", *words, *extra])
        return Ran(code, *capsys.readouterr())

    return run


WANTED = {
    "namespace": {"k": "str", "d": "dynamo", "env": "DYN_NAMESPACE"},
    "depth": {"k": "int", "d": 8, "env": "DYN_DEPTH"},
    "old-depth": {"k": "int", "d": 8, "env": "DYN_DEPTH", "dep": "depth"},
    "mode": {"k": "str", "ch": ["agg", "prefill"], "d": None, "env": "DYN_MODE"},
    "kv-events": {"k": "bool+no", "d": True, "env": "DYN_KV_EVENTS"},
    "interactive": {"k": "bool+no", "al": ["-i"], "d": False, "env": "DYN_INTERACTIVE"},
    "enforce": {"k": "bool+no", "d": False, "dep": True},
    "shared": {"k": "bool+no", "d": False, "env": "DYN_X_SHARED"},
    "old-a": {"k": "int", "d": None, "env": "DYN_OLD_A"},
    "old-b": {"k": "int", "d": None, "env": "DYN_OLD_B"},
    "from-elsewhere": {"k": "list", "nargs": "+", "d": []},
}


def test_the_same_facts_from_every_kind_of_source(catalog, tmp_path: Path, git: Git) -> None:  # noqa: F811
    repository = folder_of(tmp_path / "clone")
    git(repository, "init")
    git(repository, "add", "-A")
    git(repository, "commit", "-m", "one")
    git(repository, "tag", "v1.0.0")
    (repository / "components/src/dynamo/vllm/args.py").write_text("raise SystemExit('never run')\n")
    kinds = [
        str(wheel(tmp_path)),
        str(sdist(tmp_path)),
        str(folder_of(tmp_path / "plain")),
        f"{repository}@v1.0.0",
        f"{repository}@main",
    ]
    for number, source in enumerate(kinds):
        data = tmp_path / f"data{number}"
        added = catalog("add", "ai-dynamo@1.0.0", "--from", source, data=data)
        assert added.code == 0, (source, added.err)
        shown = catalog("show", "ai-dynamo.vllm@1.0.0", "--format", "json", data=data)
        assert shown.tables["ai-dynamo.vllm"] == dict(sorted(WANTED.items())), source
    contents = [{path.name: path.read_bytes() for path in (tmp_path / f"data{n}").iterdir()} for n in range(len(kinds))]
    assert all(one == contents[0] for one in contents)


def test_tables_of_flags_unresolved_names_and_spellings(catalog, tmp_path: Path) -> None:
    added = catalog("add", "ai-dynamo==1.0.0", "--from", str(wheel(tmp_path)))
    assert "ai-dynamo.trtllm 1.0.0: 1 key from 3 declarations, 1 unresolved" in added.out or (
        "ai-dynamo.trtllm 1.0.0: 1 key from 3 declarations, 2 unresolved" in added.out
    )
    assert "dynamo/trtllm/args.py:6: a flag whose name is not known" in added.err
    told = catalog("show", "ai-dynamo", "--format", "json").tables
    sglang = {key: told["ai-dynamo.sglang"][key][0]["facts"] for key in told["ai-dynamo.sglang"]}
    assert sglang == {
        "dyn-tool-call-parser": {"k": "str", "d": None, "open": True},
        "embedding-worker": {"k": "bool", "d": False},
        "endpoint": {"k": "str", "d": None},
        "migration-limit": {"k": "int", "d": 0},
        "request-plane": {"k": "str", "ch": ["nats", "tcp"], "d": "tcp", "env": "DYN_REQUEST_PLANE"},
    }
    assert told["ai-dynamo.trtllm"]["model-path"][0]["facts"] == {
        "al": ["--model"], "d": None, "k": "str", "req": True,
    }  # fmt: skip
    assert told["ai-dynamo.frontend"]["http-port"][0]["facts"] == {"d": 8000, "k": "int", "sp": "--http_port"}
    assert "DYN_OLD_A" in told["ai-dynamo.env"]
    assert "DYN_ONLY_IN_TESTS" not in told["ai-dynamo.env"]


def changed(old: str, new: str, path: str = "dynamo/frontend/main.py") -> dict[str, str]:
    assert old in FILES[path]
    return {**FILES, path: FILES[path].replace(old, new)}


def test_diff_and_check_say_what_a_release_changes(catalog, tmp_path: Path) -> None:
    first = wheel(tmp_path)
    later = wheel(tmp_path, changed("default=8000", "default=9000"), "ai_dynamo-1.1.0-py3-none-any.whl")
    assert catalog("add", "ai-dynamo@1.0.0", "--from", str(first)).code == 0
    before = (tmp_path / "data" / "ai-dynamo.vllm.jsonl").read_text().splitlines()
    assert catalog("add", "ai-dynamo@1.1.0", "--from", str(later)).code == 0
    after = (tmp_path / "data" / "ai-dynamo.vllm.jsonl").read_text().splitlines()
    assert len(set(after) - set(before)) == 1  # a release that changes nothing adds its own line only
    shown = catalog("diff", "ai-dynamo@1.0.0", "1.1.0")
    assert shown.out == "ai-dynamo.frontend\n  ~ http-port  d: 8000 -> 9000\n"
    assert catalog("check", "ai-dynamo@1.1.0", "--from", str(later)).code == 0
    wrong = catalog("check", "ai-dynamo@1.1.0", "--from", str(first))
    assert (wrong.code, "d: 9000 -> 8000" in wrong.out) == (1, True)
    assert catalog("check").code == 0
    assert catalog("list").out.splitlines()[2].split() == ["ai-dynamo.frontend", "2", "2", "1.0.0", "to", "1.1.0"]


def test_a_suspicious_shrink_is_refused_and_nothing_written(catalog, tmp_path: Path) -> None:
    assert catalog("add", "ai-dynamo@1.0.0", "--from", str(wheel(tmp_path))).code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    fewer = changed('"limit": {"flags": ["--migration-limit"], "type": int, "default": 0, "help": "..."},', "",
                    "dynamo/sglang/args.py")  # fmt: skip
    small = wheel(tmp_path, fewer, "ai_dynamo-1.1.0-py3-none-any.whl")
    refused = catalog("add", "ai-dynamo@1.1.0", "--from", str(small))
    assert refused.code == 1
    assert "ai-dynamo.sglang 1.1.0 has 4 keys, 1.0.0 has 5; gone: migration-limit" in refused.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == before
    assert catalog("add", "ai-dynamo@1.1.0", "--from", str(small), "--allow-shrink").code == 0
    assert catalog("list", "ai-dynamo.sglang").out.endswith("1.0.0 to 1.1.0\n")


def test_a_package_of_another_form_is_refused(catalog, tmp_path: Path) -> None:
    refused = catalog("add", "ai-dynamo@2.0", "--from", str(wheel(tmp_path, {"dynamo/__init__.py": ""})))
    assert refused.code == 1
    assert "unresolved: no dynamo.vllm.args.parse_args" in refused.err
    assert "ai-dynamo.vllm 2.0 has no keys at all" in refused.err
    assert not (tmp_path / "data").exists()


def test_add_writes_to_the_users_own_data_and_shipped_tables_stay_below(catalog, tmp_path: Path) -> None:
    source = str(wheel(tmp_path))
    added = catalog("add", "ai-dynamo@sha:0123abcd", "--from", source, "--allow-shrink", data=None)
    assert added.code == 0
    assert (tmp_path / "home" / "configlint" / "catalog" / "ai-dynamo.vllm.jsonl").is_file()
    listed = catalog("list", "ai-dynamo.vllm", "--format", "json", data=None).tables[0]
    assert listed["custom"] == ["sha:0123abcd"]
    assert {"0.8.1", "1.5.1"} <= set(listed["versions"])
    own = catalog("show", "ai-dynamo.vllm@sha:0123abcd", "--format", "json", data=None).tables["ai-dynamo.vllm"]
    assert own == dict(sorted(WANTED.items()))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["add", "ai-dynamo@1.0"], "say TOOL@VERSION --from SOURCE"),
        (["add", "ai-dynmo@1.0", "--from", "x.whl"], "did you mean 'ai-dynamo'"),
        (["add", "ai-dynamo@a b", "--from", "x.whl"], "is no name for a version"),
        (["add", "ai-dynamo@1..2", "--from", "x.whl"], "is no name for a version"),
        (["add", "ai-dynamo@1.0", "--from", "x.whl"], "no such file, folder or git repository"),
        (["show", "ai-dynamo.vlm"], "no table is called 'ai-dynamo.vlm'"),
        (["show", "ai-dynamo.vllm@9.9"], "has no version '9.9'"),
        (["show", "ai-dynamo.vllm", "namespac"], "did you mean 'namespace'"),
        (["diff", "ai-dynamo.vllm"], "say TOOL[.TABLE]@VERSION"),
        (["list", "--from", "x"], "--from belongs to add and check"),
        (["show"], "name a table"),
    ],
)
def test_usage_errors(catalog, words: list[str], says: str) -> None:
    ran = catalog(*words, data=None)
    assert (ran.code, says in ran.err) == (2, True), ran.err


def test_control_characters_of_a_package_do_not_reach_the_terminal(catalog, tmp_path: Path) -> None:
    evil = changed('"--http_port"', '"--http\\x1b[31mport"')
    ran = catalog("add", "ai-dynamo@1.0", "--from", str(wheel(tmp_path, evil)))
    assert "\x1b" not in ran.out + ran.err
    assert "unresolved" in ran.err
