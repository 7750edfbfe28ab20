"""The matrix of the corpus, compared with what its own generator says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from configlint.model.environment import Environments
from configlint.model.layout import Layout
from configlint.model.matrix import Matrix
from configlint.profile.builtins import detect
from configlint.source.git import Repository

REVISION = "843c6254f"
CORPUS = os.environ.get("CONFIGLINT_CORPUS")
ORACLE = os.environ.get("CONFIGLINT_ORACLE")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="CONFIGLINT_CORPUS names no corpus repository"),
]


@pytest.fixture(scope="module")
def layout() -> Layout:
    assert CORPUS is not None
    tree = Repository(Path(CORPUS)).tree(REVISION)
    found = detect(tree.files())
    assert found is not None
    return Layout(tree, *found)


def test_the_matrix_has_as_many_points_as_the_generator_prints(layout: Layout) -> None:
    made = Matrix(layout)
    assert len(made.rows()) == 1820
    assert made.faults == ()
    assert sum(len(point.entry.launchers) for point in made.points) == 2211


@pytest.mark.skipif(ORACLE is None, reason="CONFIGLINT_ORACLE names no output of the repository's generator")
def test_rows_equal_the_generators(layout: Layout) -> None:
    assert ORACLE is not None
    assert Matrix(layout).rows() == json.loads(Path(ORACLE).read_text(encoding="utf-8"))


def test_every_launch_has_an_environment(layout: Layout) -> None:
    made, environments = Matrix(layout), Environments(layout)
    assert environments.faults == ()
    count = 0
    for point in made.points:
        for launcher in point.entry.launchers:
            for mode in environments.modes(point):
                found = environments.of(point, launcher.runner, mode)
                assert found.job is not None
                assert found.run is not None
                assert "\ue000" not in found.run.text
                count += 1
    assert count == 2977
