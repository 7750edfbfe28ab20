"""bash and bashlex as judges of words: what a word is after quote removal, and which characters were quoted."""

from __future__ import annotations

import fnmatch
import re
import shutil
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse_string

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")

VARIABLES = {"x": "v w", "y": "", "star": "a*b"}

_bare = st.text("abXY%+,./:=@^_-", min_size=1, max_size=4)
_single = st.text('ab "$`\\#;|&()<>*\t\n', max_size=5).map(lambda text: f"'{text}'")
_escaped = st.sampled_from(["\\a", "\\ ", "\\$", "\\\\", "\\'", '\\"', "\\*", "\\;", "\\#"])
_in_double = st.lists(
    st.one_of(
        st.text("ab '#;|&()<>*\t\n!", max_size=3),
        st.sampled_from(["\\$", '\\"', "\\\\", "\\`", "\\a", "\\'", "$x", "${y}", "${x:-b}", "$ ", "${z:-'c'}"]),
        st.sampled_from(['${z:-"d e"}', "${y:+f}", "${z-\\}}", '${x+g\\"h}', "${z:-$'i\\tj'}"]),
    ),
    max_size=4,
)
_double = _in_double.map(lambda pieces: '"' + "".join(pieces) + '"')
_ansi = st.sampled_from(
    ["a", "\\n", "\\t", "\\'", '\\"', "\\\\", "\\x41", "\\101", "\\u00e9", "\\e", "$x", " ", '"', "\\q"]
)
_dollar_single = st.lists(_ansi, max_size=4).map(lambda pieces: "$'" + "".join(pieces) + "'")
_expansion = st.sampled_from(
    [
        "$x",
        "${x}",
        "${y:-a'b'}",
        '${z-"c d"}',
        "${z:-e\\ f}",
        "${x:+$x'g'}",
        "${z:-${y:-h}}",
        "${y-i}",
        "$y",
        "${z:-$'j'}",
    ]
)
# bashlex leaves single quotes behind other pieces, unescapes inside them, does not decode $'..' and joins no lines
_easy = st.one_of(
    st.text('ab "$;|&()<>*', min_size=1, max_size=5).map(lambda text: f"'{text}'"),
    st.lists(
        st.one_of(
            _bare,
            st.text("ab ;|&()<>*#", min_size=1, max_size=5).map(lambda text: f'"{text}"'),
            st.sampled_from(["\\a", "\\ ", "\\$", '\\"', "\\*", "\\;"]),
        ),
        min_size=1,
        max_size=5,
    ).map("".join),
)
_word = st.lists(st.one_of(_bare, _single, _escaped, _double, _dollar_single, _expansion), min_size=1, max_size=5).map(
    "".join
)


def evaluate(word: n.Word) -> str:
    """The word's value without splitting and globbing; enough for what is generated here."""
    return "".join(_part(part) for part in word.parts)


def _part(part: n.Part) -> str:
    if isinstance(part, n.Literal):
        return part.text
    assert isinstance(part, n.Parameter), part
    value = VARIABLES.get(part.name)
    if not part.operator:
        return value or ""
    assert part.argument is not None
    present = bool(value) if part.operator.startswith(":") else value is not None
    if part.operator.endswith("-"):
        return value or "" if present else evaluate(part.argument)
    assert part.operator.endswith("+")
    return evaluate(part.argument) if present else ""


def arguments(source: str) -> list[n.Word]:
    script = parse_string(source)
    assert script.faults == (), source
    (command,) = script.body.commands
    assert isinstance(command, n.Simple)
    return list(command.words[1:])


def run(script: str) -> list[str]:
    """What bash prints, split at NUL. The scripts are made here and use ``printf`` only."""
    done = subprocess.run(
        ["bash", "--norc", "--noprofile"], input=script.encode(), capture_output=True,
        env={"LC_ALL": "C.UTF-8"}, timeout=20, check=True,
    )  # fmt: skip
    return done.stdout.decode().split("\0")[:-1]


@needs_bash
@settings(max_examples=60, deadline=None)
@given(st.lists(_word, min_size=1, max_size=12))
def test_values(words: list[str]) -> None:
    line = "printf '%s\\0' " + " ".join(f"A{word}Z" for word in words)
    setup = "set -f +B; IFS=; " + "".join(f"{name}='{value}'; " for name, value in VARIABLES.items())
    assert [evaluate(word) for word in arguments(line)[1:]] == run(setup + "\n" + line + "\n")


@needs_bash
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "*", "?", "'*'", '"?"', "\\*", '"a"', "\\?", "[ab]", "'['b]"]), max_size=4).map(
        "".join
    ),
    st.lists(st.text("ab*?[]", max_size=4), min_size=1, max_size=12),
)
def test_quoted_flags_in_patterns(pattern: str, subjects: list[str]) -> None:
    assume(
        pattern and re.fullmatch(r"[^\[\]]*(\[ab\][^\[\]]*)*", pattern.replace("'['", "").replace("b]", "")) is not None
    )
    assume("'['b]" not in pattern)
    (word,) = arguments(f"x {pattern}")
    translated = "".join(
        re.sub(r"[*?\[]", r"[\g<0>]", part.text) if part.quoted else part.text
        for part in word.parts
        if isinstance(part, n.Literal)
    )
    script = "".join(
        f"case '{subject}' in {pattern}) printf 'yes\\0' ;; *) printf 'no\\0' ;; esac\n" for subject in subjects
    )
    ours = ["yes" if fnmatch.fnmatchcase(subject, translated) else "no" for subject in subjects]
    assert ours == run(script)


@settings(max_examples=100, deadline=None)
@given(st.lists(_easy, min_size=1, max_size=5))
def test_bashlex_agrees_on_simple_commands(words: list[str]) -> None:
    bashlex = pytest.importorskip("bashlex", reason="bashlex is not installed")
    source = "cmd " + " ".join(words)
    try:
        trees = bashlex.parse(source)
    except Exception:  # bashlex does not know all of bash; where it gives up it is no judge
        assume(False)
    assume(len(trees) == 1 and trees[0].kind == "command")
    theirs = [part.word for part in trees[0].parts if part.kind == "word"]
    assume(len(theirs) == len(trees[0].parts))
    assert [word.literal for word in arguments(source)] == theirs[1:]
