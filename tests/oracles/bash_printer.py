"""Print our tree as bash again, so that bash itself can say whether we understood the structure.

Words keep their spelling: literals and quotes are copied from the source, but every expansion,
substitution and command is printed from the tree. ``bash --pretty-print`` of the result must then equal
``bash --pretty-print`` of the original.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from configlint.syntax.bash import nodes as n


def pretty(source: bytes) -> tuple[int, bytes, bytes]:
    """Exit status, output and messages of ``bash --pretty-print`` (which parses and never runs anything)."""
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "--pretty-print", "/dev/stdin"],
        input=source, capture_output=True, env={"LC_ALL": "C.UTF-8"}, timeout=20, check=False,
    )  # fmt: skip
    # bash keeps a blank line for every blank or comment line between commands; what they say is nothing
    lines = [line for line in done.stdout.split(b"\n") if line.strip()]
    return done.returncode, b"\n".join(lines), done.stderr


def print_script(script: n.Script) -> bytes:
    """The script's commands as bash source."""
    return _Printer(script.text.raw.decode("latin-1")).lines(script.body).encode("latin-1")


class _Printer:
    def __init__(self, source: str) -> None:
        self.source = source
        self.bodies: list[str] = []

    # --- commands ------------------------------------------------------------------------------

    def lines(self, body: n.Sequence) -> str:
        """The commands, separated as in the source (bash keeps ``a; b`` apart from two lines)."""
        text = ""
        for position, command in enumerate(body.commands):
            text += self.command(command)
            following = body.commands[position + 1 : position + 2]
            between = self.source[command.end : following[0].start] if following else "\n"
            if "\n" not in between.replace("\\\n", ""):
                text += " " if isinstance(command, n.Background) else "; "
            else:
                text += "\n" + self.flush()
        return text

    def flush(self) -> str:
        bodies, self.bodies = self.bodies, []
        return "".join(bodies)

    def block(self, body: n.Sequence) -> str:
        return "\n" + self.flush() + self.lines(body)

    def command(self, c: n.Command) -> str:
        match c:
            case n.Simple():
                parts = [self.assignment(a) for a in c.assignments] + [self.word(w) for w in c.words]
                return self.join(parts, c.redirects)
            case n.Declaration():
                items = [self.assignment(i) if isinstance(i, n.Assignment) else self.word(i) for i in c.items]
                return self.join([*map(self.assignment, c.assignments), c.keyword, *items], c.redirects)
            case n.Pipeline():
                merges = c.merges_stderr or (False,) * (len(c.commands) - 1)
                text = self.command(c.commands[0])
                for merge, command in zip(merges, c.commands[1:], strict=True):
                    text += (" |& " if merge else " | ") + self.command(command)
                return ("time " if c.timed else "") + ("! " if c.negated else "") + text
            case n.AndOr():
                return f"{self.command(c.left)} {c.operator} {self.command(c.right)}"
            case n.Background():
                return f"{self.command(c.command)} &"
            case n.If():
                text = ""
                for position, clause in enumerate(c.clauses):
                    text += ("elif" if position else "if") + self.block(clause.condition)
                    text += "then" + self.block(clause.body)
                if c.otherwise is not None:
                    text += "else" + self.block(c.otherwise)
                return self.join([text + "fi"], c.redirects)
            case n.While():
                text = ("until" if c.until else "while") + self.block(c.condition) + "do" + self.block(c.body)
                return self.join([text + "done"], c.redirects)
            case n.For():
                head = ("select " if c.select else "for ") + c.name
                if c.words is not None:
                    head += " in " + " ".join(self.word(w) for w in c.words)
                return self.join([head + "\n" + self.flush() + "do" + self.block(c.body) + "done"], c.redirects)
            case n.ArithmeticFor():
                header = ";".join(self.word(p) if p else "" for p in (c.initial, c.condition, c.step))
                return self.join([f"for (({header}))\n{self.flush()}do" + self.block(c.body) + "done"], c.redirects)
            case n.Case():
                text = f"case {self.word(c.subject)} in\n" + self.flush()
                for arm in c.arms:
                    text += "(" + " | ".join(self.word(p) for p in arm.patterns) + ")" + self.block(arm.body)
                    text += arm.terminator + "\n" + self.flush()
                return self.join([text + "esac"], c.redirects)
            case n.Group():
                return self.join(["{" + self.block(c.body) + "}"], c.redirects)
            case n.Subshell():
                return self.join(["(" + self.block(c.body) + ")"], c.redirects)
            case n.Function():
                return self.join([f"{c.name} () {self.command(c.body)}"], c.redirects)
            case n.ArithmeticCommand():
                return self.join([f"(({self.word(c.expression)}))"], c.redirects)
            case n.Conditional():
                return self.join([f"[[ {self.condition(c.expression)} ]]"], c.redirects)
            case n.Opaque():
                return self.source[c.start : c.end]
            case _:
                raise AssertionError(c)

    def join(self, parts: list[str], redirects: tuple[n.Redirect, ...]) -> str:
        return " ".join([*parts, *(self.redirect(r) for r in redirects)])

    def redirect(self, r: n.Redirect) -> str:
        if isinstance(r.target, n.HereDocument):
            body = self.source[r.target.start : r.target.end]
            if body and not body.endswith("\n"):
                body += "\n"
            self.bodies.append(f"{body}{r.target.delimiter}\n")
            return self.source[r.start : r.end]
        fd = r.fd or ""
        if fd and not fd.isdigit():
            fd = "{" + fd + "}"
        return f"{fd}{r.operator} {self.word(r.target)}"

    def assignment(self, a: n.Assignment) -> str:
        index = f"[{self.word(a.index)}]" if a.index else ""
        head = a.name + index + ("+=" if a.append else "=")
        if isinstance(a.value, n.ArrayValue):
            elements = [(f"[{self.word(k)}]=" if k else "") + self.word(v) for k, v in a.value.elements]
            return f"{head}({' '.join(elements)})"
        return head + (self.word(a.value) if a.value else "")

    def condition(self, c: n.Condition) -> str:
        match c:
            case n.UnaryTest():
                bare = c.operator == "-n" and not self.source[c.start : c.operand.start].strip("( \t\n")
                text = self.word(c.operand) if bare else f"{c.operator} {self.word(c.operand)}"
                first = c.operand.start if bare else self.source.rindex(c.operator, c.start, c.operand.start)
            case n.BinaryTest():
                text = f"{self.word(c.left)} {c.operator} {self.word(c.right)}"
                first = c.left.start
            case n.NotTest():
                text = f"! {self.condition(c.operand)}"
                first = self.source.rindex("!", c.start, c.operand.start)
            case n.LogicalTest():
                text = f"{self.condition(c.left)} {c.operator} {self.condition(c.right)}"
                first = c.left.start
            case _:
                raise AssertionError(c)
        for _ in range(self.source.count("(", c.start, first)):
            text = f"( {text} )"
        return text

    # --- words -----------------------------------------------------------------------------------

    def word(self, word: n.Word) -> str:
        """The word as spelled, with everything but literals printed from the tree."""
        text, at = "", word.start
        for part in word.parts:
            text += self.source[at : part.start] + self.part(part)
            at = part.end
        return text + self.source[at : word.end]

    def part(self, p: n.Part) -> str:
        match p:
            case n.Literal() | n.Opaque():
                return self.source[p.start : p.end]
            case n.Parameter():
                return self.parameter(p)
            case n.CommandSubstitution() if p.backtick:
                return self.source[p.start : p.end]
            case n.CommandSubstitution():
                return f"$({self.nested(p.body)})"
            case n.ProcessSubstitution():
                return f"{p.direction}({self.nested(p.body)})"
            case n.Arithmetic():
                old = self.source.startswith("$[", p.start)
                return ("$[{}]" if old else "$(({}))").format(self.word(p.expression))
            case _:
                raise AssertionError(p)

    def nested(self, body: n.Sequence) -> str:
        outer, self.bodies = self.bodies, []
        text = self.lines(body)
        self.bodies = outer
        return "\n" + text

    def parameter(self, p: n.Parameter) -> str:
        if not self.source.startswith("${", p.start):
            return f"${p.name}"
        text = "${" + ("#" if p.length else "!" if p.indirect or p.prefix else "") + p.name
        if p.index is not None:
            text += self.word(p.index) if p.prefix else f"[{self.word(p.index)}]"
        text += p.operator + (self.word(p.argument) if p.argument else "")
        if p.replacement is not None:
            text += (":" if p.operator == ":" else "/") + self.word(p.replacement)
        return text + "}"


def round_trip(path: Path) -> tuple[bytes, bytes]:
    """bash's print of a file and of our print of it (for use by hand)."""
    from configlint.source.text import Text
    from configlint.syntax.bash import parse

    raw = path.read_bytes()
    return pretty(raw)[1], pretty(print_script(parse(Text(path.name, raw))))[1]
