"""Keys of a recipe as words of a command line: every kind of YAML value, against a statement of the same in Python."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from configlint.launch.values import shown
from configlint.model.composition import variants
from configlint.model.workers.flags import FRONTEND, WORKER, Fate, FlagUse, Settings, Style
from configlint.profile.globs import Globs
from configlint.profile.profile import Compose
from configlint.syntax.yaml import load_string

COMPOSE = Compose("base", "override_", "zip_override_")
NOTHING = Globs((), ".")


def flags(text: str, style: Style = WORKER, taken: frozenset[str] = frozenset(), touched: Globs = NOTHING) -> list[Any]:
    """The flags of the mapping under ``c`` in a document that may have variants."""
    root = load_string(text).root
    assert root is not None
    (variant,) = variants(root, COMPOSE, None)
    found = variant.at("c")
    assert found is not None
    values = found if isinstance(found, dict) else found.pairs()
    return list(Settings("c", values, touched).uses(style, taken))


def words(found: list[FlagUse]) -> list[str]:
    return [word for one in found for word in one.words]


def worker_words(config: dict[str, Any]) -> list[str]:
    """What srtctl makes of a worker's mapping."""
    line: list[str] = []
    for key, value in sorted(config.items(), key=lambda pair: pair[0]):
        flag = "--" + "-".join(key.split("_"))
        if value is None or value is False:
            continue
        line.append(flag)
        if isinstance(value, list):
            line += map(str, value)
        elif value is not True:
            line.append(str(value))
    return line


def frontend_words(config: dict[str, Any]) -> list[str]:
    """What srtctl makes of the frontend's arguments."""
    line: list[str] = []
    for key, value in config.items():
        if value is True:
            line += ["--" + key]
        elif not (value is False or value is None):
            line += ["--" + key, str(value)]
    return line


VALUES = [
    *("true", "false", "yes", "off", "null", "~", "", "0", "1", "-3", "010", "0x1f", "1_000", "1:30", "0.9", ".5"),
    *("1e-5", "1.0e+3", ".inf", "-.inf", ".nan", "abc", "'true'", "'1'", '"x y"', "''", "é", "a#b", "'a: b'"),
    *("2026-01-02", "2026-01-02 03:04:05", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05.5 +02:00"),
    *("!!str 5", "!!int '7'", "!!float 1", "!!bool 'on'", "!!binary aGVsbG8=", """'{"k": [1, null]}'"""),
    *("[]", "[1, two, 3.5, true, null, [x], {y: 2026-01-02}]", "{}", "{a: 1, b: [x, null], c: {d: 0.5, e: yes}}"),
    "{1: a, true: b, null: c, 2.5: d}",
]
RESERVED = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}  # keys that are no text, which srtctl refuses

keys = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True).filter(lambda one: one.lower() not in RESERVED)
documents = st.dictionaries(keys, st.sampled_from(VALUES), max_size=8)


def document(values: dict[str, str]) -> str:
    return "".join([*(f"  {key}: {value}\n" for key, value in values.items())])


@given(documents)
def test_workers_get_what_srtctl_would_make(values: dict[str, str]) -> None:
    text = document(values)
    expected = yaml.safe_load(text) or {}
    assert words(flags(f"c:\n{text}" if text else "c: {}\n")) == worker_words(expected)


@given(documents)
def test_frontends_get_what_srtctl_would_make(values: dict[str, str]) -> None:
    text = document(values)
    expected = yaml.safe_load(text) or {}
    assert words(flags(f"c:\n{text}" if text else "c: {}\n", FRONTEND)) == frontend_words(expected)


# A merge knows keys by their text: one that is a number below a merged key is not told from the text of that number.
mergeable = st.dictionaries(keys, st.sampled_from(VALUES[:-1]), max_size=8)


