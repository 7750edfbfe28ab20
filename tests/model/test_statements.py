"""Whether anything stops a script when a command fails: what is said of it, and what bash does."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from configlint.model.statements import Statement, statements
from configlint.syntax.bash import parse_string


def of(script: str) -> list[Statement]:
    return [one for one in statements(parse_string(script)) if one.name == "git"]


STOPS = [
    "set -e\ngit checkout v1\n",
    "set -eo pipefail\ngit checkout v1 | cat\n",
    "set -o errexit\n{ git checkout v1; true; }\n",
    "set -e\n(cd . && git checkout v1)\n",
    "set -e\ncd . && git checkout v1\n",
    "set -e\nif true; then git checkout v1; fi\n",
    "set -e\nfor x in 1; do git checkout v1; true; done\n",
    "set -e\nf() { git checkout v1; true; }\nf\n",
    "git checkout v1 || exit 1\n",
    "git checkout v1 || { echo no; exit 1; }\n",
    "if ! git checkout v1; then exit 1; fi\n",
    "f() { true; git checkout v1; }\nf || exit 1\n",
    "(git checkout v1) || exit 1\n",
    "git checkout v1\n[ $? -eq 0 ] || exit 1\n",
    "trap 'exit 1' ERR\ngit checkout v1\n",
]
GOES_ON = [
    "git checkout v1\n",
    "git checkout v1 || true\n",
    "git checkout v1 || echo no\n",
    "set -e\ngit checkout v1 || :\n",
    "set -e\ngit checkout v1 && true\n",
    "set -e\ngit checkout v1 | cat\n",
    "set -e\n! git checkout v1\n",
    "set -e\nset +e\ngit checkout v1\n",
    "set -e\n(git checkout v1; true) || exit 1\n",
    "set -e\nf() { git checkout v1; true; }\nf || exit 1\n",
    "(set -e)\ngit checkout v1\n",
    "set -e\ngit checkout v1 &\nwait\n",
    "f() { git checkout v1; true; }\nf\n",
    "echo -e\ngit checkout v1\n",
]


def goes_on(script: str) -> bool:
    """Whether bash comes to the end of the script when git fails."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    text = f"git() {{ return 1; }}\n{script}builtin echo the end\n"
    run = subprocess.run([bash], input=text, capture_output=True, text=True, check=False, timeout=10)
    return "the end" in run.stdout


@pytest.mark.parametrize("script", STOPS)
def test_what_stops(script: str) -> None:
    (one,) = of(script)
    assert one.checked
    assert not goes_on(script)


@pytest.mark.parametrize("script", GOES_ON)
def test_what_goes_on(script: str) -> None:
    (one,) = of(script)
    assert not one.checked
    assert goes_on(script)


@pytest.mark.parametrize(
    ("command", "pin"),
    [
        ("git checkout v1", "v1"),
        ("git -C dir -c a.b=c checkout --quiet v1", "v1"),
        ('git checkout "$PIN"', "$PIN"),
        ("sudo /usr/bin/git switch --detach v1", "v1"),
        ("git reset --hard v1", "v1"),
        ("git reset v1", None),
        ("git checkout -- v1", None),
        ("git checkout v1 -- file", None),
        ("git checkout -b work v1", None),
        ("git checkout -", None),
        ("git checkout .", None),
        ("git checkout a b", None),
        ("git fetch v1", None),
    ],
)
def test_the_pin(command: str, pin: str | None) -> None:
    (one,) = statements(parse_string(command))
    assert one.pin == pin


def test_what_may_fail_or_never_run() -> None:
    script = """
git a
[[ -f x ]] && git b
if [ -r x ]; then git c; else git d; fi
git e || true
if git f; then git g; fi
for x in 1; do git h; done
"""
    assert [(one.words[1], one.excused, one.conditional) for one in of(script)] == [
        ("a", False, False),
        ("b", True, True),
        ("c", True, True),
        ("d", True, True),
        ("e", True, False),
        ("f", True, False),
        ("g", False, True),
        ("h", False, True),
    ]


def test_deep_nesting_is_walked() -> None:
    script = "if true; then\n" * 60 + "git checkout v1\n" + "fi\n" * 60
    assert [one.checked for one in of(script)] == [False]
