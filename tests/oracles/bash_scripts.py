"""Random bash scripts: correct, with every construct we model, and odd in their layout."""

from __future__ import annotations

from random import Random

_PLAIN = [
    "a",
    "b1",
    "-n",
    "--flag=x",
    "./p/q",
    "x,y",
    "*.c",
    "[!a]?",
    "{a,b}",
    "~/d",
    "a#b",
    "@x",
    "%s",
    "a=b",
    "if",
    "done",
]
_QUOTED = [
    "'s q'",
    "''",
    '"d q"',
    '""',
    "'it'\\''s'",
    "\\$",
    "\\ ",
    "'\"'",
    '"\'"',
    "$'t\\tn'",
    '"a\\"b"',
    "'$x `y`'",
    '"#"',
]
_NAMES = ["x", "y", "long_name", "X1"]
_OPERATORS = [":-", "-", ":=", "=", ":?", "?", ":+", "+"]
_PATTERNS = ["*", "*/", ".c", "[a-z]*", "?", "'*'", '"q"', "\\}", "\\*", "a\\/b", "$y"]
_LINES = [
    "text $x\n",
    "\n",
    "  'q' \"d\"\n",
    '${y:-"z w"} $(cmd "q")\n',
    "\\$no\n",
    "# no comment\n",
    "`c`\n",
    "\ttab\n",
]


