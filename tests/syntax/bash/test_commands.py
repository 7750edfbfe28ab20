"""Commands: lists, pipelines, compounds, redirections, assignments."""

from __future__ import annotations

import pytest

from configlint.source.text import Span, Text
from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse, parse_string
from tests.syntax.bash.shapes import sequence, shape

LISTS = [
    ("", ""),
    ("#!/bin/bash\n", ""),
    ("# only\n\n  # comments", ""),
    ("a b c", "a b c"),
    ("a; b\nc", "a; b; c"),
    ("a\n\n# x\n b # y\n", "a; b"),
    ("a && b || c", "((a && b) || c)"),
    ("a && b | c || d", "((a && [b | c]) || d)"),
    ("a | b | c && d", "([a | b | c] && d)"),
    ("a | b |& c && d", "([a | b |& c] && d)"),
    ("a |\n # x\n b &&\n\n c", "([a | b] && c)"),
    ("! a", "! [a]"),
    ("! a | b", "! [a | b]"),
    ("! a && b", "(! [a] && b)"),
    ("! ! a", "[a]"),
    ("! (a)", "! [(a)]"),
    ("a && ! b | c", "(a && ! [b | c])"),
    ("time a | b", "time [a | b]"),
    ("time -p a", "time [a]"),
    ("time ! a", "time ! [a]"),
    ("if time a; then b; fi", "<if time [a] then b>"),
    ("a &", "a &"),
    ("a & b & c", "a &; b &; c"),
    ("a && b & c", "(a && b) &; c"),
    ("a; b &", "a; b &"),
    ("a \\\n  b \\\n  c", "a b c"),
    ("echo if then { } !", "echo if then { } !"),
    ("A=1 if", "A=1 if"),
]

COMPOUNDS = [
    ("if a; then b; fi", "<if a then b>"),
    ("if a; b; then c; else d; fi", "<if a; b then c else d>"),
    ("if a; then b; elif c; then d; elif e; then f; else g; fi", "<if a then b elif c then d elif e then f else g>"),
    ("if ! a; then b; fi > log 2>&1", "<if ! [a] then b> >log 2>&1"),
    ("if { a; } then b; fi", "<if {a} then b>"),
    ("if (a) then b; fi", "<if (a) then b>"),
    ("if [[ x ]] then b; fi", "<if [[ -n x ]] then b>"),
    ("if a; then for x in 1; do b; done fi", "<if a then <for x in 1 do b>>"),
    ("while a; do b; done < f", "<while a do b> <f"),
    ("until a; do b; done", "<until a do b>"),
    ("while a & do b & done", "<while a & do b &>"),
    ("while (a) do b; done", "<while (a) do b>"),
    ("for x in a 'b c' $d; do e; done", "<for x in a 'b c' $d do e>"),
    ("for x; do a; done", "<for x in @ do a>"),
    ("for x do a; done", "<for x in @ do a>"),
    ("for x\ndo a; done", "<for x in @ do a>"),
    ("for x in; do a; done", "<for x in do a>"),
    ("for x in a \\\n b # c\ndo a\ndone", "<for x in a b do a>"),
    ("for x\nin a; do b; done", "<for x in a do b>"),
    ("select x in a b; do c; done", "<select x in a b do c>"),
    ("for ((i=0; i<3; i++)); do a; done", "<for ((i=0; i<3; i++)) do a>"),
    ("for ((;;)) do a; done", "<for ((;;)) do a>"),
    ("for (( i = (1+2); i < $n; i++ ))\ndo a\ndone > f", "<for (( i = (1+2); i < $n; i++ )) do a> >f"),
    ("case $x in esac", "<case $x in >"),
    ("case $x in\n a|'b'*) c;; (d) e;& f) ;;& *) g\n esac", "<case $x in a|'b'*) c ;; d) e ;& f)  ;;& *) g ;;>"),
    ("case x in a) b;; esac | c", "[<case x in a) b ;;> | c]"),
    ("case x in a) case y in b) c;; esac;; d) e;; esac", "<case x in a) <case y in b) c ;;> ;; d) e ;;>"),
    ("case x\nin\n# c\na) b # d\n;;\n# e\nesac", "<case x in a) b ;;>"),
    ("case x in $(a)|?(b)) c;; esac", "<case x in $(a)|?(b)) c ;;>"),
    ("{ a; b; }", "{a; b}"),
    ("{ a; } > f 2>&1", "{a} >f 2>&1"),
    ("(a; b) | c", "[(a; b) | c]"),
    ("( (a) )", "((a))"),
    ("((a + 1))", "((a + 1))"),
    ("(( a < b && (c) )) && d", "((( a < b && (c) )) && d)"),
    ("((a);(b))", "((a); (b))"),
    ("(( x = 1 << 3 )) > f", "(( x = 1 << 3 )) >f"),
    ("f() { a; }", "f(){a}"),
    ("f ( )\n\n{ a; } > x", "f(){a} >x"),
    ("function f { a; }", "f(){a}"),
    ("function f() ( a )", "f()(a)"),
    ("f() if a; then b; fi", "f()<if a then b>"),
    ("f() while a; do b; done", "f()<while a do b>"),
    ("f() [[ a ]]", "f()[[ -n a ]]"),
    ("a-b.c() { d; }", "a-b.c(){d}"),
    ("f() { g() { a; }; b; }", "f(){g(){a}; b}"),
    ("coproc a b", "<coproc: coproc a b>"),
    ("coproc N { a; }; b", "<coproc: coproc N { a; }>; b"),
    ("[ -f x -a $y = z ]", "[ -f x -a $y = z ]"),
    ("let x=3 'y = 4'", "let x=3 'y = 4'"),
    ("unset x y", "unset x y"),
    ('eval "a b"', "eval 'a b'"),
]

