"""The engine: crashes stay local, launches that share a place merge, causes group, order does not depend on luck."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from configlint.api import (
    ERROR,
    INFO,
    LOW,
    MEDIUM,
    WARNING,
    Diagnostic,
    EntryRef,
    Fix,
    Instance,
    Location,
    TextEdit,
    Unknown,
    Verdict,
)
from configlint.lint.engine import Options, run
from configlint.lint.group import merged_entries
from tests.support.fakes import FakeProject, FakeSubject, FakeTree, mark
from tests.support.samples import MATRIX_FILE, entry, make_rule

FILES = {"a.sh": "one\ntwo\nthree\n", "b.sh": "four\n", "sub/c.sh": "five\n"}


def project(**more: Any) -> FakeProject:
    return FakeProject(FakeTree(FILES), **more)


def first_word(script: FakeSubject) -> Iterator[Verdict]:
    word = script.text.string.split()[0]
    yield script.instance(f"starts with {word}", cause=mark(script.text, word))


def script_rule(check: Callable[[FakeSubject], Any], id: str = "test-rule", **more: Any):
    return make_rule(id, subject="Script", check=check, **more)


def test_findings_carry_rule_severity_and_fingerprint() -> None:
    result = run(project(), [script_rule(first_word)])
    assert [finding.message for finding in result.findings] == [
        "starts with one",
        "starts with four",
        "starts with five",
    ]
    finding = result.findings[0]
    assert (finding.severity, finding.rule.id, finding.instances[0].rule) == (ERROR, "test-rule", "test-rule")
    assert len({one.fingerprint for one in result.findings}) == 3
    assert all(len(one.fingerprint) == 20 for one in result.findings)


def test_a_crashing_rule_becomes_a_diagnostic_and_the_rest_goes_on() -> None:
    def crash(script: FakeSubject) -> Iterator[Verdict]:
        yield from first_word(script)
        if script.text.path != "b.sh":
            raise ValueError("no\nway")

    result = run(project(), [script_rule(crash, "crashing"), script_rule(first_word, "healthy")])
    assert result.crashed
    assert len(result.findings) == 6  # what it yielded before it crashed is kept
    (one,) = result.diagnostics
    assert (one.id, one.severity) == ("rule-crashed", ERROR)
    assert one.message.startswith("crashing: ValueError: no way (tests.lint.test_engine_run:")
    assert one.message.endswith("on a.sh and 1 more")


def test_a_crash_is_blamed_on_the_line_of_the_rule_and_not_on_what_it_called() -> None:
    def crash(script: FakeSubject) -> Iterator[Verdict]:
        yield script.instance("m", cause=mark(script.text, "no such text"))

    (one,) = run(project(), [script_rule(crash, module=__name__)]).diagnostics
    assert f"({__name__}:{crash.__code__.co_firstlineno + 1})" in one.message
    (deep,) = run(project(), [script_rule(crash, module="elsewhere")]).diagnostics
    assert "(tests.support.fakes:" in deep.message  # the rule's module is not on the way: where it was raised


def test_a_rule_that_yields_nonsense_crashes() -> None:
    result = run(project(), [script_rule(lambda script: iter(["text"]))])
    assert result.crashed
    assert "a rule yields Instance or Unknown, not str" in result.diagnostics[0].message
    assert run(project(), [script_rule(lambda script: None)]).crashed


def test_a_subject_without_a_label_does_not_hide_the_crash() -> None:
    class Odd:
        @property
        def label(self) -> str:
            raise RuntimeError

    def crash(launch: Odd) -> Iterator[Verdict]:
        raise KeyError("x")
        yield

    result = run(project(own_launches=[Odd()]), [make_rule("odd", check=crash)])
    assert "KeyError" in result.diagnostics[0].message and "on Odd" in result.diagnostics[0].message


def test_subjects_that_cannot_be_made_are_reported_and_other_kinds_go_on() -> None:
    class Broken(FakeProject):
        def launches(self) -> Iterator[object]:
            raise RecursionError("deep")

    rules = [make_rule("on-launch", check=first_word), script_rule(first_word)]
    result = run(Broken(FakeTree(FILES)), rules)
    assert result.crashed and len(result.findings) == 3
    assert result.diagnostics[0].message.startswith("internal error: no launches to check: RecursionError: deep")


def test_only_the_subjects_that_rules_look_at_are_made() -> None:
    fake = project()
    run(fake, [script_rule(first_word)])
    assert fake.asked == ["scripts"]
    fake = project()
    run(fake, [], Options(require_launches=True))
    assert fake.asked == ["launches"]


def test_unknown_verdicts_are_counted_not_shown() -> None:
    def unsure(script: FakeSubject) -> Iterator[Verdict]:
        yield Unknown("the ref is not available")

    result = run(project(), [script_rule(unsure)])
    assert not result.findings
    assert result.stats.rules["test-rule"].unknown == 3


def test_same_place_from_many_launches_is_one_instance() -> None:
    tree = FakeTree(FILES)
    text = tree.read("a.sh")
    entries = [EntryRef(key, mark(MATRIX_FILE, key), points) for key, points in (("alpha-fp8", 2), ("beta-fp8", 3))]
    launches = [FakeSubject(text, (entries[0],)), FakeSubject(text, (entries[1],)), FakeSubject(text, (entries[0],))]
    result = run(FakeProject(tree, own_launches=launches), [make_rule("on-launch", check=first_word)])
    (finding,) = result.findings
    assert len(finding.instances) == 1
    assert [(one.key, one.points) for one in finding.entries] == [("alpha-fp8", 4), ("beta-fp8", 3)]


def test_points_that_are_hurt_twice_count_once_where_they_are_known() -> None:
    both = merged_entries([[entry("alpha-fp8", 2, (1, 2))], [entry("alpha-fp8", 2, (2, 3))]])
    assert [(one.points, one.ids) for one in both] == [(3, frozenset({1, 2, 3}))]
    mixed = merged_entries([[entry("alpha-fp8", 2, (1, 2))], [entry("alpha-fp8", 2)]])
    assert [(one.points, one.ids) for one in mixed] == [(4, frozenset())]


def test_merged_instances_keep_the_worst_message_and_note_the_others() -> None:
    def check(launch: FakeSubject) -> Iterator[Verdict]:
        mild = launch.entries == ()
        yield launch.instance(
            "mild" if mild else "bad", cause=mark(launch.text, "one"), severity=WARNING if mild else ERROR
        )

    text = FakeTree(FILES).read("a.sh")
    launches = [FakeSubject(text), FakeSubject(text, (entry("alpha-fp8", 1),))]
    (finding,) = run(project(own_launches=launches), [make_rule("on-launch", check=check)]).findings
    assert (finding.message, finding.severity, finding.notes) == ("bad", ERROR, ("also: mild",))


def victims(script: FakeSubject) -> Iterator[Verdict]:
    """One cause, a victim on every line."""
    for index, word in enumerate(script.text.string.split()):
        yield script.instance(
            f"{word} is lost",
            summary="{count} words are lost {but} why",
            cause=mark(script.text, script.text.string.split()[0]),
            victim=mark(script.text, word),
            severity=ERROR if index == 1 else WARNING,
        )


def test_instances_of_a_cause_are_one_finding() -> None:
    result = run(project(), [script_rule(victims)])
    finding = result.findings[0]
    assert finding.message == "3 words are lost {but} why"
    assert finding.severity is ERROR  # the worst
    assert finding.instances[0].message == "two is lost"  # whose places come first
    # The first victim is the cause's own place, so it is not repeated.
    assert [one.place.text.slice(one.place.span) for one in finding.locations] == ["one", "two", "three"]
    assert result.findings[1].message == "four is lost"


def test_without_a_summary_the_first_message_says_how_many_more() -> None:
    def check(script: FakeSubject) -> Iterator[Verdict]:
        for verdict in victims(script):
            assert isinstance(verdict, Instance)
            yield replace(verdict, summary="", severity=None)

    assert run(project(), [script_rule(check)]).findings[0].message == "one is lost (and 2 more)"


def test_masked_errors_become_warnings_never_less() -> None:
    def check(script: FakeSubject) -> Iterator[Verdict]:
        word = script.text.string.split()[0]
        yield script.instance("m", cause=mark(script.text, word), masked_by="a limit of 3,600 s")

    (finding, *_) = run(project(), [script_rule(check)]).findings
    assert (finding.severity, finding.notes) == (WARNING, ("masked: a limit of 3,600 s",))

    def for_entries(launch: FakeSubject) -> Iterator[Verdict]:
        key = launch.entries[0].key if launch.entries else ""
        yield launch.instance("m", cause=mark(launch.text, "one"), masked_by="a limit" if key else "")

    text = FakeTree(FILES).read("a.sh")
    launches = [FakeSubject(text), *(FakeSubject(text, (entry(key, 1),)) for key in ("beta-fp8", "alpha-fp8"))]
    (mixed,) = run(project(own_launches=launches), [make_rule("on-launch", check=for_entries)]).findings
    assert (mixed.severity, mixed.notes) == (ERROR, ("masked for alpha-fp8, beta-fp8: a limit",))
    low = run(project(), [script_rule(check, severity=INFO)], Options(severity=INFO)).findings
    assert {one.severity for one in low} == {INFO}


def test_severity_hides_and_counts() -> None:
    rules = [script_rule(first_word, severity=INFO)]
    result = run(project(), rules)
    assert (result.findings, result.stats.hidden) == ((), 3)
    assert len(run(project(), rules, Options(severity=INFO)).findings) == 3
    assert [run(project(), rules, Options(paths=(path,))).stats.hidden for path in ("sub", "a.sh", "c.sh")] == [1, 1, 0]
    assert not run(project(), [script_rule(first_word, severity=WARNING)], Options(severity=ERROR)).findings


def test_precision_hides_unless_asked_for() -> None:
    def check(script: FakeSubject) -> Iterator[Verdict]:
        word = script.text.string.split()[0]
        yield script.instance("m", cause=mark(script.text, word), precision=LOW if word == "one" else None)

    rules = [script_rule(check)]
    assert len(run(project(), rules).findings) == 2
    assert len(run(project(), rules, Options(pedantic=True)).findings) == 3
    assert len(run(project(), rules, Options(selected=frozenset({"test-rule"}))).findings) == 3
    medium = [script_rule(first_word, precision=MEDIUM)]
    assert not run(project(), medium).findings


def test_paths_keep_what_involves_them() -> None:
    def paths(*wanted: str) -> list[str]:
        result = run(project(), [script_rule(first_word)], Options(paths=wanted))
        return [finding.locations[0].place.path for finding in result.findings]

    assert paths("a.sh") == ["a.sh"]
    assert paths("sub") == ["sub/c.sh"]
    assert paths("su") == []
    assert paths("") == paths() == ["a.sh", "b.sh", "sub/c.sh"]
    assert paths("b.sh", "sub/c.sh") == ["b.sh", "sub/c.sh"]


def test_fingerprints_do_not_depend_on_what_is_shown() -> None:
    def check(script: FakeSubject) -> Iterator[Verdict]:
        for nth in range(2):
            yield script.instance(
                "m", cause=mark(script.text, "same", nth), severity=INFO if nth == 0 else ERROR, victim=None
            )

    fake = FakeProject(FakeTree({"x.sh": "same\nsame\n"}))
    everything = run(fake, [script_rule(check)], Options(severity=INFO)).findings
    some = run(fake, [script_rule(check)]).findings
    assert some[0].fingerprint in {one.fingerprint for one in everything}
    assert some[0].fingerprint == next(one.fingerprint for one in everything if one.severity is ERROR)


def test_order_is_by_severity_then_reach_then_place_whatever_came_first() -> None:
    text = FakeTree(FILES).read("a.sh")
    launches = [
        FakeSubject(FakeTree({name: "x\n"}).read(name), tuple(entry(key, points) for key, points in entries))
        for name, entries in {
            "d": [("alpha-fp8", 1)],
            "c": [("alpha-fp8", 1), ("beta-fp8", 1)],
            "b": [("alpha-fp8", 2)],
            "a": [("alpha-fp8", 1)],
        }.items()
    ]
    rules = [
        make_rule("on-launch", check=lambda one: iter([one.instance("m", cause=mark(one.text, "x"))])),
        script_rule(lambda one: iter([one.instance("m", cause=mark(one.text, one.text.string[0]))]), severity=WARNING),
    ]
    wanted = ["c", "b", "a", "d", "a.sh", "b.sh", "sub/c.sh"]
    assert text.path == "a.sh"
    for seed in range(5):
        random.Random(seed).shuffle(launches)
        random.Random(seed).shuffle(rules)
        result = run(project(own_launches=launches), rules)
        assert [one.locations[0].place.path for one in result.findings] == wanted


def test_diagnostics_are_unique_and_ordered() -> None:
    text = FakeTree(FILES).read("a.sh")
    two = Diagnostic("not-analysed", "x", mark(text, "two"))
    three = Diagnostic("not-analysed", "x", mark(text, "three"))
    fault = Diagnostic("rule-crashed", "x", severity=ERROR)
    result = run(project(own_diagnostics=[three, two, fault, three]), [])
    assert result.diagnostics == (fault, two, three)


def test_overlapping_fixes_of_one_cause_are_not_both_applied() -> None:
    def check(script: FakeSubject) -> Iterator[Verdict]:
        if script.text.path != "a.sh":
            return
        for word, edit in (("one", "one\ntwo"), ("two", "two\nthree"), ("three", "three")):
            yield script.instance(
                "m",
                cause=Location(mark(script.text, "one")),
                victim=mark(script.text, word),
                fix=Fix((TextEdit(mark(script.text, edit), ""),), safe=word != "three"),
            )

    (finding,) = run(project(), [script_rule(check)]).findings
    assert finding.fix is not None and not finding.fix.safe
    edits = [edit.place.text.slice(edit.place.span) for edit in finding.fix.edits]
    assert edits == ["one\ntwo"] or edits == ["one\ntwo", "three"]
