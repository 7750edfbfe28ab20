"""Running command lines against a project that answers what it is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from configlint.api import ERROR, WARNING, Diagnostic, EntryRef, Verdict
from configlint.cli.main import main
from configlint.cli.request import Request
from configlint.cli.views import (
    AffectedRow,
    EffectiveLine,
    EffectiveView,
    LaunchRow,
    RefRow,
    SyncRow,
    TraceStep,
    TraceView,
)
from tests.support.fakes import FakeProject, FakeSubject, FakeTree, mark
from tests.support.samples import LAUNCHER, MATRIX_FILE, RECIPES, make_rule


@dataclass
class Ran:
    """What a command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Bench:
    """Runs command lines; ``project`` is what every one of them opens, ``requests`` what they asked for."""

    capsys: pytest.CaptureFixture[str]
    project: FakeProject
    requests: list[Request] = field(default_factory=list)

    def __call__(self, *words: str) -> Ran:
        def opener(request: Request) -> Any:
            self.requests.append(request)
            return self.project

        code = main(words, opener=opener)
        out, err = self.capsys.readouterr()
        return Ran(code, out, err)


def todo(script: FakeSubject) -> Iterator[Verdict]:
    for nth in range(script.text.string.count("TODO")):
        yield script.instance(
            "unfinished",
            cause=mark(script.text, "TODO", nth),
            entries=(EntryRef("alpha-fp8", mark(MATRIX_FILE, "alpha"), 2),),
        )


def crash(script: FakeSubject) -> Iterator[Verdict]:
    raise ZeroDivisionError("boom")
    yield


PACK = {
    "finds-todo": make_rule("finds-todo", ERROR, subject="Script", check=todo, aliases=("old-todo",)),
    "always-crashes": make_rule("always-crashes", WARNING, subject="Script", check=crash, preview=True),
}


FILES = {"runners/launch_a.sh": "true\n# TODO: one\n", "runners/clean.sh": "true\n", "recipes/a.yaml": "a: 1\n"}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def change(**values: str | None) -> None:
        for name, value in values.items():
            monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)

    return change


@pytest.fixture
def bench(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: Callable[..., None],
    tmp_path: Path,
) -> Bench:
    environment(GITHUB_ACTIONS=None, CONFIGLINT_REFS=None, NO_COLOR=None, FORCE_COLOR=None)
    # Rules of our own instead of the built-in pack: these tests are about the command line.
    pack = type(sys)("pack_for_tests")
    vars(pack).update({f"rule_{number}": rule for number, rule in enumerate(PACK.values())})
    monkeypatch.setitem(sys.modules, "pack_for_tests", pack)
    monkeypatch.setattr("configlint.lint.registry.packs", lambda: ())
    from configlint.lint import registry

    plain = registry.load
    monkeypatch.setattr("configlint.cli.check.load", lambda: plain(extra=["pack_for_tests"]))
    monkeypatch.setattr("configlint.cli.rules.load", lambda: plain(extra=["pack_for_tests"]))
    monkeypatch.setattr("configlint.cli.explain.load", lambda: plain(extra=["pack_for_tests"]))
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return Bench(capsys, sample_project(tmp_path))


@pytest.fixture
def real(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: Callable[..., None],
    tmp_path: Path,
) -> Callable[..., Ran]:
    """Runs command lines with the model and the built-in rules, in an empty folder of one's own."""
    environment(GITHUB_ACTIONS=None, CONFIGLINT_REFS=None, NO_COLOR=None, FORCE_COLOR=None)
    environment(XDG_CACHE_HOME=str(tmp_path / "cache"))
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")

    def run(*words: str) -> Ran:
        code = main(words)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


def lay(files: Mapping[str, str], folder: str = ".") -> None:
    """Write files below a folder."""
    for path, text in files.items():
        target = Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def sample_project(root: Path) -> FakeProject:
    views: Mapping[str, tuple[EffectiveView, ...]] = {
        "alpha-fp8": (
            EffectiveView(
                "alpha-fp8",
                1,
                mark(MATRIX_FILE, "image: engine:1.0"),
                "conc 1 2 4",
                facts=(("launcher", LAUNCHER.path), ("recipe", f"{RECIPES[0].path}, overlaid")),
                lines=(
                    EffectiveLine('name: "alpha_00"', '"size-4"', mark(LAUNCHER, "sed")),
                    EffectiveLine("health:"),
                    EffectiveLine("  attempts: 300", "400", mark(LAUNCHER, "sed")),
                    EffectiveLine("  interval: 10"),
                ),
                declared="name: size-4\nhealth:\n  attempts: 400\n  interval: 10\n",
                effective="name: alpha_00\nhealth:\n  attempts: 300\n  interval: 10\n",
            ),
            EffectiveView(
                "alpha-fp8",
                2,
                mark(MATRIX_FILE, "image"),
                "conc 8",
                mode="eval",
                missing="dies at line 9: \x1b[1mno recipe",
            ),
        ),
        "beta-fp8": (
            EffectiveView("beta-fp8", 1, mark(MATRIX_FILE, "beta"), "conc 1", declared="a: 1\n", effective="a: 2\n"),
        ),
    }
    traces = {
        "alpha-fp8": (
            TraceView(
                "alpha-fp8",
                1,
                mark(MATRIX_FILE, "image"),
                LAUNCHER.path,
                "alpha_00",
                "throughput",
                (
                    TraceStep(
                        "branch", "[[ $MODEL == alpha ]] is true", mark(LAUNCHER, "if"), ('MODEL = "alpha" (matrix)',)
                    ),
                    TraceStep("assume", "make\n succeeds"),
                    TraceStep("submit", "recipes/a.yaml", mark(LAUNCHER, "srtctl")),
                ),
                (("MODEL", "alpha", ("step env", "matrix row")),),
            ),
        )
    }
    rows = (
        LaunchRow(
            "throughput",
            "alpha-fp8",
            2,
            LAUNCHER.path,
            "alpha_00",
            "https://host.invalid/o/r.git",
            "v1",
            "srtctl",
            "a.yaml:x",
            None,
            "ab" * 32,
        ),
        LaunchRow(
            "eval",
            "beta-fp8",
            4,
            LAUNCHER.path,
            "beta_00",
            None,
            None,
            "script",
            None,
            "bench/\udcff.sh",
            None,
            ("HOME", "output of ##[x]"),
        ),
    )
    refs = (
        RefRow(
            "https://host.invalid/o/r.git",
            "v1",
            "tag",
            "c" * 40,
            "/refs/r.git",
            "",
            (mark(LAUNCHER, "sed"), mark(LAUNCHER, "fi")),
        ),
        RefRow("https://host.invalid/o/s.git", None, "unknown", None, "", "no source"),
    )
    return FakeProject(
        FakeTree(FILES),
        root=root,
        own_counts={"launches": 200, "not_analysed": 20, "files": 3},
        rows=rows,
        effective_views=views,
        trace_views=traces,
        affected_rows=(AffectedRow("alpha-fp8", mark(MATRIX_FILE, "alpha"), 7, 3, "recipe"),),
        refs=refs,
        synced=(SyncRow("https://host.invalid/o/s.git", "failed", "no such host"),),
    )


def diagnostic() -> Diagnostic:
    return Diagnostic("not-analysed", "too deep", mark(LAUNCHER, "if"))
