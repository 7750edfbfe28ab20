#!/usr/bin/env bash
# Cluster beta: nodes with four GPUs under Slurm. Any failing command ends the job.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/slurm_lib.sh"

if [[ "$MODEL_PREFIX" == "small" && "$PRECISION" == "fp4" ]]; then
    MODEL_ALIAS="small-fp4"
    MODEL_PATH="/scratch/small-70b-fp4"
elif [[ "$MODEL_PREFIX" == "small" && "$PRECISION" == "fp4" && "$FRAMEWORK" == "dynamo-trt" ]]; then
    MODEL_ALIAS="small-fp4-trt"
    MODEL_PATH="/scratch/small-70b-fp4-trt"
else
    echo "beta holds no weights for $MODEL_PREFIX in $PRECISION" >&2
    exit 1
fi

rm -rf srt-slurm
git clone --branch v1.2.0 --single-branch https://git.example.com/bench/srt-slurm.git srt-slurm
cd srt-slurm
mkdir -p recipes/trtllm/small
cp -rT "$GITHUB_WORKSPACE/benchmarks/multi_node/srt-slurm-recipes/trtllm/small" recipes/trtllm/small

SQUASH_FILE="$(squash_path "$IMAGE")"
import_squash "$IMAGE" "$SQUASH_FILE"

cat > srtslurm.yaml <<YAML
default_account: bench
default_partition: beta
gpus_per_node: 4
model_paths:
  "${MODEL_ALIAS}": "${MODEL_PATH}"
containers:
  dynamo-trt: "$(squash_path "$IMAGE")"
  "${FRAMEWORK}": "${SQUASH_FILE}"
  "${IMAGE}": "${SQUASH_FILE}"
YAML

# Half an hour is too short for these weights; a recipe that asks for another time keeps it.
RECIPE="${CONFIG_FILE%%:*}"
sed -i "s|^name: .*|name: ${RUNNER_NAME}|" "$RECIPE"
sed -i 's/^  max_attempts: 180$/  max_attempts: 720/' "$RECIPE"
# All recipes: ask for health four times a minute, servers log each question.
for recipe in recipes/trtllm/*.yaml; do
    [[ -f "$recipe" ]] || continue
    sed -i 's/^  interval_seconds: .*/  interval_seconds: 15/' "$recipe"
done

srtctl apply -f "$CONFIG_FILE" --tags "beta,${MODEL_PREFIX},${PRECISION}"
collect_results outputs
