"""Every script of the corpus, where ``CONFIGLINT_CORPUS`` names its repository."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import time

import pytest

from configlint.source.text import Text
from configlint.syntax.bash import parse
from configlint.syntax.bash.second_opinion import check_syntax
from tests.oracles.bash_printer import pretty, print_script

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif("CONFIGLINT_CORPUS" not in os.environ, reason="CONFIGLINT_CORPUS names no corpus repository"),
]


@pytest.fixture(scope="module")
def scripts() -> list[Text]:
    revision = os.environ.get("CONFIGLINT_CORPUS_REVISION", "843c6254f")
    archive = subprocess.run(
        ["git", "-C", os.environ["CONFIGLINT_CORPUS"], "archive", revision], capture_output=True, check=True
    ).stdout
    found: list[Text] = []
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(".sh"):
                stream = tar.extractfile(member)
                assert stream is not None
                found.append(Text(member.name, stream.read()))
    return found


def test_a_fault_only_where_bash_refuses(scripts: list[Text]) -> None:
    assert len(scripts) > 100
    wrong = [text.path for text in scripts if bool(parse(text).faults) != (check_syntax(text.raw) is not None)]
    assert wrong == []


def test_launchers_survive_the_round_trip(scripts: list[Text]) -> None:
    different: list[str] = []
    for text in scripts:
        if text.path.startswith("runners/"):
            wanted = pretty(text.raw)[1]
            if pretty(print_script(parse(text)))[1] != wanted:
                different.append(text.path)
    assert different == []


def test_no_hang(scripts: list[Text]) -> None:
    start = time.process_time()
    for text in scripts:
        parse(text)
    assert time.process_time() - start < 10  # about 1 s; the figure itself is for benchmarks
