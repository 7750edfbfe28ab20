"""Spellings of container images."""

from __future__ import annotations

import pytest

from configlint.model.images import Image, is_version, parse_image, same_version


def image(text: str) -> Image:
    found = parse_image(text)
    assert found is not None
    return found


DIGEST = "sha256:" + "0123456789abcdef" * 4
OTHER = "sha256:" + "f" * 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("engine/server:v1", Image("docker.io", "engine/server", "v1")),
        ("docker://engine/server:v1", Image("docker.io", "engine/server", "v1")),
        ("docker.io/library/nginx", Image("docker.io", "nginx")),
        ("nginx:1.2", Image("docker.io", "nginx", "1.2")),
        ("reg.example.com/a/b:1", Image("reg.example.com", "a/b", "1")),
        ("reg.example.com#a/b:1", Image("reg.example.com", "a/b", "1")),
        ("docker://user@reg.example.com#a/b:1", Image("reg.example.com", "a/b", "1")),
        ("localhost:5000/a:1", Image("localhost:5000", "a", "1")),
        ("host:5000/a/b", Image("host:5000", "a/b")),
        (f"a/b@{DIGEST}", Image("docker.io", "a/b", "", DIGEST)),
        (f"a/b:1@{DIGEST}", Image("docker.io", "a/b", "1", DIGEST)),
        ("Reg.Example.com/a/b:T", Image("reg.example.com", "a/b", "T")),
    ],
)
def test_parts(text: str, expected: Image) -> None:
    assert parse_image(text) == expected


@pytest.mark.parametrize(
    "text", ["", "/a/b.sqsh", "./a:1", "a b:1", "a/b:", "a:b:c", "${IMAGE}", "a/b@sha256:12", "#a:1"]
)
def test_what_is_no_reference(text: str) -> None:
    assert parse_image(text) is None


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("reg.example.com#a/b:1", "reg.example.com/a/b:1", True),
        ("a/b", "a/b:latest", True),
        ("a/b:1", "a/b:2", False),
        ("a/b:1", "reg.example.com/a/b:1", False),
        (f"a/b:1@{DIGEST}", f"a/b:2@{DIGEST}", True),
        (f"a/b:1@{DIGEST}", f"a/b:1@{OTHER}", False),
        (f"a/b:1@{DIGEST}", "a/b:1", True),  # a tag does not move while one reads
        (f"a/b:1@{DIGEST}", "a/b:2", None),
        (f"a/b@{DIGEST}", "a/b:2", None),
    ],
)
def test_same(one: str, two: str, expected: bool | None) -> None:
    assert image(one).same(image(two)) is expected
    assert image(two).same(image(one)) is expected
    assert image(one).may_be(image(two)) is (expected is not False)


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v0.20.1", "0.20.1"),
        ("v0.20.1-cu130", "0.20.1"),
        ("0.5.13.post1-cu130", "0.5.13.post1"),
        ("1.3.0rc18", "1.3.0rc18"),
        ("1.1.0-dev.2", ""),
        ("1.3.0-model-dev.1", ""),
        ("nightly-5e35a6f", ""),
        ("latest", ""),
        ("v7", ""),
        ("0.5.5.1x", ""),
    ],
)
def test_a_version_in_a_tag(tag: str, version: str) -> None:
    assert image(f"a/b:{tag}").version == version


def test_whose_tags_they_are() -> None:
    assert image("engine/engine-openai:1").is_of("engine")
    assert image("reg.example.com/maker/my-engine/release:1").is_of("my_engine")
    assert not image("maker/engine-runtime:1").is_of("engine")


def test_versions() -> None:
    assert same_version("v1.2.0+cu130", "1.2.0")
    assert not same_version("1.2.0", "1.2.0.post1")
    assert is_version("0.1.dev19262+gb6bbf29dd")
    assert not is_version("nightly-1.2")
    assert not is_version("5e35a6f")
