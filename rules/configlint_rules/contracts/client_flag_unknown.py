"""The benchmark client is started with a flag that it does not have.

The job has loaded the model by then. A client of the tree is read from its own source, and never run; a beginning
of a flag will do there, as it does for argparse. Of aiperf the releases are known: a flag that none of them has is
reported, with less certainty, since a development version may have more.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, MEDIUM, VALUE, Document, Location, Verdict, rule


@rule(
    id="client-flag-unknown",
    severity=ERROR,
    precision=HIGH,
    since="0.3",
    examples="""
-- bad: a misspelt flag --
== bench/client.py
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--max-concurrency", type=int)
args = parser.parse_args()
== runners/launch_alpha.sh
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
benchmark:
  type: custom
  command: python3 /workspace/bench/client.py --max-concurency 4  #! client-flag-unknown
-- good: a flag that it has, and a client that is not known --
== bench/client.py
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--max-concurrency", type=int)
args = parser.parse_args()
== runners/launch_alpha.sh
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
benchmark: { type: custom, command: python3 /workspace/bench/client.py --max-concurrency 4; other --nonsense }
""",
)
def client_flag_unknown(document: Document) -> Iterator[Verdict]:
    """One instance for a flag of a client."""
    for one in document.unknown_client_flags:
        meant = f"; did you mean {one.near}?" if one.near else ""
        whose = one.program if one.sure else f"any known release of {one.program}"
        yield document.instance(
            f"{one.flag} is no flag of {whose}{meant}",
            cause=Location(one.at, VALUE),
            key=f"{one.program} {one.flag}",
            precision=HIGH if one.sure else MEDIUM,
        )
