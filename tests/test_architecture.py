"""The shape of the code: imports go downwards, modules stay small, one repository's names stay in its profile."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Lowest first. A module may import from its own layer and from the ones before it.
LAYERS = ("source", "syntax", "catalog", "launch", "profile", "model", "api", "lint", "report", "cli")

# Pairs (layer, lower layer) that the order above would allow, and the design does not.
FORBIDDEN = {("launch", "catalog")}  # the interpreter runs programs, it does not know their flags

LARGEST_MODULE = 400  # lines
VAGUE_NAMES = {"util", "utils", "helper", "helpers", "common", "misc"}

# Only ``configlint --version`` and help must not pay for these.
LAZY = {"yaml", "_yaml", "tree_sitter", "tree_sitter_bash", "re2", "_re2", "libcst", "jsonschema", "sqlite3"}


@dataclass(frozen=True)
class Import:
    """One imported module, by its full name. ``typing_only``: inside ``if TYPE_CHECKING``."""

    target: str
    line: int
    typing_only: bool


def python_files() -> list[Path]:
    return sorted([*(ROOT / "configlint").rglob("*.py"), *(ROOT / "rules" / "configlint_rules").rglob("*.py")])


def module_name(path: Path) -> str:
    relative = path.relative_to(ROOT / "rules" if "configlint_rules" in path.parts else ROOT).with_suffix("")
    parts = relative.parts[:-1] if relative.name == "__init__" else relative.parts
    return ".".join(parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in python_files()}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def imports_of(path: Path) -> Iterator[Import]:
    """Every import of a module, wherever it stands: a late import is one, too."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]

    def walk(node: ast.AST, typing_only: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Import(name.name, node.lineno, typing_only)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*start, *([node.module] if node.module else [])])
            for name in node.names:
                whole = f"{origin}.{name.name}"
                yield Import(whole if whole in modules() else origin, node.lineno, typing_only)
        for field, value in ast.iter_fields(node):
            inside = typing_only or (isinstance(node, ast.If) and field == "body" and is_type_checking(node.test))
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk(child, inside)

    yield from walk(tree_of(path), False)


def layer_of(module: str) -> str | None:
    """The layer of a module of ours, ``rules`` for the rule pack, None for what is not ours."""
    head, _, rest = module.partition(".")
    if head == "configlint_rules":
        return "rules"
    if head != "configlint":
        return None
    if not rest:
        return "root"  # version only: everybody may import it, it imports nothing
    return "cli" if rest == "__main__" else rest.partition(".")[0]


def may_import(importer: str, imported: str) -> bool:
    if importer == imported or imported == "root":
        return True
    if importer == "rules":
        return imported == "api"
    if "rules" in (importer, imported) or importer == "root":
        return False  # rules are loaded by entry point, never by name
    return LAYERS.index(imported) < LAYERS.index(importer) and (importer, imported) not in FORBIDDEN


def test_every_module_belongs_to_a_layer() -> None:
    unknown = {name for name in modules() if layer_of(name) not in {*LAYERS, "root", "rules"}}
    assert not unknown, "name the layer of a new top-level part in LAYERS"


def test_imports_go_downwards() -> None:
    wrong = []
    for name, path in modules().items():
        for found in imports_of(path):
            importer, imported = layer_of(name), layer_of(found.target)
            if importer and imported and not may_import(importer, imported):
                wrong.append(f"{path.relative_to(ROOT)}:{found.line}: {importer} imports {found.target}")
    assert not wrong


def test_no_cycles_between_modules() -> None:
    """Imports for annotations alone do not count: two value types may name each other."""
    graph = {
        name: {found.target for found in imports_of(path) if not found.typing_only and found.target in modules()}
        for name, path in modules().items()
    }
    tuple(TopologicalSorter(graph).static_order())  # CycleError names the cycle


def test_modules_stay_small() -> None:
    large = {
        str(path.relative_to(ROOT)): lines
        for path in python_files()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LARGEST_MODULE
    }
    assert not large


def test_names_say_what_a_module_is_for() -> None:
    assert not [str(path.relative_to(ROOT)) for path in python_files() if path.stem in VAGUE_NAMES]
    assert not [name for name in modules() if VAGUE_NAMES & set(name.split("."))]


