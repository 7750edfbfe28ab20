"""Random sed programs and texts, dense in what programs do to lines; driven by any ``random.Random``."""

from __future__ import annotations

from random import Random

from tests.oracles.gnu_sed import Case

WORDS = (
    "a",
    "b",
    "ab",
    "ba",
    "aab",
    "abab",
    "name: x",
    "  key: 10",
    "A",
    "aB",
    "x_y",
    "a-b",
    "1",
    "22",
    ":",
    "/",
    "é",
    "b.c",
    "[a]",
    "\\",
    "*",
)
ATOMS = (
    "name",
    "[a-z_]*:",
    "a",
    "b",
    "ab",
    "x",
    "A",
    " ",
    ":",
    "0",
    ".",
    ".",
    "[ab]",
    "[^a]",
    "[a-c]",
    "[[:alpha:]]",
    "[^[:space:]]",
    "[[:digit:]_]",
    "[]a]",
    "[^]b]",
    "[a-]",
    "é",
    r"\.",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\n",
    r"\*",
    r"\[",
    r"\t",
    "-",
    "_",
    '"',
    "[0-9]",
    "[[:upper:]]",
    "[[:punct:]]",
    "]",
    r"\\",
    r"[\n]",
    r"[\/]",
    "[.]",
    "[*^$]",
)
RARE = (
    "^",
    "$",
    "*",
    r"\b",
    r"\B",
    r"\<",
    r"\>",
    r"\`",
    r"\'",
    r"\+",
    r"\?",
    "+",
    "?",
    "{",
    "}",
    "|",
    r"\|",
    r"\{",
    "(",
    ")",
    r"\(",
    r"\)",
    r"\{1\}",
    r"\1",
    "[",
    r"[[:foo:]]",
    "[b-a]",
    r"\/",
    r"\x41",
    r"\-",
)


def text(rnd: Random) -> str:
    lines = [
        "".join(rnd.choice(WORDS) for _ in range(rnd.choice((0, 1, 1, 1, 2, 2, 3))))
        for _ in range(rnd.choice((0, 1, 1, 2, 3, 3, 4, 5, 6)))
    ]
    joined = "\n".join(lines)
    return joined + "\n" if rnd.random() < 0.7 else joined


def regex(rnd: Random, extended: bool, depth: int = 2) -> tuple[str, int]:
    """An expression and its number of groups."""
    parts: list[str] = []
    groups = 0
    if rnd.random() < 0.2:
        parts.append("^")
    for _ in range(rnd.choice((1, 1, 1, 2, 2, 3))):
        dice = rnd.random()
        if depth and dice < 0.22:
            inner, count = regex(rnd, extended, depth - 1)
            parts.append(f"({inner})" if extended else rf"\({inner}\)")
            groups += count + 1
        elif dice < 0.27:
            parts.append(rnd.choice(RARE))
            if rnd.random() < 0.3:
                parts.append(rnd.choice(RARE))
        else:
            parts.append(rnd.choice(ATOMS))
        if rnd.random() < 0.3:
            parts.append(quantifier(rnd, extended))
    if rnd.random() < 0.12:
        other, count = regex(rnd, extended, depth - 1) if depth else ("b", 0)
        parts.append(("|" if extended else r"\|") + other)
        groups += count
    if rnd.random() < 0.12:
        parts.append("$")
    return "".join(parts), groups


def quantifier(rnd: Random, extended: bool) -> str:
    choice = rnd.choice(("*", "*", "*", "+", "?", "{2}", "{0,1}", "{1,}", "{,2}", "{2,3}", "{0}"))
    if extended or choice == "*":
        return choice
    return "\\" + choice.replace("}", r"\}") if len(choice) > 1 else "\\" + choice


def address(rnd: Random, extended: bool) -> str:
    dice = rnd.random()
    if dice < 0.3:
        return str(rnd.choice((1, 1, 2, 3, 4)))
    if dice < 0.4:
        return "$"
    if dice < 0.47:
        return f"{rnd.choice((0, 1, 2))}~{rnd.choice((0, 1, 2, 3))}"
    if dice < 0.5:
        return "//"
    source = regex(rnd, extended, 1)[0]
    flags = rnd.choice(("", "", "", "", "I", "M", "IM"))
    if rnd.random() < 0.1:
        return rf"\,{source}," + flags
    return f"/{source}/{flags}"


def addresses(rnd: Random, extended: bool) -> str:
    dice = rnd.random()
    if dice < 0.35:
        return ""
    first = address(rnd, extended)
    if dice < 0.65:
        result = first
    elif dice < 0.7:
        result = f"0,{address(rnd, extended)}"
    elif dice < 0.85:
        result = f"{first},{address(rnd, extended)}"
    elif dice < 0.93:
        result = f"{first},+{rnd.choice((0, 1, 2))}"
    else:
        result = f"{first},~{rnd.choice((0, 1, 2, 3))}"
    return result + rnd.choice(("", "", "", "", "!", " ", "! "))


