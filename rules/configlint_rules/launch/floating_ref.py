"""A launcher clones a moving revision of another repository.

What a branch name means changes between the points of one sweep, and between the run and the review. Name a
tag or a commit. Branches that the profile lists as release branches are as good as a tag.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import HIGH, WARNING, Launch, Verdict, rule


@rule(
    id="floating-ref",
    severity=WARNING,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: the default branch --
== configs/x-master.yaml
tiny:
  image: a/b:1
  model: m
  model-prefix: tiny
  runner: alpha
  precision: fp8
  framework: vllm
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 1, conc-list: [1] }
== configs/runners.yaml
labels:
  alpha: [alpha_0]
== runners/launch_alpha.sh
git clone https://git.example.com/a/b.git clone  #! floating-ref
bash benchmarks/run.sh
-- good: a tag --
== runners/launch_alpha.sh
git clone --branch v1.0 https://git.example.com/a/b.git clone
""",
)
def floating_ref(launch: Launch) -> Iterator[Verdict]:
    """The last revision named for each clone."""
    for clone in launch.clones:
        answer = launch.model.launches.world.ref(clone.url, None if clone.is_default else clone.ref)
        moving = clone.is_default or answer.kind == "branch"
        if answer.kind == "unknown" and not clone.is_default:
            yield launch.unknown(f"{clone.ref} of {clone.url} cannot be resolved here", clone.named_at)
        elif moving and not launch.profile.policy.is_release_branch(clone.ref):
            what = f"the default branch ({clone.ref})" if clone.is_default else f"the branch {clone.ref}"
            yield launch.instance(f"the launcher runs {what} of {clone.url}, which moves", cause=clone.named_at)
