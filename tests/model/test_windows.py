"""Health windows, limits that mask them, and what counts as more or less."""

from __future__ import annotations

import pytest

from configlint.model.composition import Variant, variants
from configlint.model.windows import in_seconds, limit_below, quantity, quantity_of, window_of
from configlint.profile.builtins import builtin
from configlint.profile.profile import Health
from configlint.syntax.yaml import load_string

DOCUMENTS = builtin("inferencex").documents
HEALTH = DOCUMENTS.health or Health("", "", 0, 0)


def variant(text: str, selector: str | None = None) -> Variant:
    root = load_string(text).root
    assert root is not None
    return variants(root, DOCUMENTS.compose, selector)[0]


@pytest.mark.parametrize(
    ("text", "seconds", "explicit"),
    [
        ("name: a", 1800, False),
        ("health_check: {max_attempts: 720}", 7200, True),
        ("health_check: {interval_seconds: 5}", 900, True),
        ("health_check: {max_attempts: '60', interval_seconds: 0.5}", 30, True),
        ("health_check:", 1800, False),
    ],
)
def test_windows(text: str, seconds: float, explicit: bool) -> None:
    window = window_of(variant(text), HEALTH)
    assert window is not None
    assert (window.seconds, window.is_explicit) == (seconds, explicit)


@pytest.mark.parametrize("value", ["yes", "many", "[1]", "${N}", "\ue000output of a command\ue002"])
def test_a_window_that_is_no_number(value: str) -> None:
    assert window_of(variant(f"health_check:\n  max_attempts: {value}\n"), HEALTH) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        (" 1.5 ", 1.5),
        ("-3", -3),
        ("4:00:00", 14_400),
        ("04:00", 240),
        ("1-00:00:00", 86_400),
        ("2-12:30", 217_800),
        ("", None),
        ("12s", None),
        ("0x10", None),
        ("1:99:00", None),
        ("9" * 40, None),
    ],
)
def test_more_or_less(text: str, number: float | None) -> None:
    assert quantity_of(text) == number


@pytest.mark.parametrize(
    ("text", "unit", "seconds"),
    [
        ("a: 90", "seconds", 90),
        ("a: '90'", "seconds", 90),
        ("a: 90", "minutes", 5400),
        ("a: 90", "clock", 5400),
        ("a: '02:00:00'", "clock", 7200),
        ("a: 2:00:00", "clock", 7200),  # YAML 1.1 makes a number of it
        ("a: true", "seconds", None),
        ("a: [1]", "seconds", None),
        ("a: '\ue000x\ue002'", "clock", None),
    ],
)
def test_limits_in_seconds(text: str, unit: str, seconds: float | None) -> None:
    node = load_string(text).root
    assert node is not None
    value = node.get("a")
    assert value is not None
    assert in_seconds(value, unit) == seconds


def test_true_is_no_quantity() -> None:
    node = load_string("a: true").root
    assert node is not None
    value = node.get("a")
    assert value is not None
    assert quantity(value) is None


TIMEOUT = "VLLM_ENGINE_READY_TIMEOUT_S"


@pytest.mark.parametrize(
    ("text", "seconds", "found"),
    [
        (f"backend: {{aggregated_environment: {{{TIMEOUT}: '3600'}}}}", 7200, 3600),
        (f"backend: {{aggregated_environment: {{{TIMEOUT}: '7200'}}}}", 7200, None),
        # the role that may wait longer decides
        (f"backend: {{prefill_environment: {{{TIMEOUT}: 60}}, decode_environment: {{{TIMEOUT}: 9000}}}}", 7200, None),
        (f"backend: {{prefill_environment: {{{TIMEOUT}: 60}}, decode_environment: {{{TIMEOUT}: 600}}}}", 7200, 600),
        (f"backend: {{prefill_environment: {{{TIMEOUT}: 60}}, decode_environment: {{{TIMEOUT}: x}}}}", 7200, None),
        ("slurm: {time_limit: '01:00:00'}", 7200, 3600),
        (f"slurm: {{time_limit: '01:00:00'}}\nbackend: {{agg_environment: {{{TIMEOUT}: 1200}}}}", 7200, 1200),
        ("name: a", 7200, None),
    ],
)
def test_limits_below_a_window(text: str, seconds: float, found: float | None) -> None:
    limit = limit_below(variant(text), DOCUMENTS.masks, seconds)
    assert (limit.seconds if limit is not None else None) == found


def test_a_limit_of_the_variant_that_is_submitted() -> None:
    text = "".join(
        f"{key}: {{backend: {{a_environment: {{{TIMEOUT}: {value}}}}}}}\n"
        for key, value in (("base", 60), ("override_b", 90))
    )
    limit = limit_below(variant(text, "override_b"), DOCUMENTS.masks, 7200)
    assert limit is not None
    assert str(limit) == f"the engine's own ready timeout (backend.a_environment.{TIMEOUT} = 90) gives up first"
