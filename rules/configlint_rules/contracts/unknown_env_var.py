"""An environment variable is set that no program reads, though one of nearly the same name is known.

A misspelt variable does nothing, and nothing says so. Names are compared with those that any known version of the
engines, of dynamo and of a few libraries reads; a name that is not near a known one is never reported, nor is one
that a script of the tree reads itself. An image of one's own may know more: medium precision.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import MEDIUM, VALUE, WARNING, Location, Repository, Verdict, rule


@rule(
    id="unknown-env-var",
    severity=WARNING,
    precision=MEDIUM,
    since="0.3",
    examples="""
-- bad: a word of the name is missing --
== recipes/a.yaml
backend:
  decode_environment:
    VLLM_ENGINE_READY_TIMEOUT: "3600"  #! unknown-env-var
-- bad: exported by a script --
== run.sh
export VLLM_LOG_LEVEL=DEBUG  #! unknown-env-var
-- good: the engine's own name, and one that only the script uses --
== run.sh
export VLLM_LOGGING_LEVEL=DEBUG
export VLLM_LOG_LEVEL=DEBUG
echo "$VLLM_LOG_LEVEL"
""",
)
def unknown_env_var(repository: Repository) -> Iterator[Verdict]:
    """Every place that sets such a variable."""
    for one in repository.misspelt_variables:
        yield repository.instance(
            f"no known program reads {one.name}; did you mean {one.meant}?",
            cause=Location(one.place, VALUE),
            key=one.name,
            entries=repository.naming(one.path),
        )
