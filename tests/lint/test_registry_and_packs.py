"""Finding rules: the built-in pack, announced packs, and clear words where something is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from configlint.api import MEDIUM
from configlint.lint.discover import BUILT_IN, Pack, packs, parse
from configlint.lint.registry import Registry, RegistryError, UnknownRuleError, load
from tests.support.samples import make_rule

RULE = '''"""A page."""
from configlint.api import ERROR, HIGH, Script, rule

@rule(id="{id}", severity=ERROR, precision=HIGH, since="0.1", api={api}, examples="""
-- bad: x --
== a
y #! {id}
-- good: x --
== a
""")
def check(script: Script):
    yield from ()
'''


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Installs a distribution with a pack; gives the function that writes its modules."""
    site = tmp_path / "site"
    info = site / "acme_rules-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text("[console_scripts]\nx = y:z\n\n[configlint.rules]\nacme = acme_rules\n")
    monkeypatch.syspath_prepend(str(site))
    package = site / "acme_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")

    def write(name: str, text: str) -> None:
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    yield write
    for name in [name for name in sys.modules if name.split(".")[0] == "acme_rules"]:
        del sys.modules[name]


def test_announced_pack_is_found_with_nested_modules(plugin) -> None:
    plugin("one.py", RULE.format(id="acme-one", api=1))
    plugin("sub/__init__.py", "from acme_rules.one import check as again")
    plugin("sub/two.py", RULE.format(id="acme-two", api=1))
    plugin("_private.py", "raise RuntimeError")
    plugin("not-a-module.txt", "x")
    registry = load()
    assert registry.get("acme-one").module == "acme_rules.one"
    assert registry.get("acme-two").module == "acme_rules.sub.two"
    assert Pack("acme", "acme_rules", "acme_rules-1.0") in packs()


def test_wrong_api_version_is_refused(plugin) -> None:
    plugin("one.py", RULE.format(id="acme-one", api=7))
    with pytest.raises(RegistryError, match=r"acme-one \(acme_rules.one\) was made for rule API 7; this .* has 1"):
        load()


def test_duplicate_id_names_both_modules(plugin) -> None:
    plugin("one.py", RULE.format(id="acme-one", api=1))
    plugin("two.py", RULE.format(id="acme-one", api=1))
    with pytest.raises(RegistryError, match=r"two rules are called acme-one: acme_rules.one and acme_rules.two"):
        load()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import nothing_of_that_name", "cannot be loaded: ModuleNotFoundError"),
        ("def f(:", "cannot be loaded: SyntaxError"),
        (RULE.format(id="Bad_Id", api=1), "no kebab-case rule id"),
    ],
)
def test_a_pack_that_cannot_be_loaded(plugin, text: str, wanted: str) -> None:
    plugin("one.py", text)
    with pytest.raises(RegistryError, match=r"rule pack acme_rules \(from acme_rules-1.0\)") as caught:
        load()
    assert wanted in str(caught.value)


def test_the_current_folder_announces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "evil-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[configlint.rules]\nevil = evil\n")
    assert [pack.name for pack in packs([str(tmp_path)])] == ["builtin", "evil"]
    monkeypatch.chdir(tmp_path)
    assert [pack.name for pack in packs(["", str(tmp_path)])] == ["builtin"]


def test_the_built_in_pack_needs_no_look_up_and_counts_once() -> None:
    assert packs([]) == (Pack("builtin", BUILT_IN, "configlint"),)
    text = "[configlint.rules]\nbuiltin = configlint_rules\n"
    assert next(parse(text, "configlint")).package == BUILT_IN


def test_entry_points_text() -> None:
    text = "[other]\na = b\n[configlint.rules]\n# no = comment\nx = pkg.sub:attr [extra]\n\nbroken\n= \n[z]\nq = r\n"
    assert list(parse(text, "dist")) == [Pack("x", "pkg.sub", "dist")]


def test_no_metadata_machinery_is_imported_for_folders() -> None:
    import subprocess

    code = "import sys; from configlint.lint.registry import load; load(); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


REGISTRY = Registry(
    (
        make_rule("image-mismatch", aliases=("old-name",)),
        make_rule("label-mismatch", precision=MEDIUM),
        make_rule("new-thing", preview=True),
    )
)


def ids(**more: Any) -> list[str]:
    return [rule.id for rule in REGISTRY.choose(**more)]


def test_choice() -> None:
    assert ids() == ["image-mismatch"]
    assert ids(pedantic=True) == ["image-mismatch", "label-mismatch", "new-thing"]
    assert ids(select=["label-mismatch", "new-thing"]) == ["label-mismatch", "new-thing"]
    assert ids(select=["old-name"]) == ["image-mismatch"]
    assert ids(ignore=["old-name"], pedantic=True) == ["label-mismatch", "new-thing"]
    assert ids(select=["old-name"], ignore=["image-mismatch"]) == []


@pytest.mark.parametrize("where", ["select", "ignore"])
def test_unknown_id_suggests(where: str) -> None:
    with pytest.raises(UnknownRuleError, match=r"no rule is called 'image-mismach'; did you mean 'image-mismatch'"):
        ids(**{where: ["image-mismach"]})


def test_alias_may_not_collide() -> None:
    with pytest.raises(RegistryError, match="two rules are called new"):
        Registry((make_rule("new"), make_rule("other", aliases=("new",))))
