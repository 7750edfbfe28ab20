"""An ``elif`` or ``case`` arm that an earlier one always takes.

A branch below a condition that is the same or weaker is dead: whoever added it for a model or a framework gets the
settings, the pin and the recipes of the branch above. Branches that today's entries merely do not use are not meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, HIGH, OTHER, WARNING, Location, Script, Verdict, rule


@rule(
    id="unreachable-branch",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the general test stands above the special one --
== runners/launch_alpha.sh
if [[ "$IS_AGENTIC" == "1" ]]; then
    REF=v1
elif [[ $FRAMEWORK == "vllm" && $IS_AGENTIC == "1" ]]; then  #! unreachable-branch
    REF=v2
fi
-- good: the special test comes first, and the last one asks for something else --
== runners/launch_alpha.sh
if [[ $FRAMEWORK == "vllm" && $IS_AGENTIC == "1" ]]; then
    REF=v2
elif [[ "$IS_AGENTIC" == "1" ]]; then
    REF=v1
elif [[ $FRAMEWORK == "vllm" ]]; then
    REF=v3
fi
""",
)
def unreachable_branch(script: Script) -> Iterator[Verdict]:
    """Launchers only: what a benchmark script decides on is not known before it is interpreted."""
    if not script.is_launcher:
        return
    for one in script.dead_branches:
        above = [script.place(*span) for span in one.by]
        same = one.does_the_same(script.text)
        lines = " and ".join(f"line {place.line}" for place in above)
        if not above:
            message = "this condition contradicts itself: its branch can never be taken"
        elif one.repeats:
            more = "and so does what it runs" if same else "and would run something else"
            message = f"this branch can never be taken: its condition repeats {lines}, {more}"
        else:
            message = f"this branch can never be taken: {lines} takes every case that it names"
        first = one.bodies[0].commands[0].span if one.repeats and one.bodies[0].commands else None
        yield script.instance(
            message,
            cause=Location(script.place(*one.condition), OTHER, "can never be true here"),
            related=[Location(place, CONSUMER, "taken instead") for place in above],
            entries=script.running(script.place(*first)) if first is not None else (),
        )
