"""From the code-point indexes of PyYAML's marks to byte offsets of the file."""

from __future__ import annotations

from itertools import accumulate

from configlint.source.text import Text

_BOM = b"\xef\xbb\xbf"
_STEP = 1024


class Offsets:
    """Converts marks of one text. Marks count code points and leave out a byte order mark at the start."""

    __slots__ = ("_ascii", "_skipped", "_starts", "_text")

    def __init__(self, text: Text) -> None:
        self._text = text
        self._ascii = text.raw.isascii()
        self._skipped = 1 if text.raw.startswith(_BOM) else 0
        self._starts: list[int] = []

    def byte(self, index: int) -> int:
        """The byte offset of a mark's index; O(1) for ASCII, else one short slice."""
        if self._ascii:
            return min(index, len(self._text.raw))
        string = self._text.string
        starts = self._starts
        if not starts:
            steps = range(0, len(string), _STEP)
            sizes = (len(string[at : at + _STEP].encode("utf-8", "replace")) for at in steps)
            starts.extend(accumulate(sizes, initial=0))
        index = min(index + self._skipped, len(string))
        block = index // _STEP
        return starts[block] + len(string[block * _STEP : index].encode("utf-8", "replace"))
