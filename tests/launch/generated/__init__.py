"""Generated scripts: everything of the shell that the interpreter claims to know, with nothing that does harm.

A script uses the variables of :data:`SCALARS` and :data:`ARRAYS`; ``t`` is a trace of the branches that ran.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.launch.generated.statements import Writer
from tests.launch.generated.words import ARRAYS, SCALARS

__all__ = ["ARRAYS", "SCALARS", "script", "scripts"]


def script(rnd: Random) -> str:
    """A script with its assignments in front."""
    return Writer(rnd).script()


def scripts() -> st.SearchStrategy[str]:
    """The same for hypothesis, whose randomness the writer uses as it is."""
    return st.randoms(use_true_random=False).map(script)