def test_start_up_imports_no_third_party_package() -> None:
    if find_spec("configlint.cli.main") is None:
        pytest.skip("there is no command line yet")
    code = (
        "import sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'rules')!r}]\n"
        "from configlint.cli.main import main\n"
        "sys.argv = ['configlint', '--version']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('loaded:', *sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    loaded = set(run.stdout.rpartition("loaded:")[2].split())
    assert not loaded & LAZY


# ----------------------------------------------------------------------------------------------------
# Names of one repository
#
# What InferenceX calls its files, variables and fields is data of its profile. Names of programs that others run as
# well are not in this list: srtctl, its files (srtslurm.yaml, ``base:``, ``override_``) and its schema
# (``health_check``), GitHub's variables (GITHUB_WORKSPACE, RUNNER_NAME), Slurm, Docker, git.

FIELDS = """
model-prefix spec-decoding search-space fixed-seq-len agentic-coding conc-list conc-start conc-end num-worker dp-attn
additional-settings kv-offloading kv-offload-backend kv-p2p-transfer dram-utilization exp-name max-model-len dcp-size
pcp-size eval-only run-eval eval-conc eval-all-concs scenario-type total-cpu-dram-gb available-cpu-dram-mib config-keys
pr-link
""".split()

VARIABLES = """
CONFIG_FILE EVAL_CONFIG_FILE MODEL_PREFIX SRT_SLURM_MODEL_PREFIX EXP_NAME SCENARIO_SUBDIR SCENARIO_TYPE IS_MULTINODE
IS_AGENTIC EVAL_ONLY RUN_EVAL EVAL_CONC SPEC_DECODING RUNNER_TYPE RESULT_FILENAME RESULT_FILENAME_BASE CONC_LIST
DP_ATTENTION EP_SIZE PP_SIZE DCP_SIZE PCP_SIZE SYNTHETIC_ACCEPTANCE SYNTHETIC_ACCEPTANCE_LENGTH KV_OFFLOADING
KV_OFFLOAD_BACKEND TOTAL_CPU_DRAM_GB RANDOM_RANGE_RATIO BENCH_SCRIPT BENCH_SCRIPT_OVERRIDE PREFILL_NODES DECODE_NODES
PREFILL_NUM_WORKERS DECODE_NUM_WORKERS PREFILL_TP DECODE_TP PREFILL_EP DECODE_EP
""".split()

NAMES_IN_STRINGS = {
    "the repository": r"(?i)inferencex|inferencemax|infmax|semianalysis",
    "a folder": r"(?<![\w.-])(?:runners|benchmarks)/|single_node|multi_node|srt-slurm-recipes|fixed_seq_len|amd_utils"
    r"|\.github/configs",
    "a file": r"-master\b|runners\.ya?ml|perf-changelog|run-sweep|benchmark-(?:multinode-)?tmpl|benchmark_lib"
    r"|generate_sweep_configs|process_changelog|inject_synthetic_acceptance|slurm_utils",
    "a launcher's name": r"(?<![\w])launch_(?:$|[*{<$])",
    "a matrix field": rf"\b(?:{'|'.join(FIELDS)})\b",
    "a variable": rf"\b(?:{'|'.join(VARIABLES)})\b",
    "a runner label": r"\bcluster:",
}


def docstrings(tree: ast.Module) -> set[int]:
    """Identities of the constants that are docstrings, attribute docstrings included."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def examples_of_rules(tree: ast.Module) -> set[int]:
    """Identities of the nodes inside ``@rule(examples=...)``: tiny trees need names of files."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "rule"
        for keyword in node.keywords
        if keyword.arg == "examples"
        for inner in ast.walk(keyword.value)
    }


def names_of_one_repository(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """(line, kind, text) of every string or identifier that belongs into a profile."""
    exempt = docstrings(tree) | examples_of_rules(tree)
    for node in ast.walk(tree):
        if id(node) in exempt:
            continue
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for kind, pattern in NAMES_IN_STRINGS.items():
                if match := re.search(pattern, node.value):
                    yield line, kind, match.group()
            continue
        for identifier in identifiers(node):
            if re.search(NAMES_IN_STRINGS["the repository"], identifier):
                yield line, "the repository", identifier
            elif identifier in VARIABLES:
                yield line, "a variable", identifier


def identifiers(node: ast.AST) -> Iterator[str]:
    """The names that a node brings in or uses."""
    for field in ("id", "attr", "arg", "name"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value


def test_names_of_one_repository_stay_in_its_profile() -> None:
    profile = ROOT / "configlint" / "profile"
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {kind}: {text}"
        for path in python_files()
        if not path.is_relative_to(profile)
        for line, kind, text in names_of_one_repository(tree_of(path))
    ]
    assert not wrong


def test_data_of_one_repository_stays_in_its_profile() -> None:
    """Data files of other parts are held to the same (catalogs describe programs, not repositories)."""
    profile = ROOT / "configlint" / "profile"
    wrong = []
    for path in sorted((ROOT / "configlint").rglob("*")):
        if path.suffix not in {".toml", ".json", ".yaml", ".yml", ".txt"} or path.is_relative_to(profile):
            continue
        if re.search(NAMES_IN_STRINGS["the repository"], path.read_text(encoding="utf-8")):
            wrong.append(str(path.relative_to(ROOT)))
    assert not wrong


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("x = 'runners/launch_a.sh'", {"a folder"}),
        ("x = f'launch_{prefix}.sh'", {"a launcher's name"}),
        ("x = environment['CONFIG_FILE']", {"a variable"}),
        ("CONFIG_FILE = 1", {"a variable"}),
        ("def inferencex(): pass", {"the repository"}),
        ("x = entry['conc-list']", {"a matrix field"}),
        ("'''Reads CONFIG_FILE of InferenceX.'''", set()),
        ("@rule(id='x', examples='== runners/launch_a.sh')\ndef f(launch): pass", set()),
        ("config_file = 'configlint.toml'; launch_points = srtctl = 'srtslurm.yaml'", set()),
        ("x = 'GITHUB_WORKSPACE'", set()),
    ],
)
def test_the_search_for_names_sees_what_it_should(source: str, kinds: set[str]) -> None:
    assert {kind for _, kind, _ in names_of_one_repository(ast.parse(source))} == kinds


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("cli", "source", True),
        ("source", "syntax", False),
        ("launch", "catalog", False),
        ("api", "model", True),
        ("model", "api", False),
        ("rules", "api", True),
        ("rules", "model", False),
        ("lint", "rules", False),
        ("root", "source", False),
        ("source", "root", True),
    ],
)
def test_the_order_of_layers_is_the_designs(importer: str, imported: str, allowed: bool) -> None:
    assert may_import(importer, imported) is allowed
