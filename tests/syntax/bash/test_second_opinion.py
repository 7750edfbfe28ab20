"""What GNU bash says about a script, without running any of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from configlint.syntax.bash import second_opinion
from configlint.syntax.bash.second_opinion import MAX_ASKED, NoOpinion, check_all, check_syntax, is_given_up

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


OPEN = [
    b"x='abc", b'x="abc', b"x=`abc", b"x=${a", b'x="${a:-"b"', b"x=${a/'b", b"((x + ", b"x=$((1 + ", b"[[ a == b",
    b"x=$(abc", b'x="$(echo "a', b'x="`a', b"x=(1 2",
    b"if true; then", b"f() {", b"case x in", b"case x in\na)", b"for x in a",
    b"while true; do", b"echo $'abc", b"( a", b"{ a", b"if [ 1 ]; then\n x='a",
]  # fmt: skip


@needs_bash
@pytest.mark.parametrize("broken", OPEN, ids=lambda one: one.decode())
def test_many_at_once(broken: bytes) -> None:
    fine = b"echo \"it's\" # don't\nif a; then b; fi\ncat <<E\n$x }\nE"
    for sources in ([broken, fine, fine], [fine, broken, fine], [fine, fine, broken]):
        assert check_all(sources) == [check_syntax(one) for one in sources]
        assert sum(answer is not None for answer in check_all(sources)) == 1


@needs_bash
@pytest.mark.parametrize("outer", ["'", '"', "`", "${a:-", "$((1+", "$(", "( ", "{ ", "x=("])
def test_openings_nest(outer: str) -> None:
    fine = b"echo \"it's\" # don't\n(a; b) || c; echo ${d:-'e'} $((1+(2)))\n"
    for inner in ('${a:-b"', "'", '"', "`", "${a/", "if x; then ", "case a in b) ", "[[ a == "):
        broken = f"echo a{outer}a{inner}a".encode()
        assert check_all([broken, fine, fine]) == [check_syntax(broken), None, None]


@needs_bash
def test_an_unfinished_here_document_hides_nothing() -> None:
    assert check_all([b"cat <<E\nno end\n", b"fi\n", b"cat <<E\nno end\n"])[1] == check_syntax(b"fi\n")


@needs_bash
def test_few_processes_where_all_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    real = second_opinion._ask

    def ask(source: bytes) -> object:
        asked.append(source)
        return real(source)

    monkeypatch.setattr(second_opinion, "_ask", ask)
    assert check_all([b"echo \\", b"# no end", b"", b"a 'b' \"c\" `d` ${e} $((1))"] * 25) == [None] * 100
    assert len(asked) == 1
    monkeypatch.setattr(second_opinion, "_BATCH", 10)
    assert check_all([b"echo one", b"echo two"]) == [None, None]
    assert len(asked) == 3


def test_many_without_bash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "_bash", lambda: None)
    assert check_all([b"fi", b"a"]) == [NoOpinion("no bash on this machine")] * 2


@needs_bash
def test_bash_is_asked_a_number_of_times_only() -> None:
    answers = check_all([b"fi\n"] * 2_000)
    given_up = [is_given_up(one) for one in answers]
    assert 0 < sum(isinstance(one, str) for one in answers) <= MAX_ASKED
    assert given_up.index(True) + sum(given_up) == 2_000  # the first are the ones it was asked about
    assert not any(is_given_up(one) for one in check_all([b"fi\n", *[b"a\n"] * 500]))
