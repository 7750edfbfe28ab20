from __future__ import annotations

from typing import Any

import pytest

from configlint.profile.builtins import builtin, custom, detect, generation
from configlint.profile.profile import Profile, ProfileError, loads

SMALL = """
name = "small"
generations = [{ name = "only", requires = ["launch/*.sh"] }]
[launch]
path = "launch/{prefix}.sh"
launchers = ["launch/*.sh"]
"""


def test_a_profile_needs_little() -> None:
    profile = loads(SMALL)
    assert profile.launchers.matches("launch/a.sh")
    assert profile.matrix is None
    assert not profile.documents.is_limit("a.b")
    assert not profile.variables.is_host("HOME")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = [", "not TOML"),
        ("name = 1", "name: expected a string, got 1"),
        ("", "name: missing"),
        (SMALL + "pth = 'x'", "launch.pth: unknown key, did you mean 'path'?"),
        (SMALL + "[workflows]\ntemplates = [{ path = 'x', multi = 'no', step = '' }]",
         "workflows.templates[0].multi: expected true or false, got 'no'"),
        (SMALL + "[documents.health]\nattempts = 'a'\ninterval = 'b'\ndefault-attempts = true\ndefault-interval = 1",
         "documents.health.default-attempts: expected a whole number, got True"),
        (SMALL + "[[documents.masks]]\npath = 'a'\nwhat = 'b'\nunit = 'hours'", "documents.masks[0]: unit is seconds"),
        (SMALL + "[workflows.conventional.env]\n'a b' = 1", 'workflows.conventional.env."a b": expected a string'),
        (SMALL + "[[launch.opaque]]\nprogram = 'x'\ndocument = 1\ntouches = 'y'",
         "launch.opaque[0].touches: expected a list, got 'y'"),
        ("extends = 'nothing'", "extends: no profile 'nothing'"),
        ("launch = 3\nname = 'x'\ngenerations = []", "launch: expected a table, got 3"),
    ],
)  # fmt: skip
def test_errors_name_the_key(text: str, message: str) -> None:
    with pytest.raises(ProfileError) as raised:
        loads(text)
    assert message in str(raised.value)


def test_a_profile_can_extend_a_built_in_one() -> None:
    profile = custom('extends = "inferencex"\nname = "mine"\n[launch]\nscripts = ["scripts/*.sh"]\n')
    original = builtin("inferencex")
    assert profile.name == "mine"
    assert profile.scripts.matches("scripts/a.sh")
    assert profile.launch.path == original.launch.path
    assert profile.matrix == original.matrix


def test_an_adapter_cannot_be_any_module() -> None:
    from configlint.profile.rows import adapter

    for name in ("os", "profile", "../x", "nothing", ""):
        with pytest.raises(ValueError, match="no matrix adapter"):
            adapter(name)


@pytest.fixture
def profile() -> Profile:
    return builtin("inferencex")


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["configs/x-master.yaml", "runners/launch_a.sh"], "configs"),
        ([".github/configs/x-master.yaml", "runners/launch_a.sh"], "github-configs"),
        (["configs/x-master.yaml", ".github/configs/x-master.yaml"], "configs"),
        (["configs/deprecated/x-master.yaml", "runners/launch_a.sh"], "flat"),
        (["README.md"], None),
        ([], None),
    ],
)
def test_the_generation_is_chosen_by_the_files(profile: Profile, paths: list[str], name: str | None) -> None:
    found = generation(profile, paths)
    assert (found.name if found else None) == name
    detected = detect(paths)
    assert (detected[1].name if detected else None) == name


def test_the_built_in_profile_says_what_rules_ask(profile: Profile) -> None:
    assert profile.documents.is_limit("health_check.max_attempts")
    assert profile.documents.is_limit("slurm.time_limit")
    assert not profile.documents.is_limit("model.path")
    assert profile.policy.is_release_branch("sa-submission-q9")
    assert not profile.policy.is_release_branch("main")
    assert profile.policy.is_side_image("nginx:1.2")
    assert not profile.policy.is_side_image("vllm/vllm-openai:v1")
    assert profile.variables.is_host("GITHUB_RUN_ID")
    assert profile.variables.is_operator("SLURM_PARTITION")
    assert not profile.variables.is_operator("MODEL")
    assert [one.program for one in profile.launch.opaque if one.when] != []


def test_every_row_role_is_a_field_that_the_adapter_makes(profile: Profile) -> None:
    from configlint.profile.rows import adapter

    assert profile.matrix is not None
    item = {"tp": 1, "conc-list": [1]}
    entry: dict[str, Any] = dict.fromkeys(("image", "model", "model-prefix", "precision", "framework", "runner"), "x")
    entry["scenarios"] = {
        "fixed-seq-len": [{"isl": 1, "osl": 1, "search-space": [item]}],
        "agentic-coding": [{"search-space": [{**item, "kv-offloading": "none"}]}],
    }
    expansion = adapter(profile.matrix.adapter).expand("k", entry, None)
    assert expansion.faults == []
    made = {name for group in expansion.groups for name in (*group.shared, *group.varying[0])}
    assert set(profile.matrix.fields.values()) - made <= {"additional-settings"}
