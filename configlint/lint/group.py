"""From instances to findings: merge what is the same, group by cause, rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from configlint.api.finding import (
    EntryRef,
    Finding,
    Fix,
    Instance,
    Location,
    PlaceKey,
    Precision,
    Severity,
    TextEdit,
    place_key,
)
from configlint.api.rule import Rule

T = TypeVar("T")

_OTHER_MESSAGES = 3  # of merged instances that differ in words
_MASKED_ENTRIES = 3  # named in a note


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """The items without repetitions, in order."""
    return tuple(dict.fromkeys(items))


def severity_of(instance: Instance) -> Severity:
    """The severity the engine settled; ERROR if it has not yet."""
    return instance.severity or Severity.ERROR


def precision_of(instance: Instance) -> Precision:
    """The precision the engine settled; HIGH if it has not yet."""
    return instance.precision or Precision.HIGH


def merged_entries(groups: Iterable[Sequence[EntryRef]]) -> tuple[EntryRef, ...]:
    """Entries united by key. Points are added, or counted once each where their ids are known; most points first."""
    found: dict[str, EntryRef] = {}
    for entry in (entry for group in groups for entry in group):
        known = found.get(entry.key)
        if known is None:
            found[entry.key] = replace(entry, points=len(entry.ids)) if entry.ids else entry
            continue
        ids = known.ids | entry.ids
        sure = known.ids and entry.ids
        points = len(ids) if sure else known.points + entry.points
        found[entry.key] = replace(known, points=points, ids=ids if sure else frozenset())
    return tuple(sorted(found.values(), key=lambda entry: (-entry.points, entry.key)))


def merged(instances: Iterable[Instance], rule: Rule) -> list[Instance]:
    """One instance for each (cause, victim, key) that a rule yielded: launches that share a place tell the same story.

    The instances get the rule's id, and its severity and precision where they have none of their own.
    """
    groups: dict[tuple[object, ...], list[Instance]] = defaultdict(list)
    for instance in instances:
        victim = place_key(instance.victim.place) if instance.victim else None
        groups[place_key(instance.cause.place), victim, instance.key].append(instance)
    return [_merge(group, rule) for group in groups.values()]


def _settled(instance: Instance, rule: Rule) -> tuple[Severity, Precision]:
    """What an instance comes to: another limit that hides the harm makes a warning of an error, never less."""
    severity = instance.severity or rule.severity
    masked = min(severity, Severity.WARNING) if instance.masked_by else severity
    return masked, instance.precision or rule.precision


def _merge(group: list[Instance], rule: Rule) -> Instance:
    """The worst instance speaks for all; what others say in other words becomes a note."""
    if len(group) > 1:
        group.sort(key=lambda one: (*(-level for level in _settled(one, rule)), one.message))
    first = group[0]
    others = [one.message for one in group if one.message != first.message]
    extra = tuple(f"also: {message}" for message in unique(others)[:_OTHER_MESSAGES])
    return replace(
        first,
        rule=rule.id,
        severity=_settled(first, rule)[0],
        precision=max(_settled(one, rule)[1] for one in group),
        entries=merged_entries(one.entries for one in group),
        related=_locations(loc for one in group for loc in one.related),
        origins=unique(chain for one in group for chain in one.origins),
        notes=unique((*(note for one in group for note in one.notes), *_masks(group), *extra)),
        fix=_fix(group),
    )


def _masks(group: Iterable[Instance]) -> Iterator[str]:
    """A note for each limit that hides the harm, with the entries for which it does."""
    masks: dict[str, list[EntryRef]] = defaultdict(list)
    for instance in group:
        if instance.masked_by:
            masks[instance.masked_by] += instance.entries
    for mask, entries in masks.items():
        keys = sorted({entry.key for entry in entries})
        more = f" and {len(keys) - _MASKED_ENTRIES} more" if len(keys) > _MASKED_ENTRIES else ""
        yield f"masked{' for ' if keys else ''}{', '.join(keys[:_MASKED_ENTRIES])}{more}: {mask}"


def _locations(locations: Iterable[Location], used: Iterable[Location] = ()) -> tuple[Location, ...]:
    """Locations without those at places that occurred already."""
    seen = {place_key(location.place) for location in used}
    kept = []
    for location in locations:
        key = place_key(location.place)
        if key not in seen:
            seen.add(key)
            kept.append(location)
    return tuple(kept)


def _fix(instances: Sequence[Instance]) -> Fix | None:
    """All fixes together; an edit that overlaps an earlier one is left out (it would apply to text that is gone)."""
    fixes = unique(one.fix for one in instances if one.fix)
    if len(fixes) < 2:
        return fixes[0] if fixes else None
    kept: list[TextEdit] = []
    for edit in unique(edit for fix in fixes for edit in fix.edits):
        if not any(_overlap(edit, other) for other in kept):
            kept.append(edit)
    return Fix(tuple(kept), all(fix.safe for fix in fixes), fixes[0].title)


def _overlap(one: TextEdit, two: TextEdit) -> bool:
    a, b = place_key(one.place), place_key(two.place)
    same_start = a[1] == b[1]
    return a[0] == b[0] and (same_start or (a[1] < b[2] and b[1] < a[2]))


def grouped(
    instances: Iterable[Instance], rules: Mapping[str, Rule], names: Mapping[tuple[str, PlaceKey], str]
) -> list[Finding]:
    """Findings: the instances (already named, in order) of each rule and cause, under that cause's fingerprint."""
    groups: dict[tuple[str, PlaceKey], list[Instance]] = defaultdict(list)
    for instance in instances:
        groups[instance.rule, place_key(instance.cause.place)].append(instance)
    return [_finding(rules[key[0]], group, names[key]) for key, group in groups.items()]


def _finding(rule: Rule, group: list[Instance], fingerprint: str) -> Finding:
    # The worst instance comes first: its places are the frames that are shown when there is room for few.
    group = sorted(group, key=lambda one: -severity_of(one))
    first = group[0]
    rest = [loc for one in group for loc in (*((one.victim,) if one.victim else ()), *one.related)]
    return Finding(
        rule=rule,
        severity=max(severity_of(one) for one in group),
        precision=max(precision_of(one) for one in group),
        message=_message(group),
        fingerprint=fingerprint,
        locations=(first.cause, *_locations(rest, used=[first.cause])),
        instances=tuple(group),
        entries=merged_entries(one.entries for one in group),
        origins=unique(chain for one in group for chain in one.origins),
        notes=unique(note for one in group for note in one.notes),
        help=next((one.help for one in group if one.help), ""),
        fix=_fix(group),
    )


def _message(group: list[Instance]) -> str:
    """The message of one instance; of several their summary, or the first with a count."""
    if len(group) == 1:
        return group[0].message
    for instance in group:
        if instance.summary:
            # Not str.format: the sentence may quote source text with braces.
            return instance.summary.replace("{count}", str(len(group)))
    return f"{group[0].message} (and {len(group) - 1} more)"


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first: by severity, then by how much is affected, then by precision and place."""

    def rank(finding: Finding) -> tuple[object, ...]:
        return (
            -finding.severity,
            -len(finding.entries),
            -finding.points,
            -finding.precision,
            place_key(finding.locations[0].place),
            finding.rule.id,
        )

    return sorted(findings, key=rank)
