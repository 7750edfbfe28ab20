"""What a user installs, and that README, CI and packaging say the same."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import configlint

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def readme_command(name: str) -> str:
    """The command in the code block that is marked ``<!-- command: NAME -->`` in the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(rf"<!-- command: {name} -->\n```sh\n(.+)\n```\n", readme)
    return command


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, made without a network."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed here (it is in the extra 'dev')")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    return folder


def test_the_wheel_holds_both_packages_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    metadata = f"configlint-{configlint.__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"configlint", "configlint_rules", metadata}
    assert {"configlint/py.typed", "configlint_rules/py.typed", f"{metadata}/licenses/LICENSE"} <= names
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "configlint").rglob("*.py")}
    sources |= {path.relative_to(ROOT / "rules").as_posix() for path in (ROOT / "rules").rglob("*.py")}
    assert sources <= names
    data = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "configlint").rglob("*")
        if path.suffix in {".toml", ".json", ".jsonl"}
    }
    assert data <= names


def test_the_source_archive_holds_tests_and_examples(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    wanted = {"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml", ".ci/run"}
    wanted |= {"tests/test_packaging.py", "examples/mini-bench/configs/main-master.yaml", "benchmarks/run.py"}
    wanted |= {"tools/rules_page.py", "tools/catalog_sources.toml", "docs/rules.md"}
    wanted |= {"examples/mini-bench/.github/workflows/run-sweep.yml", "rules/configlint_rules/__init__.py"}
    assert wanted <= names


def test_entry_points_name_things_that_exist() -> None:
    project = PROJECT["project"]
    for package in project["entry-points"]["configlint.rules"].values():
        importlib.import_module(package)
    module, _, function = project["scripts"]["configlint"].partition(":")
    if find_spec(module) is None:
        pytest.skip("there is no command line yet")
    assert callable(getattr(importlib.import_module(module), function))


def test_dependencies_have_both_ends() -> None:
    for dependency in PROJECT["project"]["dependencies"]:
        assert re.search(r">=[\d.]+,<[\d.]+$", dependency), dependency


def test_ci_runs_the_commands_of_the_readme() -> None:
    steps = re.findall(r'^step "(.+)"$', (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert [readme_command("example"), readme_command("test")] == steps[:2]


def test_the_licence_is_the_whole_text() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert PROJECT["project"]["license"] == "Apache-2.0"


def test_the_changelog_has_an_unreleased_part() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_pre_commit_hooks_check_the_whole_repository_once() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in hooks} == {"configlint", "configlint-all"}
    for hook in hooks:
        assert hook["entry"] == "configlint check"
        assert hook["pass_filenames"] is False
        assert hook["require_serial"] is True


def test_workflows_pin_their_actions_and_only_read() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
        for use in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"\./.+|[\w./-]+@[0-9a-f]{40}", use), use
