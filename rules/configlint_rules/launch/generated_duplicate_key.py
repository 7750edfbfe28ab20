"""The cluster file that a launcher generates has a key twice.

YAML readers keep the last one without a word: what the first one says is lost. It hides until the two come to differ;
two lines that write the same expression cannot.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import DECLARED, HIGH, OTHER, WARNING, Launch, Location, Verdict, rule


@rule(
    id="generated-duplicate-key",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the fixed block and the one for agentic runs --
== runners/launch_alpha.sh
MOUNTS="default_mounts:
  /cache: /b"
cat > srtslurm.yaml <<EOF
default_mounts:
  /cache: /a
$MOUNTS  #! generated-duplicate-key
EOF
bash benchmarks/run.sh
-- good: one mapping, and a key that only looks the same elsewhere --
== runners/launch_alpha.sh
cat > srtslurm.yaml <<EOF
default_mounts:
  /cache: /a
other_mounts:
  /cache: /a
EOF
bash benchmarks/run.sh
""",
)
def generated_duplicate_key(launch: Launch) -> Iterator[Verdict]:
    """The cause is the second key: it is the one that wins."""
    name = launch.profile.aliases.file
    generated = launch.generated(name) if name else None
    if generated is None:
        return
    for path, one in generated.duplicates:
        first, second = generated.place(one.first), generated.place(one.second)
        if first is None or second is None or generated.are_written_alike(first, second):
            continue
        same = one.first_value.plain() == one.second_value.plain()
        rest = "both say the same today" if same else "the first value is lost"
        yield launch.instance(
            f"{path} stands twice in the generated {name}: {rest}",
            cause=Location(second, OTHER, "wins"),
            victim=Location(first, DECLARED, "is lost"),
            related=[
                Location(cell.at, OTHER, f"{cell.name} holds the second one")
                for cell in launch.expanded(second) or ()
                if cell.at is not None and one.key in (launch.text(cell.value) or "")
            ],
            key=path,
        )
