"""``effective --commands`` on a tree on disk: every flag with its origin, and the versions that it meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from configlint.api.project import Project
from configlint.catalog import store
from configlint.catalog.tables import Version
from configlint.cli.connect import connect
from configlint.cli.main import main
from configlint.cli.request import Request
from configlint.model.workers.jobs import Job
from tests.cli.conftest import Bench, Ran
from tests.support import golden

FOLDER = Path(__file__).parent / "golden"

MATRIX = """\
tiny:
  image: vllm/vllm-openai:v0.26.0
  model: org/Tiny
  model-prefix: tiny
  runner: alpha
  precision: fp8
  framework: dynamo-vllm
  multinode: true
  disagg: true
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - conc-list: [1, 4]
        prefill:
          num-worker: 1
          tp: 4
          ep: 1
          dp-attn: false
          additional-settings: ["CONFIG_FILE=recipes/tiny.yaml:zip_override_batch[1]"]
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false }
      - conc-list: [64]
        prefill:
          num-worker: 1
          tp: 4
          ep: 1
          dp-attn: false
          additional-settings: ["CONFIG_FILE=recipes/trt.yaml"]
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false }
"""

LAUNCHER = """\
git clone --branch v1.0.53 https://github.com/NVIDIA/srt-slurm.git clone
cd clone
mkdir -p recipes
cp -rT "$GITHUB_WORKSPACE/recipes" recipes
cat > srtslurm.yaml <<EOF
model_paths:
  tiny: /models/tiny
containers:
  "${IMAGE}": /images/vllm.sqsh
  engine: /images/vllm.sqsh
EOF
sed -i 's/max-num-seqs: 32/max-num-seqs: 48/' "${CONFIG_FILE%%:*}"
srtctl apply -f "$CONFIG_FILE"
"""

RECIPE = """\
base:
  name: tiny
  model: { path: tiny, container: engine, precision: fp8 }
  dynamo: { version: 1.3.0.dev20260710 }
  resources:
    gpu_type: b200
    gpus_per_node: 8
    prefill_nodes: 1
    prefill_workers: 1
    decode_nodes: 2
    decode_workers: 1
  frontend:
    args:
      router-mode: kv
      no_kv: false
  backend:
    type: vllm
    connector: null
    vllm_config:
      prefill:
        tensor_parallel_size: 8
        max-num-seqs: 32
        enable-expert-parallel: true
      decode:
        data-parallel-size: 16
        data-parallel-rpc-port: 5000
        async-scheduling: false
        compilation-config: '{"cudagraph_mode": "FULL"}'
      aggregated:
        max-model-len: 4096
zip_override_batch:
  backend:
    vllm_config:
      decode:
        max-num-seqs: [8, 16]
"""

TRT = """\
name: trt
model: { path: tiny, container: "vllm/vllm-openai:kimi-k3", precision: fp8 }
resources:
  { gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1 }
backend:
  type: trtllm
  trtllm_config:
    prefill: { tensor_parallel_size: 4, max_batch_size: 8 }
    decode: { tensor_parallel_size: 4 }
"""


TABLES = {
    "vllm.engine": ("0.25.1", "0.26.0", "0.28.0"),
    "ai-dynamo.vllm": ("0.8.1", "1.2.1", "1.3.0.post1"),
    "ai-dynamo.frontend": ("0.8.1", "1.2.1", "1.3.0.post1"),
}


@pytest.fixture
def catalogs(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small catalogs in place of those that are shipped, and none of the user's."""
    folder = tmp_path_factory.mktemp("catalogs")
    for name, versions in TABLES.items():
        facts = {"max-num-seqs": {"k": "int"}}
        store.write(folder, name, {one: store.Recorded(Version(one, 1), facts) for one in versions})
    monkeypatch.setattr(store, "SHIPPED", folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("none")))
    return folder


