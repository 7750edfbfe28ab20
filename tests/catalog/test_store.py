"""Data files: what is written is what is read, whatever the facts; versions; damage."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configlint.catalog.facts import Flag, Kind, records
from configlint.catalog.snapshot import Snapshot, is_plain
from configlint.catalog.store import SHIPPED, Catalogs, Recorded, decode, encode, merged, recorded, shrink, write
from configlint.catalog.tables import TableError
from configlint.catalog.versions import in_order, is_version, order

VERSIONS = ["0.8.1", "0.9.0rc1", "0.9.0", "0.9.0.post1", "1.0.0.dev3", "1.0.0", "1.10.0", "sha:ab12", "clone:mine"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
floats = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | floats | texts
facts = st.dictionaries(st.sampled_from(["k", "d", "ch", "env"]), scalars | st.lists(scalars, max_size=3), max_size=3)
tables = st.dictionaries(
    st.sampled_from(VERSIONS),
    st.dictionaries(st.sampled_from(["a", "b-c", "C.d", "E_F"]), facts, max_size=4),
    min_size=1,
)


def recordings(said):
    return {name: Recorded.of(name, Snapshot(keys, seen=len(keys))) for name, keys in said.items()}


def typed(value):
    """Facts so that 1, 1.0 and True differ."""
    return repr(value)


@given(tables)
def test_round_trip(said) -> None:
    text = encode("t.x", recordings(said))
    table = decode(text)
    assert list(table.check()) == []
    for name, keys in said.items():
        assert typed(dict(table.at(name))) == typed({key: dict(sorted(keys[key].items())) for key in sorted(keys)}), (
            name
        )
        for key in ("a", "b-c", "C.d", "E_F"):
            assert (table.facts(key, name) is None) == (key not in keys)
    assert encode("t.x", recorded(table)) == text
    for key in table.keys:
        spans = table.ranges(key)
        told = {name: one.facts for one in spans for name in between(table.versions, one.first, one.last)}
        assert told == {name: said[name][key] for name in table.versions if key in said[name]}
        assert set(table.holders(key)) == {name for name, keys in said.items() if key in keys}


def between(versions, first, last):
    return versions[versions.index(first) : versions.index(last) + 1]


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_adding_does_not_matter(said, chance: random.Random) -> None:
    names = list(said)
    chance.shuffle(names)
    text = ""
    for name in names:
        known = recorded(decode(text)) if text else {}
        text = encode("t.x", {**known, **recordings({name: said[name]})})
    assert text == encode("t.x", recordings(said))


@given(tables, tables)
def test_a_later_folder_wins(first, second) -> None:
    table = merged("t.x", [decode(encode("t.x", recordings(one))) for one in (first, second)])
    assert typed({name: dict(table.at(name)) for name in in_order({**first, **second})}) == typed(
        {
            name: {key: dict(sorted(one.items())) for key, one in sorted({**first, **second}[name].items())}
            for name in in_order({**first, **second})
        }
    )


def test_a_new_version_that_changes_nothing_is_one_line() -> None:
    said = {"1.0": {"a": {"k": "int"}, "b": {"k": "str"}}, "1.1": {"a": {"k": "int"}}}
    before = encode("t.x", recordings(said)).splitlines()
    after = encode("t.x", recordings({**said, "1.2": said["1.1"]})).splitlines()
    assert [line for line in after if line not in before] == ['{"version":"1.2","seen":1}']
    assert [line for line in before if line not in after] == []


def test_versions_are_ordered_as_packages_order_them() -> None:
    wanted = (
        "0.9 1.0.dev1 1.0a1.dev1 1.0a1 1.0b2 1.0rc1 1.0rc2 1.0 1.0+cu1 1.0.post1.dev2 1.0.post1 1.0.1 v1.2 1.10 2"
    ).split()
    shuffled = sorted(wanted, key=lambda name: name[::-1])
    assert in_order(shuffled) == wanted
    keys = [order(name) for name in wanted]
    assert all(one is not None and other is not None and one < other for one, other in pairwise(keys))
    assert order("1.0") == order("1.0.0") == order("v1")


def test_versions_agree_with_the_reference() -> None:
    packaging = pytest.importorskip("packaging.version")
    chance = random.Random(7)
    parts = ["", "a1", "b2", "rc1", ".post1", ".dev3", "rc1.dev2", "a1.post2", ".post1.dev1"]
    names = {
        f"{chance.randrange(3)}.{chance.randrange(12)}.{chance.randrange(3)}{chance.choice(parts)}" for _ in range(300)
    }
    keys = [key for one in sorted(names, key=packaging.Version) if (key := order(one)) is not None]
    assert len(keys) == len(names)
    assert keys == sorted(keys)


@pytest.mark.parametrize("name", ["sha:0123abcd", "main", "1234567", "df5baa93", "nightly-20260101", "by-hand"])
def test_custom_versions_have_no_order(name: str) -> None:
    assert order(name) is None
    assert is_version(name)


@pytest.mark.parametrize("name", ["", "a b", "..", "1..2", "-x", "a\nb", "x" * 200, '"'])
def test_names_that_no_version_can_have(name: str) -> None:
    assert not is_version(name)


def test_queries() -> None:
    said = {"1.0": {"a": {"k": "int"}}, "1.2": {"a": {"k": "str"}, "b": {}}, "sha:1": {"c": {}}}
    table = decode(encode("t.x", recordings(said)))
    assert (table.versions, table.customs, table.newest, table.keys) == (
        ("1.0", "1.2"),
        ("sha:1",),
        "1.2",
        ("a", "b", "c"),
    )
    assert table.neighbours("1.1") == ("1.0", "1.2")
    assert table.neighbours("1.2.0") == ("1.2", "1.2")
    assert table.neighbours("9") == ("1.2", None)
    assert table.neighbours("0.1.dev1") == (None, "1.0")
    assert table.neighbours("sha:1") == (None, None)
    assert table.version("v1.2.0") == table.version("1.2")
    assert table.facts("a", "v1.0") == {"k": "int"}
    assert table.facts("nothing", "1.0") is None
    with pytest.raises(KeyError):
        table.at("1.1")


@pytest.mark.parametrize(
    "text",
    [
        "", "[]\n", '{"table":"t"}\n["a","1.0",{}]\n', '{"table":"t"}\n{"version":"1.0"}\n["a","2.0",{}]\n',
        '{"table":"t"}\n{"version":"1.0"}\n["a","..",3]\n', '{"table":"t"}\n{"version":"1.0"}\nnonsense\n',
        '{"table":"t"}\n{"version":"1.1"}\n{"version":"1.0"}\n', '{"table":"t"}\n{"version":"a b"}\n',
        '{"table":"t"}\n{"version":"1.0"}\n{"version":"1.1"}\n["a","1.1..1.0",{}]\n', '{"table":\n',
        '{"table":"t"}\n{"version":"1.0"}\n["a","..",{},1]\n', '{"table":"t"}\n{"version":"1.0"}\n["a",1,{}]\n',
    ],
)  # fmt: skip
def test_damage_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.x.jsonl").write_text(text)
    with pytest.raises(TableError) as told:
        read_all(tmp_path)
    assert str(told.value)


def read_all(folder: Path) -> None:
    table = Catalogs((folder,)).table("t.x")
    assert table is not None
    list(table.check())


def test_overlapping_ranges_are_a_fault() -> None:
    text = '{"table":"t"}\n{"version":"1.0"}\n{"version":"1.1"}\n["a","..",{"k":"int"}]\n["a","1.1..",{"k":"str"}]\n'
    assert list(decode(text).check()) == ["a: two facts for 1.1"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write(tmp_path, "t.x", recordings({"1.0": {"a": {}}}))
    before = (tmp_path / "t.x.jsonl").read_bytes()
    with pytest.raises(ValueError, match="Out of range"):
        write(tmp_path, "t.x", recordings({"1.0": {"a": {"d": float("inf")}}}))
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("t.x.jsonl", before)]


def keys(count: int) -> dict[str, dict[str, str]]:
    return {f"k{n:03}": {} for n in range(count)}


@pytest.mark.parametrize(
    ("version", "count", "suspicious"),
    [("1.1", 90, False), ("1.1", 89, True), ("1.3", 45, False), ("1.3", 44, True), ("0.9", 90, False),
     ("0.9", 89, True),
     ("sha:1", 45, False), ("sha:1", 44, True), ("1.1", 0, True), ("1.0", 1, True)],
)  # fmt: skip
def test_the_fuse_compares_with_the_version_before(version: str, count: int, suspicious: bool) -> None:
    table = decode(encode("t.x", recordings({"1.0": keys(100), "1.2": keys(50)})))
    assert (shrink(table, "t.x", version, keys(count)) is not None) is suspicious


def test_snapshots_are_freed_of_what_no_file_can_hold() -> None:
    loop: list[object] = []
    loop.append(loop)
    bad: dict[str, Any] = {
        "ok": {"k": "int"},
        'a"b': {},
        "": {},
        "x" * 300: {},
        "inf": {"d": float("inf")},
        "deep": {"d": loop},
    }
    sound = Snapshot(bad, seen=6).sound()
    assert (list(sound.facts), len(sound.unresolved), sound.seen) == (["ok"], 5, 6)
    assert not is_plain("\ud800")
    assert not is_plain(2**70)
    assert not is_plain(["x" * 100_000])


def test_flags_say_only_what_is_known() -> None:
    flag = Flag.decode("a", {"k": "bool+no", "d": None, "dep": "b", "al": ["-a"], "ch": [1, "x"], "env": "E"})
    assert (flag.kind, flag.has_default, flag.default, flag.is_deprecated, flag.replaced_by) == (
        Kind.BOOL_NO, True, None, True, "b",
    )  # fmt: skip
    assert (flag.aliases, flag.choices, flag.environment, flag.kind.is_switch) == (("-a",), (1, "x"), "E", True)
    more = Flag.decode("a", {"k": "list", "el": "int", "also": ["None"], "units": True, "req": True, "multi": True,
                             "gone": True, "sp": "--a_b", "cls": "C"})  # fmt: skip
    assert (more.element, more.also, more.has_units, more.is_required, more.is_repeatable, more.is_gone) == (
        Kind.INT, ("None",), True, True, True, True,
    )  # fmt: skip
    assert (more.spelling, more.config_class) == ("--a_b", "C")
    empty = Flag.decode("a", {"k": "of the future"})
    assert (empty.kind, empty.has_default, empty.choices, empty.is_deprecated) == (Kind.UNKNOWN, False, None, False)


def test_records_and_their_fields() -> None:
    known = records({
        "A": {"extra": "forbid", "also": ["old"]},
        "A.x": {"k": "int", "or": ["str", "of the future"], "null": True, "ge": 1, "lt": 2.5, "d": 1, "al": ["ex"]},
        "A.y": {"k": "any", "open": True, "cls": ["B", "C"], "req": True},
        "B": {},
        "C": {"extra": "ignore"},
        "C.z": {"k": "json", "cls": "B", "ch": ["a"]},
    })  # fmt: skip
    x, y = known["A"].fields["x"], known["A"].fields["y"]
    assert (x.kinds, x.may_be_none, x.bounds, x.default) == ((Kind.INT, Kind.STR), True, (("ge", 1), ("lt", 2.5)), 1)
    assert (y.kinds, y.is_open, y.records, y.is_required, y.has_default) == ((), True, ("B", "C"), True, False)
    assert (known["C"].fields["z"].records, known["C"].fields["z"].choices) == (("B",), ("a",))
    assert [key for key in ("x", "y", "ex", "old", "z") if known["A"].refuses(key)] == ["z"]
    assert not known["B"].refuses("anything")  # what it does with it is not known
    assert not known["C"].refuses("anything")


def test_the_shipped_records_lead_to_each_other() -> None:
    catalogs = Catalogs((SHIPPED,))
    engine, config = catalogs.table("vllm.engine"), catalogs.table("vllm.config")
    assert engine is not None and config is not None
    for version in config.versions:
        known = records(config.at(version))
        wanted = {Flag.decode(key, says).config_class for key, says in engine.at(version).items()} - {""}
        wanted |= {name for one in known.values() for field in one.fields.values() for name in field.records}
        assert len(wanted) > 10
        assert wanted <= known.keys()


def test_the_shipped_files_are_sound() -> None:
    known = Catalogs.standard({"XDG_DATA_HOME": "/nonexistent"})
    assert {"ai-dynamo.vllm", "ai-dynamo.sglang", "ai-dynamo.trtllm", "ai-dynamo.frontend", "aiperf.profile"} <= set(
        known.names()
    )
    for name in known.names():
        table = known.table(name)
        assert table is not None and table.name == name
        assert list(table.check()) == []
        assert encode(name, recorded(table)) == (known.folders[0] / f"{name}.jsonl").read_text(encoding="utf-8")
