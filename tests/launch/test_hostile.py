"""Scripts that are meant to hurt: the run ends within its budget, says where and why, or goes on without the value."""

from __future__ import annotations

import pytest

from configlint.launch.fields import join_values
from configlint.launch.memo import Inputs
from configlint.launch.run import Outcomes, run
from configlint.launch.settings import MAX_EDITS, MAX_LARGE, MAX_WORK
from configlint.launch.state import Options
from configlint.launch.values import MAX_VALUE, Choice, options, whole
from configlint.launch.world import World
from tests.launch.harness import Env, ended, launch, parsed, world

LONG = "x=" + "a" * 60_000 + "\n"
ENDS = {
    "a list of long words": (LONG + "y=(" + "$x " * 30_000 + ")", "steps"),
    "output of long words": (LONG + "y=$(echo " + "$x" * 30_000 + ")", "steps"),
    "programs of sed that never end": (
        "".join(f"x=$(echo a | sed ':a;s/b*/{i}/;ba')\n" for i in range(2_000)),
        "steps",
    ),
    "edits of one file": ("echo a > f\n" + "sed -i s/a/a/ f\n" * (MAX_EDITS + 1), "edits of one file"),
    "edits that grow many files": (
        "".join(f"f=f{i}; printf 'e\\ne\\ne\\n' > $f\n" + "sed -i 'p;s/e/ee&/' $f\n" * 9 for i in range(500)),
        "steps",
    ),
    "lines that are appended": (
        "for i in {1..60}; do for j in {1..60}; do echo a >> f; done; done",
        "edits of one file",
    ),
    "grep on many lines": ("x=$(seq 10000)\n" + 'grep -q nothing <<< "$x"\n' * 2_000, "steps"),
    "awk on many lines": (
        "x=$(seq 10000)\n" + "".join(f"y=$(echo \"$x\" | awk '/no{i}/')\n" for i in range(900)),
        "steps",
    ),
    "arithmetic on a long text": ("x=1" + "+1" * 30_000 + "\n" + "y=$((x))\n" * 1_000, "steps"),
    "patterns on a long text": (LONG + "y=${x//[ab]/c}\n" * 1_000, "steps"),
    "patterns with many stars": ("x=" + "a" * 400 + "\n" + f"case $x in {'*a' * 200}b) ;; esac\n" * 400, "steps"),
    "expressions on a long text": (LONG + "".join(f"[[ ${{x}}{i} =~ (a|b)*{i}c ]]\n" for i in range(2_000)), "steps"),
    "long lists that are read": (LONG + 'IFS=a read -ra y <<< "$x"\n' * 1_000, "steps"),
    "layers of files": ("".join(f"cp -r $WORKSPACE d{i}; [[ -f d{i}/x ]]\n" for i in range(2_000)), "steps"),
    "texts of many lines": ("cat > f <<'E'\n" + "a\n" * 30_000 + "E\n" + "cat f f f f > g\n" * 500, "steps"),
    "globs of many files": (
        "mkdir d\ncd d\ntouch "
        + " ".join(f"f{i}" for i in range(1_000))
        + "\n: > o\n"
        + "".join(f"x=(*{i}*)\n" for i in range(3_000)),
        "steps",
    ),
    "patterns of many characters": (LONG + "".join(f"[[ b == *${{x}}{i} ]]\n" for i in range(2_000)), "steps"),
    "expressions of many characters": (LONG + "".join(f"[[ b =~ ${{x}}{i} ]]\n" for i in range(2_000)), "steps"),
    "braces around a long text": ("y=(" + "a" * 60_000 + "{a,b}" * 9 + ")", "braces"),
}


def work(script: str, within: World | None = None) -> int:
    return ended(parsed(script), {}, within).machine.work


@pytest.mark.parametrize("name", ENDS)
def test_the_run_ends_where_the_budget_does(name: str) -> None:
    script, why = ENDS[name]
    outcome = launch(script).one
    end, reason = outcome.end.value, outcome.reason
    assert end == "not-analysed" and why in reason and "internal error" not in reason
    assert outcome.at is not None and outcome.at.path == "run.sh"
    assert work(script) <= MAX_WORK + 16_000  # one step more than there are may be a large one


