"""Where comments are, and where a ``#`` is text."""

from __future__ import annotations

from configlint.source.text import Text
from configlint.syntax.yaml import comment_lines


def found(text: str) -> list[tuple[int, int, str]]:
    return [(comment.line, comment.column, comment.text) for comment in comment_lines(Text("x.yaml", text.encode()))]


def test_comments_of_all_places() -> None:
    text = """\
# one
a: b#c  # two
"# d": '# e # f' # three
g: |  # four
  # text
    # text

# five
h: >
  folded # text
i: [1, # six
  2]
j: plain
  text # seven
--- # eight
k: "a
  # text" # nine
"""
    assert found(text) == [
        (1, 1, "# one"),
        (2, 9, "# two"),
        (3, 18, "# three"),
        (4, 7, "# four"),
        (8, 1, "# five"),
        (11, 8, "# six"),
        (14, 8, "# seven"),
        (15, 5, "# eight"),
        (17, 11, "# nine"),
    ]


def test_line_ends_and_marks() -> None:
    assert found("\ufeff# é\r\né: 1 # x \r\n") == [(1, 4, "# é"), (2, 7, "# x")]
    assert found("a: 1 # no end") == [(1, 6, "# no end")]
    assert found("a: 1\n") == []
    assert found("#") == [(1, 1, "#")]


def test_behind_a_fault_only_whole_lines_count() -> None:
    assert found("a: 1 # x\n---\nb: [ # y\n# z\n") == [(1, 6, "# x"), (4, 1, "# z")]
