"""Runs that share what they ask, and their beginnings, come to what each would come to alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from configlint.launch import memo
from configlint.launch.interpret import Interpreter
from configlint.launch.outcome import ArrayCell, Cell, Edit, Outcome, Variable
from configlint.launch.values import HOLE, INPUT, Value, hole_name, options
from configlint.source.text import Place
from tests.launch.harness import Env, launch, runner, world

STEP = """\
export NAME="$BASE-x"
export $SETTINGS
bash ./launch.sh "$KIND"
echo done
"""
LAUNCHER = """\
set -e
source lib.sh
prepare "$IMAGE"
mkdir -p out
A=1 B=2 C=3
export ${C:+D=4}
if [[ "$KIND" == one ]]; then
    squash "$IMAGE" && E=$(echo "$IMAGE" | sed 's/:/_/')
    if [[ -n "$LATE" ]]; then
        F=$LATE
        G=(a "$F")
        cp recipe.yaml out/late.yaml
    else
        F=none
    fi
    echo "last=$F" >> out/log
elif [[ "$KIND" == two ]] || command -v something; then
    for i in 1 2 3; do A=$((A + i)); done
    case "$IMAGE" in a*) H=alpha ;; *) H=other ;; esac
else
    exit 3
fi
if host_says; then I=yes; else I=no; fi
sed -i "s/name: .*/name: $NAME/" "$FILE"
N=$COUNT
[[ $COUNT -gt 1 ]] && M=many
if [[ "$MODE" == eval ]]; then J=1; sed -i 's/x: 1/x: 2/' "$FILE"; fi
submit apply -f "$FILE" --tag "$MODE"
echo after
"""
FILES = {
    "launch.sh": LAUNCHER,
    "lib.sh": 'squash() { local one="$1"; Q="$one.sqsh"; touch "$Q"; }\nprepare() { P=${1##*:}; }\n',
    "recipe.yaml": "name: a\nx: 1\n",
    "other.yaml": "name: b\n",
}
VARIED = {
    "KIND": ("one", "two", "three"),
    "IMAGE": ("a:1", "b:2"),
    "LATE": ("", "l"),
    "MODE": ("eval", "run"),
    "SETTINGS": (
        "FILE=recipe.yaml COUNT=1",
        "FILE=other.yaml COUNT=1",
        "FILE=recipe.yaml COUNT=2 UNREAD=7",
        "COUNT=1  FILE=none.yaml",
        "COUNT=1 FILE=*.yaml",
        "",
    ),
}


def environments() -> Iterator[Mapping[str, str]]:
    for values in product(*VARIED.values()):
        yield {"BASE": "base", **dict(zip(VARIED, values, strict=True))}


def bound(value: Value, environment: Mapping[str, str]) -> list[str]:
    """The alternatives of a value, inputs filled in."""

    def fill(text: str) -> str:
        return HOLE.sub(lambda h: memo.answer(Env(environment), hole_name(h)) or "" if h[0][0] == INPUT else h[0], text)

    return [fill(option) for option in options(value)]


def where(place: Place | None) -> Any:
    return place and (place.text.path, place.start)


def text(edit: Edit) -> str | None:
    return edit.after.text if edit.after is not None else None


def chain(cell: Cell, environment: Mapping[str, str]) -> Any:
    """A cell with all that it was made from."""
    via = [chain(one, environment) for one in cell.via]
    return bound(cell.value, environment), cell.name, where(cell.at), cell.what, via


def variable(found: Variable, environment: Mapping[str, str]) -> Any:
    if isinstance(found, ArrayCell):
        return [(key, chain(cell, environment)) for key, cell in found.items]
    return chain(found, environment)


def told(outcome: Outcome, environment: Mapping[str, str]) -> Any:
    """Everything that an outcome says, its inputs filled in."""
    one, sink = outcome, outcome.sink
    return {
        "end": (one.end, where(one.at), one.reason, one.status, one.cwd),
        "sink": sink and (where(sink.at), sink.config_path, [chain(cell, environment) for cell in sink.argv]),
        "edits": [(e.kind, e.path, where(e.at), e.before and e.before.text, text(e)) for e in one.edits],
        "uses": [(u.how, u.command, where(u.at), u.path, u.exists) for u in one.uses],
        "decisions": [(where(d.at), d.taken, [chain(cell, environment) for cell in d.cells]) for d in one.decisions],
        "assumptions": [(where(a.at), a.text) for a in one.assumptions],
        "variables": {name: variable(found, environment) for name, found in sorted(one.variables.items())},
        "reads": one.reads,
        "executed": one.executed,
    }


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands were followed."""
    counted = [0]
    follow = Interpreter.command

    def count(self: Interpreter, *arguments: Any) -> Any:
        counted[0] += 1
        return follow(self, *arguments)

    monkeypatch.setattr(Interpreter, "command", count)
    return counted


@pytest.mark.parametrize("backwards", [False, True])
def test_sharing_changes_nothing_but_the_work(commands: list[int], backwards: bool) -> None:
    together = runner(STEP, world(FILES), step=True)
    shared = alone = 0
    rows = list(environments())
    for row in rows[::-1] if backwards else rows:
        before = commands[0]
        mine = together.leaf(Env(row)).result
        shared += commands[0] - before
        before = commands[0]
        fresh = launch(STEP, row, files=FILES, step=True).outcomes
        alone += commands[0] - before
        assert [told(one, row) for one in mine] == [told(one, row) for one in fresh], row
    assert together.memo.runs < len(rows)
    assert shared < together.memo.runs * alone / len(rows) * 0.75  # beginnings are shared, not only whole runs


