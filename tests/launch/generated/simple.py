"""Simple commands."""

from __future__ import annotations

from tests.launch.generated.outputs import Outputs
from tests.launch.generated.words import NUMBERS, quoted

SETTINGS = ["set -e", "set +e", "set -o pipefail", "set -f", "set +f", "true", "false", "IFS=,", "unset IFS", "IFS=:",
            "IFS=$' \\t\\n'", "set -u", "set +u", "shopt -s nullglob", "shopt -u nullglob", "set +o pipefail", "IFS=",
            "set -eo pipefail", "shopt -s extglob", "set -a", "IFS=', '"]  # fmt: skip
STATUSES = ["(false)", "(exit 4)", "false | true", "true | false", "x=$(false)", "! true", "let n=m+1", "let m--",
            "exit 5 | true", "false || true", "x=$(exit 3) || t+=$?", "command false", "builtin true", "eval false",
            "local q 2>/dev/null", "x=a y=$(false)", "export x=$(false)", "! (exit 2)", "true && false", "test", "(( 0 ))",
            "wait", "trap '' INT", "{ false; } || true", "while false; do :; done", "for q in; do :; done",
            "case x in y) ;; esac", "if false; then :; fi", "x=$(false) true",
            "command -v echo >/dev/null", "cd nope 2>/dev/null"]  # fmt: skip
DEFAULTS = [": ${u:=d}", ": ${x:=d}", "echo ${y:=e}", "x=${u+s}", "y=$BASH_REMATCH", "t+=${PIPESTATUS[*]}", "t+=$?",
            "y=${BASH_REMATCH[1]}", "t+=${FUNCNAME[0]-none}", "z=${x:-${y:-q}}", ": \"${z:=$x}\"", "z=${x:+--k $x}", "t+=$#",
            "x=${y:?no} 2>/dev/null", "z=\"${A[*]:-none}\"", "t+=:${OLDPWD+o}", "t+=${#t}", "y=${x}${u-}", "z=${!r}",
            "l=${PWD##*/}", "l=${0##*/}", "l=${BASH_SOURCE[0]##*/}", "l=~", "l=a:~/b", "l=${x@Q}", "l=${!A[*]}"]  # fmt: skip
FILES = ["touch g.t", "rm -f f", "mkdir d", "mkdir -p d/e", "cp f g.t", "mv f h.t", "rm nope", "cd d", "cd d/..", "rm -r d",
         "cp -r d e", "rmdir d", "ln -s f g.t", "touch d/a.t d/b", "cp f d", "cp -rT d e", "mv d e", "rm -rf d/*", "cp *.t d/",
         "echo z > d/f", "cp -n f g.t", "rm -f *.t", "mkdir -p e && cd e", "pushd d >/dev/null", "popd >/dev/null", "cd -",
         "sed -i s/a/Q/ f", "sed -i '/b/d' f", "sed -i '1i\\top' f", "cat > f", "cp d/* e", ": > f", "cp -a d/. e/",
         "truncate -s 0 f", "tee f <<< a >/dev/null", "install -D f d/f", "find d -name '*.t' -delete",
         "find d -type f -exec sed -i s/a/Q/ {} +", "ln -sf f d/l", "mv -f f d/", "[ -f f ] && rm f", "cd .", "cd d/../d"]  # fmt: skip
HEREDOCS = [
    "cat > f <<E\n$x-${y:-d} \\$z `echo q`\n$((n+1)) \"$z\"\nE\n", "cat > f <<'E'\n$x \\a `q`\nE\n", "cat >> f <<-E\n\t$x\n\tb\n\tE\n",
    "x=$(cat <<E\na $y\n\nE\n)", "read -r x y <<E\n$z b c\nE\n", "while read -r q; do t+=[$q]; done <<E\n$x\nb c\nE\n",
    "cat <<E > g.t\n${A[*]}\n$(echo $x)\nE\n", "mapfile -t B <<E\na\n$x\nE\n", "tee f >/dev/null <<E\n\\\\ \\\" \\$x $x\nline\\\njoined\nE\n",
    "{ read -r x; read -r y; } <<E\n1 2\n3\nE\n", "cat > f <<E\n${x:+k: $x}\n${A[@]}\n$1 $# $@\nE\n", "cat >f <<\\E\na\nE\n",
]  # fmt: skip
READS = [
    "read -r x", "read -r x y", "read -r x y z", "read -ra A", "read -r -a B", "read x", "IFS=, read -r x y", "IFS=: read -r x y",
    "IFS=, read -ra A", "IFS= read -r x", "IFS=/ read -r x y z", "read -r _ x", "IFS=', ' read -ra B", "read -r",
    "IFS=. read -r x y _", "IFS=- read -ra A",
]  # fmt: skip
ARRAYS = [
    "A+=(\"$x\")", "B=(\"${A[@]}\")", "A=(\"${A[@]:1}\")", "unset 'A[0]'", "A=($x)", "A=([2]=q [0]=p)", "B=($(echo $x))",
    "M=([a]=1 [b]=\"$x\")", "unset 'M[a]'", "A=()", "A+=([5]=e f)", "B=(*)", "declare -a B", "M+=([k]=v)", "A[n+1]+=x",
    "IFS=, ; B=($x); unset IFS", "for q in \"${!A[@]}\"; do t+=$q; done", "for q in \"${A[@]}\"; do t+=\"<$q>\"; done",
    "A=(\"${A[@]/#/p}\")", "A=(\"$@\")", "set -- \"${A[@]}\"", "set -- $x", "unset A; A=()", "B=([1]=z)", "M[$x$y]=1",
    "declare -A M=([z]=z)", "A=(\"${B[@]-}\")", "x=${A[*]}", "readarray -t A < <(echo \"$x\")", "mapfile -t B < f 2>/dev/null",
    "x=\"${A[*]}\"", "x=${A[@]}", "IFS=, x=\"${A[*]}\"", "A[0]=\"$*\"", "B=(${x//,/ })", "B=(\"${x%%,*}\" \"${x#*,}\")",
]  # fmt: skip
FORMATS = ["%s", "%s,%s", "%03d", "[%s]", "%-3d|", "%s\\n", "%q"]


