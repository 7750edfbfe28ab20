"""Composed documents against a schema: what marshmallow refuses, and nothing else."""

from __future__ import annotations

import pytest

from configlint.catalog.recipes.schema import Facts, Schema
from configlint.model.composition import MAX_VARIANTS, BadSelector, variants
from configlint.model.recipes.verdict import MAX_PROBLEMS, problems
from configlint.profile.profile import Compose
from configlint.syntax.yaml import load_string

FACTS: Facts = {
    "SrtConfig.name": {"t": "str", "req": True},
    "SrtConfig.inner": {"t": ["class", "Inner"]},
    "SrtConfig.backend": {"t": ["by", "type", "one", {"one": "One", "two": "Two"}]},
    "SrtConfig.lock": {"t": "any", "pop": True},
    "SrtConfig.sweep": {"t": "any", "pop": True},
    "SrtConfig.env": {"t": ["map", "str", "str"]},
    "SrtConfig.open": {"t": ["map", "str", "any"], "null": True},
    "SrtConfig.numbers": {"t": ["union", ["list", "int"], "str"], "null": True},
    "SrtConfig.texts": {"t": ["list", "str"]},
    "SrtConfig.mode": {"t": ["choice", "zip", "grid"]},
    "Inner.count": {"t": "int"},
    "Inner.share": {"t": "float"},
    "Inner.flag": {"t": "bool", "null": True},
    "Inner.kind": {"t": "str", "ch": ["a", "b"]},
    "Inner.needed": {"t": "str", "req": True},
    "One.type": {"t": ["choice", "one"]},
    "One.only_one": {"t": "int"},
    "Two.type": {"t": ["choice", "two"]},
}
COMPOSE = Compose("base", "override_", "zip_override_")


def found(text: str, selector: str | None = None) -> set[tuple[str, str]]:
    root = load_string(text).root
    assert root is not None
    (variant,) = variants(root, COMPOSE, selector)
    return {(one.dotted, one.message) for one in problems(Schema(FACTS), variant.values)}


@pytest.mark.parametrize(
    "text",
    [
        "lock: {anything: 1}",
        "inner: {needed: x, count: 8, share: 1, flag: true, kind: a}",
        'inner: {needed: x, count: "8", share: "0.5", flag: "yes", kind: b}',
        "inner: {needed: x, count: 1.5, flag: 1}",
        "inner: {needed: x, flag: null}",
        "backend: {only_one: 1}",
        "backend: {type: one, only_one: 1}",
        "backend: {type: two}",
        'env: {PORT: "8000", A: text}',
        "open: {a: 1, b: {c: [1]}}",
        "open: null",
        "numbers: [1, 2]",
        "numbers: 1x2",
        "numbers: null",
        "texts: [a, b]",
        "mode: grid",
    ],
)
def test_accepted(text: str) -> None:
    assert found(f"name: a\n{text}\n") == set()


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("innre: {}", "innre", "is no field"),
        ("inner: {needed: x, cuont: 1}", "inner.cuont", "is no field"),
        ("inner: {count: 1}", "inner.needed", "is missing"),
        ("inner: 3", "inner", "3 (a number) is not a mapping"),
        ("inner: null", "inner", "null is not a mapping"),
        ("inner: {needed: x, count: eight}", "inner.count", "'eight' is not an integer"),
        ("inner: {needed: x, count: true}", "inner.count", "true (a bool) is not an integer"),
        ("inner: {needed: x, count: .inf}", "inner.count", ".inf (a number) is not an integer"),
        ('inner: {needed: x, count: "8.0"}', "inner.count", "'8.0' is not an integer"),
        ("inner: {needed: x, share: .nan}", "inner.share", ".nan (a number) is not a number"),
        ("inner: {needed: x, flag: maybe}", "inner.flag", "'maybe' is not true or false"),
        ("inner: {needed: x, kind: c}", "inner.kind", "'c' is not supported (there are: a, b)"),
        ("inner: {needed: 1}", "inner.needed", "1 (a number) is not a string"),
        ("inner: {needed: 2026-01-02}", "inner.needed", "'2026-01-02' is not a string"),
        ("backend: {type: two, only_one: 1}", "backend.only_one", "is no field"),
        ("backend: {type: three}", "backend.type", "'three' is not supported (there are: one, two)"),
        ("env: {PORT: 8000}", "env.PORT", "8000 (a number) is not a string"),
        ("env: {A: null}", "env.A", "null is not a string"),
        ("env: {8000: a}", "env.8000", "the key 8000 is not a string"),
        ("env: [a]", "env", "a list is not a mapping"),
        ("numbers: 1024", "numbers", "1024 (a number) is not a list of integers or a string"),
        ("numbers: [1, x]", "numbers", "this list is not a list of integers or a string"),
        ("texts: a", "texts", "'a' is not a list"),
        ("texts: [a, 1]", "texts.1", "1 (a number) is not a string"),
        ("mode: other", "mode", "'other' is not zip or grid"),
    ],
)
def test_refused(text: str, path: str, message: str) -> None:
    assert found(f"name: a\n{text}\n") == {(path, message)}


