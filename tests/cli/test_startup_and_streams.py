"""Start-up, and what a real process does with its streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import configlint
from configlint.cli.main import COMMANDS, main

ROOT = Path(configlint.__file__).resolve().parents[1]
PATH = os.pathsep.join([str(ROOT), str(ROOT / "rules")])


def process(*words: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": PATH, **environment}
    return subprocess.run([sys.executable, *words], capture_output=True, cwd=cwd, env=env, check=False, timeout=60)


def test_version_imports_next_to_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from configlint.cli.main import main\n"
        "assert main(['--version']) == 0\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = process("-c", code)
    version, modules = done.stdout.decode().splitlines()
    assert version == f"configlint {configlint.__version__}"
    assert set(modules.split()) <= {"__future__", "configlint", "configlint.cli", "configlint.cli.main"}


@pytest.mark.parametrize("words", [["--help"], ["rules"], *([name, "--help"] for name in COMMANDS)])
def test_no_third_party_module_before_a_repository_is_opened(words: list[str]) -> None:
    code = (
        "import sys\nfrom configlint.cli.main import main\n"
        f"assert main({words!r}) == 0\n"
        "names = ('yaml', 'tree_sitter', 're2', 'libcst', 'jsonschema', 'importlib.metadata')\n"
        "print([name for name in names if name in sys.modules], file=sys.stderr)\n"
    )
    done = process("-c", code)
    # The built-in rules are loaded by `rules`; they import the interface only.
    assert done.stderr.decode().splitlines()[-1] == "[]", done.stderr.decode()


def test_module_entry_point() -> None:
    done = process("-m", "configlint", "--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"configlint {configlint.__version__}\n")


def test_the_current_folder_is_not_imported_from(tmp_path: Path) -> None:
    """A tree under review must not run code by being the current folder."""
    for name in ("argparse", "yaml", "json", "configlint_rules"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('code of the tree ran')\n")
    done = process("-m", "configlint", "rules", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()


def test_help_is_ascii_and_commands_have_descriptions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    overview = capsys.readouterr().out
    assert overview.isascii() and all(f"  {name} " in overview for name in COMMANDS)
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        assert capsys.readouterr().out.isascii()


def test_what_names_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2 and "usage:" in capsys.readouterr().err
    assert main(["chek"]) == 2 and "did you mean 'check'?" in capsys.readouterr().err
    assert main(["--versoin"]) == 2 and "no option '--versoin'" in capsys.readouterr().err
    assert main(["--version", "x"]) == 0


BIG = (
    "import sys\nfrom configlint.cli.console import Console\n"
    "console = Console.standard()\n"
    "console.write('x' * 100 + '\\n' for _ in range(20000))\nconsole.print('more')\nconsole.note('end')\nsys.exit(7)\n"
)


def test_a_reader_that_goes_away_is_no_error() -> None:
    env = {**os.environ, "PYTHONPATH": PATH}
    with subprocess.Popen([sys.executable, "-c", BIG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as done:
        assert done.stdout and done.stderr
        done.stdout.readline()
        done.stdout.close()
        errors = done.stderr.read()
    assert (done.returncode, errors) == (7, b"end\n")


def test_any_locale_and_any_text() -> None:
    code = (
        "from configlint.cli.console import Console\n"
        "console = Console.standard()\nconsole.print('\\u540d \\udcff')\nconsole.note('\\u540d')\n"
    )
    done = process("-c", code, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.stdout, done.stderr) == ("名 \\udcff\n".encode(), "名\n".encode())
