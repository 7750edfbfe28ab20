"""Files with expected output. ``CONFIGLINT_UPDATE_GOLDEN=1`` writes them anew; then read the difference."""

from __future__ import annotations

import json
import os
from pathlib import Path


def check(path: Path, text: str) -> None:
    """The text is what the file holds; bytes, so that no line end is lost."""
    raw = text.encode("utf-8", errors="backslashreplace")
    if path.suffix == ".json":  # indented, so that a difference can be read
        raw = json.dumps(json.loads(raw), indent=2).encode() + b"\n"
    if os.environ.get("CONFIGLINT_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    assert path.exists(), f"{path.name} is missing: run once with CONFIGLINT_UPDATE_GOLDEN=1"
    assert raw.decode() == path.read_bytes().decode()
