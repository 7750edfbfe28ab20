"""Tests, and commands that print."""

from __future__ import annotations

from tests.launch.generated.words import NUMBERS, Words

CONDITIONS = [
    "[[ -v x ]]", "[[ -v u ]]", "[[ -n $x && -z $y ]]", "[[ -z $x || $y == a* ]]", "[ -f f ]", "[ -d d ]",
    '[ -n "$x" -a -n "$y" ]', '[ -z "$x" -o "$y" = a ]', "[[ ! -n $x ]]", "[[ $x < $y ]]", "[ $# -gt 1 ]",
    "[ -e g.t ]", "[ $x = a ]", "[ -n $x ]", "[ ! -f f ]", "[[ n -gt m ]]", "[ -s f ]", "[[ ${1:-} == -* ]]",
    '[[ "$x" == *"$y"* ]]', "[[ ($x == a* || -n $y) && $z != b ]]", "[[ -n ${A[*]} ]]", '[[ " ${A[*]} " == *" a "* ]]',
    "[[ -v A[1] ]]", "[[ -v M[a] ]]", "[ $x ]", "[ ! $x ]", '[ "$x" ]', "[ ]", "test -z $u", "[[ -f f && -s f ]]",
    "[[ $x ]]", "[[ $n -eq 0${m} ]]", "[[ $n == [0-3] ]]", "[[ $x =~ ^([a-z]+)[.-](.*)$ ]]", "grep -q a f 2>/dev/null",
    "grep -qx a <<< \"$x\"", 'echo "$x" | grep -q b', "[ f -ef g.t ]", "[[ $x != *.gz ]]", "[[ ! ( $x == a && $y ) ]]",
    "[ \"$x\" '<' b ]", "[ ! -n \"$x\" -o 1 -eq 1 ]", "[ \\( a = a \\) ]", "[[ -d d/e ]]", "[[ a == \"$x\"* ]]",
]  # fmt: skip
FILTERS = [
    "cat", "tr a b", "tr a-z A-Z", "cut -d. -f1", "cut -c1-2", "head -1", "tail -n1", "wc -l", "wc -w", "sed s/a/X/",
    "sed -n 1p", "tr -d ab", "grep a", "grep -v a", "grep -c a", "uniq", "sed 's/[ab]\\+/<&>/g'",
    "sed -E 's/(a|b)+/[\\1]/'", "awk '{print $1}'", "awk '{print $NF}'", "awk -F. '{print $2}'", "tr -s ' '", "cut -d, -f2",
    "awk 'NR==1'", "tail -n +2", "head -c 3", "sort -n", "tr , '\\n'", "tr -c 'a-z\\n' _", "grep -o '[ab]'",
    "cut -d: -f2-", "sed -e '/^$/d' -e 's/^/- /'", "grep -E '^(a|b)'", "awk -F, '{print NF}'", "sed 's|/|_|g'", "xargs",
    "awk 'END{print NR}'", "awk '{s+=$1} END {print s}'", "awk '/a/{print \"y\"}'", "head -n -1",
    "awk -F'[.:]' '{print $1}'", "awk '{$1=$1};1'", "tr '[:lower:]' '[:upper:]'", "wc -c", "tee f", "uniq -c",
    "while read -r q; do echo \"<$q>\"; done", "{ read -r q; echo \"$q\"; cat; }", "sed '$!d'", "awk -v v=2 '{print v, $0}'",
]  # fmt: skip
FORMATS = ["%s", "%s\\n", "%s-%s|", "<%5s>", "%d", "%03d", "%b", "%x", "a\\tb", "%%", "%.2s", "%-4s|", "%q ", "%5.1s|", "%i",
           "%s=%d ", "\\x41%s", "%c", "%o", "%X", "%+d", "% d", "%*s", "%u", "%s\\0", "%.1f"]  # fmt: skip
READERS = ["cat f", "cat f g.t", "cat nope", "echo *.t", "cat < f", "pwd | wc -l", "echo $(<f)", "cat - < f", "wc -l < f",
           "echo d/*", "basename \"$PWD\"", "head -n1 f", "tail -1 f", "ls", "test -f f && echo F",
           "cat <<< \"$x$y\"", "echo ${PWD##*/}", "sed -n 2p f", "grep -h a f g.t", "find . -name '*.t'", "uniq f"]  # fmt: skip