@given(mergeable, mergeable)
def test_overrides_become_words_of_the_merged_mapping(base: dict[str, str], over: dict[str, str]) -> None:
    text = f"base:\n  c:\n    always: 1\n{_deeper(base)}override_x:\n  c:\n    more: 2\n{_deeper(over)}"
    loaded = yaml.safe_load(text)
    expected = _merged(loaded["base"]["c"], loaded["override_x"]["c"])
    assert words(flags(text)) == worker_words(expected)
    assert words(flags(text, FRONTEND)) == frontend_words(expected)


def _deeper(values: dict[str, str]) -> str:
    return "".join(f"    {key}: {value}\n" for key, value in values.items() if key not in ("always", "more"))


def _merged(base: dict[Any, Any], over: dict[Any, Any]) -> dict[Any, Any]:
    result = dict(base)
    for key, value in over.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = _merged(result[key], value)
        else:
            result[key] = value
    return result


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("true", ["--a-b"]),
        ("false", []),
        ("null", []),
        ("[8, 16]", ["--a-b", "8", "16"]),
        ("{x: [1, null], y: {z: 0.5}}", ["--a-b", "{'x': [1, None], 'y': {'z': 0.5}}"]),
        ("0.90", ["--a-b", "0.9"]),
        ("1e-5", ["--a-b", "1e-5"]),  # text for YAML 1.1
        ("1.0e-5", ["--a-b", "1e-05"]),
        ("017", ["--a-b", "15"]),
        ("'true'", ["--a-b", "true"]),
        ("''", ["--a-b", ""]),
        ("2026-01-02", ["--a-b", "2026-01-02"]),
        ("[2026-01-02]", ["--a-b", "2026-01-02"]),
        ("{on: 2026-01-02}", ["--a-b", "{True: datetime.date(2026, 1, 2)}"]),
        ("'{\"k\": 1}'", ["--a-b", '{"k": 1}']),
    ],
)
def test_values_by_example(value: str, expected: list[str]) -> None:
    (one,) = flags(f"c: {{a_b: {value}}}\n")
    assert list(one.words) == expected
    assert (one.name, one.spelled, one.path) == ("a-b", "a_b", "c.a_b")
    assert one.fate is (Fate.PASSED if expected else Fate.OMITTED)
    assert one.is_passed == bool(expected)


def test_both_spellings_are_passed_in_the_order_of_their_keys() -> None:
    assert words(flags("c: {a_b: 1, b: 3, a-b: 2}\n")) == ["--a-b", "2", "--a-b", "1", "--b", "3"]


def test_frontends_rewrite_nothing() -> None:
    found = flags("c: {z_y: 1, a-b: [1, 2], on_: true, off_: false}\n", FRONTEND)
    assert words(found) == ["--z_y", "1", "--a-b", "[1, 2]", "--on_"]


def test_dotted_keys() -> None:
    assert [one.name for one in flags("c: {a_b.c_d: 1}\n")] == ["a-b.c-d"]
    assert [one.name for one in flags("c: {a_b.c_d: 1}\n", Style(keep_dotted=True))] == ["a-b.c_d"]


def test_keys_that_srtctl_takes_out() -> None:
    (one, two) = flags("c: {port: 1, x: 2}\n", taken=frozenset({"port"}))
    assert (one.fate, one.words, one.value, one.is_taken) == (Fate.TAKEN, (), 1, True)
    assert two.fate is Fate.PASSED


def test_a_value_that_may_have_changed_is_not_told() -> None:
    (one, two) = flags("c: {a: 1, b: 2}\n", touched=Globs(("c.b",), "."))
    assert one.is_sure
    assert (two.name, two.value, two.fate, two.is_passed, two.is_sure) == ("b", None, Fate.UNSURE, True, False)
    assert [shown(word) for word in two.words] == ["--b", "{?value}"]


def test_the_last_of_two_keys_and_merged_mappings() -> None:
    assert words(flags("d: &d {a: 1, b: 2}\nc:\n  <<: *d\n  b: 3\n  b: 4\n")) == ["--a", "1", "--b", "4"]


def test_nodes_are_the_values() -> None:
    (one,) = flags("c:\n  a: 1\n")
    assert one.node is not None
    assert one.node.place.line == 2
