"""A project from an example: the tree in memory, the outside repositories beside it."""

from __future__ import annotations

from dataclasses import dataclass

from configlint.api.project import Project
from configlint.lint.examples import Example
from configlint.model.project import Model
from configlint.profile.builtins import NAMES, builtin, detect
from configlint.profile.profile import Generation
from configlint.source.trees import MemoryTree, Tree
from configlint.source.urls import normalise_url

_MATRIX = """\
tiny-fp8-alpha:
  image: a/b:1
  model: org/Tiny
  model-prefix: tiny
  runner: alpha
  precision: fp8
  framework: engine
  multinode: true
  disagg: true
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - conc-list: [1]
        prefill:
          num-worker: 1
          tp: 1
          ep: 1
          dp-attn: false
          additional-settings:
          - CONFIG_FILE=recipes/a.yaml
        decode: { num-worker: 1, tp: 1, ep: 1, dp-attn: false }
"""


@dataclass(frozen=True)
class Answer:
    """What an example says about a revision of another repository."""

    tree: Tree | None
    commit: str | None
    kind: str
    name: str


class Outside:
    """The outside repositories of an example, by URL and ref. A ref of its own called ``HEAD`` is the default branch."""

    def __init__(self, example: Example) -> None:
        self._trees = {
            (normalise_url(url), ref): MemoryTree(dict(files), name=f"{url}@{ref}", origin=f"{_short(url)}@{ref}")
            for (url, ref), files in example.outside.items()
        }

    def lookup(self, url: str, ref: str | None) -> Answer:
        """The tree at a ref, or that it cannot be read."""
        name = ref or "main"
        tree = self._trees.get((normalise_url(url), name))
        kind = "unknown" if tree is None else "default" if ref is None else _kind(name)
        return Answer(tree, None, kind, name)


def _kind(ref: str) -> str:
    if ref[:1] == "v" and ref[1:2].isdigit():
        return "tag"
    return "commit" if len(ref) >= 7 and all(c in "0123456789abcdef" for c in ref) else "branch"


def _short(url: str) -> str:
    return url.removesuffix(".git").split("://", 1)[-1].partition("/")[2] or url


def project_of(example: Example) -> Project:
    """The project that an example describes: what a ``ProjectFactory`` does.

    An example that has ``runners/launch_alpha.sh`` and no matrix gets one: a row whose recipe is ``recipes/a.yaml``.
    """
    files = dict(example.files)
    if "runners/launch_alpha.sh" in files and not any(path.endswith("-master.yaml") for path in files):
        files["configs/a-master.yaml"] = _MATRIX
    tree = MemoryTree(files, symlinks=dict(example.symlinks))
    found = detect(tree.files())
    profile, layout = found if found is not None else (builtin(NAMES[0]), Generation("plain", ()))
    return Project(Model(tree, profile, layout, Outside(example).lookup))
