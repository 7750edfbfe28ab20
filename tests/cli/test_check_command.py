"""``configlint check``: outputs, exit codes, and good words for what is wrong."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Bench, diagnostic


def test_text_on_stdout_people_lines_on_stderr(bench: Bench) -> None:
    ran = bench("check")
    assert ran.code == 1
    assert ran.out.startswith("error[finds-todo]: unfinished\n --> runners/launch_a.sh:2:3\n")
    assert "\x1b" not in ran.out
    assert ran.err.startswith("1 error, 0 warnings in 1 file; analysed 200 launches in ")


def test_clean_is_zero(bench: Bench) -> None:
    ran = bench("check", "runners/clean.sh")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("no findings; ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--exit-zero"], 0),
        (["--fail-on", "error"], 1),
        (["--ignore", "finds-todo", "--pedantic", "--exit-zero"], 3),
        (["--select", "finds-todo,always-crashes"], 3),
        (["--select", "always-crashes", "--exit-zero"], 3),
        (["--severity", "error", "--fail-on", "info"], 1),
        (["--require-analysed", "95"], 3),
        (["--require-analysed", "90%"], 1),
        (["--format", "json", "--exit-zero"], 0),
        (["--format", "sarif"], 1),
        (["--format", "github"], 1),
    ],
)
def test_exit_codes(bench: Bench, words: list[str], code: int) -> None:
    assert bench("check", *words).code == code


def test_a_crashed_rule_does_not_hide_the_others(bench: Bench) -> None:
    ran = bench("check", "--pedantic")
    assert ran.code == 3
    assert "error[finds-todo]" in ran.out
    assert "error[rule-crashed]: always-crashes: ZeroDivisionError: boom" in ran.err


def test_too_little_analysed_says_so(bench: Bench) -> None:
    ran = bench("check", "--require-analysed", "95.5")
    assert "90.0 % of the launches could be analysed, 95.5 % are required" in ran.err
    assert "launches" in bench.project.asked


def test_nothing_to_check(bench: Bench) -> None:
    bench.project.empty = "no launcher and no matrix under configs"
    ran = bench("check")
    assert (ran.code, ran.err) == (2, "configlint: nothing to check: no launcher and no matrix under configs\n")


def test_no_rule_left(bench: Bench) -> None:
    ran = bench("check", "--select", "finds-todo", "--ignore", "old-todo")
    assert ran.code == 2 and "no rule is left" in ran.err


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_unknown_rule_suggests(bench: Bench, option: str) -> None:
    ran = bench("check", option, "find-todo")
    assert ran.code == 2
    assert ran.err == "configlint: no rule is called 'find-todo'; did you mean 'finds-todo'?\n"


def test_wrong_path_suggests(bench: Bench) -> None:
    ran = bench("check", "runners/launch_b.sh")
    assert ran.code == 2
    assert ran.err == ("configlint: runners/launch_b.sh: no such path in memory; did you mean 'runners/launch_a.sh'?\n")
    ran = bench("check", "launch_a.sh")
    assert "did you mean 'runners/launch_a.sh'?" in ran.err


def test_path_outside(bench: Bench, tmp_path: Path) -> None:
    ran = bench("check", str(tmp_path.parent))
    assert ran.code == 2 and "outside the repository" in ran.err


def test_paths_are_relative_to_the_current_folder_or_the_root(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path / "runners")
    for word in ("launch_a.sh", "runners/launch_a.sh", ".", "..", str(tmp_path / "runners")):
        assert bench("check", word).code == 1, word
    assert bench("check", "clean.sh").code == 0
    bench.project.root = None  # bare
    assert bench("check", "--repo", ".", "runners").code == 1
    assert bench("check", "--repo", ".", "../runners").code == 2


def test_repository_options(bench: Bench, environment: Callable[..., None], tmp_path: Path) -> None:
    environment(CONFIGLINT_REFS="https://h.invalid/c=/c  https://h.invalid/d@v1=/d")
    bench(
        "check",
        "--repo",
        str(tmp_path),
        "--rev",
        "v1",
        "--ref-source",
        "https://h.invalid/a=/a",
        "--jobs",
        "3",
        "--profile",
        "own.toml",
    )
    (request,) = bench.requests
    assert (request.start, request.exact, request.revision) == (tmp_path, True, "v1")
    assert request.ref_sources == ("https://h.invalid/a=/a",)
    assert request.environment_refs == ("https://h.invalid/c=/c", "https://h.invalid/d@v1=/d")
    assert (request.jobs, request.profile) == (3, "own.toml")
    bench("check", "runners/clean.sh")
    assert (str(bench.requests[1].start), bench.requests[1].exact) == ("runners/clean.sh", False)
    bench("check", "--rev", "HEAD~3", "runners/gone.sh")
    assert str(bench.requests[2].start) == "runners"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--repo", "nowhere"], "configlint: --repo nowhere: no such file or directory"),
        (["--ref-source", "https://h.invalid/a"], "expected URL=PATH or URL@REF=DIR"),
        (["--jobs", "0"], "is no number of at least 1"),
        (["--jobs", "x"], "is no number of at least 1"),
        (["--require-analysed", "101"], "no percentage"),
        (["--severity", "fatal"], "invalid choice"),
        (["--format", "xml"], "invalid choice"),
        (["--frmat", "json"], "unrecognized arguments"),
        (["--sel", "x"], "unrecognized arguments"),
        (["--format", "json", "--format", "text"], "json and text would mix on standard output"),
        (["--format", "json", "--output", "x", "--format", "text", "--output", "x"], "would mix on x"),
        (["--output", "no/such/folder"], "cannot write no/such/folder: No such file or directory"),
    ],
)
def test_usage_errors(bench: Bench, words: list[str], wanted: str) -> None:
    ran = bench("check", *words)
    assert ran.code == 2 and wanted in ran.err and "Traceback" not in ran.err


def test_format_and_output_pairs(bench: Bench) -> None:
    ran = bench(
        "check",
        "--format",
        "json",
        "--output",
        "a.json",
        "--format",
        "text",
        "--format",
        "sarif",
        "--output",
        "b.sarif",
    )
    assert ran.out.startswith("error[finds-todo]")
    assert json.loads(Path("a.json").read_text())["version"] == "configlint/1"
    assert json.loads(Path("b.sarif").read_text())["version"] == "2.1.0"
    ran = bench("check", "--output", "c.json", "--format", "json")
    assert ran.out == "" and json.loads(Path("c.json").read_text())
    bench("check", "--output", "d.txt")
    assert Path("d.txt").read_text().startswith("error[finds-todo]")
    assert bench("check", "--format", "json", "--output", "-").json["version"] == "configlint/1"


def test_options_and_paths_may_alternate(bench: Bench) -> None:
    ran = bench("check", "runners/clean.sh", "--severity", "info", "recipes", "--format", "json", "recipes/a.yaml")
    assert ran.code == 0 and ran.json["findings"] == []


def test_machine_formats_own_stdout(bench: Bench) -> None:
    bench.project.own_diagnostics = (diagnostic(),)
    ran = bench("check", "--format", "json", "--stats")
    assert ran.json["diagnostics"] == [
        {"id": "not-analysed", "path": "runners/launch_alpha.sh", "line": 4, "message": "too deep"}
    ]
    assert ran.json["stats"]["rules"]["finds-todo"]["instances"] == 1
    assert "warning[not-analysed]: runners/launch_alpha.sh:4: too deep\n" in ran.err
    assert re.search(r"finds-todo +\d\.\d{3} +3 +1 +0\n", ran.err)


def test_color_only_when_asked_or_on_a_terminal(bench: Bench, environment: Callable[..., None]) -> None:
    assert "\x1b[1;31merror" in bench("check", "--color", "always").out
    environment(FORCE_COLOR="1")
    ran = bench("check")
    assert "\x1b[1;31merror" in ran.out and "\x1b]8" not in ran.out
    assert "\x1b" not in bench("check", "--color", "never").out
    environment(NO_COLOR="1")
    assert "\x1b" not in bench("check").out
    bench("check", "--output", "x.txt", "--color", "always")
    assert "\x1b" not in Path("x.txt").read_text()


def test_on_actions_commands_by_default_and_the_full_log_fenced(bench: Bench, environment: Callable[..., None]) -> None:
    environment(GITHUB_ACTIONS="true")
    ran = bench("check")
    assert ran.out.startswith("::error file=runners/launch_a.sh,line=2,col=3,endColumn=6,title=configlint finds-todo::")
    lines = ran.err.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token) and lines[-1] == f"::{token}::"
    assert "error[finds-todo]: unfinished" in ran.err


def test_on_actions_text_and_errors_are_fenced(bench: Bench, environment: Callable[..., None]) -> None:
    environment(GITHUB_ACTIONS="true")
    ran = bench("check", "--format", "text")
    assert ran.out.startswith("::stop-commands::") and ran.out.endswith("::\n")
    ran = bench("check", "::error::x")
    assert ran.code == 2 and ran.err.startswith("::stop-commands::")
    ran = bench("check", "--format", "json")
    assert ran.json["version"] == "configlint/1"


def test_hidden_findings_do_not_decide_the_code(bench: Bench) -> None:
    ran = bench("check", "--format", "json", "--select", "old-todo")
    assert ran.code == 1 and len(ran.json["findings"]) == 1


def test_paths_with_odd_bytes(bench: Bench) -> None:
    from tests.support.fakes import FakeTree

    bench.project.tree = FakeTree({"odd \udcff.sh": "TODO\n"})
    for form in ("text", "json", "sarif", "github"):
        ran = bench("check", "--format", form)
        assert ran.code == 1 and ran.out


def test_a_bug_is_a_message_not_a_traceback(bench: Bench) -> None:
    class Broken:
        def __bool__(self) -> bool:
            raise LookupError("what\n::error::now")

    bench.project.empty = Broken()  # type: ignore[assignment]
    ran = bench("check")
    assert ran.code == 3
    assert ran.err.startswith(
        "configlint: internal error: LookupError: what ::error::now (tests.cli.test_check_command:"
    )
    assert "Traceback" not in ran.err and os.sep + "tests" not in ran.err
    assert "Traceback" in bench("check", "--verbose").err


def test_interrupt(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench.project, "diagnostics", interrupted)
    ran = bench("check")
    assert (ran.code, ran.err) == (130, "configlint: interrupted\n")


def test_usage_errors_suggest_and_are_one_line(bench: Bench) -> None:
    ran = bench("check", "--frmat=json")
    assert ran.err == "configlint: check: unrecognized arguments: --frmat=json; did you mean '--format'?\n"
    ran = bench("check", "--severity", "x\n::error::y")
    assert ran.code == 2 and ran.err.count("\n") == 1


def test_a_symlink_stands_for_its_target(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.project.tree, "resolve", lambda path: path.replace("clean", "launch_a"))
    assert bench("check", "runners/clean.sh").code == 1
