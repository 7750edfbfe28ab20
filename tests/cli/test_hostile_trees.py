"""A hostile file in an otherwise sound tree: it is named where it stands, and the rest is analysed as before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini-bench"
LAUNCHER = "runners/launch_alpha-slurm.sh"
MATRIX = "configs/main-master.yaml"
SCRIPTS = "benchmarks/single_node/fixed_seq_len"
RECIPES = "benchmarks/multi_node/srt-slurm-recipes/vllm/tiny"
RECIPE = f"{RECIPES}/disagg-alpha-low-latency.yaml"


def write(path: str, content: bytes | str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        (tree / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    return change


def insert(line: str) -> Callable[[Path], None]:
    """Put lines below the launcher's first one."""

    def change(tree: Path) -> None:
        first, _, rest = (tree / LAUNCHER).read_text().partition("\n")
        (tree / LAUNCHER).write_text(f"{first}\n{line}\n{rest}")

    return change


def append(path: str, text: str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        (tree / path).write_text((tree / path).read_text() + text)

    return change


def link_out(path: str) -> Callable[[Path], None]:
    """Replace a file or folder by a symlink to what is outside."""

    def change(tree: Path) -> None:
        if (tree / path).is_dir():
            shutil.rmtree(tree / path)
            (tree / path).symlink_to("/etc")
        else:
            (tree / path).unlink()
            (tree / path).symlink_to("/etc/hostname")

    return change


def make_pipe(tree: Path) -> None:
    (tree / LAUNCHER).unlink()
    os.mkfifo(tree / LAUNCHER)


def compose(tree: Path) -> None:
    """Make a recipe one with very many variants."""
    base = "".join(f"  {line}\n" for line in (tree / RECIPE).read_text().splitlines())
    (tree / RECIPE).write_text("base:\n" + base + "".join(f"override_{i}: {{name: x{i}}}\n" for i in range(3000)))


def insert_late(lines: str) -> Callable[[Path], None]:
    """Put lines before the submission."""

    def change(tree: Path) -> None:
        text = (tree / LAUNCHER).read_text()
        (tree / LAUNCHER).write_text(text.replace("srtctl apply", lines + "srtctl apply"))

    return change


def many_broken(tree: Path) -> None:
    for number in range(250):
        (tree / f"runners/broken-{number}.sh").write_text("if x; then (\n")


BOMB = "a0: &a0 [x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
CASES: dict[str, tuple[Callable[[Path], None], str]] = {
    "binary launcher": (write(LAUNCHER, bytes(range(256)) * 400), LAUNCHER),
    "binary YAML": (write("configs/odd.yaml", bytes(range(256)) * 400), "configs/odd.yaml"),
    "huge launcher": (write(LAUNCHER, "a" * 50_000_000), LAUNCHER),
    "huge YAML": (write("configs/odd.yaml", "a" * 50_000_000), "configs/odd.yaml"),
    "deep flow YAML": (write("odd.yaml", "a: " + "[" * 10_000 + "]" * 10_000), "odd.yaml"),
    "deep block YAML": (write("odd.yaml", "\n".join(" " * i + "a:" for i in range(2000))), "odd.yaml"),
    "bomb of aliases": (append(MATRIX, BOMB), MATRIX),
    "endless loop": (insert("while true; do :; done"), LAUNCHER),
    "recursion": (insert("f() { f; f; }\nf"), LAUNCHER),
    "recursion of source": (insert(f'source "$GITHUB_WORKSPACE/{LAUNCHER}"'), LAUNCHER),
    "doubling": (insert("x=aaaaaaaaaaaaaaaa\n" + "x=$x$x$x$x$x$x$x$x\n" * 12), ""),
    "exploding regex": (insert(f'[[ {"a" * 5000} =~ ^(a+)+b ]]\necho {"a" * 5000} | sed -E "s/(a*)*b/x/"'), ""),
    "deep bash": (write(LAUNCHER, "#!/bin/bash\n" + "(" * 10_000 + ")" * 10_000), LAUNCHER),
    "deep expansion": (write(LAUNCHER, "#!/bin/bash\nx=" + "${a:-" * 5_000 + "}" * 5_000), LAUNCHER),
    "documents of nothing": (write("odd.yaml", "---\n" * 250_000), "odd.yaml"),
    "a launcher that is a link out of the tree": (link_out(LAUNCHER), LAUNCHER),
    "a launcher that is a pipe": (make_pipe, LAUNCHER),
    "a library that is a link out of the tree": (
        link_out("benchmarks/benchmark_lib.sh"),
        "benchmarks/benchmark_lib.sh",
    ),
    "a script that is a link out of the tree": (
        link_out(f"{SCRIPTS}/tiny_fp8_gamma.sh"),
        f"{SCRIPTS}/tiny_fp8_gamma.sh",
    ),
    "a recipe that is a link out of the tree": (link_out(RECIPE), RECIPE),
    "recipes that are a link out of the tree": (link_out(RECIPES), RECIPES),
    "a number of many digits": (insert(f"x={'9' * 5000}; [ $x -gt 1 ]; head -n $x f; exit $x"), ""),
    "unknown fields": (append(RECIPE, "".join(f"f{i}: {{a: [1], b: x}}\n" for i in range(3000))), RECIPE),
    "variants": (compose, RECIPE),
    "many edits": (insert_late("sed -i 's/^name: .*/name: x/' \"$CONFIG_FILE\"\n" * 300), LAUNCHER),
    "many scripts that do not parse": (many_broken, "runners/broken-0.sh"),
    "control characters": (insert("git checkout $'\\e]0;x\\a'; echo \x1b[31m; echo '::error::x'"), ""),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_named_and_the_rest_is_analysed(case: str, tmp_path: Path) -> None:
    change, path = CASES[case]
    tree = tmp_path / "tree"
    shutil.copytree(EXAMPLE, tree)
    change(tree)
    text = tmp_path / "report.txt"
    done = subprocess.run(
        [sys.executable, "-m", "configlint", "check", "--format", "text", "--output", str(text), "--format", "json"],
        cwd=tree,
        env={**os.environ, "CONFIGLINT_REFS": ""},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert b"Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert not any("internal error" in one["message"] for one in report["diagnostics"])
    assert b"root:" not in done.stdout
    named = [one.get("path") for one in report["diagnostics"]]
    named += [place["path"] for one in report["findings"] for place in one["locations"]]
    assert not path or path in named
    if path != MATRIX:  # the launcher that is left alone is judged as before
        assert any(one["locations"][0]["path"] == "runners/launch_beta-slurm.sh" for one in report["findings"])
    assert not set(text.read_bytes()) & {0x1B, 0x07}
