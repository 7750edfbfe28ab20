#!/usr/bin/env bash
source "$(dirname "$0")/../../benchmark_lib.sh"

require_env MODEL TP CONC ISL OSL MAX_MODEL_LEN PORT RESULT_FILENAME

vllm serve "$MODEL" --port "$PORT" \
    --tensor-parallel-size "$TP" \
    --max-model-len "$MAX_MODEL_LEN" \
    --no-enable-prefix-caching > server.log 2>&1 &

wait_until_healthy "$PORT" || exit 1

vllm bench serve --model "$MODEL" --port "$PORT" \
    --dataset-name random --random-input-len "$ISL" --random-output-len "$OSL" \
    --num-prompts $((CONC * 10)) --max-concurrency "$CONC" \
    --save-result --result-filename "$RESULT_FILENAME.json"
