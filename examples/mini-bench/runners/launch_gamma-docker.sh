#!/usr/bin/env bash
# Cluster gamma: a job is one container on one node.

if [[ "$FRAMEWORK" != "vllm" && "$FRAMEWORK" != "sglang" ]]; then
    echo "gamma runs vllm and sglang, not $FRAMEWORK" >&2
    exit 1
fi

CONTAINER="$IMAGE"
if [[ "$FRAMEWORK" == "sglang" ]]; then
    CONTAINER="registry.example.com/bench/sglang-engine:0.4"
fi

# benchmarks/single_node/SCENARIO/MODEL_PRECISION_gamma[_FRAMEWORK][_mtp].sh
SPEC_SUFFIX=""
if [[ "$SPEC_DECODING" == "mtp" ]]; then
    SPEC_SUFFIX="_mtp"
fi
SCRIPT_BASE="benchmarks/single_node/${SCENARIO_SUBDIR}${EXP_NAME%%_*}_${PRECISION}_gamma"
SCRIPT="${SCRIPT_BASE}_${FRAMEWORK}${SPEC_SUFFIX}.sh"
if [[ ! -f "$SCRIPT" ]]; then
    SCRIPT="${SCRIPT_BASE}${SPEC_SUFFIX}.sh"
fi

docker run --rm --gpus all --name "$RUNNER_NAME" \
    --volume "$GITHUB_WORKSPACE:/workspace" --workdir /workspace \
    --env MODEL --env TP --env CONC --env ISL --env OSL --env MAX_MODEL_LEN \
    --env DURATION --env RUN_EVAL --env EVAL_ONLY --env RESULT_FILENAME \
    --env PORT=8000 \
    "$CONTAINER" bash "$SCRIPT"