def replacement(rnd: Random, groups: int) -> str:
    parts: list[str] = []
    for _ in range(rnd.choice((0, 1, 1, 2, 3))):
        dice = rnd.random()
        if dice < 0.25 and groups:
            parts.append(f"\\{rnd.randint(1, min(groups, 9))}")
        elif dice < 0.4:
            parts.append("&")
        elif dice < 0.5:
            parts.append(rnd.choice((r"\n", r"\t", "\\\n", r"\&", r"\/", r"\\", r"\0", r"\x41", r"\q")))
        elif dice < 0.56:
            parts.append(rnd.choice((r"\U", r"\L", r"\E", r"\u", r"\l")))
        elif dice < 0.57:
            parts.append(r"\9")
        else:
            parts.append(rnd.choice(("x", "y", "a", "b", "", "<", ">", ": ", "é")))
    return "".join(parts)


def command(rnd: Random, extended: bool, depth: int) -> str:
    """A command with its addresses and what must follow it."""
    where = addresses(rnd, extended)
    dice = rnd.random()
    if dice < 0.45:
        source, groups = regex(rnd, extended)
        if rnd.random() < 0.05:
            source, groups = "", 0
        flags = "".join(rnd.choice(("", "", "", "g", "p", "2", "I", "M", "3", "i")) for _ in range(2))
        slash = rnd.choice("/////|,#!+")
        right = replacement(rnd, groups)
        if slash != "/":
            right = right.replace(slash, "")
            source = source.replace(slash, rnd.choice(("\\" + slash, "", "")))
        return f"{where}s{slash}{source}{slash}{right}{slash}{flags}" + separator(rnd)
    if dice < 0.75:
        return where + rnd.choice("dddDpPnNhHgGxz=") + separator(rnd)
    if dice < 0.82:
        form = rnd.choice(
            (
                " one",
                "\\\ntwo\\\n  three",
                "\\  kept",
                "  skipped",
                "one\\\ntwo",
                "\\\n\\  x",
                " a\\tb\\qc",
                " é",
                "\\",
                "",
            )
        )
        return where + rnd.choice("aic") + form + rnd.choice(("\n", "\n", "\n", ""))
    if dice < 0.85:
        return (
            where
            + rnd.choice(
                ("y/ab/xy/", "y/a\\nb/b\\na/", "y/a/\\n/", "y,ab,ba,", "y/ab/b/", "y/\\//x/", "y/\\\\/x/", "y/\\n/,/")
            )
            + separator(rnd)
        )
    if dice < 0.88:
        return rnd.choice(("1", "2", "$", "/b/", "3", "1,2", "")) + rnd.choice(("q", "Q", "q5", "Q 3")) + separator(rnd)
    if dice < 0.94 and depth:
        inner = "".join(command(rnd, extended, depth - 1) for _ in range(rnd.choice((0, 1, 2, 2))))
        return f"{where}{rnd.choice(('{', '{ ', '{;'))}{inner}}}" + separator(rnd)
    if dice < 0.98:
        return where + rnd.choice(("bx", "tx", "Tx", "t", "b", "T")) + separator(rnd)
    return rnd.choice(
        ("#c\n", "p # c\n", "$!N;P;D;", "1!G;h;$!d;", ";;", "x;p;x;", "w f\n", "e\n", "l;", "}", "k", "p p;")
    )


def separator(rnd: Random) -> str:
    return rnd.choice((";", ";", "\n", " ; ", "\n", ";;", "}" if rnd.random() < 0.02 else ";"))


def recipe(rnd: Random) -> str:
    """A text like those that programs are run on."""
    lines = []
    for _ in range(rnd.randint(1, 12)):
        key = rnd.choice(("name", "model", "max_attempts", "health_check", "a-b", "image", "x_y", "- item", "# note —"))
        value = rnd.choice(
            ("", " 10", ' "x y"', " nvcr.io#a/b:1.2", " [1, 2]", " true", " \ue000HOLE\ue002", " ~", " é")
        )
        lines.append(" " * rnd.choice((0, 0, 2, 2, 4)) + key + ":" + value)
    return "\n".join(lines) + rnd.choice(("\n", "\n", "\n", "\n\n", ""))


def groups_case(rnd: Random) -> Case:
    """One substitution that shows every group: which of several readings is the right one?"""
    extended = rnd.random() < 0.6
    source, groups = regex(rnd, extended, 3)
    shown = "".join(f"<\\{index}>" for index in range(1, min(groups, 9) + 1))
    flags = rnd.choice(("", "g", "2", "g", "I", "M", "gM"))
    lead = rnd.choice(("", "", "$!N;", "N;N;", "H;$!d;x;"))
    letters = rnd.choice(("ab", "ab", "aab ", "aAbB", "ab0-_"))
    line = lambda: "".join(rnd.choice(letters) for _ in range(rnd.randint(0, 9)))  # noqa: E731
    body = "\n".join(line() for _ in range(rnd.randint(1, 4)))
    return Case((f"{lead}s/{source}/{{&{shown}}}/{flags}",), body + rnd.choice(("\n", "")), extended)


