"""Words: values, patterns, expansions, arithmetic."""

from __future__ import annotations

from tests.launch.generated.draws import Randomly

TEXTS = ("x", "y", "z")
NUMBERS = ("n", "m")
SCALARS = (*TEXTS, *NUMBERS, "r", "t", "l")
ARRAYS = ("A", "B", "M")  # M is associative
PLAIN = ["a", "b", "ab", "abc", "a.b.c", "/p/q.r", "x.tar.gz", "12", "0", "-3", "007", "k=v", "a-b_c", "A", "aXb",
         "p/q", "c-1k8_tp8", "/w/d/f.yaml:sel[1]"]  # fmt: skip
ODD = ["", " ", "a b", " a  b ", "*", "a*", "?", "[ab]", "a,b,c", ":", "a:b", "-n", "-e", "\\", "a\\b", "a\nb", "$x", '"', "'",
       "#a", "~", "{a,b}", "!", "=", "(", "ä", "&", ";", "%s", "-", "x y z", "a\tb", "b\n\n", "\\n", "a b\nc d\n", ",a,,b,"]  # fmt: skip
PIECES = ["a", "b", "*", "?", "[ab]", "[!a]", "[a-c]", ".", "/", "\\*", "'*'", '"?"', "c", "[[:digit:]]", "1", "X",
          "[^a-z0-9]", "[[:space:]]", "_", ":", "[[:alnum:]_-]", "\\?"]  # fmt: skip
LISTS = [
    "${A[@]}", "${A[*]}", "${#A[@]}", "${!A[@]}", "${A[@]:1}", "${A[@]:0:2}", "${A[@]: -1}", "${B[*]}",
    "${#M[@]}", "${A[@]%b}", "${A[*]/a/c}", "${A[@]^^}", "${A[@]+${B[@]}}", "${B[@]:-none}", "${A[*]:n:1}", "${A[@]#?}",
    "${B[@]+x}", "${!B[@]}", "${A[@]//[ab]/-}", "${A[*]##*b}",
]  # fmt: skip
ELEMENTS = ["${A[0]}", "${A[1]}", "${A[-1]}", "$A", "${A[n]}", "${M[a]}", "${M[$x]}", "${#A[1]}", "${A[$n]:-e}",
            "${A[n]#a}", "${M[k]-none}", "${A[${#B[@]}]}", "${M['k 2']}", "${A[0]:1}"]  # fmt: skip
POSITIONAL = ["$1", "$2", "$#", "$@", "$*", "${1}", "${@:2}", "${*:1:1}", "${@: -1}", "${#@}", "${2:-two}", "${1%%.*}",
              "${@:1:$#-1}", "${!#}", "${@#a}", "${1+$1}", "${#1}", "${*%b}"]  # fmt: skip
SPECIAL = ["$n", "$((n+1))", "$((n*m))", "$?", "${!r}", "${!r-none}", "${n}", "${!r:-d}", "${!r:0:1}"]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


