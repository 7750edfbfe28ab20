"""Generated scripts: everything of the shell that the interpreter claims to know, with nothing that does harm.

A script uses the variables of :data:`SCALARS` and :data:`ARRAYS`; ``t`` is a trace of the branches that ran.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

TEXTS = ("x", "y", "z")
NUMBERS = ("n", "m")
SCALARS = (*TEXTS, *NUMBERS, "r", "t")
ARRAYS = ("A", "B", "M")  # M is associative
PLAIN = ["a", "b", "ab", "abc", "a.b.c", "/p/q.r", "x.tar.gz", "12", "0", "-3", "007", "k=v", "a-b_c", "A", "aXb"]
ODD = ["", " ", "a b", " a  b ", "*", "a*", "?", "[ab]", "a,b,c", ":", "a:b", "-n", "-e", "\\", "a\\b", "a\nb", "$x", '"', "'",  # noqa: E501
       "#a", "~", "{a,b}", "!", "=", "(", "ä", "&", ";", "%s", "-", "x y z"]  # fmt: skip
PIECES = ["a", "b", "*", "?", "[ab]", "[!a]", "[a-c]", ".", "/", "\\*", "'*'", '"?"', "c", "[[:digit:]]", "1", "X"]
T = TypeVar("T")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


class Writer:
    """Writes one script. ``choose`` and ``number`` are hypothesis's."""

    def __init__(self, draw: Callable[[st.SearchStrategy[object]], object]) -> None:
        self._draw = draw
        self.depth = 0
        self.budget = 30
        self.marks = 0
        self.loops = 0
        self.in_function = False
        self.in_loop = 0
        self.functions: list[str] = []

    def choose(self, options: list[T] | tuple[T, ...]) -> T:
        return self._draw(st.sampled_from(options))  # type: ignore[return-value]

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))  # type: ignore[return-value]

    def maybe(self, chance: int = 2) -> bool:
        """True once in so many times."""
        return self.number(1, chance) == 1

    # --- words ----------------------------------------------------------------------------------

    def value(self) -> str:
        return self.choose(PLAIN) if self.maybe(2) else self.choose(ODD)

    def name(self) -> str:
        return self.choose(TEXTS)

    def pattern(self) -> str:
        if self.maybe(6):
            return self.choose([f"${self.name()}", f'"${self.name()}"'])
        return "".join(self.choose(PIECES) for _ in range(self.number(0, 3)))

    def expansion(self, quotes: bool) -> str:
        """``$...`` in some form."""
        self.depth += 1
        try:
            kind = self.number(0, 17 if self.depth < 3 else 11)
            name = self.name()
            if kind <= 2:
                return self.choose([f"${name}", f"${{{name}}}", f"${{#{name}}}"])
            if kind == 3:
                return f"${{{name}{self.choose(['#', '##', '%', '%%'])}{self.pattern()}}}"
            if kind == 4:
                by = self.choose(["", "Z", '"$y"', "'a b'", "$n"])
                return f"${{{name}{self.choose(['/', '//', '/#', '/%'])}{self.pattern().replace('/', '_')}/{by}}}"
            if kind == 5:
                offset = self.choose(["0", "1", " -1", " -2", "2", "9", "n", "n-1"])
                length = self.choose(["", ":1", ":0", ":2", ":9", ": -1", ":n"])
                return f"${{{name}:{offset}{length}}}"
            if kind == 6:
                return f"${{{name}{self.choose(['^^', ',,', '^', ','])}}}"
            if kind == 7:
                return self.choose(["$1", "$2", "$#", "$@", "$*", "${1}", "${@:2}", "${*:1:1}", "${@: -1}", "${#@}"])
            if kind == 8:
                return self.choose(
                    ["${A[0]}", "${A[1]}", "${A[-1]}", "$A", "${A[n]}", "${M[a]}", "${M[$x]}", "${#A[1]}"]
                )
            if kind == 9:
                return self.choose([
                    "${A[@]}", "${A[*]}", "${#A[@]}", "${!A[@]}", "${A[@]:1}", "${A[@]:0:2}", "${A[@]: -1}", "${B[*]}",
                    "${#M[@]}", "${A[@]%b}", "${A[*]/a/c}", "${A[@]^^}", "${A[@]+${B[@]}}",
                ])  # fmt: skip
            if kind == 10:
                return self.choose(["$n", "$((n+1))", "$((n*m))", "$?", "${!r}", "${!r-none}", "${n}"])
            if kind == 11:
                return f"$(( {self.arithmetic(2)} ))"
            if kind <= 14:
                operator = self.choose([":-", "-", ":+", "+", ":=", "="])
                target = self.choose([name, name, "u", "1", "A[1]", "A[@]", "@"])
                if operator in (":=", "=") and not target.isalpha():
                    operator = ":-"
                word = self.inner() if quotes else self.word(splits=True)
                return f"${{{target}{operator}{word}}}"
            return f"$({self.output()})"
        finally:
            self.depth -= 1

    def inner(self) -> str:
        """Text inside double quotes."""
        out = []
        for _ in range(self.number(0, 3)):
            if self.maybe(2):
                out.append(self.expansion(True))
            else:
                out.append(self.choose(["a", " ", "b c", "'", "*", "\\$", '\\"', "\\\\", "/", "~", "-", "1"]))
        return "".join(out)

    def word(self, splits: bool = False) -> str:
        parts = []
        for _ in range(self.number(1, 2)):
            kind = self.number(0, 6)
            if kind <= 1:
                parts.append(self.choose(["a", "b.c", "p/q", "12", "x-y", "_", "A"]))
            elif kind == 2:
                parts.append(quoted(self.value()))
            elif kind <= 4 or not splits:
                parts.append(f'"{self.inner()}"')
            else:
                parts.append(self.expansion(False))
        return "".join(parts)

    def words(self, most: int = 3) -> str:
        found = [self.word(splits=True) for _ in range(self.number(0, most))]
        if self.maybe(8):
            found.append(self.choose(["{a,b}c", "{1..3}", "x{,y}", "{b..d}", "{01..03}", "*", "?.t", "[f]*"]))
        return " ".join(found)

    def arithmetic(self, depth: int) -> str:
        kind = self.number(0, 11 if depth else 3)
        if kind <= 1:
            return str(self.number(-3, 12))
        if kind == 2:
            return self.choose(NUMBERS)
        if kind == 3:
            return self.choose(["${#x}", "$n", "A[0]", "0x1F", "010", "u", "(n)", "-m", "!n", "~m"])
        a, b = self.arithmetic(depth - 1), self.arithmetic(depth - 1)
        if kind <= 6:
            operator = self.choose("+ - * & | ^ < <= > >= == != && ||".split())
            return f"{a} {operator} {b}"
        if kind == 7:
            return f"{a} {self.choose(['/', '%'])} {self.choose(['1', '2', '3', '-4'])}"
        if kind == 8:
            return f"{self.choose(NUMBERS)}{self.choose(['=', '+=', '-=', '*=', '|='])}{a}"
        if kind == 9:
            return self.choose(["n++", "++m", "m--", "--n", "A[0]++", "A[n&1]=m", "n--+m"])
        if kind == 10:
            return f"({a}) ? ({b}) : {self.choose(NUMBERS)}"
        return self.choose(
            [f"({a}) * ({b})", f"2 ** {self.number(0, 5)}", f"({a}) << {self.number(0, 5)}", f"({a}), ({b})"]
        )

    # --- tests ------------------------------------------------------------------------------------

    def condition(self) -> str:
        self.depth += 1
        try:
            kind = self.number(0, 9)
            if kind == 0:
                return self.choose(["true", "false", ":", "! true", "! false"])
            if kind <= 2:
                left, right = f'"{self.inner()}"', self.word()
                operator = self.choose(["=", "!=", "=="])
                return f"[ {left} {operator} {right} ]"
            if kind == 3:
                return f'[ {self.choose(["-n", "-z"])} "{self.inner()}" ]'
            if kind == 4:
                return f'[ "${self.choose(NUMBERS)}" {self.choose("-eq -ne -lt -le -gt -ge".split())} {self.number(-2, 5)} ]'  # noqa: E501
            if kind == 5:
                return f"[[ {self.word()} {self.choose(['==', '!=', '='])} {self.pattern() or 'a'} ]]"
            if kind == 6:
                return f"(( {self.arithmetic(2)} ))"
            if kind == 7:
                regex = self.choose(["^a", "b$", "a.c", "[0-9]+", "^(a|b)+$", "\\.", '"."', "$x", '"$x"', "^$"])
                return f"[[ {self.word()} =~ {regex} ]]"
            if kind == 8:
                return self.choose([
                    "[[ -v x ]]", "[[ -v u ]]", "[[ -n $x && -z $y ]]", "[[ -z $x || $y == a* ]]", "[ -f f ]", "[ -d d ]",  # noqa: E501
                    '[ -n "$x" -a -n "$y" ]', '[ -z "$x" -o "$y" = a ]', "[[ ! -n $x ]]", "[[ $x < $y ]]", "[ $# -gt 1 ]",  # noqa: E501
                    "[ -e g.t ]", "[ $x = a ]", "[ -n $x ]", "[ ! -f f ]", "[[ n -gt m ]]", "[ -s f ]",
                ])  # fmt: skip
            left, right = self.condition() if self.depth < 3 else "true", self.choose(["true", "false", "[ 1 = 1 ]"])
            return f"{left} {self.choose(['&&', '||'])} {right}"
        finally:
            self.depth -= 1

    # --- commands that print ----------------------------------------------------------------------

    def output(self) -> str:
        kind = self.number(0, 9)
        if kind <= 2:
            return f"echo {self.words(2)}"
        if kind == 3:
            shape = self.choose(
                ["%s", "%s\\n", "%s-%s|", "<%5s>", "%d", "%03d", "%b", "%x", "a\\tb", "%%", "%.2s", "%-4s|"]
            )
            arguments = self.choose(["12", "7 8", '"$n"']) if "d" in shape or "x" in shape else self.words(2)
            return f"printf '{shape}' {arguments}"
        if kind == 4:
            text = self.word(splits=True)
            filters = [
                "cat",
                "tr a b",
                "tr a-z A-Z",
                "cut -d. -f1",
                "cut -c1-2",
                "head -1",
                "tail -n1",
                "wc -l",
                "wc -w",
                "sed s/a/X/",
                "sed -n 1p",
                "tr -d ab",
                "sort -u",
                "grep a",
                "grep -v a",
                "grep -c a",
                "uniq",
            ]
            return f"echo {text} | {self.choose(filters)}"
        if kind == 5:
            return self.choose(["basename", "dirname"]) + f" -- /a{self.word()}"
        if kind == 6:
            return f"seq {self.number(0, 3)}"
        if kind == 7:
            return (
                self.choose(["cat f", "cat f g.t", "cat nope", "echo *.t", "cat < f", "pwd | wc -l"]) + " 2>/dev/null"
            )
        if kind == 8 and self.functions:
            return f"{self.choose(self.functions)} {self.words(2)}"
        return f'{self.choose(["x", "y"])}={self.word()}; echo "$x$y"; {self.choose(["true", "false", "exit 3", "echo -n z"])}'  # noqa: E501

    # --- statements -------------------------------------------------------------------------------

    def mark(self) -> str:
        self.marks += 1
        return f"t+={chr(96 + self.marks % 26 + (self.marks % 26 == 0))}"

    def block(self, most: int = 2) -> str:
        self.depth += 1
        found = [self.mark(), *(self.statement() for _ in range(self.number(0, most)))]
        self.depth -= 1
        return "; ".join(found)

    def statement(self) -> str:
        self.budget -= 1
        if self.depth >= 4 or self.budget <= 0:
            return self.simple()
        kind = self.number(0, 19)
        if kind <= 9:
            return self.simple()
        if kind <= 11:
            text = f"if {self.condition()}; then {self.block()}"
            if self.maybe(3):
                text += f"; elif {self.condition()}; then {self.block()}"
            if self.maybe(2):
                text += f"; else {self.block()}"
            return text + "; fi"
        if kind == 12:
            arms = []
            for _ in range(self.number(1, 3)):
                patterns = "|".join(self.pattern() or "a" for _ in range(self.number(1, 2)))
                arms.append(f"{patterns}) {self.block(1)} {self.choose([';;', ';;', ';&', ';;&'])}")
            return f"case {self.word()} in {' '.join(arms)} *) {self.mark()} ;; esac"
        if kind == 13:
            self.in_loop += 1
            text = f"for i in {self.words()}; do {self.loop_body()}; x=$i; done"
            self.in_loop -= 1
            return text
        if kind == 14:
            self.in_loop += 1
            self.loops += 1
            counter = f"c{self.loops}"
            head = self.choose([
                f"{counter}=0; while [ ${counter} -lt {self.number(0, 3)} ]; do {counter}=$(({counter}+1))",
                f"{counter}=0; until (({counter} >= {self.number(0, 3)})); do (({counter}+=1))",
                f"for (({counter}=0; {counter}<{self.number(0, 3)}; {counter}++)); do :",
                f"{counter}=; while true; do {counter}+=x; [ ${{#{counter}}} -gt {self.number(0, 3)} ] && break",
            ])  # fmt: skip
            text = f"{head}; {self.loop_body()}; done"
            self.in_loop -= 1
            return text
        if kind == 15:
            return f"{self.condition()} {self.choose(['&&', '||'])} {self.simple()}"
        if kind == 16:
            opened = self.choose(["{ B; }", "( B )", "{ B; } > f", "( B; exit 2 ) || t+=S", "! { B; }", "eval 'B'"])
            inner = self.block()
            return opened.replace("B", inner if "'" not in opened else inner.replace("'", "'\\''"))
        if kind == 17 and not self.in_function:
            return self.function()
        if kind == 18:
            return f"{self.output()} > {self.choose(['f', 'g.t'])}" if self.maybe(2) else f"{self.output()} >> f"
        return f"{self.choose(TEXTS)}=$({self.output()})"

    def loop_body(self) -> str:
        body = self.block()
        if self.maybe(3):
            body += f"; {self.condition()} && {self.choose(['break', 'continue', 'break 2', 'continue 2'])}"
        return body

    def function(self) -> str:
        name = f"f{len(self.functions)}"
        self.in_function = True
        outer, self.in_loop = self.in_loop, 0
        head = self.choose(["", "local x=$1; ", "local y; ", "local x y=$2; ", "local -a A=(q); ", "x=$1; ", "shift; "])
        body = self.block()
        tail = self.choose(["", "; return", "; return 3", "; false", f"; {self.condition()}"])
        self.in_function, self.in_loop = False, outer
        self.functions.append(name)
        return f"{name}() {{ {head}{body}{tail}; }}"

    def simple(self) -> str:
        kind = self.number(0, 27)
        name = self.name()
        if kind <= 5:
            return f"{name}={self.word(splits=True)}"
        if kind == 6:
            return f"{name}+={self.word()}"
        if kind == 7:
            return f"{self.choose(NUMBERS)}=$(( {self.arithmetic(2)} ))"
        if kind == 8:
            return f"{self.choose(['A', 'B'])}{self.choose(['=', '+='])}({self.words()})"
        if kind == 9:
            return f"A[{self.choose(['0', '1', '3', 'n&3', '${#A[@]}'])}]{self.choose(['=', '+='])}{self.word()}"
        if kind == 10:
            key = self.choose(["a", "k", "$y", '"k 2"'])
            return f"M[{key}]={self.word()}"
        if kind == 11:
            return f"(( {self.arithmetic(2)} ))"
        if kind == 12:
            return f"set -- {self.words()}"
        if kind == 13:
            return self.choose(
                ["shift", "unset x", "unset 'A[1]'", "unset A; A=()", "unset u", "r=x", "r=y", "r='A[1]'"]
            )
        if kind == 14:
            return self.choose(
                ["set -e", "set +e", "set -o pipefail", "set -f", "set +f", "true", "false", "IFS=,", "unset IFS"]
            )
        if kind == 15:
            return (
                f"printf -v {name} '{self.choose(['%s', '%s,%s', '%03d', '[%s]'])}' {self.choose(['1', '2 3', '$n'])}"
            )
        if kind == 16:
            return (
                f"{self.choose(['', 'IFS=, ', 'IFS=: '])}read -r {self.choose(['x', 'x y', 'x y z'])} <<< {self.word()}"
            )
        if kind == 17:
            return f"{self.choose(['export', 'declare', 'readonly -p >/dev/null;'])} {name}={self.word()}"
        if kind == 18:
            return self.choose(["touch g.t", "rm -f f", "mkdir d", "mkdir -p d/e", "cp f g.t", "mv f h.t", "rm nope", "cd d", "cd .."]) + (  # noqa: E501
                " 2>/dev/null"
            )  # fmt: skip
        if kind == 19 and self.functions:
            return f"{self.choose(['', 'x=pre ', 'y=$x '])}{self.choose(self.functions)} {self.words()}"
        if kind == 20:
            return self.choose(
                ["(false)", "(exit 4)", "false | true", "true | false", "x=$(false)", "! true", "let n=m+1", "let m--"]
            )
        if kind == 21:
            return self.choose(
                [
                    ": ${u:=d}",
                    ": ${x:=d}",
                    "echo ${y:=e}",
                    "x=${u+s}",
                    "y=$BASH_REMATCH",
                    "t+=${PIPESTATUS[*]}",
                    "t+=$?",
                ]
            )
        if kind == 22 and self.in_loop:
            return self.choose(["break", "continue", "break 2", "continue 2"])
        if kind == 23 and self.in_function:
            return self.choose(["return", "return 1", "return $n"])
        if kind == 24 and self.maybe(6):
            return self.choose(["exit", "exit 3", "return 4", "break", "false"])
        if kind == 25:
            return f"{self.output()} > f"
        if kind == 26:
            return f"mapfile -t {self.choose(['A', 'B'])} <<< {self.word()}"
        return f"{name}={quoted(self.value())}"

    def script(self) -> str:
        lines = ["declare -A M", "A=(a 'b c')", "B=()", f"n={self.number(-1, 3)}; m={self.number(0, 5)}; r=x; t="]
        lines += [f"{name}={quoted(self.value())}" for name in TEXTS if not self.maybe(4)]
        lines += [self.statement() for _ in range(self.number(1, 8))]
        return "\n".join([*lines, "t+=."]) + "\n"


@st.composite
def scripts(draw: Callable[[st.SearchStrategy[object]], object]) -> str:
    """A script with its assignments in front."""
    return Writer(draw).script()
