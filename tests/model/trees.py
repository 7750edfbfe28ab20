"""A small benchmark repository in memory: two matrix files, runners, workflows, launchers."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from configlint.model.environment import Environments
from configlint.model.layout import Layout
from configlint.model.matrix import Matrix, Point
from configlint.profile.builtins import detect
from configlint.source.trees import MemoryTree

FIRST = """\
# a comment with an umlaut: ä
alpha-fp8-north:
  image: &image engine/server:1.2
  model: org/Alpha
  model-prefix: alpha
  precision: fp8
  framework: engine
  runner: north
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 4, conc-start: 8, conc-end: 32 }
      - # spread out
        tp: 8
        ep: 8
        dp-attn: true
        spec-decoding: mtp
        conc-list: [16, 64]
"""

SECOND = """\
beta-fp4-south-multi:
  image: engine/server:2.0
  model: org/Beta
  model-prefix: beta
  precision: fp4
  framework: engine-multi
  runner: cluster:south
  multinode: true
  disagg: true
  kv-p2p-transfer: wire
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - conc-list: [4, 32]
        prefill: &worker
          num-worker: 1
          tp: 4
          ep: 1
          dp-attn: false
          additional-settings:
          - "CONFIG_FILE=recipes/beta.yaml:override_big"
          - "EXTRA=ü"
        decode:
          <<: *worker
          additional-settings: []
    agentic-coding:
    - dram-utilization: 0.5
      search-space:
      - conc-list: [1, 16]
        kv-offloading: dram
        kv-offload-backend: { name: tier, version: "1" }
        prefill: *worker
        decode: *worker
"""

RUNNERS = """\
labels:
  north: [north-a_0, north-a_1, north-b_0]
  cluster:south:
  - south-x_03
  empty-handed: [nowhere_1]
hardware:
  cluster:south:
    available-cpu-dram-mib: 1_000_000
    gpus-per-node: 8
"""

SINGLE = """\
name: one node
on:
  workflow_call:
    inputs:
      runner: { required: true, type: string }
      image: { required: true, type: string }
      tp: { required: true, type: string }
      pp: { type: string, default: '1' }
      dp-attn: { type: boolean, required: true }
      conc: { type: string }
      exp-name: { type: string }
      spec-decoding: { type: string }
      run-eval: { type: boolean, default: false }
      eval-only: { type: boolean, default: false }
      scenario-type: { type: string, default: fixed-seq-len }
      fast: { type: boolean, default: false }
env:
  IMAGE: ${{ inputs.image }}
  TP: ${{ inputs.tp }}
  PP_SIZE: ${{ inputs.pp }}
  RATIO: 0.80
  FLAG: on
  TOKEN: x-${{ secrets.TOKEN }}
  CONC: ${{ inputs.conc }}
  DP_ATTENTION: ${{ inputs.dp-attn }}
  RUN_EVAL: ${{ inputs.run-eval }}
  EVAL_ONLY: ${{ inputs.eval-only }}
  EXP_NAME: ${{ inputs.exp-name }}
  SCENARIO_SUBDIR: ${{ inputs.scenario-type == 'agentic-coding' && 'agentic/' || 'fixed/' }}
  FAST: ${{ inputs.fast && '1' || '0' }}
  NOTHING: ${{ inputs.absent }}
jobs:
  go:
    runs-on: ${{ inputs.runner }}
    env:
      LEVEL: job
    steps:
    - run: echo nothing
    - name: start
      env:
        RUNNER_NAME: ${{ runner.name }}
        RESULT: ${{ env.EXP_NAME }}-${{ env.LEVEL }}-c${{ env.CONC }}-${{ runner.name }}
        LEVEL: step
      run: |
        export RESULT
        bash ./runners/launch_${RUNNER_NAME%%_*}.sh
        echo "${{ inputs.eval-only }}"
"""

MULTI = """\
on:
  workflow_call:
    inputs:
      image: { type: string }
      conc-list: { type: string }
      prefill-tp: { type: string }
      prefill-settings: { type: string, default: "[]" }
      decode-settings: { type: string, default: "[]" }
      kv-offload-backend: { type: string }
      eval-only: { type: boolean }
      eval-conc: { type: string }
