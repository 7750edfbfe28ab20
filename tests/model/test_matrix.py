from __future__ import annotations

import time

import pytest

from configlint.model.matrix import EVAL, SWEEP, THROUGHPUT, rows
from configlint.source.text import Place
from tests.model.trees import FIRST, entry, matrix, point


def lines(places: tuple[Place, ...]) -> list[tuple[int, str]]:
    return [(place.line, place.text.slice(place.span)) for place in places]


def test_entries_items_and_points_have_places() -> None:
    made = matrix()
    assert list(made.entries) == ["alpha-fp8-north", "beta-fp4-south-multi"]
    alpha = made.entries["alpha-fp8-north"]
    assert (alpha.place.path, alpha.place.line) == ("configs/first-master.yaml", 2)
    assert [item.line for item in alpha.items] == [15, 16]
    assert [point.concurrency for point in alpha.points] == [8, 16, 32, 16, 64]
    assert [item.line for item in made.entries["beta-fp4-south-multi"].items] == [16, 31]
    assert made.faults == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- tp: 1", 1), ("- { tp: 1 }", 1), ("-\n  tp: 1", 1), ("-\n\n  # why\n  tp: 1", 1),
        ("- # why\n  tp: 1", 1), ("- # one - two\n  # three\n  tp: 1", 1), ("# -\n- tp: 1", 2),
        ("# why -\n\n- tp: 1", 3), ("-   # - -\n  tp: 1", 1), ("- &x\n  tp: 1", 1),
    ],
)  # fmt: skip
def test_the_line_of_an_item_is_its_dash(text: str, line: int) -> None:
    head = FIRST[: FIRST.index("      - {")]
    items = "".join(f"      {one}\n" for one in text.split("\n")) + "        conc-list: [1]\n"
    if "{" in text:
        items = "      - { tp: 1, conc-list: [1] }\n"
    [item] = matrix({"configs/first-master.yaml": head + items}).entries["alpha-fp8-north"].items
    assert item.line == head.count("\n") + line


def test_rows_are_what_the_generator_prints() -> None:
    made = matrix()
    [alpha, *_] = rows(made.entries["alpha-fp8-north"])
    assert alpha == {
        "image": "engine/server:1.2", "model": "org/Alpha", "model-prefix": "alpha", "precision": "fp8",
        "framework": "engine", "runner": "north", "isl": 8192, "osl": 1024, "tp": 4, "pp": 1, "dcp-size": 1,
        "pcp-size": 1, "conc": 8, "max-model-len": 9472, "ep": 1, "dp-attn": False, "spec-decoding": "none",
        "exp-name": "alpha_8k1k", "disagg": False, "run-eval": False,
    }  # fmt: skip
    assert [row["run-eval"] for row in rows(made.entries["alpha-fp8-north"])] == [False, False, True, False, True]
    assert len(made.rows()) == 5 + 1 + 2
    assert [row["conc"] for row in rows(made.entries["beta-fp4-south-multi"])] == [[4, 32], [1], [16]]


def test_modes_differ_in_their_marks() -> None:
    last = point(matrix(), "beta-fp4-south-multi", 1, 1)
    assert last.is_evaluated
    assert (last.get("run-eval", THROUGHPUT), last.get("eval-only", THROUGHPUT)) == (False, None)
    assert (last.get("run-eval", SWEEP), last.get("eval-conc", SWEEP)) == (False, None)
    assert (last.get("run-eval", EVAL), last.get("eval-only", EVAL), last.get("eval-conc", EVAL)) == (True, True, 16)
    assert last.row(EVAL)["eval-only"] is True


def test_places_of_fields() -> None:
    made = matrix()
    middle = point(made, "alpha-fp8-north", 0, 1)
    assert lines(middle.places("tp")) == [(15, "4")]
    assert lines(middle.places("image")) == [(3, "&image engine/server:1.2")]
    assert lines(middle.places("isl")) == [(12, "8192")]
    assert lines(middle.places("conc")) == [(15, "8")]
    assert lines(point(made, "alpha-fp8-north", 0, 2).places("conc")) == [(15, "32")]
    assert lines(point(made, "alpha-fp8-north", 1, 1).places("conc")) == [(21, "64")]
    assert lines(middle.places("exp-name")) == [(5, "alpha"), (12, "8192"), (13, "1024")]
    assert lines(middle.places("pp")) == []
    multi = point(made, "beta-fp4-south-multi")
    assert lines(multi.places("conc")) == [(16, "[4, 32]")]
    assert [line for line, _ in lines(multi.places("prefill", "additional-settings", 1))] == [24]
    assert [line for line, _ in lines(multi.places("decode", "tp"))] == [19]  # merged in
    assert lines(point(made, "beta-fp4-south-multi", 1).places("total-cpu-dram-gb"))[0] == (29, "0.5")