@pytest.fixture
def tree(tmp_path: Path, catalogs: Path) -> Path:
    files = {
        "configs/a-master.yaml": MATRIX,
        "configs/runners.yaml": "labels: { alpha: [alpha_0] }\n",
        "runners/launch_alpha.sh": LAUNCHER,
        "recipes/tiny.yaml": RECIPE,
        "recipes/trt.yaml": TRT,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Ran:
    code = main(words)
    out, err = capsys.readouterr()
    return Ran(code, out, err)


@pytest.mark.parametrize(("form", "name"), [("text", "effective-commands.txt"), ("json", "effective-commands.json")])
def test_every_flag_has_its_origin(tree: Path, capsys: pytest.CaptureFixture[str], form: str, name: str) -> None:
    ran = run(capsys, "effective", "tiny", "--commands", "--repo", str(tree), "--format", form)
    assert (ran.code, ran.err) == (0, "")
    golden.check(FOLDER / name, ran.out)


def test_argv_is_the_words_of_the_flags(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "effective", "tiny", "--commands", "--repo", str(tree), "--format", "json")
    commands = [command for job in ran.json["effective"] for command in job["commands"]]
    assert len(commands) >= 6
    for command in commands:
        words = [word for flag in command["flags"] for word in flag["words"]]
        assert command["argv"][len(command["argv"]) - len(words) :] == words
        for flag in command["flags"]:
            assert (flag["origin"] == "srtctl") == (flag["key"] is None)


def test_where_nothing_is_submitted(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "runners" / "launch_alpha.sh").write_text("exit 1\n")
    ran = run(capsys, "effective", "tiny", "--commands", "--repo", str(tree))
    assert ran.code == 0
    assert "the launcher exits with status 1 at runners/launch_alpha.sh:1" in ran.out


def test_one_question_at_a_time(bench: Bench) -> None:
    for other in ("--diff", "--compare=alpha-fp8"):
        ran = bench("effective", "alpha-fp8", "--commands", other)
        assert ran.code == 2
        assert ran.err.startswith("configlint: --commands shows command lines")


def test_an_unknown_entry_suggests(bench: Bench) -> None:
    ran = bench("effective", "alfa-fp8", "--commands")
    assert (ran.code, "did you mean 'alpha-fp8'" in ran.err) == (2, True)


# --- the configuration --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[accepted-flag]\n", "unknown key 'accepted-flag', did you mean 'accepted-flags'?"),
        ("profiel = 'x'\n", "unknown key 'profiel', did you mean 'profile'?"),
        ("zzz = 1\n", "unknown key 'zzz' (known: "),
        ("accepted-flags = 'x'\n", "accepted-flags must be a table"),
        ("[accepted-flags]\n'a/b' = 'x'\n", 'accepted-flags."a/b" must be a list of flags'),
    ],
)
def test_misspelt_settings_are_named(tree: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    (tree / "configlint.toml").write_text(text, encoding="utf-8")
    ran = run(capsys, "effective", "tiny", "--repo", str(tree))
    assert ran.code == 2
    assert ran.err.startswith(f"configlint: configlint.toml: {says}")


def jobs(tree: Path) -> list[Job]:
    project = connect(Request(tree, exact=True))
    assert isinstance(project, Project)
    return [job for document in project.documents() for job in document.jobs]


def test_flags_are_vouched_for_by_image(tree: Path) -> None:
    (tree / "configlint.toml").write_text(
        "[accepted-flags]\n'vllm/vllm-openai:v0.26*' = ['--my_flag']\n'vllm/vllm-openai:kimi-*' = ['other']\n",
        encoding="utf-8",
    )
    found = {job.container: [one for one in ("my-flag", "other", "third") if job.accepts(one)] for job in jobs(tree)}
    assert found == {"engine": ["my-flag"], "vllm/vllm-openai:kimi-k3": ["other"]}


# --- what rules are given -----------------------------------------------------------------------------


def test_tables_say_what_a_command_takes(tree: Path, catalogs: Path) -> None:
    vllm, trtllm = jobs(tree)
    tables = {command.role: vllm.tables(command) for command in vllm.commands.commands}
    assert [(table.name, match.versions) for table, match in tables["prefill"]] == [
        ("ai-dynamo.vllm", ("1.2.1", "1.3.0.post1")),
        ("vllm.engine", ("0.26.0",)),
    ]
    assert [table.name for table, _ in tables["frontend"]] == ["ai-dynamo.frontend"]
    assert [trtllm.tables(command) for command in trtllm.workers] == [(), ()]  # there is no such table here
    facts = store.Recorded(Version("1.2.1", 1), {})
    store.write(catalogs, "ai-dynamo.vllm", {"1.2.1": facts})  # which knows fewer versions than the others
    (vllm, _) = jobs(tree)
    assert vllm.tables(vllm.workers[0])[0][1].versions == ("1.2.1",)
    (catalogs / "vllm.engine.jsonl").write_text("damaged")
    (vllm, _) = jobs(tree)
    assert vllm.tables(vllm.workers[0]) == ()


def test_keys_and_values_have_places(tree: Path) -> None:
    (job, _) = jobs(tree)
    flags = {one.path: one for command in job.commands.commands for one in command.flags}
    found = flags["backend.vllm_config.prefill.tensor_parallel_size"]
    key, value = job.key_place(found), job.place(found)
    assert key is not None
    assert value is not None
    assert key.text.slice(key.span) == "tensor_parallel_size"
    assert value.text.slice(value.span) == "8"
    batch = job.key_place(flags["backend.vllm_config.decode.max-num-seqs"])  # one of a list of values
    assert batch is not None
    assert batch.text.slice(batch.span) == "max-num-seqs"
    own = next(one for one in job.workers[0].flags if one.is_own)
    assert job.place(own) is job.key_place(own) is None


def test_jobs_of_one_text_share_their_commands(tree: Path) -> None:
    path = tree / "configs" / "a-master.yaml"
    path.write_text(path.read_text().replace("recipes/trt.yaml", "recipes/tiny.yaml:zip_override_batch[1]"))
    one, two = jobs(tree)
    assert one.commands is two.commands


def test_without_a_cluster_file_an_image_is_still_one(tree: Path) -> None:
    (tree / "runners" / "launch_alpha.sh").write_text(LAUNCHER.replace("srtslurm.yaml", "other.yaml"))
    vllm, trtllm = jobs(tree)
    assert (vllm.container, vllm.image) == ("engine", None)
    assert str(vllm.engine) == "vllm any version, superset: it is not known which image engine is"
    assert trtllm.image is not None
