"""Words: quote removal, quoted flags, expansions."""

from __future__ import annotations

import pytest

from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse_string
from tests.syntax.bash.shapes import word_of


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("abc", "abc"),
        ("'a b'", "'a b'"),
        ('"a b"', "'a b'"),
        ("''", "''"),
        ('""', "''"),
        ('""$x', "''$x"),  # the empty quotes make it one field even if x is empty
        ("a\"b\"'c'\\d$e", "a'bcd'$e"),
        ("a\\ b", "a' 'b"),
        ("\\a", "'a'"),
        ('"\\a\\$\\"\\\\\\`"', "'\\a$\"\\`'"),
        ("a\\\nb", "ab"),
        ('"a\\\nb"', "'ab'"),
        ("$'a\\tb\\'c\\x41\\u00e9\\101'", "'a\tb'cA\u00e9A'"),
        ("$'\\xc3\\xa9\\0rest'", "'\u00e9'"),
        ('$"text $x"', "'text '\"$x\""),
        ("$", "$"),
        ("a$", "a$"),
        ('"$"', "'$'"),
        ('"a$ b"', "'a$ b'"),
        ("a#b", "a#b"),
        ("\\#b", "'#'b"),
        ("*.[ch]", "*.[ch]"),
        ("{a,b}{1..3}", "{a,b}{1..3}"),
        ("~/x", "~/x"),
        ("=x", "=x"),
        ("a=b", "a=b"),
        ('\u00e9\\\u00e9"\u00e9"', "\u00e9'\u00e9\u00e9'"),
        ("?(a|b c)*", "?(a|b c)*"),
        ("@('a'|$b)", "@('a'|$b)"),
    ],
)
def test_literals(source: str, expected: str) -> None:
    assert word_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$x", "$x"),
        ('"$x"', '"$x"'),
        ("${x}", "$x"),
        ("$10", "$10".replace("10", "1") + "0"),
        ("${10}", "$10"),
        ("$@$*$#$?$$$!$-$0", "$@$*$#$?$$$!$-$0"),
        ('"${x}y"', "\"$x\"'y'"),
        ("${#}", "$#"),
        ("${#x}", "${#x}"),
        ("${#@}", "${#@}"),
        ("${#a[@]}", "${#a[@]}"),
        ("${#:-x}", "${# :- x}"),
        ("${!x}", "${!x}"),
        ("${!a[@]}", "${!a[@]}"),
        ("${!p*}", "${!!p[*]}"),
        ("${!p@}", "${!!p[@]}"),
        ("${a[1]}", "${a[1]}"),
        ("${a[$i+1]}", "${a[$i+1]}"),
        ('${a["k ]"]}', "${a['k ]']}"),
        ("${a[b[1]]}", "${a[b[1]]}"),
        ("${a[@]:1}", "${a[@] : '1'}"),
        ("${x:-a b}", "${x :- a b}"),
        ("${x:-}", "${x :- <empty>}"),
        ("${x-y}", "${x - y}"),
        ("${x:=y}${x=y}", "${x := y}${x = y}"),
        ("${x:?no x}${x?}", "${x :? no x}${x ? <empty>}"),
        ("${x:+y}${x+y}", "${x :+ y}${x + y}"),
        ('${x:-"a b"}', "${x :- 'a b'}"),
        ('"${x:-"a b"}"', "\"${x :- 'a b'}\""),
        ("\"${x:-'a'}\"", "\"${x :- ''a''}\""),
        ("${x:-'a'}", "${x :- 'a'}"),
        ("\"${x:-a'}'b}\"", "\"${x :- 'a'}'b'}\""),  # apostrophes stay, and still hide the brace
        ("\"${x:-'$y'}\"", "\"${x :- '''\"$y\"'''}\""),
        ("\"${x:-$'a'}\"", "\"${x :- 'a'}\""),
        ('"${x:-\\}}"', "\"${x :- '}'}\""),
        ("${x:-${y:-z}}", "${x :- ${y :- z}}"),
        ("${x:-$(a '}')}", "${x :- $(a '}')}"),
        ("${x#*:}${x##*/}", "${x # *:}${x ## */}"),
        ("${x%.*}${x%%:*}", "${x % .*}${x %% :*}"),
        ('"${x%%:*}"', '"${x %% :*}"'),
        ('"${x%"$y"}"', '"${x % "$y"}"'),
        ("${x#\\#}", "${x # '#'}"),
        ("${x%\\}}", "${x % '}'}"),
        ("${x/a/b}", "${x / a // b}"),
        ("${x//a/b}", "${x // a // b}"),
        ("${x/#a/b}${x/%a/b}", "${x /# a // b}${x /% a // b}"),
        ("${x/a}", "${x / a}"),
        ("${x/a/}", "${x / a // <empty>}"),
        ("${x/\\//_}", "${x / '/' // _}"),
        ("${x//[^a-z]/}", "${x // [^a-z] // <empty>}"),
        ('"${x//\\"/\'q\'}"', "\"${x // '\"' // 'q'}\""),
        ("${x:0:16}", "${x : '0' // '16'}"),
        ("${x: -3}", "${x : ' -3'}"),
        ("${x:(-1)}", "${x : '(-1)'}"),
        ("${x:$a:${#y}}", '${x : "$a" // "${#y}"}'),
        ("${x^}${x^^}${x,}${x,,}", "${x ^ <empty>}${x ^^ <empty>}${x , <empty>}${x ,, <empty>}"),
        ("${x@Q}", "${x @ Q}"),
        ("${x~}", "<expansion: ${x~}>"),
        ("${@:2}", "${@ : '2'}"),
        ("${1:-x}", "${1 :- x}"),
        ("${$}", "$$"),
    ],
)
def test_parameters(source: str, expected: str) -> None:
    assert word_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$(a b)", "$(a b)"),
        ('"$(a "$b")"', '"$(a "$b")"'),
        ('"a $(b) c"', "'a '\"$(b)\"' c'"),
        ("$(a; b)", "$(a; b)"),
        ("$(< f)", "$(<f)"),
        ("$( (a) )", "$((a))"),
        ("$(case x in a) b;; esac)", "$(<case x in a) b ;;>)"),
        ("$(a # ) no\n)", "$(a)"),
        ("`a b`", "`a b`"),
        ("`a \\`b\\``", "`a `b``"),
        ('"`a \\"x\\" \\$y`"', "\"`a 'x' $y`\""),
        ("`a \\\\\\$y`", "`a '$'y`"),
        ("$((1 + x))", "$((1 + x))"),
        ("$(((1)+(2)))", "$(((1)+(2)))"),
        ("$((x<<3))", "$((x<<3))"),
        ("$((a[$i]++))", "$((a[$i]++))"),
        ("$[1+2]", "$((1+2))"),
        ("$((a);(b))", "$((a); (b))"),
        ("<(a | b)", "<([a | b])"),
        (">(a)", ">(a)"),
    ],
)
def test_substitutions(source: str, expected: str) -> None:
    assert word_of(source) == expected


