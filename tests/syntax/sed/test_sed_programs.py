"""sed by example: what launchers run, the grammar's corners, refusals, errors."""

from __future__ import annotations

import pytest
import re2

from configlint.syntax import sed
from configlint.syntax.sed.regex import Untranslatable, translate

RECIPE = """\
name: deepseek
health_check:
  max_attempts: 1440
  interval_seconds: 10
# a comment
backend:
  vllm_config:
      watchdog-timeout: 3600
  nginx-sqsh: a.sqsh
"""


def edited(*scripts: str, text: str = RECIPE, **options: bool) -> str:
    return sed.run(sed.parse(scripts, **options), text).text


@pytest.mark.parametrize(
    ("script", "text", "expected"),
    [
        (r"s/[\/:@#]/_/g", "org/image:1.2@x#y\n", "org_image_1.2_x_y\n"),
        ("s|nvcr.io/|nvcr.io#|", "nvcr.io/a/b\n", "nvcr.io#a/b\n"),
        ("s#[/:@#]#_#g", "a/b:c#d\n", "a_b_c_d\n"),
        ("s/^name:.*/name: \"x\"/", "name: a b\n  name: c\n", "name: \"x\"\n  name: c\n"),
        ("$d", "1\n2\n3\n", "1\n2\n"),
        ("/^$/d", "a\n\nb\n\n", "a\nb\n"),
        ("s/^/  /", "a\n\nb", "  a\n  \n  b"),
        (r"s/\x1b\[[0-9;]*[a-zA-Z]//g", "\x1b[31mred\x1b[0m\n", "red\n"),
        (":a;N;$!ba;s/\\n/,/g", "a\nb\nc\n", "a,b,c\n"),
        ("1!G;h;$!d", "a\nb\nc\n", "c\nb\na\n"),
        ("s/\\(a*\\)*b/x/", "aaab\n", "x\n"),
        (r"s/\(.*\)-\(.*\)/\U\2\E-\u\1/", "ab-cd\n", "CD-Ab\n"),
        ("y/ab\\n/xyz/", "abc\n", "xyc\n"),
        ("2q", "a\nb\nc\n", "a\nb\n"),
        ("0,/a/s//X/", "a\na\n", "X\na\n"),
        ("1,/a/s/a/X/", "a\na\n", "X\nX\n"),
        ("/a/,+1d", "a\nb\nc\n", "c\n"),
        ("0~2d", "1\n2\n3\n4\n", "1\n3\n"),
        ("/b/!s/$/!/", "a\nb", "a!\nb"),
        ("s/x*/-/g", "baxc\n", "-b-a-c-\n"),
        ("s/b/X/2", "b b b\n", "b X b\n"),
        ("s/b/X/2g", "b b b\n", "b X X\n"),
        ("/A/Id", "a\nb\n", "b\n"),
        ("$!N;s/^a$/X/Mg", "a\na\n", "X\nX\n"),
    ],
)  # fmt: skip
def test_known_programs(script: str, text: str, expected: str) -> None:
    assert edited(script, text=text) == expected


def test_a_block_with_ranges_deletes_a_mapping() -> None:
    program = "/^health_check:/,/^[^ ]/{ /^health_check:/d; /^  /d; }"
    result = sed.run(sed.parse(program), RECIPE)
    assert "health_check" not in result.text
    assert result.text.startswith("name: deepseek\n# a comment\nbackend:\n")
    assert result.lines == (0, 4, 5, 6, 7, 8, 9)
    assert result.matched == 3
    assert result.hits == (4, 1, 2, 1)  # the closing brace is a command, too; the comment ends the range


def test_appended_text_keeps_its_indentation() -> None:
    assert "3600\n      dist-timeout: 1800\n" in edited(r"/^      watchdog-timeout:/a\      dist-timeout: 1800")
    assert "a.sqsh\n  exporter: x\n" in edited(r"/^  nginx-sqsh:/a\\  exporter: x")
    assert "deepseek\nsbatch:\n  exclude: y\n" in edited(r"/^name:/a sbatch:\n  exclude: y")


@pytest.mark.parametrize(
    ("scripts", "added"),
    [
        (("1a one",), "one\n"),
        (("1a   one",), "one\n"),
        (("1a\\  one",), "  one\n"),
        (("1a\\\n  one\\\ntwo",), "  one\ntwo\n"),
        (("1a\\", "  one"), "  one\n"),
        (("1{a one", "}"), "one\n"),
        (("1a one;two}",), "one;two}\n"),
        ((r"1a\tone",), "tone\n"),
        ((r"1a o\tne\\",), "o\tne\\\n"),
    ],
)
def test_texts_of_a(scripts: tuple[str, ...], added: str) -> None:
    assert edited(*scripts, text="x\ny\n") == f"x\n{added}y\n"


