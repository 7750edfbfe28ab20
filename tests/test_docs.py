"""What the documents show is what configlint says: quoted output, the page of rules, links, names of modules."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import configlint.api as api
from configlint.api.rule import SUBJECTS
from configlint.lint import diagnostics
from configlint.lint.discover import BUILT_IN, Pack
from configlint.lint.registry import load

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "mini-bench"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("*/README.md"), EXAMPLE / "README.md"])
MAIN = "import sys; from configlint.cli.main import main; sys.exit(main())"
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}


def said(*arguments: str) -> str:
    """Standard output and then standard error of a command in the example."""
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "GITHUB_ACTIONS"}
    command = [sys.executable, "-c", MAIN, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=EXAMPLE, env=environment, check=True)
    return timeless(run.stdout + run.stderr)


def timeless(text: str) -> str:
    """Without the one figure that differs between runs."""
    return re.sub(r" in \d+\.\d s\b", " in T s", text)


def quoted(name: str) -> list[str]:
    """The parts of an output block of the README, between the marks for what is left out."""
    (block,) = re.findall(rf"<!-- output: {name} -->\n```text\n(.+?)```\n<!-- end of output -->", README, re.DOTALL)
    return [part for part in timeless(block).split("[...]\n") if part]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("example", ("check", "--exit-zero")),
        ("effective", ("effective", "tiny-fp8-alpha-dynamo-vllm")),
        ("trace", ("trace", "tiny-fp8-alpha-dynamo-vllm")),
    ],
)
def test_quoted_output_is_real(name: str, arguments: tuple[str, ...]) -> None:
    output, at = said(*arguments), 0
    for part in quoted(name):
        found = output.find(part, at)
        assert found >= 0, f"not said, or not in this order:\n{part}"
        at = found + len(part)


def test_the_page_of_rules_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "rules_page.py")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=True)
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert page == run.stdout, "python tools/rules_page.py > docs/rules.md"


def test_the_page_of_diagnostics_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "rules_page.py"), "--diagnostics"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=True)
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert page == run.stdout, "python tools/rules_page.py --diagnostics > docs/diagnostics.md"


def test_every_diagnostic_has_its_page_and_every_page_a_diagnostic() -> None:
    used = set()
    for path in (ROOT / "configlint").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "Diagnostic" and node.args and isinstance(node.args[0], ast.Constant):
                    used.add(node.args[0].value)
                if node.func.id == "Fault":
                    ids = [one.value for one in node.keywords if one.arg == "id"]
                    used |= {one.value for one in ids if isinstance(one, ast.Constant)}
    assert used == set(diagnostics.PAGES)


def test_the_exit_codes_are_told_alike() -> None:
    """--help and README, but for how lines are broken."""
    command = [sys.executable, "-c", MAIN, "--help"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=True)
    (told,) = re.findall(r"exit codes: (.+)", " ".join(run.stdout.split()))
    assert told.rstrip(".") in " ".join(README.replace("`", "").split())


def test_rules_that_are_named_exist() -> None:
    known = {rule.id for rule in load(announced=[Pack("builtin", BUILT_IN, "configlint")]).rules} | set(
        diagnostics.PAGES
    )
    for page in PAGES:
        named = re.findall(r"configlint explain ([a-z-]+)", page.read_text(encoding="utf-8"))
        assert set(named) <= known, page


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path = target.partition("#")[0]
            if path and "://" not in path:
                assert (page.parent / path).exists(), f"{page.name}: {target}"


def test_modules_that_the_documents_name_exist() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for name in re.findall(r"`((?:configlint|rules|tests|tools)/[\w./-]+)`", page.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def test_no_path_of_a_machine() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.}-])/(?:work|root|home|tmp|Users)/", text), page


def test_the_words_of_subjects_are_those_of_the_interface() -> None:
    """Every word that writing-rules.md lists exists, and every public one of a subject is listed."""
    page = (ROOT / "docs" / "writing-rules.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| of (?:a|an|the) `(\w+)` \| \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert {name for name, _ in tables} == set(SUBJECTS) - {"Change"}
    everywhere = {name for name in vars(api.Reports) if name[0] != "_"} | {"profile"}
    for name, table in tables:
        cells = [line.split("|")[1] for line in table.splitlines()]
        listed = {word for cell in cells for word in re.findall(r"`(\w+)[`(]", cell)}
        subject = getattr(api, name)
        public = {word for kind in subject.__mro__[:-1] for word in vars(kind) if word[0] != "_"}
        own = {word for word in listed if word in public or re.search(rf"self\.{word}\b", inspect.getsource(subject))}
        assert listed == own, name
        assert public - everywhere <= listed, name


def test_the_folders_of_rules_are_told() -> None:
    page = (ROOT / "docs" / "writing-rules.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(\w+)` \| ", page.partition("## What a rule gets")[0], re.MULTILINE))
    assert told == {path.parent.name for path in (ROOT / "rules" / "configlint_rules").glob("*/__init__.py")}


def test_the_tests_of_a_pack_run_as_shown(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "writing-rules.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(import pytest\n.+?)```", page, re.DOTALL)
    (tmp_path / "test_pack.py").write_text(code.replace("our_rules", "configlint_rules.text"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "traps").symlink_to(ROOT / "tests" / "traps")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_pack.py"]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=tmp_path, env=ENVIRONMENT, check=False
    )
    assert run.returncode == 0 and "6 passed" in run.stdout, run.stdout


def test_quoted_yaml_is_yaml() -> None:
    blocks = [
        block
        for page in PAGES
        for block in re.findall(r"```yaml\n(.+?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(blocks) >= 4 and all(yaml.safe_load(block) for block in blocks)
