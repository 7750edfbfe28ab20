from __future__ import annotations

from configlint.model.runners import Runners
from tests.model.trees import layout


def test_one_launcher_for_each_path_under_its_own_name() -> None:
    found = Runners(layout()).launchers("north")
    assert [(one.path, one.runner, one.exists, one.guessed) for one in found] == [
        ("runners/launch_north-a.sh", "north-a_0", True, False),
        ("runners/launch_north-b.sh", "north-b_0", True, False),
    ]
    assert found[0].place is not None
    assert found[0].place.text.slice(found[0].place.span) == "north-a_0"


def test_a_launcher_that_is_missing_says_so() -> None:
    [found] = Runners(layout()).launchers("empty-handed")
    assert (found.path, found.exists, found.guessed) == ("runners/launch_nowhere.sh", False, False)


def test_an_undeclared_label_is_guessed() -> None:
    runners = Runners(layout())
    [found] = runners.launchers("cluster:west")
    assert (found.path, found.runner, found.exists, found.guessed) == (
        "runners/launch_west-slurm.sh", "west-slurm_0", True, True,
    )  # fmt: skip
    [found] = runners.launchers("north-a")
    assert (found.path, found.guessed) == ("runners/launch_north-a.sh", True)
    [found] = runners.launchers("unheard-of")
    assert (found.path, found.exists, found.guessed) == ("runners/launch_unheard-of.sh", False, True)


def test_a_label_may_be_the_name_of_a_runner() -> None:
    [found] = Runners(layout()).launchers("north-a_1")
    assert (found.path, found.runner, found.guessed) == ("runners/launch_north-a.sh", "north-a_1", False)


def test_labels_have_places_and_hardware() -> None:
    runners = Runners(layout())
    assert list(runners.labels) == ["north", "cluster:south", "empty-handed"]
    assert runners.labels["cluster:south"].place.line == 3
    assert runners.hardware("north") is None
    facts = runners.hardware("cluster:south")
    assert facts is not None
    assert facts.plain() == {"available-cpu-dram-mib": 1_000_000, "gpus-per-node": 8}


def test_a_runners_file_may_be_anything() -> None:
    for text in ("", "- 1", "labels: 3", "labels: {a: 1, b: [1, {}], c: [x_1]}", "labels: [a]", "\t", None):
        runners = Runners(layout({"configs/runners.yaml": text}))
        runners.launchers("a")
        runners.launchers("c")
        assert runners.hardware("a") is None
    runners = Runners(layout({"configs/runners.yaml": "labels: {a: 1, b: [1, {}], c: [x_1]}"}))
    assert runners.labels["c"].runners[0].name == "x_1"
    assert len(runners.faults) == 3


def test_what_is_declared_and_what_is_not_reached() -> None:
    runners = Runners(layout())
    assert [runners.is_declared(name) for name in ("north", "north-a_1", "north-a")] == [True, True, False]
    assert "runners/launch_west-slurm.sh" in runners.unreached
    assert "runners/launch_north-a.sh" not in runners.unreached
