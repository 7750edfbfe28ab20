"""What went into a generated line, and which containers an engine runs in."""

from __future__ import annotations

from configlint.api import Launch
from tests.model.launching import launch


def names(subject: Launch, line: int, *, value_only: bool = False) -> list[str] | None:
    """The variables expanded on a line of the launcher."""
    text = subject.model.tree.read("runners/launch_alpha.sh")
    place = type(subject.row)(text, text.line_span(line))
    cells = subject.expanded(place, value_only=value_only)
    return None if cells is None else [cell.name for cell in cells]


LAUNCHER = """\
A=1
B="$IMAGE-${A}"
BLOCK="x: $B
y: 2"
cat > srtslurm.yaml <<EOF
a: literal
"$A": "${B:-$PRECISION}"
$BLOCK
c: $(basename "$B")
d: $((A + 1))
EOF
echo done
"""


def test_the_variables_of_a_line() -> None:
    found = launch(LAUNCHER, "a: 1\n")
    assert names(found, 6) == []
    assert names(found, 7) == ["A", "B", "PRECISION"]
    assert names(found, 7, value_only=True) == ["B", "PRECISION"]
    assert names(found, 8, value_only=True) == ["BLOCK"]
    assert names(found, 9) == ["B"]
    assert names(found, 10) == ["A"]
    assert names(found, 11) is None


def test_a_variable_that_changes_later_is_not_known() -> None:
    found = launch(f"{LAUNCHER}B=other\n", "a: 1\n")
    assert names(found, 7, value_only=True) is None
    assert names(found, 10) == ["A"]


def test_the_image_is_found_behind_several_variables() -> None:
    found = launch(LAUNCHER, "a: 1\n")
    text = found.model.tree.read("runners/launch_alpha.sh")
    (block,) = found.expanded(type(found.row)(text, text.line_span(8))) or ()
    assert found.depends_on(block, ["IMAGE"])
    assert not found.depends_on(block, ["MODEL"])


def test_duplicates_have_a_dotted_path() -> None:
    found = launch("printf 'a:\\n  b: 1\\n  b: 2\\nc:\\n- d: 1\\n  d: 2\\n' > srtslurm.yaml", "a: 1\n")
    generated = found.generated("srtslurm.yaml")
    assert generated is not None
    assert [path for path, _ in generated.duplicates] == ["a.b", "c.0.d"]


def test_containers_of_a_recipe() -> None:
    launcher = """\
FILE="/images/$(echo "$IMAGE" | tr '/:' '__').sqsh"
cat > srtslurm.yaml <<EOF
containers:
  engine: "$FILE"
  other: $(find_it)
EOF
"""
    (container,) = launch(launcher, "model: { container: engine }\n").containers
    assert container.value == "/images/a_b_1.sqsh"
    assert container.place.line == 4
    assert container.made_at.line == 1
    assert not container.undetermined
    (unclear,) = launch(launcher, "model: { container: other }\n").containers
    assert unclear.undetermined
    assert not launch(launcher, "model: { container: registry/image:1 }\n").containers