def test_several_expressions_and_quiet() -> None:
    assert edited("/max/d", "/interval/d") == RECIPE.replace("  max_attempts: 1440\n  interval_seconds: 10\n", "")
    program = r"s/results_concurrency_\([0-9]*\)_gpus_.*/\1/p"
    assert edited(program, text="results_concurrency_64_gpus_8.json\nother\n", quiet=True) == "64\n"
    assert edited("#n\n/max/p") == "  max_attempts: 1440\n"
    assert edited(r"s/--backend[[:space:]]+[^[:space:]]+//g", text="a --backend  x b\n", extended=True) == "a  b\n"


def test_the_line_map_follows_every_kind_of_edit() -> None:
    result = sed.run(sed.parse("2s/b/B/;3d;4i new\n$a end"), "a\nb\nc\nd")
    assert result.text == "a\nB\nnew\nd\nend\n"
    assert result.lines == (0, 1, -1, 3, -1, -1)
    assert result.written == {1, 2, 4, 5}
    assert result.matched == 3
    assert result.hits == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("script", "text", "lines"),
    [
        ("s/^name:.*/x: 1\\n&/", "name: a\n", (-1, 0, 1)),
        ("s/^name:.*/&\\nx: 1/", "name: a\n", (0, -1, 1)),
        ("s/^name:/x: 1\\nname:/", "name: a\n", (-1, 0, 1)),
        ("s/.*/x\\ny/", "name: a\n", (0, -1, 1)),
        ("s/,/\\n/", "a,b\n", (0, 0, 1)),
        ("N;s/\\n/ /", "a\nb\nc\n", (0, 2, 3)),
        ("N;s/b/B/", "a\nb\nc\n", (0, 1, 2, 3)),
        ("$!N;P;D", "a\nb\nc\n", (0, 1, 2, 3)),
        ("1!G;h;$!d", "a\nb\nc\n", (2, 1, 0, 3)),
        ("p", "a\n", (0, 0, 1)),
        ("N;y/\\n/,/", "a\nb\n", (0, 2)),
        ("y/,/\\n/", "a,b\n", (0, 0, 1)),
        ("d", "a\n", (1,)),
        ("d", "a", (-1,)),
        ("=", "", (0,)),
        ("$a x", "a\n", (0, -1, 1)),
        ("c x", "a\n", (-1, 1)),
    ],
)  # fmt: skip
def test_origins_of_lines(script: str, text: str, lines: tuple[int, ...]) -> None:
    result = sed.run(sed.parse(script), text)
    assert result.lines == lines
    assert len(result.lines) == len(result.text.split("\n"))


def test_a_program_that_changes_nothing_says_what_it_matched() -> None:
    same = sed.run(sed.parse("s/1440/1440/"), RECIPE)
    assert (same.text, same.written, same.matched, same.hits) == (RECIPE, frozenset(), 1, (1,))
    none = sed.run(sed.parse("s/720/1/;/nothing/d"), RECIPE)
    assert (none.text, none.matched, none.hits) == (RECIPE, 0, (0, 0))


def test_holes_are_ordinary_characters() -> None:
    text = "name: \ue000RUNNER_NAME\ue002\n"
    assert edited("s/^name: \\(.*\\)/id: \\1/", text=text) == text.replace("name:", "id:")
    assert edited("s/[[:space:]][^[:space:]]*$/!/", text=text) == "name:!\n"


def test_commands_know_their_place() -> None:
    program = sed.parse(["/a/d", "s/b/c/g"])
    places = [(command.name, program.source[command.offset : command.end]) for command in program.commands]
    assert places == [("d", "/a/d"), ("s", "s/b/c/g")]


def test_exit_status() -> None:
    assert sed.run(sed.parse("2q5"), "a\nb\nc\n").status == 5
    assert sed.run(sed.parse("2Q 3"), "a\nb\nc\n").status == 3


@pytest.mark.parametrize(
    "script",
    ["w out", "r file", "e", "l", "F", "s/a/b/e", "s/a/b/w out", r"s/\(a\)\1/x/", r"s/x\<y*/z/", "a\\",
     "/[[.space.]]/d", "s/é/e/I", r"/\(b\|$\)c/d", r"/a\{2000\}/d", r"/\(^a\)*/d", r"s/\(a*\)*/\1/", ":a;:a;p",
     r"snab\ncnxn", "\ud800"],
)  # fmt: skip
def test_refused(script: str) -> None:
    with pytest.raises(sed.Unsupported):
        sed.run(sed.parse(script), "a\n")


