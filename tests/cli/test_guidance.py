"""What somebody is told who is in the wrong place, or asks for what is not there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from configlint.lint.diagnostics import PAGES
from tests.cli.conftest import Ran, lay

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini-bench"
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def commit(folder: str = ".") -> None:
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "x")):
        subprocess.run([*GIT, "-C", folder, *words], check=True, capture_output=True)


@pytest.mark.parametrize("words", [("launches",), ("refs", "list"), ("refs", "sync"), ("affects", ".")])
def test_no_rows_for_want_of_a_matrix(real: Callable[..., Ran], words: tuple[str, ...]) -> None:
    lay({"a.sh": "true\n"})
    ran = real(*words)
    assert ran.code == 0
    assert ran.err.startswith("configlint: no matrix and no launcher was found in tree (looked for ")
    assert "--repo DIR" in ran.err
    assert real(*words, "--format", "json").json  # machines get their document all the same


@pytest.mark.parametrize("command", ["effective", "trace"])
def test_an_entry_of_no_matrix(real: Callable[..., Ran], command: str) -> None:
    lay({"a.sh": "true\n"})
    ran = real(command, "some-entry")
    assert (ran.code, ran.out) == (2, "") and "no matrix and no launcher" in ran.err and "--repo" in ran.err


def test_the_nearest_folder_with_a_matrix_is_named(real: Callable[..., Ran]) -> None:
    shutil.copytree(EXAMPLE, "deep/er/bench")
    shutil.copytree(EXAMPLE, "near")
    commit()
    for words in (("launches",), ("effective", "x"), ("check", "--exit-zero")):
        assert "near has one: add --repo near" in real(*words).err
    assert real("launches", "--repo", "near").out.count("\n") > 8
    (Path.cwd() / "other").mkdir()
    shutil.rmtree("near")
    assert "add --repo deep/er/bench" in real("launches").err


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"runners/launch_a.sh": "true\n"}, "no matrix was found in tree, so nothing is launched"),
        ({"configs/a-master.yaml": "# nothing yet\n"}, "the matrix of tree has no entries (configs/a-master.yaml)"),
        ({"configs/a-master.yaml": "a: {runner: b}\n"}, "no entry of tree has points and a launcher that exists"),
    ],
)
def test_other_reasons_why_nothing_is_launched(real: Callable[..., Ran], files: dict[str, str], said: str) -> None:
    lay(files)
    assert said in real("launches").err


def test_check_says_where_no_profile_fits(real: Callable[..., Ran]) -> None:
    lay({"a.sh": "true\n"})
    ran = real("check")
    assert ran.code == 0 and "info[no-matrix]: no matrix and no launcher was found in tree" in ran.err
    (one,) = real("check", "--format", "json").json["diagnostics"]
    assert one["id"] == "no-matrix"
    assert "no-matrix" not in real("check", "--repo", str(EXAMPLE), "--exit-zero").err


def test_launchers_that_clone_nothing(real: Callable[..., Ran]) -> None:
    shutil.copytree(EXAMPLE, ".", dirs_exist_ok=True)
    shutil.rmtree("runners")
    lay(
        {
            f"runners/launch_{name}.sh": "bash benchmarks/x.sh\n"
            for name in ("alpha-slurm", "beta-slurm", "gamma-docker")
        }
    )
    for action in ("list", "sync"):
        ran = real("refs", action)
        assert (ran.code, ran.err) == (0, "configlint: no launcher clones another repository\n")


@pytest.mark.parametrize("start", [(), ("--repo", ".")])
def test_a_revision_of_a_folder_inside_a_repository(real: Callable[..., Ran], start: tuple[str, ...]) -> None:
    """The folder is the root because of its configlint.toml; the revision is the repository's."""
    shutil.copytree(EXAMPLE, "sub/bench")
    commit()
    inside = ("--repo", "sub/bench") if start else ("sub/bench",)
    now = real("check", *inside, "--format", "json", "--exit-zero").json
    Path("sub/bench/configs/main-master.yaml").unlink()
    then = real("check", *inside, "--rev", "HEAD", "--format", "json", "--exit-zero").json
    assert [one["fingerprint"] for one in then["findings"]] == [one["fingerprint"] for one in now["findings"]]
    assert then["stats"]["entries"] == now["stats"]["entries"] == 8
    lay({"sub/later/configlint.toml": ""})
    ran = real("check", "sub/later", "--rev", "HEAD")
    assert ran.code == 2 and "there is no folder sub/later at revision 'HEAD'" in ran.err