def test_faults_stand_where_they_are() -> None:
    text = entry(
        """
        broken:
          image: [a, b]
          model: m
          model-prefix: b
          precision: fp8
          framework: e
          runner: north
          scenarios:
            fixed-seq-len:
            - isl: 1024
              osl: 1024
              search-space:
              - { tp: x, conc-list: [1] }
              - { tp: 1, conc-list: [1] }
              - { conc-list: [1] }
        nothing: 3
        """
    )
    made = matrix({"configs/third-master.yaml": text})
    assert [(fault.entry, fault.place and fault.place.line, fault.message) for fault in made.faults] == [
        ("broken", 2, "image is no string"),
        ("broken", 13, "tp is no whole number"),
        ("broken", 15, "tp is missing"),
        ("nothing", 16, "the entry is no mapping"),
    ]
    assert len(list(made.entries["broken"].points)) == 1
    assert len(made.rows()) == 8 + 1


def test_a_key_in_two_files_is_a_fault() -> None:
    made = matrix({"configs/x-master.yaml": FIRST})
    [fault] = made.faults
    assert fault.message == "alpha-fp8-north is defined in configs/first-master.yaml:2 already"
    assert (fault.path, len(made.entries)) == ("configs/x-master.yaml", 2)


@pytest.mark.parametrize("text", ["", "- 1\n- 2\n", "a: [", "just text", "? [a, b]\n: 1\n", b"\x00\x01"])
def test_a_matrix_file_may_be_anything(text: str | bytes) -> None:
    made = matrix({"configs/x-master.yaml": text})
    assert len(list(made.points)) == 8
    assert isinstance(made.faults, tuple)


def test_an_unreadable_file_is_noted_once() -> None:
    made = matrix({"configs/x-master.yaml": b"\x00"})
    assert made.rows()
    assert [fault.id for fault in made.layout.faults] == ["unreadable-file"]


def test_an_older_layout() -> None:
    old = {
        "configs/first-master.yaml": None, "configs/second-master.yaml": None, "configs/runners.yaml": None,
        ".github/configs/old-master.yaml": FIRST.replace("  scenarios:\n    fixed-seq-len:", "  seq-len-configs:"),
        ".github/configs/runners.yaml": "north:\n- north-a_7\n",
    }  # fmt: skip
    made = matrix(old)
    assert made.layout.generation.name == "github-configs"
    assert len(made.rows()) == 5
    [launcher] = made.entries["alpha-fp8-north"].launchers
    assert (launcher.runner, launcher.guessed) == ("north-a_7", False)


def test_a_layout_without_a_matrix() -> None:
    made = matrix({"configs/first-master.yaml": None, "configs/second-master.yaml": None, "configs/runners.yaml": None})
    assert made.layout.generation.name == "flat"
    assert (made.entries, made.rows(), made.faults) == ({}, [], ())


def test_marks_of_holes_cannot_come_from_the_tree() -> None:
    text = FIRST.replace("org/Alpha", '"\\uE000gone\\uE002"').replace("fp8\n", "\ue000x\ue002\n")
    made = matrix({"configs/first-master.yaml": text})
    [first, *_] = made.rows()
    assert first["model"] == "\ufffdgone\ufffd"
    assert first["precision"] == "\ufffdx\ufffd"


def test_many_concurrencies_cost_little() -> None:
    def seconds(count: int) -> float:
        text = FIRST.replace("conc-list: [16, 64]", f"conc-list: {list(range(1, count + 1))}")
        made = matrix({"configs/first-master.yaml": text})
        begin = time.process_time()
        assert len(list(made.points)) == count + 6
        return time.process_time() - begin

    seconds(10)
    assert seconds(10_000) < 2