def some(rnd: Random, parts: str | tuple[str, ...], most: int) -> str:
    return "".join(rnd.choice(parts) for _ in range(rnd.randint(0, most)))


BRACKETS = (
    "a",
    "c",
    "-",
    "-",
    "-",
    "]",
    "^",
    "\\",
    "[:digit:]",
    "[",
    ".",
    "x",
    "0",
    "9",
    "z",
    ":",
    ":",
    "=",
    r"\\",
    r"\n",
    "/",
)
RIGHTS = (
    "a",
    "&",
    "\\",
    r"\1",
    r"\2",
    r"\n",
    r"\U",
    r"\L",
    r"\u",
    r"\l",
    r"\E",
    r"\&",
    r"\\",
    r"\x26",
    r"\t",
    r"\q",
    "é",
    "B",
    "\\\n",
    "0",
    r"\0",
)
TEXTS = ("a", "\\", r"\n", r"\t", r"\\", "  ", " ", "\n", "\\\n", "}", ";", r"\q", "é", r"\x41", "p", "#")
LEFTS = ("a", "b", r"\n", "c", "[", "[^", "]", ".", "*", r"\(", r"\)", r"\.", "+", "|", r"\|", "&", r"\&")
FLAGS = ("g", "p", "1", "2", "I", "i", "M", "e", "w", " ", ";", ";p", "}", "#x", "0", "m")
STRUCTURE = (
    *("1", "2", "$", "/a/", "/b/I", ",", "!", " ", "p", "d", "{", "}", ";", "\n", "+1", "~2", "0", "0~2", "//", "n"),
    *("=", "#c\n", "N", "q", "q3", ":x", "bx", "b", "t", "x", "  "),
)


def corner_case(rnd: Random) -> Case:
    """One corner of the grammar, mostly wrong programs."""
    dice = rnd.randrange(6)
    extended = rnd.random() < 0.4
    if dice == 0:
        return Case((f"s,[{some(rnd, BRACKETS, 6)}],X,g",), "ac-]^\\5[.x09z_=:nmb/\n", extended)
    if dice == 1:
        right = some(rnd, RIGHTS, 6)
        return Case((rf"s/\([aA]*\)\(b*\)/{right}/" + rnd.choice(("", "g", "p", "2", "gI")),), "aAbB xyAb\n")
    if dice == 2:
        script = rnd.choice(("", "1", "$!{")) + rnd.choice("aic") + some(rnd, TEXTS, 6)
        return Case((script, *rnd.choice(((), (), ("}",), ("p",), ("x",)))), "A\nB\n")
    slash = rnd.choice("/,|+?.*^$[](){}#@:%&!~;_ -an1\"'")
    if dice == 3:
        sides = [some(rnd, ("a", "b", r"\n", r"\\", "\\" + slash, "c", "é", "\\", "-"), 4) for _ in range(2)]
        return Case((f"y{slash}{sides[0]}{slash}{sides[1]}{slash}" + some(rnd, FLAGS, 1),), "abcné\\-/,|\nq\tt\n")
    if dice == 4:
        sides = [some(rnd, (*LEFTS, "\\" + slash), 5) for _ in range(2)]
        return Case(
            (f"s{slash}{sides[0]}{slash}{sides[1]}{slash}{some(rnd, FLAGS, 3)}",), "ab.c*a+b|c\nbc&a\n", extended
        )
    return Case((some(rnd, STRUCTURE, 9),), "a\nb\nc\nab\n", extended)


def case(rnd: Random) -> Case:
    """Any program on any text."""
    dice = rnd.random()
    if dice < 0.2:
        return groups_case(rnd)
    if dice < 0.35:
        return corner_case(rnd)
    extended = rnd.random() < 0.4
    parts = []
    for _ in range(rnd.choice((1, 1, 1, 2))):
        part = "".join(command(rnd, extended, 2) for _ in range(rnd.choice((1, 1, 1, 2, 3))))
        if part.endswith((";", "\n")) and rnd.random() < 0.7:
            part = part[:-1]
        parts.append(part)
    program = "\n".join(parts)
    if any(jump in program for jump in ("bx", "tx", "Tx")) and rnd.random() < 0.95:
        # Mostly forwards: a jump backwards rarely ends.
        parts.append(":x" + rnd.choice(("", ";p", "\ns/a/b/")))
    elif rnd.random() < 0.03:
        parts[0] = (
            rnd.choice((":a;s/a/b/;ta;", ":a;N;$!ba;", ":a;s/^\\(b*\\)a/\\1b/;ta;", ":a;/b$/{N;ba\n};")) + parts[0]
        )
    if rnd.random() < 0.02:
        parts[0] = "#n\n" + parts[0]
    return Case(tuple(parts), recipe(rnd) if rnd.random() < 0.3 else text(rnd), extended, rnd.random() < 0.25)
