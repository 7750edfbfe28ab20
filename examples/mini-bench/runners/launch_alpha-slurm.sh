#!/usr/bin/env bash
# Cluster alpha: nodes with eight GPUs under Slurm. Every job is submitted with srtctl.

source "$(dirname "${BASH_SOURCE[0]}")/slurm_lib.sh"

SLURM_ACCOUNT="bench"
SLURM_PARTITION="alpha"

if [[ "$MODEL_PREFIX" == "tiny" && "$PRECISION" == "fp8" ]]; then
    MODEL_ALIAS="tiny-fp8"
    MODEL_PATH="/models/tiny-8b-fp8"
else
    echo "alpha holds no weights for $MODEL_PREFIX in $PRECISION" >&2
    exit 1
fi

# The program that turns a recipe into a Slurm job, and the recipes that come with it.
RENDERER="https://git.example.com/bench/srt-slurm.git"
rm -rf srt-slurm
if [[ "$IS_AGENTIC" == "1" ]]; then
    git clone "$RENDERER" srt-slurm || exit 1
    cd srt-slurm || exit 1
else
    git clone "$RENDERER" srt-slurm || exit 1
    cd srt-slurm || exit 1
    git checkout v1.2.0
fi

# Our own recipes lie over the ones of the renderer.
if [[ "$FRAMEWORK" == "dynamo-vllm" ]]; then
    mkdir -p recipes/vllm/tiny
    cp -rT "$GITHUB_WORKSPACE/benchmarks/multi_node/srt-slurm-recipes/vllm/tiny" recipes/vllm/tiny
fi

SQUASH_FILE="$(squash_path "$IMAGE")"
import_squash "$IMAGE" "$SQUASH_FILE" || exit 1

cat > srtslurm.yaml <<YAML
default_account: "${SLURM_ACCOUNT}"
default_partition: "${SLURM_PARTITION}"
default_time_limit: "6:00:00"
gpus_per_node: 8
model_paths:
  "${MODEL_ALIAS}": "${MODEL_PATH}"
containers:
  dynamo-sglang: "${SQUASH_FILE}"
  "${IMAGE}": "${SQUASH_FILE}"
YAML

# An eval may ask for a recipe of its own.
if [[ "${EVAL_ONLY:-false}" == "true" && -n "${EVAL_CONFIG_FILE:-}" ]]; then
    CONFIG_FILE="$EVAL_CONFIG_FILE"
fi

# The job carries the name of the runner, so that a later clean-up finds it.
sed -i "s|^name: .*|name: ${RUNNER_NAME}|" "$CONFIG_FILE"
# Weights come from a slow file system: wait two hours (720 x 10 s) for the servers.
sed -i 's/^  max_attempts: .*/  max_attempts: 720/' "${CONFIG_FILE%%:*}"

srtctl apply -f "$CONFIG_FILE" --tags "alpha,${MODEL_PREFIX},${PRECISION}" || exit 1
collect_results outputs