REDIRECTS = [
    ("a > b", "a >b"),
    ("a 2> b", "a 2>b"),
    ("a2>b", "a2 >b"),
    ("a 2 > b", "a 2 >b"),
    ("a >> b 2>&1 < c", "a >>b 2>&1 <c"),
    ("a &> b &>> c", "a &>b &>>c"),
    ("a >| b <> c <& 3 >&-", "a >|b <>c <&3 >&-"),
    ("a {fd}> b", "a fd>b"),
    ("> f", ">f"),
    ("> f a b", "a b >f"),
    ("A=1 > f", "A=1 >f"),
    ("a <<< $x", "a <<<$x"),
    ('a <<< "x $y"', "a <<<'x '\"$y\""),
    ("a < <(b)", "a <<(b)"),
    ("a > >(b)", "a >>(b)"),
    ("2>&1 a >&2", "a 2>&1 >&2"),
    ("> f && a", "(>f && a)"),
]

ASSIGNMENTS = [
    ("A=1 B=2", "A=1 B=2"),
    ("A=1 a b", "A=1 a b"),
    ("A=", "A=<empty>"),
    ("A= a", "A=<empty> a"),
    ("A='' B=\"\"", "A='' B=''"),
    ("A+=x", "A+=x"),
    ("A=b=c", "A=b=c"),
    ("A=$(b)'c'\"$d\"", "A=$(b)'c'\"$d\""),
    ("A=~/x", "A=~/x"),
    ("a[1]=x a[$i+1]+=y", "a[1]=x a[$i+1]+=y"),
    ("a[1] b", "a[1] b"),
    ("m['a b']=z", "m['a b']=z"),
    ("A=(1 'b c' $d [3]=e [k]=f)", "A=(1 'b c' $d [3]=e [k]=f)"),
    ("A=(\n a # x\n\n # y\n b \\\n c\n)", "A=(a b c)"),
    ("A+=(x) B=()", "A+=(x) B=()"),
    ("A=(a) b", "A=(a) b"),
    ("export A", "@export A"),
    ("export A=b C 'D'=e \"F=$g\"", "@export A=b C 'D'=e 'F='\"$g\""),
    ("local -r y=1", "@local -r y=1"),
    ("declare -A m=([a]=1 ['b c']=2)", "@declare -A m=([a]=1 ['b c']=2)"),
    ("typeset -i n", "@typeset -i n"),
    ("readonly x > f", "@readonly x >f"),
    ("A=1 export B=2", "A=1 @export B=2"),
    ("declare x=", "@declare x=<empty>"),
    ("local a=(1 2) b=$(c)", "@local a=(1 2) b=$(c)"),
    ("export A=1 && b", "(@export A=1 && b)"),
    ("a b=c", "a b=c"),
    ("_x1=2", "_x1=2"),
    ("1x=2", "1x=2"),
]


@pytest.mark.parametrize(("source", "expected"), LISTS)
def test_lists(source: str, expected: str) -> None:
    assert shape(source) == expected


@pytest.mark.parametrize(("source", "expected"), COMPOUNDS)
def test_compounds(source: str, expected: str) -> None:
    assert shape(source) == expected


@pytest.mark.parametrize(("source", "expected"), REDIRECTS)
def test_redirects(source: str, expected: str) -> None:
    assert shape(source) == expected


@pytest.mark.parametrize(("source", "expected"), ASSIGNMENTS)
def test_assignments(source: str, expected: str) -> None:
    assert shape(source) == expected


@pytest.mark.parametrize(("source", "expected"), LISTS + COMPOUNDS + REDIRECTS + ASSIGNMENTS)
def test_windows_line_ends_change_nothing(source: str, expected: str) -> None:
    if "coproc" not in source:
        assert shape(source.replace("\n", "\r\n") + "\r\n") == expected


def test_spans_are_those_of_the_source() -> None:
    source = "a 'b'\nif c; then\n  d > e\nfi 2> f\n{ g; } && h &\n"
    script = parse_string(source)

    def text(node: n.Node) -> str:
        return script.text.slice(node.span)

    simple, conditional, background = script.body.commands
    assert text(simple) == "a 'b'"
    assert text(conditional) == "if c; then\n  d > e\nfi 2> f"
    assert isinstance(conditional, n.If)
    assert text(conditional.clauses[0]) == "if c; then\n  d > e"
    assert text(conditional.clauses[0].body) == "d > e"
    assert text(conditional.redirects[0]) == "2> f"
    assert text(background) == "{ g; } && h &"
    assert text(script.body) == source.rstrip()


def test_an_embedded_script_keeps_the_offsets_of_its_file() -> None:
    raw = b'run: |\n  echo $x <<E\n  body $y\nE\n  (a)\nnext: `"\n'
    text = Text("x.yml", raw)
    start, end = raw.index(b"echo"), raw.index(b"next")
    script = parse(text, Span(start, end))
    assert script.faults == ()
    assert sequence(script.body) == "echo $x <<E(expands '  body '\"$y\"'\n'); (a)"
    echo, subshell = script.body.commands
    assert text.slice(echo.span) == "echo $x <<E"
    assert text.slice(subshell.span) == "(a)"


def test_a_byte_order_mark_is_no_part_of_the_first_command() -> None:
    script = parse(Text("x.sh", b"\xef\xbb\xbfa b\n"))
    assert sequence(script.body) == "a b"
    assert script.body.start == 3


def test_bytes_that_are_no_text() -> None:
    script = parse(Text("x.sh", b"a \xff'\xfe' b\0c\n"))
    assert script.faults == ()
    assert sequence(script.body) == "a \ufffd'\ufffd' b\0c"
