"""``configlint.toml`` and the ref sources: what is wrong is said, and who said it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from configlint.cli.configuration import KEYS
from tests.cli.conftest import Ran, lay

SCRIPT = {"a.sh": "true\n"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('profil = "inferencex"', "unknown key 'profil', did you mean 'profile'?"),
        ('ref-source = ["a"]', "unknown key 'ref-source', did you mean 'ref-sources'?"),
        ('ref_sources = ["a"]', "unknown key 'ref_sources', did you mean 'ref-sources'?"),
        ('Profile = "inferencex"', "unknown key 'Profile', did you mean 'profile'?"),
        ('select = ["floating-ref"]', "unknown key 'select' (known: "),
        ("[profile-x]\na = 1", "unknown key 'profile-x'"),
        ('[tool.configlint]\nprofile = "inferencex"', "the keys stand at the top of this file"),
        ("profile = 1", "profile: expected a string, got 1"),
        ('ref-sources = "a=b"', "ref-sources: expected a list"),
        ('ref-sources = ["nonsense"]', "ref source 'nonsense': expected URL=PATH"),
        ('ref-sources = ["https://h.invalid/a=nowhere"]', "no such folder"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(real: Callable[..., Ran], text: str, said: str) -> None:
    lay({**SCRIPT, "configlint.toml": text})
    for words in (("check",), ("launches",), ("refs", "list")):
        ran = real(*words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("configlint: configlint.toml: ") and said in ran.err


def test_each_unknown_key_is_named(real: Callable[..., Ran]) -> None:
    lay({**SCRIPT, "configlint.toml": 'profil = "x"\nselect = []\n'})
    assert all(word in real("check").err for word in ("'profil'", "'select'", *KEYS))


def test_a_right_file_is_taken(real: Callable[..., Ran]) -> None:
    lay({**SCRIPT, "configlint.toml": 'profile = "inferencex"\nref-sources = []\n'})
    assert real("check").code == 0
    lay({"configlint.toml": 'profile = "nonesuch"\n'})
    assert "no profile nonesuch" in real("check").err


def test_settings_in_a_file_that_is_not_read(real: Callable[..., Ran]) -> None:
    lay({**SCRIPT, "pyproject.toml": "[tool.ruff]\nline-length = 99\n# [tool.configlint]\n"})
    assert real("check").code == 0
    lay({"pyproject.toml": '[tool.configlint]\nprofile = "inferencex"\n'})
    ran = real("check")
    assert ran.code == 2 and "pyproject.toml" in ran.err and "configlint.toml" in ran.err


@pytest.mark.parametrize("spec", ["nonsense", "https://h.invalid/a=nowhere", "https://h.invalid/a@=x"])
def test_a_wrong_ref_source_is_blamed_on_who_gave_it(
    real: Callable[..., Ran], environment: Callable[..., None], spec: str
) -> None:
    lay(SCRIPT)
    option = real("check", "--ref-source", spec)
    assert option.code == 2 and "--ref-source" in option.err and "CONFIGLINT_REFS" not in option.err
    environment(CONFIGLINT_REFS=spec)
    variable = real("check")
    assert variable.code == 2 and "CONFIGLINT_REFS" in variable.err and "--ref-source" not in variable.err


def test_the_variable_takes_several_sources(
    real: Callable[..., Ran], environment: Callable[..., None], tmp_path: Path
) -> None:
    lay(SCRIPT)
    for separator in (" ", "\n", ":"):
        environment(CONFIGLINT_REFS=separator.join(f"https://h.invalid/{one}@v1={tmp_path}" for one in "ab"))
        assert real("refs", "list").code == 0
