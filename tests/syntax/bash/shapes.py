"""The tree in short, for expectations: ``cmd a 'b c' $x`` instead of twenty lines of nodes.

Quoted literals stand in ``'..'``, quoted expansions in ``"..."``, parts of a word side by side.
"""

from __future__ import annotations

from configlint.syntax.bash import nodes as n
from configlint.syntax.bash import parse_string


def shape(source: str) -> str:
    """The shape of a script without faults; commands separated by ``; ``."""
    script = parse_string(source)
    assert script.faults == (), script.faults
    return sequence(script.body)


def word_of(source: str) -> str:
    """The shape of the word ``source``."""
    script = parse_string(f"x {source}")
    assert script.faults == (), script.faults
    (command,) = script.body.commands
    assert isinstance(command, n.Simple)
    assert len(command.words) == 2, command.words
    return word(command.words[1])


def sequence(body: n.Sequence) -> str:
    return "; ".join(command(c) for c in body.commands)


def word(w: n.Word) -> str:
    return "".join(part(p) for p in w.parts) or "<empty>"


def part(p: n.Part) -> str:
    match p:
        case n.Literal():
            return f"'{p.text}'" if p.quoted else p.text
        case n.Parameter():
            text = parameter(p)
        case n.CommandSubstitution():
            text = ("`{}`" if p.backtick else "$({})").format(sequence(p.body))
        case n.Arithmetic():
            text = f"$(({raw(p.expression)}))"
        case n.ProcessSubstitution():
            return f"{p.direction}({sequence(p.body)})"
        case _:
            return f"<{p.kind}: {p.text}>"
    return f'"{text}"' if p.quoted else text


def raw(w: n.Word) -> str:
    """An arithmetic expression: its literals are plain text whatever their flag."""
    return "".join(p.text if isinstance(p, n.Literal) else part(p).strip('"') for p in w.parts)


def parameter(p: n.Parameter) -> str:
    text = ("#" if p.length else "!" if p.indirect else "!!" if p.prefix else "") + p.name
    if p.index is not None:
        text += f"[{word(p.index)}]"
    if p.operator:
        text += f" {p.operator} {word(p.argument) if p.argument else '<none>'}"
    if p.replacement is not None:
        text += f" // {word(p.replacement)}"
    return f"${text}" if text == p.name else "${" + text + "}"


def assignment(a: n.Assignment) -> str:
    index = f"[{word(a.index)}]" if a.index else ""
    sign = "+=" if a.append else "="
    if isinstance(a.value, n.ArrayValue):
        elements = [(f"[{word(k)}]=" if k else "") + word(v) for k, v in a.value.elements]
        return f"{a.name}{index}{sign}({' '.join(elements)})"
    return f"{a.name}{index}{sign}{word(a.value) if a.value else '<none>'}"


def redirects(found: tuple[n.Redirect, ...]) -> str:
    text = ""
    for r in found:
        if isinstance(r.target, n.HereDocument):
            mark = "expands" if r.target.expands else "verbatim"
            text += f" {r.fd or ''}{r.operator}{r.target.delimiter}({mark} {word(r.target.body)})"
        else:
            text += f" {r.fd or ''}{r.operator}{word(r.target)}"
    return text


def command(c: n.Command) -> str:
    match c:
        case n.Simple():
            texts = [assignment(a) for a in c.assignments] + [word(w) for w in c.words]
            return (" ".join(texts) + redirects(c.redirects)).strip()
        case n.Declaration():
            items = [assignment(i) if isinstance(i, n.Assignment) else word(i) for i in c.items]
            texts = [*map(assignment, c.assignments), f"@{c.keyword}", *items]
            return " ".join(texts) + redirects(c.redirects)
        case n.Pipeline():
            merges = c.merges_stderr or (False,) * (len(c.commands) - 1)
            text = command(c.commands[0])
            for merge, right in zip(merges, c.commands[1:], strict=True):
                text += (" |& " if merge else " | ") + command(right)
            return ("time " if c.timed else "") + ("! " if c.negated else "") + f"[{text}]"
        case n.AndOr():
            return f"({command(c.left)} {c.operator} {command(c.right)})"
        case n.Background():
            return f"{command(c.command)} &"
        case n.If():
            clauses = [f"if {sequence(x.condition)} then {sequence(x.body)}" for x in c.clauses]
            otherwise = f" else {sequence(c.otherwise)}" if c.otherwise is not None else ""
            return "<" + " el".join(clauses) + otherwise + ">" + redirects(c.redirects)
        case n.While():
            keyword = "until" if c.until else "while"
            return f"<{keyword} {sequence(c.condition)} do {sequence(c.body)}>" + redirects(c.redirects)
        case n.For():
            keyword = "select" if c.select else "for"
            words = " @" if c.words is None else "".join(" " + word(w) for w in c.words)
            return f"<{keyword} {c.name} in{words} do {sequence(c.body)}>" + redirects(c.redirects)
        case n.ArithmeticFor():
            parts = ";".join(raw(p) if p else "" for p in (c.initial, c.condition, c.step))
            return f"<for (({parts})) do {sequence(c.body)}>" + redirects(c.redirects)
        case n.Case():
            arms = [
                f"{'|'.join(word(p) for p in arm.patterns)}) {sequence(arm.body)} {arm.terminator}" for arm in c.arms
            ]
            return f"<case {word(c.subject)} in {' '.join(arms)}>" + redirects(c.redirects)
        case n.Group():
            return "{" + sequence(c.body) + "}" + redirects(c.redirects)
        case n.Subshell():
            return f"({sequence(c.body)})" + redirects(c.redirects)
        case n.Function():
            return f"{c.name}(){command(c.body)}" + redirects(c.redirects)
        case n.ArithmeticCommand():
            return f"(({raw(c.expression)}))" + redirects(c.redirects)
        case n.Conditional():
            return f"[[ {condition(c.expression)} ]]" + redirects(c.redirects)
        case n.Sequence():
            return sequence(c)
        case _:
            return f"<{c.kind}: {c.text}>"


def condition(c: n.Condition) -> str:
    match c:
        case n.UnaryTest():
            return f"{c.operator} {word(c.operand)}"
        case n.BinaryTest():
            return f"{word(c.left)} {c.operator} {word(c.right)}"
        case n.NotTest():
            return f"!({condition(c.operand)})"
        case n.LogicalTest():
            return f"({condition(c.left)} {c.operator} {condition(c.right)})"
        case _:
            return f"<{c.kind}: {c.text}>"