def test_a_placeholder_of_the_sweep_may_become_anything() -> None:
    text = "name: a\ninner: {needed: x, count: '{n}', kind: '{k}'}\n"
    assert found(text + "numbers: ['{n}']\nsweep: {n: [1, 2], k: [a]}\n") == set()
    assert found(text) == {
        ("inner.count", "'{n}' is not an integer"),
        ("inner.kind", "'{k}' is not supported (there are: a, b)"),
    }
    assert found(text + "sweep: {k: [a]}\n") == {("inner.count", "'{n}' is not an integer")}


COMPOSED = """
base: {name: a, inner: {needed: x, count: 1}}
override_bad: {inner: {cuont: 2}}
override_gone: {inner: {needed: null}}
zip_override_z: {inner: {count: [1, x]}, numbers: [[1], 7]}
ignored: 1
"""


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("base", set()),
        ("override_bad", {("inner.cuont", "is no field")}),
        ("override_gone", {("inner.needed", "is missing")}),
        ("zip_override_z[0]", set()),
        (
            "zip_override_z[1]",
            {
                ("inner.count", "'x' is not an integer"),
                ("numbers", "7 (a number) is not a list of integers or a string"),
            },
        ),
    ],
)
def test_every_variant_is_judged_as_it_is_composed(selector: str, expected: set[tuple[str, str]]) -> None:
    assert found(COMPOSED, selector) == expected


def test_much_that_is_wrong_is_said_in_part() -> None:
    many = "name: a\n" + "".join(f"nam{i}: 1\n" for i in range(3_000))
    assert len(found(many)) == MAX_PROBLEMS
    deep = "name: a\nopen: " + "{a: " * 190 + "1" + "}" * 190
    assert found(deep) == set()


def test_many_variants_are_not_all_made() -> None:
    zipped = ", ".join(map(str, range(5_000)))
    root = load_string(
        f"base: {{name: a}}\nzip_override_z: {{name: [{zipped}]}}\n"
        + "".join(f"override_{i}: {{name: b}}\n" for i in range(1_000))
    ).root
    assert root is not None
    assert len(variants(root, COMPOSE, None)) == len(variants(root, COMPOSE, "zip_override_z")) == MAX_VARIANTS
    assert [one.name for one in variants(root, COMPOSE, "zip_override_z[4999]")] == ["zip_override_z[4999]"]
    with pytest.raises(BadSelector, match="5000 variants"):
        variants(root, COMPOSE, "zip_override_z[5000]")
    with pytest.raises(BadSelector) as refused:
        variants(root, COMPOSE, "nothing")
    assert len(str(refused.value)) < 1_000
    with pytest.raises(BadSelector):
        variants(root, COMPOSE, f"zip_override_z[{'9' * 5_000}]")