env:
  IMAGE: ${{ inputs.image }}
  CONC_LIST: ${{ join(fromJson(inputs.conc-list), ' ') }}
  PREFILL_TP: ${{ inputs.prefill-tp }}
  KV_OFFLOAD_BACKEND: ${{ inputs.kv-offload-backend }}
  EVAL_ONLY: ${{ inputs.eval-only }}
  EVAL_CONC: ${{ inputs.eval-conc }}
jobs:
  go:
    steps:
    - shell: bash
      run: |
        export ${{ join(fromJson(inputs.prefill-settings), ' ') }} ${{ join(fromJson(inputs.decode-settings), ' ') }}

        bash ./runners/launch_$NAME.sh
      env: { NAME: south }
"""

CALLER = """\
on: push
jobs:
  prepare:
    runs-on: somewhere
    steps: []
  single-8k1k:
    uses: ./.github/workflows/benchmark-tmpl.yml
    strategy:
      matrix:
        config: ${{ fromJson(needs.prepare.outputs.all).single_node['8k1k'] }}
    with: &single
      runner: ${{ matrix.config.runner }}
      image: ${{ matrix.config.image }}
      tp: ${{ matrix.config.tp }}
      dp-attn: ${{ matrix.config.dp-attn }}
      conc: ${{ matrix.config.conc }}
      exp-name: ${{ matrix.config.exp-name }}
      spec-decoding: ${{ matrix.config.spec-decoding }}
      run-eval: ${{ matrix.config.run-eval }}
      fast: ${{ contains(github.event.pull_request.labels.*.name, 'fast') }}
  eval:
    uses: ./.github/workflows/benchmark-tmpl.yml
    strategy: { matrix: { config: "${{ fromJson(needs.prepare.outputs.all).evals }}" } }
    with:
      <<: *single
      run-eval: true
      eval-only: true
  multi:
    uses: ./.github/workflows/benchmark-multinode-tmpl.yml
    strategy: { matrix: { config: "${{ fromJson(needs.prepare.outputs.all).multi_node['1k1k'] }}" } }
    with: &multi
      image: ${{ matrix.config.image }}
      conc-list: ${{ toJson(matrix.config.conc) }}
      prefill-tp: ${{ matrix.config.prefill.tp }}
      prefill-settings: ${{ toJson(matrix.config.prefill.additional-settings) }}
      decode-settings: ${{ toJson(matrix.config.decode.additional-settings) }}
  multi-agentic:
    uses: ./.github/workflows/benchmark-multinode-tmpl.yml
    strategy: { matrix: { config: "${{ fromJson(needs.prepare.outputs.all).multi_node['agentic'] }}" } }
    with:
      <<: *multi
      kv-offload-backend: ${{ matrix.config['kv-offload-backend'].name }}
"""

FILES: dict[str, str] = {
    "configs/first-master.yaml": FIRST,
    "configs/second-master.yaml": SECOND,
    "configs/runners.yaml": RUNNERS,
    ".github/workflows/benchmark-tmpl.yml": SINGLE,
    ".github/workflows/benchmark-multinode-tmpl.yml": MULTI,
    ".github/workflows/run-sweep.yml": CALLER,
    "runners/launch_north-a.sh": "echo a\n",
    "runners/launch_south-x.sh": "echo x\n",
    "runners/launch_west-slurm.sh": "echo w\n",
}
SYMLINKS = {"runners/launch_north-b.sh": "launch_north-a.sh"}


def layout(changes: Mapping[str, str | bytes | None] | None = None) -> Layout:
    """The tree with some files changed, added, or (None) left out."""
    files: dict[str, str | bytes] = {
        path: text for path, text in {**FILES, **(changes or {})}.items() if text is not None
    }
    symlinks = SYMLINKS if "runners/launch_north-a.sh" in files else {}
    tree = MemoryTree(files, symlinks=symlinks)
    found = detect(tree.files())
    assert found is not None
    return Layout(tree, *found)


def matrix(changes: Mapping[str, str | bytes | None] | None = None) -> Matrix:
    return Matrix(layout(changes))


def both(changes: Mapping[str, str | bytes | None] | None = None) -> tuple[Matrix, Environments]:
    seen = layout(changes)
    return Matrix(seen), Environments(seen)


def point(made: Matrix, key: str, item: int = 0, index: int = 0) -> Point:
    return made.entries[key].items[item].points[index]


def entry(text: str) -> str:
    """A matrix file from indented text."""
    return dedent(text).lstrip("\n")