UNKNOWN = {
    "a here-document": (LONG + "cat > f <<E\n" + "$x" * 50_000 + "\nE\ny=$(cat f)", "y"),
    "brackets that are not closed": ("case a in " + "[" * 20_000 + "\\]) y=1;; *) y=2;; esac", "z"),
    "brackets in a word": ("y=(" + "[" * 20_000 + "/x)", "z"),
    "a brace in a long text": ("echo {a,{" * 20_000, "z"),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_too_large_is_unknown_and_the_run_goes_on(name: str) -> None:
    script, variable = UNKNOWN[name]
    done = launch(f"{script}\nz=$((6 * 7))\n")
    assert "42" not in done["y"] and done["z"] == "42"
    assert variable == "z" or "{?" in done[variable]


def test_large_runs_share_what_one_of_their_commands_spends() -> None:
    script = parsed(LONG + "y=(" + "$x " * 30_000 + ")")
    here = world()
    total = 0
    for _ in range(8):
        outcomes: Outcomes = run(here, script, Inputs(Env({})), Options(), step=False, tracing=False)
        assert [one.end.value for one in outcomes] == ["not-analysed"]
    total = sum(here.large.values())
    assert total <= MAX_LARGE


def test_alternatives_do_not_multiply_long_texts() -> None:
    long = "a" * MAX_VALUE
    made = join_values([Choice((long, "b")), *[long] * 1_000], "x")
    assert sum(map(len, options(made))) <= 2 * MAX_VALUE


NUMBERS = ["9" * 5_000, "-" + "9" * 5_000, "²", "٣", "0x" + "f" * 5_000, "1" + "_0" * 9, "+", ""]
USES = """
y=$((x)); z=${y:$x}; w=${y:0:$x}; [[ $x -gt 1 ]] && a=1
[ "$x" -gt 1 ]; seq $x; head -n $x f; head -$x f; head -c $x f; tail -n $x f; printf %d $x; printf %${x}s a
printf %.${x}s a
printf '%*d' $x 1; for i in 1; do break $x; done; for i in 1; do continue $x; done; (exit $x); f() { return $x; }; f
cut -c$x <<< abc; printf '2\\n%s\\n' $x | sort -n; b[$x]=1; echo ${b[$x]} ${b[@]:$x}; echo {1..$x}
set -- a b c; (shift $x); awk "BEGIN { print $x; print \\$$x }" <<< a; sed -E "s/a{$x}/b/" <<< a; sed "${x}d" <<< a
"""


@pytest.mark.parametrize("number", NUMBERS)
def test_odd_numbers_are_no_fault_of_ours(number: str) -> None:
    done = launch(f"x='{number}'\necho ${{{number or 'y'}}}\n{USES}\nend=1\n")
    for outcome in done.outcomes:
        reason = outcome.reason
        assert "internal error" not in reason


@pytest.mark.parametrize("command", ["eval '{}'", "bash -c '{}'", "echo '{}' > a.sh\nbash a.sh", "x='{}'; eval \"$x\""])
def test_what_is_made_on_the_way_is_told_where_it_runs(command: str) -> None:
    script = "true\n" + command.format("true; while true; do x=$x$RANDOM; done")
    outcome = launch(script, files={"x": ""}).one
    assert outcome.end.value == "not-analysed"
    assert outcome.at is not None and (outcome.at.path, outcome.at.line) == ("run.sh", script.count("\n") + 1)


@pytest.mark.parametrize(
    "text", ["a" * 60_000, "a[" * 30_000, "a " * 30_000, "1" * 60_000, "++" * 30_000, "a=" * 30_000]
)
def test_arithmetic_that_makes_no_sense_is_left_soon(text: str) -> None:
    done = launch(f"a=1; b=1\nlet '{text} @'\nlet '{text} b=2 @'\nz=1\n")
    assert done["b"].startswith("{?") and done["z"] == "1"


def test_a_script_that_is_not_read_says_why() -> None:
    large = launch("true\n" * 60_000).one
    assert large.reason == "a script of more than 262,144 bytes is not modelled"


def test_whole_numbers() -> None:
    assert [whole(text) for text in ("0", "-12", "+7", "0" * 18)] == [0, -12, 7, 0]
    assert [whole(text) for text in ("", "1 ", "²", "٣", "9" * 19, "1_0", "0x1")] == [None] * 7


def test_a_fault_of_ours_ends_the_path_where_it_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    from configlint.launch.machine import Machine

    def fails(*_: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(Machine, "assign", fails)
    outcome = launch("true\n((x = 1))\nfalse\n").one
    assert (outcome.end.value, outcome.at.line if outcome.at else 0) == ("not-analysed", 2)
    assert outcome.reason == "internal error: ZeroDivisionError: boom"