class Words(Randomly):
    """Writes words. ``depth`` counts what the word stands in."""

    depth = 0

    def output(self) -> str:
        """A command that prints."""
        raise NotImplementedError

    def value(self) -> str:
        return self.choose(PLAIN) if self.maybe(2) else self.choose(ODD)

    def name(self) -> str:
        return self.choose(TEXTS)

    def pattern(self) -> str:
        if self.maybe(6):
            return self.choose([f"${self.name()}", f'"${self.name()}"', f"*${self.name()}*", f'*"${self.name()}"'])
        return "".join(self.choose(PIECES) for _ in range(self.number(0, 3)))

    def expansion(self, quotes: bool) -> str:
        """``$...`` in some form."""
        self.depth += 1
        try:
            return self._expansion(self.number(0, 17 if self.depth < 3 else 11), self.name(), quotes)
        finally:
            self.depth -= 1

    def _expansion(self, kind: int, name: str, quotes: bool) -> str:
        if kind <= 2:
            return self.choose([f"${name}", f"${{{name}}}", f"${{#{name}}}"])
        if kind == 3:
            return f"${{{name}{self.choose(['#', '##', '%', '%%'])}{self.pattern()}}}"
        if kind == 4:
            by = self.choose(["", "Z", '"$y"', "'a b'", "$n", "_", "\\/", "${x}"])
            return f"${{{name}{self.choose(['/', '//', '/#', '/%'])}{self.pattern().replace('/', '_')}/{by}}}"
        if kind == 5:
            offset = self.choose(["0", "1", " -1", " -2", "2", "9", "n", "n-1", "${#y}", "(-1)"])
            length = self.choose(["", ":1", ":0", ":2", ":9", ": -1", ":n"])
            return f"${{{name}:{offset}{length}}}"
        if kind == 6:
            return f"${{{name}{self.choose(['^^', ',,', '^', ',', '^^[ab]', '@U', '@L', '@u'])}}}"
        if kind == 7:
            return self.choose(POSITIONAL)
        if kind == 8:
            return self.choose(ELEMENTS)
        if kind == 9:
            return self.choose(LISTS)
        if kind == 10:
            return self.choose(SPECIAL)
        if kind == 11:
            return f"$(( {self.arithmetic(2)} ))"
        if kind <= 14:
            return self._default(name, quotes)
        return f"$({self.output()})"

    def _default(self, name: str, quotes: bool) -> str:
        operator = self.choose([":-", "-", ":+", "+", ":=", "=", ":?", "?"])
        target = self.choose([name, name, "u", "1", "A[1]", "A[@]", "@", "*", "B[*]", "M[a]"])
        if (operator in (":=", "=") and not target.isalpha()) or ("?" in operator and not self.maybe(8)):
            operator = ":-"
        word = self.inner() if quotes else self.word(splits=True)
        return f"${{{target}{operator}{word}}}"

    def inner(self) -> str:
        """Text inside double quotes."""
        out = []
        for _ in range(self.number(0, 3)):
            if self.maybe(2):
                out.append(self.expansion(True))
            else:
                out.append(self.choose(["a", " ", "b c", "'", "*", "\\$", '\\"', "\\\\", "/", "~", "-", "1", "{a,b}", "\\`"]))  # fmt: skip
        return "".join(out)

    def word(self, splits: bool = False) -> str:
        parts = []
        for _ in range(self.number(1, 2)):
            kind = self.number(0, 6)
            if kind <= 1:
                parts.append(
                    self.choose(["a", "b.c", "p/q", "12", "x-y", "_", "A", "--k=", "$'a\\tb'", "a\\ b", "\\*"])
                )
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
            found.append(self.choose(["{a,b}c", "{1..3}", "x{,y}", "{b..d}", "{01..03}", "*", "?.t", "[f]*", "d/*",
                                      "{a,$x}", "*.{t,u}", '"${A[@]}"', '"$@"', '{"$x",b}', "d/"]))  # fmt: skip
        return " ".join(found)

    def arithmetic(self, depth: int) -> str:
        kind = self.number(0, 11 if depth else 3)
        if kind <= 1:
            return str(self.number(-3, 12))
        if kind == 2:
            return self.choose(NUMBERS)
        if kind == 3:
            return self.choose(["${#x}", "$n", "A[0]", "0x1F", "010", "u", "(n)", "-m", "!n", "~m", "${#A[@]}", "${u:-2}",
                                "2#101", "$#", "A[n]", "+n"])  # fmt: skip
        a, b = self.arithmetic(depth - 1), self.arithmetic(depth - 1)
        if kind <= 6:
            operator = self.choose("+ - * & | ^ < <= > >= == != && ||".split())
            return f"{a} {operator} {b}"
        if kind == 7:
            return f"{a} {self.choose(['/', '%'])} {self.choose(['1', '2', '3', '-4'])}"
        if kind == 8:
            return f"{self.choose(NUMBERS)}{self.choose(['=', '+=', '-=', '*=', '|=', '<<=', '%=3+'])}{a}"
        if kind == 9:
            return self.choose(["n++", "++m", "m--", "--n", "A[0]++", "A[n&1]=m", "n--+m"])
        if kind == 10:
            return f"({a}) ? ({b}) : {self.choose(NUMBERS)}"
        return self.choose(
            [f"({a}) * ({b})", f"2 ** {self.number(0, 5)}", f"({a}) << {self.number(0, 5)}", f"({a}), ({b})"]
        )
