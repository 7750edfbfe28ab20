"""What is sure of a submitted document, where its values are written, and which entries name it."""

from __future__ import annotations

from configlint.api import Repository
from configlint.lint.examples import Example
from configlint.lint.trees import project_of
from configlint.model.composition import Variant, variants
from configlint.profile.profile import Compose
from configlint.syntax.yaml import load_string
from tests.model.launching import launch

CLUSTER = 'echo "containers: { a: b }" > srtslurm.yaml'


def test_values_at_a_pattern() -> None:
    root = load_string("a: { x: { k: 1 }, y: { k: 2 }, z: 3 }\nb: [1]\n").root
    assert root is not None
    (variant,) = variants(root, Compose(), None)
    assert isinstance(variant, Variant)
    assert sorted((path, node.value) for path, node in variant.matching("a.*.k")) == [("a.x.k", 1), ("a.y.k", 2)]
    assert [path for path, _ in variant.matching("a.*")] != []
    assert list(variant.matching("b.0")) == []
    assert list(variant.matching("c.*")) == []


def test_a_generated_line_is_the_launchers_whole_line() -> None:
    found = launch(
        'long=0123456789\necho "containers: { $long-$long: b }" > srtslurm.yaml', "model: { container: x }\n"
    )
    (alias,) = found.submitted[0].aliases.containers.aliases.values()
    assert alias.place is not None
    assert alias.place.line == 2
    assert alias.place.end.line == 2


def test_an_untouched_value_keeps_its_own_place() -> None:
    found = launch(f"{CLUSTER}\nsed -i 's/^name:.*/name: x/' recipe.yaml", "name: tiny\nmodel: { container: a }\n")
    container = found.submitted[0].container
    assert container is not None
    assert container.place is not None
    assert container.place.text.slice(container.place.span) == "a"


def test_an_unknown_effect_is_limited_to_what_it_declares() -> None:
    recipe = "model: { container: a }\nbackend: { x_config: { decode: { speculative-config: 1, other: 2 } } }\n"
    run = "export SYNTHETIC_ACCEPTANCE=true\npython3 runners/inject_synthetic_acceptance.py recipe.yaml"
    found = launch(f"{CLUSTER}\n{run}", recipe, more={"runners/inject_synthetic_acceptance.py": ""})
    assert found.recipe is not None
    (settled,) = found.recipe.document.settled
    assert settled.value("model.container") is not None
    assert settled.value("backend.x_config.decode.speculative-config") is None
    assert settled.value("backend.x_config.decode.other") is not None
    assert settled.value("") is None


def test_entries_that_name_a_document() -> None:
    matrix = """\
tiny: { image: i, model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: true,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [
    { conc-list: [1, 2], decode: { tp: 1, num-worker: 0 },
      prefill: { tp: 1, num-worker: 1, additional-settings: ["CONFIG_FILE=recipes/a/one.yaml:override_x"] } },
    { conc-list: [4], decode: { tp: 1, num-worker: 0 },
      prefill: { tp: 1, num-worker: 1, additional-settings: ["CONFIG_FILE=recipes/b/two.yaml"] } },
  ] }] } }
"""
    repository = project_of(Example("", False, {"configs/x-master.yaml": matrix, "a.sh": ""})).repository()
    assert isinstance(repository, Repository)
    for path, points in [("benchmarks/x/a/one.yaml", 1), ("x/b/two.yaml", 1), ("x/b/one.yaml", 0), ("one.yaml", 0)]:
        assert sum(entry.points for entry in repository.naming(path)) == points
