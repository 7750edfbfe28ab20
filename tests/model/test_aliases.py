"""Names in submitted documents, looked up in the generated cluster file."""

from __future__ import annotations

import pytest

from configlint.api import Launch
from configlint.model.aliases import Kind, Use
from tests.model.launching import launch

CLUSTER = """\
IMPORTED=/images/$(echo "$IMAGE" | sed 's/[^a-z0-9]/_/g').sqsh
ALIAS=tiny-fp8
cat > srtslurm.yaml <<EOF
model_paths:
  "${ALIAS}": /models/tiny
containers:
  engine: ${IMPORTED}
  "${IMAGE}": ${IMPORTED}
  proxy: /images/proxy.sqsh
EOF"""


def container(given: str, launcher: str = CLUSTER, image: str = "reg.example.com#a/b:1") -> Use:
    found = launch(launcher, f"model: {{ path: tiny-fp8, container: '{given}' }}\n", image)
    assert not found.obscure
    (one,) = found.submitted
    assert one.container is not None
    return one.container


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("engine", Kind.ALIAS),
        ("reg.example.com#a/b:1", Kind.ALIAS),
        ("reg.example.com/a/b:1", Kind.IMAGE),
        ("a/b", Kind.IMAGE),
        ("other", Kind.NAME),
        ("v1.2", Kind.NAME),
        ("/images/x.sqsh", Kind.PATH),
        ("./x.sqsh", Kind.PATH),
        ("$CONTAINER", Kind.UNKNOWN),
    ],
)
def test_kinds_of_containers(given: str, kind: Kind) -> None:
    assert container(given).kind is kind


def test_an_alias_stands_for_the_image_with_the_same_target() -> None:
    for given in ("engine", "reg.example.com#a/b:1"):
        use = container(given)
        assert use.image is not None
        assert use.image.repository == "a/b"
    assert container("proxy").image is None


def test_the_alias_that_another_spelling_misses() -> None:
    found = launch(CLUSTER, "model: { path: x, container: 'reg.example.com/a/b:1' }\n", "reg.example.com#a/b:1")
    table = found.submitted[0].aliases.containers
    use = found.submitted[0].container
    assert use is not None
    assert use.image is not None
    alias = table.spelled(use.image)
    assert alias is not None
    assert alias.name == "reg.example.com#a/b:1"
    assert alias.place is not None
    assert alias.place.line == 8
    assert table.place is not None
    assert table.place.line == 6


def test_where_a_name_is_set() -> None:
    table = launch(CLUSTER, "model: { path: x, container: engine }\n").submitted[0].aliases.models
    set_at = table.aliases["tiny-fp8"].set_at
    assert set_at is not None
    assert (set_at.path, set_at.line) == ("runners/launch_alpha.sh", 2)
    assert table.names == "tiny-fp8"


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("tiny-fp8", Kind.ALIAS),
        ("hf:maker/tiny", Kind.PATH),
        ("/models/tiny", Kind.PATH),
        ("~/tiny", Kind.PATH),
        ("maker/tiny", Kind.NAME),
        ("$MODEL", Kind.UNKNOWN),
    ],
)
def test_kinds_of_models(given: str, kind: Kind) -> None:
    (use,) = launch(CLUSTER, f"model: {{ path: '{given}' }}\n").submitted[0].models
    assert use.kind is kind


def test_a_key_that_is_not_known_may_be_any_name() -> None:
    launcher = 'echo "containers: { $(hostname): a.sqsh, engine: b.sqsh }" > srtslurm.yaml'
    assert container("other", launcher).kind is Kind.UNKNOWN
    assert container("engine", launcher).kind is Kind.ALIAS


def test_a_line_that_is_not_known_may_be_the_table() -> None:
    launcher = 'echo "$(hostname): x" > srtslurm.yaml'
    assert container("other", launcher).kind is Kind.UNKNOWN


def test_no_table_no_alias() -> None:
    assert container("engine", "echo 'a: b' > srtslurm.yaml").kind is Kind.NAME


def test_without_a_cluster_file_nothing_is_looked_up() -> None:
    found = launch("true", "model: { container: engine }\n")
    assert found.submitted == ()
    assert found.obscure == "the cluster file is not known"


def fields(found: Launch) -> list[tuple[str, str]]:
    return [(use.path, use.given) for one in found.submitted for use in (*one.containers, *one.models)]


def test_every_field_of_every_variant() -> None:
    recipe = """\
base:
  model: { path: tiny-fp8, container: engine }
  frontend: { nginx_container: proxy }
override_big:
  model: { container: large }
  observability: { tachometer: { one: { container_image: e1 }, two: { container_image: e2 } } }
"""
    found = launch(CLUSTER, recipe)
    assert sorted(fields(found)) == [
        ("frontend.nginx_container", "proxy"),
        ("model.container", "large"),
        ("model.path", "tiny-fp8"),
        ("observability.tachometer.one.container_image", "e1"),
        ("observability.tachometer.two.container_image", "e2"),
    ]


def test_what_an_edit_of_unknown_effect_may_not_have_touched_is_sure() -> None:
    recipe = "model: { path: tiny-fp8, container: engine }\nbackend: { a: 1 }\n"
    program = {"runners/inject_synthetic_acceptance.py": ""}
    run = "export SYNTHETIC_ACCEPTANCE=true\npython3 runners/inject_synthetic_acceptance.py recipe.yaml"
    found = launch(f"{CLUSTER}\n{run}", recipe, more=program)
    assert found.recipe is not None
    assert found.recipe.effective_text is None
    assert ("model.container", "engine") in fields(found)
    assert found.submitted[0].container is not None
    assert found.submitted[0].container.place is not None
    assert found.submitted[0].container.place.path == "recipe.yaml"


def test_an_edit_that_may_have_touched_everything_leaves_nothing_sure() -> None:
    found = launch(f"{CLUSTER}\npython3 change.py recipe.yaml", "model: { container: engine }\n")
    assert fields(found) == []