def test_a_revision_without_a_repository(real: Callable[..., Ran]) -> None:
    lay({"configlint.toml": "", "a.sh": "true\n"})
    for words in (("check",), ("check", "--repo", ".")):
        ran = real(*words, "--rev", "HEAD")
        assert ran.code == 2 and "tree lies in no git repository, so it has no revision HEAD" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("refs",), "refs: the following arguments are required: list|sync ("),
        (("refs", "fetch"), "list"),
        (("catalog",), "catalog: the following arguments are required: list|show|diff|check|add ("),
        (("explain", "ref-unavailabel"), "did you mean 'ref-unavailable'?"),
        (("catalog", "show", "srt-slurm@v9.9"), "(known: v1.0.0 to v"),
        (("catalog", "show", "srt-slurm@v1.0.9", "SrtConfig.nam"), "did you mean 'SrtConfig.name'"),
        (("catalog", "diff", "srt-slurm@v1.0.8", "v1.0.9"), "list and show know it"),
        (("catalog", "show", "ai-dynamo.vllm@9.9"), "has no version '9.9' (known: "),
    ],
)
def test_missing_words(real: Callable[..., Ran], words: tuple[str, ...], said: str) -> None:
    ran = real(*words)
    assert (ran.code, ran.out) == (2, "") and said in ran.err


def test_how_a_launcher_turned_an_entry_away(real: Callable[..., Ran]) -> None:
    told = "the launcher exits with status 1 at runners/launch_gamma-docker.sh:6: FRAMEWORK=trt"
    where = ("--repo", str(EXAMPLE))
    assert told in real("effective", "small-fp4-gamma-trt", *where).out
    assert told in real("trace", "small-fp4-gamma-trt", *where).out
    table = real("launches", "small-fp4-gamma-trt", *where).out.splitlines()
    assert table[1].index(told) == table[0].index("submits or starts")
    (row,) = real("launches", "small-fp4-gamma-trt", *where, "--format", "json").json["launches"]
    assert (row["sink"], row["reason"], row["unknown"]) == ("abort", told, [])
    started = real("launches", "tiny-fp8-gamma-sglang", *where, "--format", "json").json["launches"]
    assert {one["reason"] for one in started} == {None}


def test_what_to_do_about_a_ref_that_cannot_be_read(real: Callable[..., Ran]) -> None:
    url = "https://git.example.com/bench/srt-slurm.git"
    ran = real("check", "--repo", str(EXAMPLE), "--exit-zero")
    assert f"{url} at its default branch cannot be read here" in ran.err
    assert f"name a copy with --ref-source {url}=PATH, or fetch it with `configlint refs sync`" in ran.err
    assert "default branch" in real("refs", "list", "--repo", str(EXAMPLE)).out


def test_no_share_of_launches_that_nobody_looked_at(real: Callable[..., Ran]) -> None:
    ran = real("check", "--repo", str(EXAMPLE), "--select", "matrix-schema", "--stats")
    assert "%" not in ran.err and "no rule that ran looks at launches" in ran.err
    ran = real("check", "--repo", str(EXAMPLE), "--select", "floating-ref", "--stats", "--exit-zero")
    assert "100.0%" in ran.err and "analysed 40 launches" in ran.err


def test_folders_have_their_own_names(real: Callable[..., Ran]) -> None:
    lay({"a.sh": "true\n", "configlint.toml": ""})
    (Path.cwd() / "inner").mkdir()
    for words in (
        ("check", "nothing.sh"),
        ("check", "--repo", ".", "nothing.sh"),
        ("check", "--repo", "inner/..", "x"),
    ):
        assert re.search(r"no such path in (\S*/)?tree$", real(*words).err.strip())
    assert real("check", "--repo", ".", "/").err.strip().endswith("/tree")