class Simple(Outputs):
    """Writes simple commands."""

    in_function = False
    in_loop = 0

    def simple(self) -> str:
        kind = self.number(0, 32)
        name = self.name()
        if kind <= 4:
            return f"{name}={self.word(splits=True)}"
        if kind == 5:
            return f"{name}+={self.word()}"
        if kind == 6:
            return self.choose(
                [f"{self.choose(NUMBERS)}=$(( {self.arithmetic(2)} ))", f"n=$(( m + {self.number(0, 3)} ))"]
            )
        if kind == 7:
            return f"{self.choose(['A', 'B'])}{self.choose(['=', '+='])}({self.words()})"
        if kind == 8:
            return f"A[{self.choose(['0', '1', '3', 'n&3', '${#A[@]}'])}]{self.choose(['=', '+='])}{self.word()}"
        if kind == 9:
            return f"M[{self.choose(['a', 'k', '$y', QUOTED_KEY])}]={self.word()}"
        if kind == 10:
            return f"(( {self.arithmetic(2)} ))"
        if kind == 11:
            return f"set -- {self.words()}"
        if kind == 12:
            return self.choose(["shift", "unset x", "unset 'A[1]'", "unset A; A=()", "unset u", "r=x", "r=y", "r='A[1]'",
                                "shift 2", "unset y z", "unset -v x", "r=u", "r='A[@]'", "r=1", "unset -f f0", "r=n"])  # fmt: skip
        if kind == 13:
            return self.choose(SETTINGS)
        if kind == 14:
            arguments = self.choose(["1", "2 3", "$n", '"$n" 4'])
            return f"printf -v {name} '{self.choose(FORMATS)}' {arguments}"
        if kind <= 16:
            return f"{self.choose(READS)} <<< {self.word()}"
        if kind == 17:
            head = self.choose(["export", "declare", "readonly -p >/dev/null;", "typeset", "declare -x", "declare -g"])
            return f"{head} {name}={self.word()}"
        if kind == 18:
            return f"{self.choose(FILES)} 2>/dev/null"
        if kind == 19 and self.functions:
            return (
                f"{self.choose(['', '', 'x=pre ', 'y=$x ', 'x=1 z=$x '])}{self.choose(self.functions)} {self.words()}"
            )
        if kind == 20:
            return self.choose(STATUSES)
        if kind == 21:
            return self.choose(DEFAULTS)
        if kind == 22 and self.in_loop:
            return self.choose(["break", "continue", "break 2", "continue 2"])
        if kind == 23 and self.in_function:
            return self.choose(["return", "return 1", "return $n"])
        if kind == 24 and self.maybe(6):
            return self.choose(["exit", "exit 3", "return 4", "break", "false"])
        if kind == 25:
            return f"{self.output()} {self.choose(['>', '>', '>>', '&>', '2>&1 >', '>|'])} {self.choose(['f', 'f', 'g.t', 'd/f'])}"
        if kind == 26:
            return f"mapfile -t {self.choose(['A', 'B'])} <<< {self.word()}"
        if kind == 27:
            return self.choose(ARRAYS)
        if kind == 28:
            return self.choose(HEREDOCS)
        if kind == 29:
            return self.sourced()
        if kind == 30:
            return f"l=$({self.output()})"
        return f"{name}={quoted(self.value())}"

    def sourced(self) -> str:
        """A script that is written and then sourced, or started."""
        body = self.choose(["x=src$1", "t+=\"$#\"; return 3; t+=never", "y=$1; set -- s; z=$1", "f9() { x=f9$1; }; f9 q", "exit 4",
                            "t+=${BASH_SOURCE[0]##*/}", "shift; x=$1", "false", "export x=child", "local q=1; x=$q", "cd d",
                            "x=${x:-u}; t+=$x"])  # fmt: skip
        start = self.choose(["source ./s.sh", ". ./s.sh", "bash s.sh", "bash ./s.sh", "source s.sh", ". ./nope.sh", "x=v . ./s.sh",
                             "export x; bash s.sh"])  # fmt: skip
        return f"echo {quoted(body)} > s.sh; {start} {self.words(2)} 2>/dev/null"


QUOTED_KEY = '"k 2"'