@pytest.mark.parametrize(
    "script",
    ["k", "{p", "p}", "}", "s/a/b", "s/a", "/a", "y/a/bc/", "s/a/b/x", "s/a/b/gg", "s/a/b/0", r"s/\(a/b/", "s/[/x/",
     "0p", "1,p", "b nowhere", ":", "1!!p", "p p", r"s/a/\1/", r"s/\(a\)/\2/", "/[[:foo:]]/d", "/[b-a]/d",
     "/[:alpha:]/d", "a", "1,2q", "//Id", "s/a\nb/c/", r"/\(a\)\2/d", "/a**/d"],
)  # fmt: skip
def test_rejected_as_gnu_sed_does(script: str) -> None:
    with pytest.raises(sed.BadProgram):
        sed.parse(script)


def test_the_place_of_a_refusal() -> None:
    with pytest.raises(sed.Unsupported) as refused:
        sed.parse("p;s/x\\(a\\)\\1/y/")
    assert refused.value.offset == "p;s/x\\(a\\)\\1/y/".index("\\1")


def test_characters_beyond_ascii() -> None:
    assert edited("s/./x/2", text="é—z\n") == "éxz\n"
    assert edited("s/[[:alpha:]]*/x/", text="éa—z\n") == "x—z\n"
    assert edited("s/[[:punct:]]/x/", text="é—z\n") == "éxz\n"
    for script, text in (
        ("s/[[:alpha:]]/x/", "e\u0301\n"),
        ("s/x*/-/g", "é\n"),
        (r"s/\bz/x/", "éz\n"),
        ("s/k/x/I", "\u212a\n"),
    ):
        with pytest.raises(sed.Unsupported):
            edited(script, text=text)
    with pytest.raises(sed.Unsupported):
        edited("s/a/b/", text="\udc80")


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (":a;ba", "a\n"),
        (":a;s/^/x/;ta", "a\n"),
        (":a;s/.*/&&/;ta", "a\n"),
        (":a;p;ba", "a\n"),
        (":a;G;h;ba", "a\n"),
        ("s/.*/" + "&" * 20_000 + "/", "a" * 100_000),
        ("s/x.*y\\|x/./g", "x" * 200_000),
        (r"s/\(a\{0,1\}\)\{500\}a\{500\}c/x/", "a" * 200_000),
        (r"/[ab]*a[ab]\{900\}c/d", "ab" * 100_000),
        ("p;" * 5000, "a\n"),
        ("{" * 5000, "a\n"),
        ("/" + r"\(" * 500 + "a" + r"\)" * 500 + "/d", "a\n"),
        (r"/\(\(\(a\{100\}\)\{100\}\)\{100\}\)/d", "a\n"),
        ("p", "a" * 3_000_000),
        ("a" * 200_000, "a\n"),
    ],
)  # fmt: skip
def test_hostile_programs_are_refused(script: str, text: str) -> None:
    with pytest.raises(sed.Unsupported):
        sed.run(sed.parse(script), text)


def test_repetitions_of_repetitions_end() -> None:
    with pytest.raises(sed.Unsupported):
        sed.parse("/a" + "*" * 9000 + "/d", extended=True)
    sed.parse("/" + "a^" * 1000 + "/d")


def test_a_budget_can_be_small() -> None:
    with pytest.raises(sed.Unsupported):
        sed.run(sed.parse("p"), "a\n" * 100, budget=sed.Budget(steps=10))
    with pytest.raises(sed.Unsupported):
        sed.run(sed.parse("p"), "a\n" * 100, budget=sed.Budget(size=300))


@pytest.mark.parametrize(
    ("pattern", "extended", "text", "found"),
    [
        (r"^[0-9]+(\.[0-9]+)*$", True, "1.20.3", True),
        (r"^[0-9]+(\.[0-9]+)*$", True, "1.20.", False),
        (r"a\nb", True, "anb", True),  # sed's escapes are sed's alone
        (r"a\nb", True, "a\nb", False),
        ("a|b", False, "a|b", True),
        (r"a\|b", False, "b", True),
        ("(^| )x", True, "y x", True),
        ("a{2,}", True, "baab", True),
        ("[[:space:]]$", True, "a ", True),
    ],
)
def test_patterns_of_other_programs(pattern: str, extended: bool, text: str, found: bool) -> None:
    compiled = re2.compile(translate(pattern, extended=extended))
    assert (compiled.search(text) is not None) == found


def test_patterns_that_cannot_be_translated() -> None:
    for pattern in (r"(a)\1", "(a", "a**b{", r"\<."):
        with pytest.raises(Untranslatable):
            translate(pattern, extended=True)
