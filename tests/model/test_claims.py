"""What recipes say about themselves."""

from __future__ import annotations

import pytest

from tests.model.launching import launch

CLUSTER = """echo "containers: { engine: x.sqsh, '$IMAGE': x.sqsh }" > srtslurm.yaml"""


def refuted(recipe: str, image: str = "maker/vllm:v1.2.0-cu13") -> list[tuple[str, str, str]]:
    found = launch(CLUSTER, recipe, image)
    return [(claim.path, claim.claimed, claim.actual) for one in found.submitted for claim in one.false_claims]


@pytest.mark.parametrize("container", ["maker/vllm:v1.2.0-cu13", "engine"])
def test_the_image(container: str) -> None:
    recipe = f"model: {{ container: '{container}' }}\nidentity: {{ container: {{ image: 'CLAIM' }} }}\n"
    assert refuted(recipe.replace("CLAIM", "docker://maker/vllm:v1.2.0-cu13")) == []
    claimed = "maker/vllm:v1.1.0"
    assert refuted(recipe.replace("CLAIM", claimed)) == [("identity.container.image", claimed, container)]


@pytest.mark.parametrize(
    ("claimed", "wrong"), [("1.2.0", False), ("v1.2.0+cu13", False), ("1.1.0", True), ("nightly", False), ("", False)]
)
def test_a_framework_against_the_tag(claimed: str, wrong: bool) -> None:
    recipe = f"model: {{ container: engine }}\nidentity: {{ frameworks: {{ vllm: '{claimed}', other: '9.9' }} }}\n"
    assert refuted(recipe) == ([("identity.frameworks.vllm", claimed, "engine")] if wrong else [])


@pytest.mark.parametrize(
    ("pin", "claimed", "wrong"),
    [
        ("version: 1.2.1", "1.2.1", False),
        ("version: 1.2.1", "1.2.0", True),
        ("wheel: '1.3.0.dev1', version: '1.2.1'", "1.3.0.dev1", False),
        ("hash: ba83080ecd31c1ce918559e576d3c5bc9e092ff1", "1.3.0", False),  # nobody can tell
        ("hash: ba83080ecd31c1ce918559e576d3c5bc9e092ff1", "ba83080ec", False),
        ("hash: ba83080ecd31c1ce918559e576d3c5bc9e092ff1", "71eb001e17fa", True),
        ("install: false, version: 1.2.1", "1.2.0", False),
        ("top_of_tree: true, version: 1.2.1", "1.2.0", False),
        ("", "1.2.0", False),
    ],
)
def test_a_framework_against_the_pin(pin: str, claimed: str, wrong: bool) -> None:
    recipe = (
        f"model: {{ container: engine }}\ndynamo: {{ {pin} }}\nidentity: {{ frameworks: {{ dynamo: '{claimed}' }} }}\n"
    )
    assert bool(refuted(recipe)) is wrong


def test_variants_are_judged_one_by_one() -> None:
    recipe = """\
base:
  model: { container: engine }
  identity: { frameworks: { dynamo: '1.0.0' } }
override_a: { dynamo: { version: '1.0.0' } }
override_b: { dynamo: { version: '2.0.0' } }
"""
    assert refuted(recipe) == [("identity.frameworks.dynamo", "1.0.0", "dynamo 2.0.0")]
