"""What the documents show is what configlint says: quoted output, the page of rules, links, names of modules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_rules_that_are_named_exist() -> None:
    known = {rule.id for rule in load(announced=[Pack("builtin", BUILT_IN, "configlint")]).rules}
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
