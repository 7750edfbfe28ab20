"""What srtctl does with a recipe, as far as its revisions differ: which words it adds, which keys it takes out.

A feature is there from a tag on, up to but not including another where it went again, and in the branches that are
named. What a revision's schema says by having a field or not is not repeated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from configlint.catalog.recipes.known import Known, Revision

_SUBMISSION = "sa-submission-q2-2026"
_VLLM_GB200 = "aflowers/vllm-gb200-v0.20.0"
_EVER = "v1.0.0"


@dataclass(frozen=True)
class _Feature:
    since: str = ""
    until: str = ""
    branches: tuple[str, ...] = ()


FEATURES: Mapping[str, _Feature] = {
    # vLLM workers
    "vllm-request-plane": _Feature("v1.0.15", branches=(_SUBMISSION,)),
    "vllm-allocated-rpc-port": _Feature(_EVER, branches=(_SUBMISSION,)),
    "vllm-dotted-keys-kept": _Feature(branches=(_VLLM_GB200,)),
    "vllm-profiler-config": _Feature("v1.0.20"),
    "vllm-headless-dp-ranks": _Feature("v1.0.30", until="v1.0.34"),
    "vllm-serve-owns-topology": _Feature("v1.0.49"),
    "vllm-dp-over-nodes": _Feature("v1.0.67"),
    # SGLang workers
    "sglang-owns-model": _Feature(_EVER, branches=(_VLLM_GB200,)),
    "sglang-request-plane": _Feature("v1.0.15", branches=(_SUBMISSION,)),
    "sglang-bootstrap-always": _Feature(_EVER),
    "sglang-nccl-port": _Feature("v1.0.58"),
    # TensorRT-LLM workers
    "trtllm-hub-model": _Feature(_EVER, branches=(_VLLM_GB200,)),
    "trtllm-staged-model": _Feature("v1.0.16"),
    "trtllm-numactl": _Feature("v1.0.13", branches=(_SUBMISSION,)),
    "trtllm-request-plane": _Feature("v1.0.15", branches=(_SUBMISSION,)),
    "trtllm-always-publishes": _Feature(_EVER, until="v1.0.22", branches=(_VLLM_GB200,)),
}


def features(known: Known, revision: Revision) -> frozenset[str]:
    """The features of a known revision."""
    tags = [one.name for one in known.revisions if one.is_tag]
    return frozenset(name for name, one in FEATURES.items() if _has(one, revision, tags))


def _has(feature: _Feature, revision: Revision, tags: list[str]) -> bool:
    if not revision.is_tag:
        return revision.name in feature.branches
    if not feature.since or feature.since not in tags:
        return False
    until = tags.index(feature.until) if feature.until in tags else len(tags)
    return tags.index(feature.since) <= tags.index(revision.name) < until
