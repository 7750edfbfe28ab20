"""Statements, functions and whole scripts."""

from __future__ import annotations

from random import Random

from tests.launch.generated.simple import Simple
from tests.launch.generated.words import TEXTS, quoted


class Writer(Simple):
    """Writes one script."""

    def __init__(self, rnd: Random) -> None:
        super().__init__(rnd)
        self.budget = 30
        self.marks = 0
        self.loops = 0
        self.functions: list[str] = []

    def mark(self) -> str:
        self.marks += 1
        return f"t+={chr(96 + self.marks % 26 + (self.marks % 26 == 0))}"

    def block(self, most: int = 2) -> str:
        self.depth += 1
        found = [self.mark(), *(self.statement() for _ in range(self.number(0, most)))]
        self.depth -= 1
        return joined(found)

    def statement(self) -> str:
        self.budget -= 1
        if self.depth >= 4 or self.budget <= 0:
            return self.simple()
        kind = self.number(0, 20)
        if kind <= 9:
            return self.simple()
        if kind <= 11:
            return self._if()
        if kind == 12:
            return self._case()
        if kind == 13:
            self.in_loop += 1
            words = self.choose(
                [self.words(), self.words(), '"$@"', '"${A[@]}"', "$(seq 2)", "$x", "*.t", "d/*", "{1..2}"]
            )
            text = f"for i in {words}; do {self._loop_body()}; x=$i; done"
            self.in_loop -= 1
            return text
        if kind == 14:
            return self._while()
        if kind == 15:
            return f"{self.condition()} {self.choose(['&&', '||'])} {self.inline()}"
        if kind == 16:
            opened = self.choose(["{ B; }", "( B )", "{ B; } > f", "( B; exit 2 ) || t+=S", "! { B; }", "eval 'B'",
                                  "if ! B; then t+=N; fi", "{ B; } || t+=O", "{ B; } && t+=Y", "( B ) && t+=Y",
                                  "x=$(B; echo $x)", "{ B; } | cat", "echo q | { read -r q; B; }"])  # fmt: skip
            inner = self.block()
            if "<<" in inner:
                opened = "{ B; }"
            return opened.replace("B", inner if "'" not in opened else inner.replace("'", "'\\''")).replace("\n;", "\n")
        if kind == 17 and not self.in_function:
            return self._function()
        if kind == 18:
            return f"{self.output()} > {self.choose(['f', 'g.t'])}" if self.maybe(2) else f"{self.output()} >> f"
        if kind == 19:
            return f"{self.condition()} && {self.inline()} || {self.inline()}"
        return f"{self.choose(TEXTS)}=$({self.output()})"

    def inline(self) -> str:
        """A simple command that stands on one line."""
        found = self.simple()
        return found if "<<E" not in found and "\n" not in found else self.mark()

    def _if(self) -> str:
        text = f"if {self.condition()}; then {self.block()}"
        if self.maybe(3):
            text = joined([text, f"elif {self.condition()}; then {self.block()}"])
        if self.maybe(2):
            text = joined([text, f"else {self.block()}"])
        return joined([text, "fi"])

    def _case(self) -> str:
        arms = []
        for _ in range(self.number(1, 3)):
            patterns = "|".join(self.pattern() or "a" for _ in range(self.number(1, 2)))
            body = self.block(1)
            arms.append(f"{patterns}) {body}\n {self.choose([';;', ';;', ';&', ';;&'])}")
        return f"case {self.word()} in {' '.join(arms)} *) {self.mark()} ;; esac"

    def _while(self) -> str:
        self.in_loop += 1
        self.loops += 1
        counter = f"c{self.loops}"
        head = self.choose([
            f"{counter}=0; while [ ${counter} -lt {self.number(0, 3)} ]; do {counter}=$(({counter}+1))",
            f"{counter}=0; until (({counter} >= {self.number(0, 3)})); do (({counter}+=1))",
            f"for (({counter}=0; {counter}<{self.number(0, 3)}; {counter}++)); do :",
            f"{counter}=; while true; do {counter}+=x; [ ${{#{counter}}} -gt {self.number(0, 3)} ] && break",
            "while [[ $# -gt 0 ]]; do case $1 in -n) y=$2; shift ;; a*) t+=A ;; esac; shift",
            f"{counter}=0; while (({counter}++ < {self.number(0, 3)})); do :",
        ])  # fmt: skip
        text = joined([head, self._loop_body(), "done"])
        self.in_loop -= 1
        return text

    def _loop_body(self) -> str:
        body = self.block()
        if self.maybe(3):
            leave = self.choose(["break", "continue", "break 2", "continue 2"])
            body = joined([body, f"{self.condition()} && {leave}"])
        return body

    def _function(self) -> str:
        name = f"f{len(self.functions)}"
        self.in_function = True
        outer, self.in_loop = self.in_loop, 0
        head = self.choose(["", "local x=$1; ", "local y; ", "local x y=$2; ", "local -a A=(q); ", "x=$1; ", "shift; ",
                            'local x="$1" y="${2:-d}"; ', "local z=$(false); ", "local n=$1 || true; ", "local -A M=([a]=q); ",
                            "local IFS=,; ", "set -- r s; ", "local q=$x x=loc; y=$q; "])  # fmt: skip
        body = self.block()
        tail = self.choose(["", "return", "return 3", "false", self.condition(), 'echo "$x"', "return $?"])
        self.in_function, self.in_loop = False, outer
        self.functions.append(name)
        shape = self.choose(
            [f"{name}() {{ B }}", f"function {name} {{ B }}", f"{name}() ( B )"]
            if self.maybe(6)
            else [f"{name}() {{ B }}"]
        )
        return shape.replace("B", joined([head + body, *([tail] if tail else []), ""]))

    def script(self) -> str:
        lines = ["declare -A M=()", "A=(a 'b c')", "B=()", f"n={self.number(-1, 3)}; m={self.number(0, 5)}; r=x; t="]
        lines += [f"{name}={quoted(self.value())}" for name in TEXTS if not self.maybe(4)]
        lines += [self.statement() for _ in range(self.number(1, 8))]
        return "\n".join([*lines, "t+=."]) + "\n"


def joined(statements: list[str]) -> str:
    """Statements one after the other: on one line, unless one ends with a here-document."""
    text = ""
    for one in statements:
        text += one if not text else (one if text.endswith("\n") else f"; {one}")
    return text
