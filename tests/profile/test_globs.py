from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configlint.profile.globs import Globs


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("runs/*.sh", "runs/a.sh", True),
        ("runs/*.sh", "runs/a/b.sh", False),
        ("runs/*.sh", "runs/.sh", True),
        ("runs/**/*.sh", "runs/a.sh", True),
        ("runs/**/*.sh", "runs/a/b/c.sh", True),
        ("runs/**/*.sh", "other/a.sh", False),
        ("runs/**", "runs/a/b", True),
        ("**/x", "x", True),
        ("**/**/**/**/**/x", "a/b/x", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("*-a*-b*.y", "1-a2-b3.y", True),
        ("*-a*-b*.y", "1-b2-a3.y", False),
        ("a+(b)", "a+(b)", True),
        ("*", "a\nb", True),
    ],
)
def test_paths(pattern: str, path: str, matches: bool) -> None:
    assert Globs([pattern]).matches(path) is matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("**.time_limit", "time_limit", True),
        ("**.time_limit", "a.b.time_limit", True),
        ("**.time_limit", "a.time_limit.b", False),
        ("a.*", "a.b", True),
        ("a.*", "a.b.c", False),
        ("**.*-max-*", "x.cuda-graph-max-bs", True),
    ],
)
def test_dotted_paths(pattern: str, path: str, matches: bool) -> None:
    assert Globs([pattern], ".").matches(path) is matches


def test_no_patterns_match_nothing() -> None:
    assert not Globs([]).matches("")


def test_too_many_double_stars_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 3"):
        Globs(["**/a/**/b/**/c/**/d"])


def test_a_pattern_cannot_be_made_to_explode() -> None:
    begin = time.process_time()
    assert not Globs(["*a" * 40 + "b"]).matches("a" * 5000)
    assert not Globs(["**/a/**/a/**/b"]).matches("a/" * 300)
    assert time.process_time() - begin < 2


@given(st.lists(st.text("ab*?", max_size=4), min_size=1, max_size=3), st.text("ab/", max_size=8))
def test_steps_match_as_the_shell_does(steps: list[str], path: str) -> None:
    from fnmatch import fnmatchcase

    if any("**" in step for step in steps):
        return
    expected = len(parts := path.split("/")) == len(steps) and all(map(fnmatchcase, parts, steps))
    assert Globs(["/".join(steps)]).matches(path) is expected