class ScriptWriter:
    """Writes one script; the choices come from ``rng``."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.bodies: list[str] = []
        self.documents = 0

    def script(self) -> str:
        text = self.pick(["", "#!/bin/bash\n", "# c 'unclosed\n\n"])
        for _ in range(self.rng.randint(1, 4)):
            text += self.command(3) + self.end()
        return text

    def pick(self, options: list[str]) -> str:
        return options[self.rng.randrange(len(options))]

    def newline(self) -> str:
        """A line's end with what must follow it."""
        bodies, self.bodies = self.bodies, []
        return "\n" + "".join(bodies)

    def end(self) -> str:
        """What may end a command in a list."""
        choice = self.rng.randrange(8)
        if choice == 0:
            return "; "
        if choice == 1:
            return " &" + self.newline()
        if choice == 2:
            return " # c \"'" + self.newline()
        return self.newline()

    def list(self, depth: int) -> str:
        """Commands, the last one ended, as between ``then`` and ``fi``."""
        lead = self.newline() if self.rng.randrange(3) else " "
        return lead + "".join("  " + self.command(depth - 1) + self.end() for _ in range(self.rng.randint(1, 2)))

    # --- commands ------------------------------------------------------------------------------

    def command(self, depth: int) -> str:
        choice = self.rng.randrange(12) if depth > 0 else 0
        if choice == 1:
            joint = self.pick([" && ", " || ", "&&", " &&\n  ", " || # c\n\n"])
            left = self.pipeline(depth - 1)
            if "\n" in joint and self.bodies:
                joint = " && "
            return left + joint + self.pipeline(depth - 1)
        if choice == 2:
            return self.pipeline(depth)
        if choice in (3, 4, 5, 6):
            return self.compound(depth) + self.redirects(2)
        if choice == 7:
            name = self.pick(["f", "g_1", "do-it"])
            return self.pick([f"{name}() ", f"{name} ( ) ", f"function {name} "]) + self.group(depth)
        return self.simple(depth)

    def pipeline(self, depth: int) -> str:
        parts = [self.compound(depth) if self.rng.randrange(4) == 0 and depth > 0 else self.simple(depth)]
        parts += [self.pick([" | ", "|", " |& "]) + self.simple(depth) for _ in range(self.rng.randrange(3))]
        return ("! " if self.rng.randrange(6) == 0 else "") + "".join(parts)

    def compound(self, depth: int) -> str:
        match self.rng.randrange(9):
            case 0:
                text = "if " + self.command(depth - 1) + self.term() + "then" + self.list(depth)
                for _ in range(self.rng.randrange(2)):
                    text += "elif " + self.command(depth - 1) + self.term() + "then" + self.list(depth)
                if self.rng.randrange(2):
                    text += "else" + self.list(depth)
                return text + "fi"
            case 1:
                keyword = self.pick(["while ", "until "])
                return keyword + self.command(depth - 1) + self.term() + "do" + self.list(depth) + "done"
            case 2:
                words = "".join(" " + self.word(depth - 1) for _ in range(self.rng.randint(1, 3)))
                return f"for {self.pick(_NAMES)} in{words}" + self.term() + "do" + self.list(depth) + "done"
            case 3:
                return f"for {self.pick(_NAMES)}" + self.term() + "do" + self.list(depth) + "done"
            case 4:
                return "for ((i=0; i<$x; i++)); do" + self.list(depth) + "done"
            case 5:
                text = f"case {self.word(depth - 1)} in" + self.newline()
                for _ in range(self.rng.randint(1, 3)):
                    patterns = "|".join(self.word(0) for _ in range(self.rng.randint(1, 2)))
                    text += self.pick(["", "("]) + patterns + ")" + self.list(depth)
                    text += self.pick([";;", ";&", ";;&"]) + self.newline()
                return text + "esac"
            case 6:
                inner = self.command(depth - 1)
                lead = "( " if inner.startswith("(") else "("  # bash forgets line ends behind ((
                return lead + inner + self.term() + self.command(depth - 1) + self.flushed() + ")"
            case 7:
                return f"[[ {self.condition(2)} ]]"
            case _:
                return self.group(depth)

    def flushed(self) -> str:
        return self.newline() if self.bodies else ""

    def group(self, depth: int) -> str:
        return "{" + self.list(depth) + "}"

    def term(self) -> str:
        return "; " if self.rng.randrange(2) else self.newline()

    def condition(self, depth: int) -> str:
        choice = self.rng.randrange(9) if depth else self.rng.randrange(5)
        match choice:
            case 0:
                return self.pick(["-f ", "-z ", "-n ", "-d "]) + self.word(0)
            case 1:
                return self.word(0) + self.pick([" == ", " != ", " = "]) + self.pick(["a*", '"a*"b', "$x*", "?(a|b)c"])
            case 2:
                return f"${self.pick(_NAMES)} " + self.pick(["=~ ^a(b|c)+$", "=~ [0-9]+\\.x", '=~ "q"$y'])
            case 3:
                return f"$x {self.pick(['-lt', '-eq', '-ge'])} {self.rng.randint(0, 9)}"
            case 4:
                return self.pick(['"$x"', "$x", "-v x", "a -ef b", "a < b"])
            case 5:
                return "! " + self.condition(0)
            case 6:
                return f"( {self.condition(depth - 1)} )"
            case _:
                return self.condition(depth - 1) + self.pick([" && ", " || "]) + self.condition(depth - 1)

    def simple(self, depth: int) -> str:
        texts = [self.assignment(depth) for _ in range(max(0, self.rng.randint(-3, 2)))]
        choice = self.rng.randrange(7)
        if choice == 0:
            texts.append(self.pick(["export", "local", "declare -a", "readonly"]))
            texts.extend(self.assignment(depth) for _ in range(self.rng.randint(1, 2)))
        elif choice or not texts:
            texts.append(self.pick(["echo", "cmd", ":", "test", "[", "./run.sh"]))
            texts.extend(self.word(depth) for _ in range(self.rng.randrange(4)))
        joint = " \\\n  " if self.rng.randrange(6) == 0 else " "
        return joint.join(texts) + self.redirects(depth)

    def assignment(self, depth: int) -> str:
        name = self.pick(_NAMES)
        match self.rng.randrange(6):
            case 0:
                elements = [self.word(depth - 1) for _ in range(self.rng.randrange(3))]
                return (
                    f"{name}=(" + self.pick([" ", " "] if self.bodies else [" ", "\n", " # c\n "]).join(elements) + ")"
                )
            case 1:
                return f"{name}+={self.word(depth - 1)}"
            case 2:
                return f"{name}="
            case _:
                return f"{name}={self.word(depth - 1)}"

    def redirects(self, depth: int) -> str:
        if self.rng.randrange(4):
            return ""
        match self.rng.randrange(5):
            case 0:
                return self.pick([" > out", " 2>&1", " >> log 2>&1", " < in", " &> all", " 2> /dev/null"])
            case 1:
                return f" <<< {self.word(min(depth, 1))}"
            case 2 | 3:
                return self.document()
            case _:
                return " > $x"

    def document(self) -> str:
        self.documents += 1
        mark = f"E{self.documents}"
        expands = self.rng.randrange(2) == 0
        body = "".join(self.pick(_LINES) for _ in range(self.rng.randrange(3)))
        if not expands:
            body += "it's $((\n"
        self.bodies.append(f"{body}{mark}\n")
        return f" << {mark}" if expands else self.pick([f" <<'{mark}'", f" <<\\{mark}", f' <<"{mark}"'])

    # --- words -----------------------------------------------------------------------------------

    def word(self, depth: int) -> str:
        return "".join(self.piece(depth) for _ in range(self.rng.choice([1, 1, 1, 2, 3]))).lstrip("#") or "w"

    def piece(self, depth: int) -> str:
        choice = self.rng.randrange(12)
        if choice < 4:
            return self.pick(_PLAIN)
        if choice < 6:
            return self.pick(_QUOTED)
        if choice == 6:
            return self.pick(
                ["$x", '"$x"', "${x}", '"a $x b"', "$1", '"$@"', "$?", "${#x}", "${!x}", '"${a[@]}"', "${a[1]}"]
            )
        if choice == 7 and depth > 0:
            return self.substitution(depth)
        if choice == 8:
            return self.pick(["$((1 + x))", "$((x << 2))", "$(( (a) * b ))", '"$((a[1]))"'])
        expansion = self.expansion(depth)
        return f'"{expansion}"' if choice == 9 else expansion

    def expansion(self, depth: int) -> str:
        name = self.pick(_NAMES)
        match self.rng.randrange(5):
            case 0 | 1:
                argument = (
                    self.pick(["", "d", "a b", '"q w"', "$y", "${z}"]) if depth <= 0 else self.pick(["w", '"$(c "d")"'])
                )
                return "${" + name + self.pick(_OPERATORS) + argument + "}"
            case 2:
                return "${" + name + self.pick(["#", "##", "%", "%%"]) + self.pick(_PATTERNS) + "}"
            case 3:
                return (
                    "${"
                    + name
                    + self.pick(["/", "//", "/#", "/%"])
                    + self.pick(["a", "'/'", "\\/", "[x]"])
                    + self.pick(["", "/b", "/$y"])
                    + "}"
                )
            case _:
                return "${" + name + self.pick([":1", ": -3", ":0:2", ":$x:1", "^^", ",", "@Q"]) + "}"

    def substitution(self, depth: int) -> str:
        outer, self.bodies = self.bodies, []
        inner = self.command(depth - 1)
        closing = self.newline() if self.bodies or self.rng.randrange(3) == 0 else ""
        self.bodies = outer
        lead = " " if inner.startswith("(") else ""
        text = f"$({lead}{inner}{closing})"
        return f'"{text}"' if self.rng.randrange(2) else text
