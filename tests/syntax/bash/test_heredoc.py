"""Here-documents, wherever they stand on their line."""

from __future__ import annotations

import pytest

from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse_string
from tests.syntax.bash.shapes import shape

CASES = [
    ("cat <<E\na $x\nE\n", "cat <<E(expands 'a '\"$x\"'\n')"),
    ("cat << E\nE\nb", "cat <<E(expands <empty>); b"),
    ("cat <<'E'\na $x `b` \\$\nE\n", "cat <<E(verbatim 'a $x `b` \\$\n')"),
    ('cat <<"E"\n$x\nE\n', "cat <<E(verbatim '$x\n')"),
    ("cat <<\\E\n$x\nE\n", "cat <<E(verbatim '$x\n')"),
    ("cat <<E'O'F\n$x\nEOF\n", "cat <<EOF(verbatim '$x\n')"),
    ("cat <<-E\n\ta\n\t\t b\n\tE\nc", "cat <<-E(expands 'a\n b\n'); c"),
    ("cat <<-E\n\t$x\n\ta\tb\nE\n", "cat <<-E(expands \"$x\"'\na\tb\n')"),
    ("cat <<-'E'\n\ta\n\tE\n", "cat <<-E(verbatim 'a\n')"),
    ('cat <<E\n\\$x \\\\ \\` \\q \\" "q" \'r\'\nE\n', "cat <<E(expands '$x \\ ` \\q \\\" \"q\" 'r'\n')"),
    ("cat <<E\na\\\nb\nE\n", "cat <<E(expands 'ab\n')"),
    ("cat <<E\na\\\nE\nE\n", "cat <<E(expands 'aE\n')"),
    ("cat <<E\na\\\\\nE\nb", "cat <<E(expands 'a\\\n'); b"),
    ("cat <<E\n${x:-\"a b\"} ${y:-'c'}\nE\n", "cat <<E(expands \"${x :- 'a b'}\"' '\"${y :- ''c''}\"'\n')"),
    ('cat <<E\n$(a "b") $((1+$c)) `d`\nE\n', "cat <<E(expands \"$(a 'b')\"' '\"$((1+$c))\"' '\"`d`\"'\n')"),
    ("cat <<A <<'B' | sort && c\na\nA\nb\nB\nd", "([cat <<A(expands 'a\n') <<B(verbatim 'b\n') | sort] && c); d"),
    ("cat <<E > out 2>&1\na\nE\n", "cat <<E(expands 'a\n') >out 2>&1"),
    ("cat <<E; b\na\nE\nc", "cat <<E(expands 'a\n'); b; c"),
    ("cat <<E & b\na\nE\n", "cat <<E(expands 'a\n') &; b"),
    ("cat <<E |\na\nE\nb", "[cat <<E(expands 'a\n') | b]"),
    ("cat <<E && \\\n b\na\nE\nc", "(cat <<E(expands 'a\n') && b); c"),
    ("if cat <<E; then\na\nE\n b\nfi", "<if cat <<E(expands 'a\n') then b>"),
    ("while read x; do\n a\ndone <<E\nb\nE\nc", "<while read x do a> <<E(expands 'b\n'); c"),
    ("{ a; } <<E\nb\nE\n", "{a} <<E(expands 'b\n')"),
    ("[[ a ]] <<E\nb\nE\n", "[[ -n a ]] <<E(expands 'b\n')"),
    ("f() { cat <<E; }\nb\nE\nc", "f(){cat <<E(expands 'b\n')}; c"),
    ("x=$(cat <<E\nb $y\nE\n)\nc", "x=$(cat <<E(expands 'b '\"$y\"'\n')); c"),
    ("x=\"$(cat <<'E' | tr a b\nit's \"\nE\n)\"", "x=\"$([cat <<E(verbatim 'it's \"\n') | tr a b])\""),
    ("x=$(cat <<E)\nb\nE\nc", "x=$(cat <<E(expands 'b\n')); c"),
    ("x=$(cat <<E\nb\nE)\nc", "x=$(cat <<E(expands 'b\n')); c"),
    ("cat <<E $(a <<F\nin\nF\n)\nout\nE\n", "cat $(a <<F(expands 'in\n')) <<E(expands 'out\n')"),
    ("cat <<E $(a\nb)\nc\nE\n", "cat $(a; b) <<E(expands 'c\n')"),
    ("cat <<E 'a\nb'\nc\nE\n", "cat 'a\nb' <<E(expands 'c\n')"),
    ("> f <<E\na\nE\n", ">f <<E(expands 'a\n')"),
    ("3<<E a\nb\nE\n", "a 3<<E(expands 'b\n')"),
    ("cat <<E\na", "cat <<E(expands 'a')"),
    ("cat <<E # <<F\na\nE\n", "cat <<E(expands 'a\n')"),
    ("cat <<'a b'\nc\na b\nd", "cat <<a b(verbatim 'c\n'); d"),
    ("echo $((1<<2)) '<<E' \"<<E\" \\<<E\na\nE\n", "echo $((1<<2)) '<<E' '<<E' '<' <E; a; E"),
    ('bash -c "cat <<E\na\nE"', "bash -c 'cat <<E\na\nE'"),
    ("(( x << 2 ))\nb", "(( x << 2 )); b"),
    ("# <<E\na", "a"),
    ("cat <<E\r\na\r\nE\r\nb\r\n", "cat <<E(expands 'a\r\n'); b"),
    ("cat <<EOF\n${unclosed\nEOF\nb", "cat <<EOF(expands <here-document: ${unclosed\n>); b"),
    ("cat <<EOF\n$(if)\nEOF\nb", "cat <<EOF(expands \"$(<syntax error: if>)\"'\n'); b"),
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_documents(source: str, expected: str) -> None:
    assert shape(source) == expected


def test_places_in_the_body() -> None:
    source = "cat <<-'A' <<B | c\n\tx\nA\ny ${z} $(d e)\nB\nf\n"
    script = parse_string(source)
    pipeline, last = script.body.commands
    assert isinstance(pipeline, n.Pipeline)
    cat = pipeline.commands[0]
    assert isinstance(cat, n.Simple)
    first, second = (redirect.target for redirect in cat.redirects)
    assert isinstance(first, n.HereDocument)
    assert isinstance(second, n.HereDocument)
    text = script.text
    assert [text.slice(r.span) for r in cat.redirects] == ["<<-'A'", "<<B"]
    assert text.slice(first.span) == "\tx\n"
    assert text.slice(second.span) == "y ${z} $(d e)\n"
    assert [text.slice(part.span) for part in second.body.parts] == ["y ", "${z}", " ", "$(d e)", "\n"]
    substitution = second.body.parts[3]
    assert isinstance(substitution, n.CommandSubstitution)
    assert text.slice(substitution.body.span) == "d e"
    assert text.slice(last.span) == "f"