def test_a_setting_that_is_not_read_does_not_make_a_run() -> None:
    one = runner(STEP, world(FILES), step=True)
    row = {"BASE": "b", "KIND": "two", "IMAGE": "a", "LATE": "", "MODE": "run"}
    for unread in range(5):
        one.leaf(Env({**row, "SETTINGS": f"FILE=recipe.yaml COUNT=1 UNREAD={unread}"}))
    assert one.memo.runs == 1
    one.leaf(Env({**row, "SETTINGS": "FILE=recipe.yaml COUNT=2 UNREAD=1"}))
    assert one.memo.runs == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A=1 B=2", "A B"),
        (" A=\tB=x=y ", "A B"),
        ("A=1 A=2", "A A"),
        ("", ""),
        ("  ", ""),
        ("A=1 word", ""),
        ("A=* B=1", ""),
        ("A=\\ B=1", ""),
        ("1A=2", ""),
        ("A=1 B=[x]", ""),
        ("A=\ue000x\ue002", ""),
    ],
)
def test_names_of_settings(text: str, names: str) -> None:
    assert memo.answer(Env({"X": text}), "X?settings") == names


@pytest.mark.parametrize(
    ("query", "answer"),
    [("X=0", "1"), ("X=1", ""), ("X=2", "a=b"), ("X=1?empty", "yes"), ("X=0?empty", "no"), ("X=2?word", "yes")],
)
def test_questions_about_one_setting(query: str, answer: str) -> None:
    assert memo.answer(Env({"X": "A=1 B= C=a=b"}), query) == answer
    assert memo.split_query(query)[0] == "X"


@pytest.mark.parametrize(
    "launcher",
    [
        'make-recipes "$FILE"; submit apply -f "$FILE"',
        'make-recipes --to=$FILE; [[ -f "$FILE" ]] || exit 4; submit apply -f "$FILE"',
        'bash "$SCRIPT" "$COUNT"',
        'srun --nodes=1 $IMAGED bash -c "$SCRIPT"',
        'docker run -e A=$COUNT "$IMAGE" $SCRIPT',
        'X=$FILE; words=(apply -f "$X"); submit "${words[@]}"',
        'if host_says; then X=recipe.yaml; else X=$FILE; fi; sed -i "s/a/b/" "$X"; submit apply -f "$X"',
        'for one in $FILE b; do test -f "$one" && echo "$one" >> found; done; submit apply -f "${FILE%.*}.yaml"',
        'case $FILE in *.yaml) cp "$FILE" c.yaml ;; esac; rm "$FILE"; submit apply -f c.yaml',
        'f() { local one="$1"; touch "$one.done"; cd "$(dirname "$one")"; }; f "$FILE"; submit apply -f "$FILE"',
        '"$RUN" x; submit apply "$FLAG" "$FILE"',
        'cat > "$FILE" <<EOF\nname: $COUNT\nEOF\nsubmit apply -f "$FILE"',
        'declare -i N=$COUNT+1; export M="$N"; submit apply -f "${EMPTY:-$FILE}" --tag "$M"',
    ],
)
def test_a_setting_is_what_an_assignment_of_its_value_is(launcher: str) -> None:
    given = {
        "FILE": "recipe.yaml",
        "COUNT": "3",
        "SCRIPT": "bench/a.sh",
        "IMAGE": "reg/i:1",
        "IMAGED": "--container-image=reg/i:1",
        "RUN": "./lib.sh",
        "FLAG": "-f",
        "EMPTY": "",
    }
    files = {**FILES, "launch.sh": launcher, "bench/a.sh": "server\n"}
    settings = " ".join(f"{name}={value}" for name, value in given.items())
    row = {"SETTINGS": settings}
    by_setting = launch("export $SETTINGS\nbash ./launch.sh\n", row, files=files, step=True)
    by_hand = launch(f"export {settings}\nbash ./launch.sh\n", {}, files=files, step=True)
    for name in files:
        assert by_setting.file(name) == by_hand.file(name)
    kept = ("end", "edits", "uses", "assumptions", "reads")
    found = [[{key: told(one, row)[key] for key in kept} for one in run.outcomes] for run in (by_setting, by_hand)]
    assert found[0] == found[1]
    for left, right in zip(by_setting.outcomes, by_hand.outcomes, strict=True):
        assert words(left, row) == words(right, {})
        for name, cell in right.variables.items():
            assert values(left.variables[name], row) == values(cell, {}), name


def words(outcome: Outcome, environment: Mapping[str, str]) -> list[list[str]]:
    return [bound(cell.value, environment) for cell in outcome.sink.argv] if outcome.sink else []


def values(found: Variable, environment: Mapping[str, str]) -> list[list[str]]:
    cells = [cell for _, cell in found.items] if isinstance(found, ArrayCell) else [found]
    return [list(dict.fromkeys(bound(cell.value, environment))) for cell in cells]
