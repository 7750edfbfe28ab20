"""The example repository: its README lists the planted bugs, and configlint finds these and no others."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "mini-bench"
ROW = re.compile(r"^\| `(?P<rule>[a-z-]+)` \| `(?P<path>[^`:]+):(?P<line>\d+)` \| .+ \|$", re.MULTILINE)
MAIN = "import sys; from configlint.cli.main import main; sys.exit(main())"

Place = tuple[str, str, int]  # rule, path, line


def planted() -> set[Place]:
    """What the example's README says is wrong."""
    rows = ROW.finditer((EXAMPLE / "README.md").read_text(encoding="utf-8"))
    return {(row["rule"], row["path"], int(row["line"])) for row in rows}


def causes(report: dict) -> list[Place]:
    """The first place of every finding: where the fix belongs."""
    firsts = ((finding["rule"], finding["locations"][0]) for finding in report["findings"])
    return sorted((rule, at["path"], at["line"]) for rule, at in firsts)


@pytest.fixture(scope="module")
def report() -> dict:
    if importlib.util.find_spec("configlint.cli.main") is None:
        pytest.skip("there is no command line yet")
    command = [sys.executable, "-c", MAIN, "check", str(EXAMPLE)]
    command += ["--format", "json", "--pedantic", "--exit-zero"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_the_list_names_lines_that_exist() -> None:
    assert len(planted()) >= 20
    for _, path, line in planted():
        text = (EXAMPLE / path).read_text(encoding="utf-8").splitlines()
        assert line <= len(text), f"{path}:{line}"
        assert text[line - 1].strip(), f"{path}:{line}"


def test_bash_parses_every_script() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    for script in sorted(EXAMPLE.rglob("*.sh")):
        run = subprocess.run([bash, "-n", str(script)], capture_output=True, text=True, check=False, timeout=10)
        assert (run.returncode, run.stderr) == (0, ""), script


def test_the_list_is_what_is_reported(report: dict) -> None:
    """Every planted bug once, where the list says, and nothing else."""
    assert causes(report) == sorted(planted())


def test_only_the_default_branch_is_unknown(report: dict) -> None:
    assert {diagnostic["id"] for diagnostic in report["diagnostics"]} <= {"ref-unavailable"}
    assert not [diagnostic for diagnostic in report["diagnostics"] if "v1.2.0" in diagnostic["message"]]
