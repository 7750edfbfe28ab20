"""What GNU bash says about a script, without running any of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from configlint.syntax.bash import second_opinion
from configlint.syntax.bash.second_opinion import NoOpinion, check_syntax

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")


@needs_bash
@pytest.mark.parametrize(
    "source", [b"", b"a\n", b"if a; then b; fi", b"cat <<E\nno end\n", b"[[ $x =~ a(b|c) ]]", b"\xff\0", b"f() { g; }"]
)
def test_fine(source: bytes) -> None:
    assert check_syntax(source) is None


@needs_bash
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"a\nfi\n", "line 2: syntax error near unexpected token `fi'"),
        (b"if a; then\n", "line 2: syntax error: unexpected end of file"),
        (b"a 'b\n", "line 1: unexpected EOF while looking for matching `''"),
        (b"if [[ -n x ]; then\n a\nfi\n", "syntax error in conditional expression"),  # bash exits with 0
    ],
)
def test_refused(source: bytes, message: str) -> None:
    answer = check_syntax(source)
    assert isinstance(answer, str)
    assert message in answer


@needs_bash
def test_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "ran"
    started = tmp_path / "start.sh"
    started.write_text(f"touch {mark}\n")
    monkeypatch.setenv("BASH_ENV", str(started))
    monkeypatch.setenv("ENV", str(started))
    monkeypatch.setenv("SHELLOPTS", "xtrace")
    monkeypatch.setenv("BASH_FUNC_touch%%", f"() {{ : > {mark}; }}")
    source = f"touch {mark}\n: > {mark}\n$(touch {mark})\nset +n\ntouch {mark}\n".encode()
    assert check_syntax(source) is None
    assert not mark.exists()


def test_no_bash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "_bash", lambda: None)
    assert check_syntax(b"fi") == NoOpinion("no bash on this machine")
    monkeypatch.setattr(second_opinion, "_bash", lambda: "/nonexistent/bash")
    assert isinstance(check_syntax(b"fi"), NoOpinion)


@needs_bash
def test_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "TIME_LIMIT", 0.0001)
    assert isinstance(check_syntax(b"a\n" * 200_000), NoOpinion)