def test_literal_property() -> None:
    script = parse_string("""a"b"'c' "$x" ''""")
    (command,) = script.body.commands
    assert isinstance(command, n.Simple)
    assert [w.literal for w in command.words] == ["abc", None, ""]


def test_marks_of_holes_never_come_from_source() -> None:
    assert word_of("a\ue000b\ue001'\ue002'$'\\ue000'") == "a\ufffdb\ufffd'\ufffd\ufffd'"


def test_offsets_count_bytes() -> None:
    source = "\u00e9 'x' \"$y\" z"
    script = parse_string(source)
    (command,) = script.body.commands
    assert isinstance(command, n.Simple)
    spans = [script.text.slice(w.span) for w in command.words]
    assert spans == ["\u00e9", "'x'", '"$y"', "z"]
    assert script.text.slice(command.words[2].parts[0].span) == "$y"


def test_offsets_in_backticks_survive_the_removal_of_backslashes() -> None:
    source = "a `b \\`c $d\\` e`"
    script = parse_string(source)
    (outer,) = script.body.commands
    assert isinstance(outer, n.Simple)
    substitution = outer.words[1].parts[0]
    assert isinstance(substitution, n.CommandSubstitution)
    (inner,) = substitution.body.commands
    assert isinstance(inner, n.Simple)
    nested = inner.words[1].parts[0]
    assert isinstance(nested, n.CommandSubstitution)
    (deepest,) = nested.body.commands
    assert isinstance(deepest, n.Simple)
    assert script.text.slice(deepest.words[1].span) == "$d"
    assert script.text.slice(inner.words[2].span) == "e"


def test_nodes_compare_by_value() -> None:
    assert parse_string("a $b").body == parse_string("a $b").body
    assert hash(parse_string("a $b").body) == hash(parse_string("a $b").body)
