"""Fingerprints: an instance's name, which survives moved lines and changed indentation.

A fingerprint is made of the rule, the paths, the normalised text of cause and victim, the instance's own key, and an
occurrence number among instances that agree in all of these. No line number takes part, nor does the revision of an
outside repository, so that raising a pin does not make every finding new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from configlint.api.finding import Instance, Location, PlaceKey, place_key
from configlint.source.text import Place, Span

_LENGTH = 20  # hex digits; 80 bits


def stable_path(place: Place) -> str:
    """The path, with an outside repository's name but without its revision."""
    text = place.text
    return f"{text.origin.partition('@')[0]}:{text.path}" if text.origin else text.path


def stable_text(place: Place) -> str:
    """The text of a place with what stands before it on its line, white space collapsed.

    What stands before is mostly the key of a value or the name of a command, which tells two equal values apart. What
    follows is left out: a comment added behind must not change a name.
    """
    text, span = place.text, place.span
    start = text.line_span(text.position(span.start).line).start
    end = span.end if span.end > span.start else text.line_span(text.position(span.start).line).end
    return " ".join(text.slice(Span(start, end)).split())


def _digest(parts: Iterable[str]) -> str:
    """A short hash of a list of texts; every text is length-prefixed, so that no two lists look alike."""
    from hashlib import sha256  # loads a cryptographic library, which a clean run never needs

    encoded = bytearray()
    for part in parts:
        raw = part.encode("utf-8", errors="surrogatepass")
        encoded += b"%d:" % len(raw) + raw
    return sha256(encoded).hexdigest()[:_LENGTH]


def _features(location: Location | None) -> tuple[str, str]:
    return (stable_path(location.place), stable_text(location.place)) if location else ("", "")


def _order(instance: Instance) -> tuple[PlaceKey, PlaceKey, str]:
    victim = place_key(instance.victim.place) if instance.victim else ("", 0, 0)
    return (place_key(instance.cause.place), victim, instance.key)


def fingerprinted(instances: Iterable[Instance]) -> list[Instance]:
    """The instances in a deterministic order, each with its fingerprint.

    Expects that no two instances have the same rule, cause, victim and key (see :func:`configlint.lint.group.merged`).
    """
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    named = []
    for instance in sorted(instances, key=lambda one: (one.rule, *_order(one))):
        features = (instance.rule, *_features(instance.cause), *_features(instance.victim), instance.key)
        named.append(replace(instance, fingerprint=_digest((*features, str(seen[features])))))
        seen[features] += 1
    return named


def cause_fingerprints(instances: Iterable[Instance]) -> dict[tuple[str, PlaceKey], str]:
    """A fingerprint for each (rule, cause): the name of a finding, whatever subset of its instances is shown."""
    causes = {(one.rule, place_key(one.cause.place)): one.cause for one in instances}
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    names = {}
    for (rule, key), cause in sorted(causes.items(), key=lambda item: item[0]):
        features = (rule, *_features(cause))
        names[rule, key] = _digest((*features, str(seen[features])))
        seen[features] += 1
    return names
