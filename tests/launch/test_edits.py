"""What an edit records of itself."""

from __future__ import annotations

import pytest

from tests.launch.harness import launch


@pytest.mark.parametrize(
    ("program", "changed"),
    [
        ("s/a/b/", 2),
        ("/a/{s/a/b/}", 2),  # the block itself changes nothing
        ("/a/{/1/{s/a/b/}}", 1),
        ("/a/{s/a/b/;s/b/c/}", 2),  # two commands, one line
        ("/a/p", 0),
        ("/z/d", 0),
        ("/a/d", 2),
    ],
)
def test_an_edit_counts_the_lines_it_changed_and_not_the_commands_that_ran(program: str, changed: int) -> None:
    done = launch(f"printf 'a 1\\na 2\\nc\\n' > f\nsed -i '{program}' f\n")
    assert [edit.matched for edit in done.one.edits if edit.kind == "sed"] == [changed]
