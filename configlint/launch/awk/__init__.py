"""A small subset of awk: enough for the predicates and filters that launchers write.

Pattern-action rules over records of a known text; patterns, comparisons, assignments, ``if``, ``next``,
``exit`` and ``print``. Everything else is refused (:class:`Unsupported`), so the result is either exact or unknown.
"""

from __future__ import annotations

from contextlib import suppress

from configlint.launch.awk.parse import rules_of
from configlint.launch.awk.runtime import Exit, Meter, Next, Result, Rule, Runtime, Unsupported, Value, truth

__all__ = ["Meter", "Result", "Unsupported", "run"]


def run(
    program: str,
    text: str,
    *,
    separator: str | None = None,
    variables: dict[str, str] | None = None,
    meter: Meter | None = None,
) -> Result:
    """Run a program on the records of a text. ``meter`` counts what it takes. Raises :class:`Unsupported`."""
    rules = rules_of(program)
    always = tuple(rule for rule in rules if not rule.when)
    counts_fields = "NF" in program
    counts: dict[str, Value] = {"NR": 0.0, "FNR": 0.0, "NF": 0.0}
    runtime = Runtime(variables={**counts, **(variables or {})}, separator=separator, meter=meter or Meter())
    try:
        _apply(rules, "BEGIN", runtime)
        records = text.removesuffix("\n").split("\n") if text else []
        for number, record in enumerate(records, 1):
            runtime.record = record
            runtime.variables["NR"] = runtime.variables["FNR"] = float(number)
            if counts_fields:
                runtime.variables["NF"] = float(len(runtime.fields()))
            try:
                _apply(always, "", runtime)
            except Next:
                continue
    except Exit:
        if any(rule.when == "END" for rule in rules) and runtime.variables.get("\0end") != 1.0:
            runtime.variables["\0end"] = 1.0
            return _finish(rules, runtime)
        return Result("".join(runtime.output), runtime.status)
    runtime.variables["\0end"] = 1.0
    return _finish(rules, runtime)


def _finish(rules: tuple[Rule, ...], runtime: Runtime) -> Result:
    with suppress(Exit):
        _apply(rules, "END", runtime)
    return Result("".join(runtime.output), runtime.status)


def _apply(rules: tuple[Rule, ...], when: str, runtime: Runtime) -> None:
    runtime.meter.spend(len(rules) + (len(runtime.record) >> 6) * len(rules))
    for rule in rules:
        if rule.when == when and (rule.pattern is None or truth(rule.pattern(runtime))):
            rule.action(runtime)
