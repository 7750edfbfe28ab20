"""What a word certainly is, read off a script's text."""

from __future__ import annotations

import pytest

from configlint.model.references import ROOT, References, resolved
from configlint.model.statements import statements
from configlint.profile.builtins import builtin
from configlint.source.text import Text
from configlint.source.trees import MemoryTree
from configlint.syntax.bash import parse

PATH = "benchmarks/a/run.sh"


def references(script: str, *, is_sourced: bool = False) -> References:
    parsed = parse(Text(PATH, script.encode()))
    tree = MemoryTree({PATH: script, "benchmarks/lib.sh": "true\n"})
    return References(parsed, statements(parsed), tree, builtin("inferencex"), lambda _: is_sourced)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ('"$0"', f"{ROOT}/{PATH}"),
        ('"$(dirname "$0")/x"', f"{ROOT}/benchmarks/a/x"),
        ('"$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"', f"{ROOT}/benchmarks/a/.."),
        ('"${BASH_SOURCE%/*}/x"', f"{ROOT}/benchmarks/a/x"),
        ('"$(basename "$0")"', "run.sh"),
        ('"$(realpath "$(dirname "$0")/../x")"', f"{ROOT}/benchmarks/x"),
        ("$GITHUB_WORKSPACE/x", f"{ROOT}/x"),
        ("/workspace/x", f"{ROOT}/x"),
        ("plain/x", "plain/x"),
        ("$HERE/x", f"{ROOT}/benchmarks/a/x"),
        ("$TWICE/x", None),
        ("$SELF/x", None),
        ("$UNSET/x", None),
        ("$PWD/x", None),
        ("~/x", None),
        ("a/*.sh", None),
        ('"$(pwd)/x"', None),
        ('"$(git rev-parse --show-toplevel)/x"', None),
        ('"${HERE:-/tmp}/x"', f"{ROOT}/benchmarks/a/x"),
        ('"${UNSET:-/tmp}/x"', None),
        ('"${HERE/a/b}"', None),
    ],
)
def test_values(word: str, value: str | None) -> None:
    script = f'HERE="$(dirname "$0")"\nTWICE=a\nTWICE=b\nSELF=$SELF/x\nsource {word}\n'
    found = references(script)
    assert found.value(found.statements[-1].node.words[1]) == value


def test_a_sourced_library_does_not_know_who_runs_it() -> None:
    found = references('source "$(dirname "$0")/x"\n', is_sourced=True)
    assert not list(found.missing())


@pytest.mark.parametrize(
    ("path", "inside"),
    [(f"{ROOT}/a/../b/./c", "b/c"), (f"{ROOT}/a//b/", "a/b"), (ROOT, ""), (f"{ROOT}/../x", None), ("a/b", None)],
)
def test_resolving(path: str, inside: str | None) -> None:
    assert resolved(path) == inside


def test_variables_that_define_each_other_end() -> None:
    chain = "".join(f"A{index}=$A{index + 1}/x\n" for index in range(200))
    assert not list(references(f"{chain}A200=$A0\nsource $A0\n").missing())
