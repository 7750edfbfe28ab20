"""Shell text of a tree: scripts, what is inside them, and the steps of workflows."""

from __future__ import annotations

import shutil
from pathlib import PurePath

import pytest

from configlint.api import Repository
from configlint.lint.examples import Example
from configlint.lint.trees import project_of
from configlint.model.shells import Unparsable
from configlint.model.snippets import embedded, may_embed
from configlint.source.text import Text
from configlint.syntax.bash import parse, second_opinion

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")


def snippets(source: str) -> list[tuple[str, list[str]]]:
    text = Text("a.sh", source.encode())
    found = embedded(parse(text), may_embed(text))
    return [(one.what, [source.decode() for source in one.sources]) for one in found]


def unparsable(files: dict[str, str], symlinks: dict[str, str] | None = None) -> list[Unparsable]:
    repository = project_of(Example("", False, files, symlinks=symlinks or {})).repository()
    assert isinstance(repository, Repository)
    return [one for one, _ in repository.unparsable()]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("bash -c 'a; b'", ["a; b"]),
        ("srun -n 1 /bin/bash -lc 'a'", ["a"]),
        ("x=$(srun sh -c 'a')", ["a"]),
        ('bash -c "a $X \\"b\\""', ['a x "b"', 'a  "b"']),
        ("bash -c 'a '\"$X\"' b'", ["a x b", "a  b"]),
        ('bash -c "$X"', []),
        ("bash run.sh -c 'a'", []),
        ("bash -e run.sh", []),
        ("echo bash", []),
        ("bash <<'E'\na\nE", ["a\n"]),
        ("ssh host bash -s <<E\na $X\nE", ["a x\n", "a \n"]),
        ("bash run.sh <<E\ndata\nE", []),
        ("cat <<E\na\nE", []),
        ("cat > run.sh <<'E'\na\nE", ["a\n"]),
        ("cat <<'E' > \"$D/run.sh\"\na\nE", ["a\n"]),
        ("cat > run.yaml <<'E'\na\nE", []),
        ("cat a > run.sh <<'E'\na\nE", []),
        ("python3 - <<'E'\na\nE", []),
        ("cat > a.txt; cat > run.sh <<'E'; cat > b.sh\na\nE", ["a\n"]),
        ("cat <<'E' > a.txt; cat <<'F' > b.sh\na\nE\nb\nF", ["b\n"]),
        ("sh a; bash <<'E'; sh b\na\nE", ["a\n"]),
        ("if a; then\n  f() { srun bash \\\n    -c 'b'; }\nfi", ["b"]),
    ],
)
def test_what_is_inside_a_script(source: str, expected: list[str]) -> None:
    found = snippets(source)
    assert [text for _, sources in found for text in sources] == expected


@needs_bash
@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("srun bash -c '\n  a\n  if b; then fi\n'", 3),
        ('srun bash -c "\n  a \\\n    b\n  if b; then fi\n"', 4),
        ('srun bash -c "a $X\n  if b; then fi\n"', 2),
        ("bash <<E\na\nfi\nE", 3),
        ("bash <<-E\n\ta\n\tfi\n\tE", 3),
        ("a\nbash -c 'fi'", 2),
    ],
)
def test_the_line_of_an_inner_fault(script: str, line: int) -> None:
    (found,) = unparsable({"runners/launch_a.sh": script + "\n"})
    assert found.place.line == line
    assert found.sure is ("$X" not in script)


@needs_bash
def test_what_is_not_known_has_the_benefit_of_the_doubt() -> None:
    assert unparsable({"a.sh": 'bash -c "if a; then b; $END"\n'}) != []
    assert unparsable({"a.sh": 'bash -c "$IF a; b fi"\n'}) == []
    assert unparsable({"a.sh": 'bash -c "x=( $LIST )"\n'}) == []


STEPS = """\
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - run: |
          a
          if ${{ inputs.x }}; then
            b
      - run: echo fine
      - shell: python
        run: |
          if a: b
  two:
    runs-on: windows-latest
    steps:
      - run: if (x) { y
"""


@needs_bash
def test_steps_of_workflows() -> None:
    (found,) = unparsable({".github/workflows/x.yml": STEPS})
    assert found.what == "the step's run"
    assert found.place.line in (8, 9)
    assert found.hints[0][0].line == 7


@needs_bash
def test_a_default_shell_and_actions() -> None:
    step = "  steps: [{ run: 'fi' }, { run: 'fi', shell: bash }]\n"
    found = unparsable({".github/actions/a/action.yml": f"defaults: {{ run: {{ shell: pwsh }} }}\nruns:\n{step}"})
    assert len(found) == 1


@needs_bash
def test_files_that_are_no_shell() -> None:
    files = {
        "a.sh": "#!/usr/bin/env python3\nif a: b\n",
        "b.sh": "#!/usr/bin/env zsh\nfi\n",
        "c.sh": "#!/bin/sh\nfi\n",
        "d.txt": "fi\n",
    }
    assert [one.path for one in unparsable(files, {"e.sh": "c.sh"})] == ["c.sh"]


@needs_bash
def test_the_entries_of_a_launcher() -> None:
    files = {
        "configs/x-master.yaml": "tiny: { runner: alpha }\n",
        "configs/runners.yaml": "labels: { alpha: [alpha_0] }\n",
        "runners/launch_alpha.sh": "fi\n",
    }
    repository = project_of(Example("", False, files)).repository()
    assert isinstance(repository, Repository)
    ((_, entries),) = repository.unparsable()
    assert [entry.key for entry in entries] == ["tiny"]


def test_without_bash_our_own_parser_is_less_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "_bash", lambda: None)
    (found,) = unparsable({"a.sh": "a\nif b; then\n  c\n", "b.sh": "echo fine\n"})
    assert not found.sure
    assert PurePath(found.path).name == "a.sh"
    assert found.place.line == 2