@pytest.mark.parametrize("id", sorted(PAGES))
def test_every_diagnostic_is_explained(real: Callable[..., Ran], id: str) -> None:
    ran = real("explain", id)
    assert (ran.code, ran.err) == (0, "") and ran.out.startswith(f"{id}\n{'=' * len(id)}\n")
    assert PAGES[id] in real("explain", id, "--format", "markdown").out
    assert real("explain", id, "--format", "json").json["kind"] == "diagnostic"


def test_the_recipe_schemas_of_the_catalog(real: Callable[..., Ran]) -> None:
    assert any(line.split()[0] == "srt-slurm" for line in real("catalog", "list").out.splitlines())
    assert real("catalog", "list", "srt-slurm").out.count("\n") == 2
    field = "HealthCheckConfig.max_attempts"
    assert real("catalog", "show", "srt-slurm@v1.0.9", field).out == f'{field}  d=180 t="int"\n'
    assert real("catalog", "show", "srt-slurm", field).out == f'{field}  every revision  d=180 t="int"\n'
    told = real("catalog", "show", "srt-slurm@v1.0.9", "--format", "json").json["tables"]["srt-slurm"]
    assert told == real("catalog", "show", "srt-slurm@1.0.9", "--format", "json").json["tables"]["srt-slurm"]
    assert told[field] == {"d": 180, "t": "int"} and len(told) > 100
    later = real("catalog", "show", "srt-slurm").out
    assert " and later" in later and len(later.splitlines()) > len(told)


def test_the_tool_for_recipe_schemas_says_what_it_wants() -> None:
    tool = Path(__file__).parents[2] / "tools" / "recipe_schemas.py"
    environment = {**os.environ, "PYTHONPATH": str(tool.parents[1])}
    ran = subprocess.run([sys.executable, str(tool)], capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 2 and "CLONE" in ran.stderr and "Traceback" not in ran.stderr


def test_a_launcher_behind_a_link_is_named_with_its_target(real: Callable[..., Ran]) -> None:
    shutil.copytree(EXAMPLE, ".", dirs_exist_ok=True)
    told = real("effective", "tiny-fp8-alpha-dynamo-vllm").out
    assert "  launcher  runners/launch_alpha-slurm.sh\n" in told
    Path("runners/launch_alpha-slurm.sh").rename("runners/launch_alpha.sh")
    Path("runners/launch_alpha-slurm.sh").symlink_to("launch_alpha.sh")
    told = real("effective", "tiny-fp8-alpha-dynamo-vllm").out
    assert "  launcher  runners/launch_alpha-slurm.sh -> runners/launch_alpha.sh\n" in told
    assert "launch_alpha.sh:58" in told


def test_a_default_branch_is_called_that_everywhere(real: Callable[..., Ran], tmp_path: Path) -> None:
    """Known or not: in the launches, the trace, the list of refs, the effective recipe and the diagnostic."""
    url, entry = "https://git.example.com/bench/srt-slurm.git", "tiny-fp8-alpha-dynamo-vllm-agentic"
    upstream = tmp_path / "upstream"
    shutil.copytree(EXAMPLE / "refs" / "srt-slurm-v1.2.0", upstream)
    commit(str(upstream))
    subprocess.run([*GIT, "-C", str(upstream), "branch", "-M", "trunk"], check=True)
    known = ("--ref-source", f"{url}={upstream}")
    for more, name in (((), "default branch"), (known, "default branch (trunk)")):
        where = ("--repo", str(EXAMPLE), *more)
        told = [
            real("launches", entry, *where).out,
            real("trace", entry, *where).out,
            real("effective", entry, *where).out,
            real("refs", "list", *where).out,
        ]
        assert all(name in one for one in told), told
        assert not any(re.search(r"@ HEAD|at HEAD|\(default\)", one) for one in told)