class Outputs(Words):
    """Writes tests and commands that print."""

    functions: list[str]

    def condition(self) -> str:
        self.depth += 1
        try:
            return self._condition(self.number(0, 10))
        finally:
            self.depth -= 1

    def _condition(self, kind: int) -> str:
        if kind == 0:
            return self.choose(["true", "false", ":", "! true", "! false"])
        if kind <= 2:
            left, right = f'"{self.inner()}"', self.word()
            operator = self.choose(["=", "!=", "=="])
            return f"[ {left} {operator} {right} ]"
        if kind == 3:
            return f'[ {self.choose(["-n", "-z"])} "{self.inner()}" ]'
        if kind == 4:
            operator = self.choose("-eq -ne -lt -le -gt -ge".split())
            return f'[ "${self.choose(NUMBERS)}" {operator} {self.number(-2, 5)} ]'
        if kind == 5:
            return f"[[ {self.word()} {self.choose(['==', '!=', '='])} {self.pattern() or 'a'} ]]"
        if kind == 6:
            return f"(( {self.arithmetic(2)} ))"
        if kind == 7:
            regex = self.choose(["^a", "b$", "a.c", "[0-9]+", "^(a|b)+$", "\\.", '"."', "$x", '"$x"', "^$", "^[^.]*\\.t",
                                 "(a)(b)?", "^.{2}$", "[[:space:]]", "^$y", "a|b$"])  # fmt: skip
            return f"[[ {self.word()} =~ {regex} ]]"
        if kind <= 9:
            return self.choose(CONDITIONS)
        left, right = self.condition() if self.depth < 3 else "true", self.choose(["true", "false", "[ 1 = 1 ]"])
        return f"{left} {self.choose(['&&', '||'])} {right}"

    def output(self) -> str:
        kind = self.number(0, 11)
        if kind <= 2:
            return f"{self.choose(['echo', 'echo', 'echo -n', 'echo -e', 'echo -E', 'echo -ne'])} {self.words(2)}"
        if kind == 3:
            shape = self.choose(FORMATS)
            numeric = any(one in shape for one in ("d", "x", "i", "o", "X", "u", "*", "f"))
            arguments = self.choose(["12", "7 8", '"$n"', "-5", "0x1f 010"]) if numeric else self.words(2)
            return f"printf '{shape}' {arguments}"
        if kind <= 5:
            text = self.choose(["echo", "echo", "printf '%s\\n'", "printf %s"]) + " " + self.word(splits=True)
            more = f" | {self.choose(FILTERS)}" if self.maybe(4) else ""
            return f"{text} | {self.choose(FILTERS)}{more}"
        if kind == 6:
            return self.choose([f"basename -- /a{self.word()}", f"dirname -- /a{self.word()}", "basename p/x.yaml .yaml",
                                'basename "/q$x" .c', 'dirname "p/$x"', 'dirname -- "$x"'])  # fmt: skip
        if kind == 7:
            return self.choose([f"seq {self.number(0, 3)}", "seq 2 -1 0", "seq -s, 3", "seq 1 2 6", "seq $n"])
        if kind == 8:
            return f"{self.choose(READERS)} 2>/dev/null"
        if kind == 9 and self.functions:
            return f"{self.choose(self.functions)} {self.words(2)}"
        if kind == 10:
            return self.choose(["[[ $x == a* ]] && printf 1 || printf 0", "for q in $x; do echo -n \"$q,\"; done",
                                "for q in \"${A[@]}\"; do printf '%s;' \"$q\"; done", "case $x in a*) echo A;; *) echo o;; esac",
                                "if [ -n \"$y\" ]; then echo \"$y\"; fi", "IFS=,; echo \"${A[*]}\"", "echo $((n+1)) $?",
                                "cd d 2>/dev/null && echo in", "echo a; exit 2", "(( n > 1 )) && echo big", "eval echo '$x'",
                                "set -- $x; echo $#", "local q=1 2>/dev/null; echo ok"])  # fmt: skip
        tail = self.choose(["true", "false", "exit 3", "echo -n z"])
        return f'{self.choose(["x", "y"])}={self.word()}; echo "$x$y"; {tail}'
