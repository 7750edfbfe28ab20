"""Launches of a tiny tree: one entry, one launcher, one recipe."""

from __future__ import annotations

from collections.abc import Mapping

from configlint.api import Launch
from configlint.lint.examples import Example
from configlint.lint.trees import project_of

MATRIX = """\
tiny: { image: "IMAGE", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm,
  scenarios: { fixed-seq-len: [{ isl: 1024, osl: 1024, search-space: [{ tp: 1, conc-list: [1] }] }] } }
"""


def launches(launcher: str, recipe: str, image: str = "a/b:1", more: Mapping[str, str] | None = None) -> list[Launch]:
    """The launches of a tree whose launcher is given, in front of the line that submits the recipe."""
    files = {
        "configs/x-master.yaml": MATRIX.replace("IMAGE", image),
        "configs/runners.yaml": "labels: { alpha: [alpha_0] }\n",
        "runners/launch_alpha.sh": f"{launcher}\nsrtctl apply -f recipe.yaml\n",
        "recipe.yaml": recipe,
        **(more or {}),
    }
    return list(project_of(Example("", False, files)).launches())


def launch(launcher: str, recipe: str, image: str = "a/b:1", more: Mapping[str, str] | None = None) -> Launch:
    """The only one."""
    (found,) = launches(launcher, recipe, image, more)
    return found
