"""What configlint costs: CPU time and memory of whole processes, beside the budgets.

    python benchmarks/run.py
    python benchmarks/run.py --repo CORPUS.git --rev REV --ref-source URL=PATH --launcher runners/launch_x.sh

Times are user plus system seconds of the process and the children it waited for, the least of ``--repeat`` runs;
nothing is cached between runs. The last part multiplies the concurrency rows of the matrix: the
number of points grows, the number of distinct launches should not, and neither should the time.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "mini-bench"
MATRICES = ("configs/*-master.yaml", ".github/configs/*-master.yaml")
COUNTS = ("files", "entries", "points", "launches", "distinct_launches", "not_analysed")
MAIN = "from configlint.cli.main import process; process()"


@dataclass(frozen=True)
class Cost:
    """One process: CPU seconds (not wall time: the machine may be shared), peak memory in MB, standard output."""

    cpu: float
    memory: float
    output: bytes = field(repr=False)


@dataclass(frozen=True)
class Row:
    """A line of the table. ``budget`` in CPU seconds, None where there is none."""

    name: str
    cost: Cost
    budget: float | None = None
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.budget is not None and self.cost.cpu > self.budget


class Failed(Exception):
    """A measured command did not end as it should."""


def spend(command: Sequence[str], repeat: int) -> Cost:
    """The cheapest of ``repeat`` runs of a command, which must end with exit code 0."""
    best: Cost | None = None
    for _ in range(repeat):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                err.seek(0)
                raise Failed(f"{shlex.join(command)}\nexit code {process.returncode}\n{err.read().decode()[-2000:]}")
            out.seek(0)
            cost = Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read())
        best = cost if best is None or cost.cpu < best.cpu else best
    assert best is not None
    return best


def counts_of(cost: Cost) -> dict[str, int]:
    """The numbers of ``--stats`` in a JSON report."""
    stats: dict[str, Any] = json.loads(cost.output).get("stats", {})
    return {name: stats[name] for name in COUNTS if isinstance(stats.get(name), int)}


def multiplied(text: str, factor: int) -> str:
    """A matrix file in which every search-space item has ``factor`` times its concurrencies."""

    def longer(values: list[int]) -> str:
        return f"conc-list: {[value + step * 10_000 for step in range(factor) for value in values]}"

    def listed(match: re.Match[str]) -> str:
        return longer([int(word) for word in match["values"].split(",") if word.strip()])

    def powers(match: re.Match[str]) -> str:
        value, end = int(match["start"]), int(match["end"])
        values = []
        while value < end:
            values.append(value)
            value *= 2
        return longer([*values, end])

    text = re.sub(r"conc-list: *\[(?P<values>[\d, ]+)\]", listed, text)
    return re.sub(r"conc-start: *(?P<start>\d+)(?:, *|\n *)conc-end: *(?P<end>\d+)", powers, text)


@contextmanager
def copied(repo: Path, rev: str | None) -> Iterator[Path]:
    """A folder with the files of a tree: a copy of the folder, or of a revision by ``git archive``."""
    with tempfile.TemporaryDirectory(prefix="configlint-benchmark-") as name:
        target = Path(name) / "tree"
        if rev is None:
            shutil.copytree(repo, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        else:
            archive = subprocess.run(["git", "-C", str(repo), "archive", rev], capture_output=True, check=True)
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
                files.extractall(target, filter="data")
        yield target


def growth(options: argparse.Namespace, check: Sequence[str]) -> Iterator[Row]:
    """The whole check with 1, 2, 4... times the concurrencies."""
    for factor in options.factors:
        with copied(options.repo, options.rev) as tree:
            for path in [path for pattern in MATRICES for path in tree.glob(pattern)]:
                path.write_text(multiplied(path.read_text(encoding="utf-8"), factor), encoding="utf-8")
            cost = spend([*check, "--repo", str(tree)], options.repeat)
        yield Row(f"whole, {factor} x the concurrencies", cost, None, counts_of(cost))


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Every line of the table, in order."""
    program = shlex.split(options.configlint) if options.configlint else [sys.executable, "-c", MAIN]
    yield Row("start-up (--version)", spend([*program, "--version"], max(5, options.repeat)), 0.06)

    check = [*program, "check", "--format", "json", "--stats", "--jobs", "1", "--exit-zero"]
    check += [word for source in options.ref_source for word in ("--ref-source", source)]
    where = ["--repo", str(options.repo), *(["--rev", options.rev] if options.rev else [])]
    cost = spend([*check, *where, options.launcher], options.repeat)
    yield Row(f"one launcher ({Path(options.launcher).name})", cost, 0.3, counts_of(cost))
    cost = spend([*check, *where], options.repeat)
    yield Row("whole tree, cold", cost, 2.5, counts_of(cost))
    yield from growth(options, check)


def show(row: Row) -> None:
    """Print a line as soon as it is known."""
    budget = f"{row.budget:8.2f}" if row.budget is not None else " " * 8
    counts = "  ".join(f"{name}={value}" for name, value in row.counts.items())
    mark = "  OVER" if row.over else ""
    print(f"{row.name:<42} {row.cost.cpu:8.3f} {budget} {row.cost.memory:7.0f}  {counts}{mark}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, default=EXAMPLE, help="repository or folder to check")
    parser.add_argument("--rev", help="revision of it; needed for a bare repository")
    parser.add_argument("--ref-source", action="append", default=[], metavar="URL=PATH")
    parser.add_argument("--launcher", default="runners/launch_alpha-slurm.sh", help="for the line 'one launcher'")
    parser.add_argument("--configlint", help="command that starts configlint; default: this interpreter")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--factors", type=int, nargs="*", default=[1, 4, 16])
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    options = parser.parse_args()

    print(f"{'':<42} {'CPU s':>8} {'budget':>8} {'MB':>7}")
    rows = []
    try:
        for row in measure(options):
            show(row)
            rows.append(row)
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 2
    if options.json:
        figures = [
            {"name": row.name, "cpu": row.cost.cpu, "memory_mb": row.cost.memory, "budget": row.budget, **row.counts}
            for row in rows
        ]
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row.over for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
