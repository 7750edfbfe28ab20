"""When versions were built, for images that carry a date instead of a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

BUILT: Mapping[str, Mapping[str, str]] = {
    "sglang": {
        "0.5.8.post1": "20260205",
        "0.5.9": "20260223",
        "0.5.10": "20260405",
        "0.5.11": "20260505",
        "0.5.12": "20260516",
        "0.5.12.post1": "20260523",
        "0.5.13.post1": "20260615",
        "0.5.14": "20260626",
        "0.5.15.post1": "20260714",
        "0.5.16": "20260725",
        "0.5.17": "20260807",
        "0.5.18": "20260821",
        "0.5.19": "20260904",
    },
    "vllm": {
        "0.18.1": "20260330",
        "0.19.1": "20260418",
        "0.20.0": "20260427",
        "0.20.1": "20260504",
        "0.21.0": "20260515",
        "0.22.1": "20260604",
        "0.23.0": "20260615",
        "0.24.0": "20260629",
        "0.25.1": "20260713",
        "0.26.0": "20260725",
        "0.27.1": "20260811",
        "0.28.0": "20260825",
    },
}
"""Program -> version -> the day of the newest file in its wheel, ``YYYYMMDD``. Days of versions are in order."""


AHEAD = 2
"""How many releases after a day may have what the main branch had then: the next one may have been cut before."""


def around(program: str, day: str, versions: Sequence[str]) -> tuple[tuple[str, ...], bool] | None:
    """The versions that the main branch of a day lies between, and whether it is newer than all of them.

    None where the program's days are not known. A version of which the day is not known is passed over.
    """
    built = BUILT.get(program, {})
    dated = [(built[one], one) for one in versions if one in built]
    if not dated:
        return None
    before = [one for when, one in dated if when <= day]
    after = [one for when, one in dated if when > day]
    return (*before[-1:], *after[:AHEAD]), not after
