"""Which version of an engine or of Dynamo runs: as precise as what was said, and no more."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configlint.catalog.images import Build, inside
from configlint.catalog.releases import BUILT
from configlint.catalog.versions import in_order, order
from configlint.model.images import parse_image
from configlint.model.versions.accepted import AcceptedFlags, BadSetting
from configlint.model.versions.dynamo import Installed, dynamo_match
from configlint.model.versions.engine import engine_match, engine_of
from configlint.model.versions.match import Confidence, Match, released

VERSIONS = {
    "vllm": ("0.18.1", "0.20.0", "0.20.1", "0.21.0", "0.25.1", "0.26.0", "0.28.0"),
    "sglang": ("0.5.9", "0.5.12", "0.5.12.post1", "0.5.13.post1", "0.5.14", "0.5.16", "0.5.17"),
    "atom": ("0.1.2", "0.1.3", "0.1.5"),
    "tensorrt-llm": ("1.3.0rc18", "1.3.0rc22.post1"),
}
DYNAMO = ("0.8.1", "0.9.1", "1.1.1", "1.2.0.post1", "1.2.1", "1.3.0.post1", "1.3.1")
EXACT, RANGE, SUPERSET = Confidence.EXACT, Confidence.RANGE, Confidence.SUPERSET


def match(image: str, engine: str) -> Match:
    return engine_match(parse_image(image), engine, VERSIONS[engine], image)


@pytest.mark.parametrize(
    ("image", "engine", "version"),
    [
        ("vllm/vllm-openai:v0.26.0", "vllm", "0.26.0"),
        ("docker.io/vllm/vllm-openai:v0.26.0", "vllm", "0.26.0"),
        ("docker.io#vllm/vllm-openai:v0.26.0", "vllm", "0.26.0"),
        ("docker://vllm/vllm-openai:v0.26.0", "vllm", "0.26.0"),
        ("vllm/vllm-openai:0.26", "vllm", "0.26.0"),
        ("vllm/vllm-openai:v0.20.1-ubuntu2404", "vllm", "0.20.1"),
        ("vllm/vllm-openai:v0.20.1-cu130-x86_64", "vllm", "0.20.1"),
        ("vllm/vllm-openai-rocm:v0.28.0", "vllm", "0.28.0"),
        ("vllm/vllm-openai:v0.25.0", "vllm", "0.25.1"),  # the nearest patch
        ("vllm/vllm-openai:v0.18.0", "vllm", "0.18.1"),
        ("vllm/vllm-openai:v0.20.2", "vllm", "0.20.1"),
        ("lmsysorg/sglang:v0.5.14-cu130", "sglang", "0.5.14"),
        ("lmsysorg/sglang:v0.5.12.post1", "sglang", "0.5.12.post1"),
        (f"lmsysorg/sglang:v0.5.14-cu130@sha256:{'5' * 64}", "sglang", "0.5.14"),
        ("lmsysorg/sglang:v0.5.12-rocm700-mi35x", "sglang", "0.5.12"),
        ("lmsysorg/sglang:v0.5.16-cu130-runtime", "sglang", "0.5.16"),
        ("lmsysorg/sglang:v0.5.16-cu130-amd64", "sglang", "0.5.16"),
        ("lmsysorg/sglang:v0.5.13", "sglang", "0.5.13.post1"),
        ("rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3", "atom", "0.1.3"),
        ("rocm/atom:rocm7.2.2_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.2.post", "atom", "0.1.2"),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc18", "tensorrt-llm", "1.3.0rc18"),
        ("nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc22.post1", "tensorrt-llm", "1.3.0rc22.post1"),
    ],
)
def test_releases_are_exact(image: str, engine: str, version: str) -> None:
    found = match(image, engine)
    assert (found.confidence, found.version, found.is_newer) == (EXACT, version, False), str(found)


@pytest.mark.parametrize(
    ("image", "engine", "versions", "newer"),
    [
        ("vllm/vllm-openai:v0.23.0", "vllm", ("0.21.0", "0.25.1"), False),  # no patch of it is known
        ("vllm/vllm-openai:v0.26.0rc1", "vllm", ("0.25.1", "0.26.0"), False),  # a candidate may lack what came last
        ("vllm/vllm-openai:v0.29.0", "vllm", ("0.28.0",), True),
        ("vllm/vllm-openai:v0.9.0", "vllm", ("0.18.1",), False),
        ("vllm/vllm-openai:vllm-x86_64-cu13-0.25.1-7a33ba9", "vllm", ("0.25.1", "0.26.0", "0.28.0"), False),
        ("quay.io/someone/llm-d-vllm:vllm0.26", "vllm", ("0.26.0", "0.28.0"), False),
        ("rocm/sgl-dev:sglang-0.5.14-rocm720-mi35x-mori-0227-2", "sglang", ("0.5.14", "0.5.16", "0.5.17"), False),
        ("lmsysorg/sglang:v0.5.15-cu130", "sglang", ("0.5.14", "0.5.16"), False),
        ("lmsysorg/sglang-rocm:v0.5.16-rocm720-mi35x-20260730", "sglang", ("0.5.16", "0.5.17"), False),
        (
            "lmsysorg/sglang-rocm:v0.5.13.post1-rocm720-mi35x-20260620",
            "sglang",
            ("0.5.13.post1", "0.5.14", "0.5.16"),
            False,
        ),
        ("lmsysorg/sglang-rocm:v0.5.17-rocm720-mi35x-20260818", "sglang", ("0.5.17",), False),
        (
            "lmsysorg/sglang:nightly-dev-cu13-20260528-0abe6a85",
            "sglang",
            ("0.5.12.post1", "0.5.13.post1", "0.5.14"),
            False,
        ),
        ("lmsysorg/sglang:nightly-dev-20260626-14f81a67", "sglang", ("0.5.14", "0.5.16", "0.5.17"), False),
        ("lmsysorg/sglang:nightly-dev-20260820-14f81a67", "sglang", ("0.5.17",), True),
        ("lmsysorg/sglang:nightly-dev-20260101-14f81a67", "sglang", ("0.5.9", "0.5.12"), False),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc20", "tensorrt-llm", ("1.3.0rc18", "1.3.0rc22.post1"), False),
    ],
)
def test_builds_between_releases_are_a_range(image: str, engine: str, versions: tuple[str, ...], newer: bool) -> None:
    found = match(image, engine)
    assert (found.confidence, found.versions, found.is_newer) == (RANGE, versions, newer), str(found)


@pytest.mark.parametrize(
    ("image", "engine"),
    [
        ("vllm/vllm-openai:kimi-k3", "vllm"),
        ("vllm/vllm-openai:latest", "vllm"),
        ("vllm/vllm-openai", "vllm"),
        ("vllm/vllm-openai:nightly-5e35a6f4f9bbc217c599692157ca985c894373f7", "vllm"),
        ("vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "vllm"),  # 13.0.1 is CUDA's
        ("vllm/vllm-openai:minimax-m3-perf-arm64-13.0.1-7a67223", "vllm"),  # and here, too
        ("vllm/vllm-openai:dsv4-megamoe-mxfp4-arm64-cu130-4ba0a72", "vllm"),
        ("vllm/vllm-openai:v0.26.0-deepseek-v4", "vllm"),  # who knows what was added
        ("lmsysorg/sglang:deepseek-v4-hopper", "sglang"),
        ("lmsysorg/sglang:dev-nightly-0820", "sglang"),
        ("lmsysorg/sglang:nightly-dev-20261399-14f81a67", "sglang"),  # no day
        ("rocm/atom-dev:nightly_202607231538", "atom"),  # a day, but nobody knows when versions were built
        ("rocm/atom:rocm7.2.3_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom20260511", "atom"),
        ("rocm/atom-dev:ubuntu24.04_py3.12_pytorch_release_2.10.0_kimi_k3_agentic_0820", "atom"),
        ("nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:1.3.0-dev.1-cuda13", "tensorrt-llm"),
        ("nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.0", "vllm"),  # Dynamo's version
        ("registry.example.com/bench/vllm-engine:0.26.0", "vllm"),
        ("ghcr.io/someone/vllm/vllm-openai:v0.26.0", "vllm"),
        ("lmsysorg/sglang:v0.5.14-cu130", "vllm"),  # of another engine
    ],
)
def test_all_else_may_be_any_version(image: str, engine: str) -> None:
    found = match(image, engine)
    assert (found.confidence, found.versions) == (SUPERSET, VERSIONS[engine]), str(found)
    assert found.version is None


def test_an_image_that_is_not_known() -> None:
    found = engine_match(None, "vllm", VERSIONS["vllm"])
    assert str(found) == "vllm any version, superset: the image is not known"
    assert engine_match(None, "vllm", (), "x").reason == "it is not known which image x is"


def test_the_engine_is_the_backends_and_only_then_the_images() -> None:
    image = parse_image("lmsysorg/sglang:v0.5.14")
    assert engine_of(image, "vllm") == "vllm"
    assert engine_of(image) == "sglang"
    assert engine_of(parse_image("a/b:1")) == ""


def test_without_a_catalog_the_version_is_still_told() -> None:
    found = engine_match(parse_image("vllm/vllm-openai:v0.26.0"), "vllm", ())
    assert (found.confidence, found.told, found.versions, found.version) == (EXACT, "0.26.0", (), None)
    assert "no catalog of vllm" in str(found)


def test_reasons_name_the_image_and_what_it_is_called() -> None:
    found = engine_match(parse_image("vllm/vllm-openai:v0.25.0"), "vllm", VERSIONS["vllm"], "engine")
    assert str(found) == (
        "vllm 0.25.1, exact: image vllm/vllm-openai:v0.25.0 (called engine), of which the catalog has 0.25.1"
    )


@given(st.text(alphabet="v0123456789.-_abcdefnightlyrocmpst", max_size=40))
def test_no_tag_is_taken_for_more_than_it_says(tag: str) -> None:
    found = inside("docker.io", "vllm/vllm-openai", tag)
    assert found is not None
    assert found.engine == "vllm"
    if found.build is Build.RELEASE:
        assert order(found.version) is not None
        assert tag.removeprefix("v").startswith(found.version.split(".dev")[0])


def test_days_and_versions_go_the_same_way() -> None:
    for built in BUILT.values():
        assert list(built) == in_order(built)
        assert all(one < two for one, two in pairwise(built.values()))
        assert all(len(day) == 8 and day.isdigit() for day in built.values())


# --- Dynamo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("installed", "confidence", "versions"),
    [
        (Installed(version="1.2.1"), EXACT, ("1.2.1",)),
        (Installed(version="1.3.0"), EXACT, ("1.3.0.post1",)),
        (Installed(version="0.8.0", version_is_default=True), EXACT, ("0.8.1",)),
        (Installed(version="1.3.0.dev20260710"), RANGE, ("1.2.1", "1.3.0.post1")),
        (Installed(version="1.4.0.dev20260730"), RANGE, ("1.3.1",)),
        (Installed(wheel="1.2.0.dev20260426", version="1.3.1"), RANGE, ("1.1.1", "1.2.0.post1")),
        (Installed(wheel="1.2.1", commit="abc"), EXACT, ("1.2.1",)),
        (Installed(commit="46520ca59afe992fb5ef61b3197b2316f8df9b2b", version="1.2.1"), SUPERSET, DYNAMO),
        (Installed(top_of_tree=True, version="1.2.1"), SUPERSET, DYNAMO),
        (Installed(version=""), SUPERSET, DYNAMO),
        (Installed(version="main"), SUPERSET, DYNAMO),
        (Installed(install=False, version="1.2.1"), SUPERSET, DYNAMO),
        (Installed(unknown="it may have changed"), SUPERSET, DYNAMO),
    ],
)
def test_dynamo_is_what_the_recipe_installs(
    installed: Installed, confidence: Confidence, versions: tuple[str, ...]
) -> None:
    found = dynamo_match(installed, None, DYNAMO)
    assert (found.confidence, found.versions) == (confidence, versions), str(found)


def test_a_default_is_told_as_one() -> None:
    found = dynamo_match(Installed(version="0.8.0", version_is_default=True), None, DYNAMO)
    assert found.reason.startswith("no dynamo block names a version, and the default is 0.8.0")


@pytest.mark.parametrize(
    ("tag", "confidence", "versions"),
    [
        ("0.8.1.post2", EXACT, ("0.8.1",)),
        ("1.3.0-dev.1-cuda13", RANGE, ("1.2.1", "1.3.0.post1")),
        ("1.3.0-deepseek-v4-dev.1", SUPERSET, DYNAMO),
    ],
)
def test_an_image_brings_its_own(tag: str, confidence: Confidence, versions: tuple[str, ...]) -> None:
    image = parse_image(f"nvcr.io#nvidia/ai-dynamo/tensorrtllm-runtime:{tag}")
    found = dynamo_match(Installed(install=False, version="0.8.0"), image, DYNAMO)
    assert (found.confidence, found.versions) == (confidence, versions), str(found)


@given(st.sampled_from(DYNAMO))
def test_a_known_version_is_itself(version: str) -> None:
    assert released("ai-dynamo", version, DYNAMO, "").version == version


# --- flags that a user vouches for --------------------------------------------------------------------


def test_accepted_flags_go_by_image() -> None:
    accepted = AcceptedFlags.read({"vllm/vllm-openai:kimi-k3*": ["--enable_thing", "other"], "local-*": ["third"]})
    for image in ("vllm/vllm-openai:kimi-k3", "docker.io#vllm/vllm-openai:kimi-k3-arm64"):
        assert accepted.accepts(image, "enable-thing")
        assert accepted.accepts(image, "enable_thing")
        assert not accepted.accepts(image, "third")
    assert not accepted.accepts("vllm/vllm-openai:v0.26.0", "other")
    assert accepted.accepts("local-build", "third")
    assert not AcceptedFlags().accepts("local-build", "third")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (["x"], "must be a table"),
        ({"a/b": "flag"}, 'accepted-flags."a/b" must be a list of flags'),
        ({"a/b": [1]}, "must be a list of flags"),
        ({"a/b": ["two words"]}, "'two words' is no name of a flag"),
        ({"a/b": ["--"]}, "'--' is no name of a flag"),
        ({"a b": ["x"]}, "names no image"),
        ({"": ["x"]}, "names no image"),
    ],
)
def test_bad_settings_are_named(data: object, says: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(says)):
        AcceptedFlags.read(data)
