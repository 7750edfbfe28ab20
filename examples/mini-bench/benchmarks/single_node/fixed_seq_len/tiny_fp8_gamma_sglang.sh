#!/usr/bin/env bash
source "$(dirname "$0")/../../benchmark_lib.sh"

require_env MODEL TP CONC ISL OSL PORT RESULT_FILENAME

python3 -m sglang.launch_server --model-path "$MODEL" --port "$PORT" \
    --tp-size "$TP" \
    --disable-radix-cache > server.log 2>&1 &

wait_until_healthy "$PORT" || exit 1

python3 -m sglang.bench_serving --model "$MODEL" --port "$PORT" \
    --dataset-name random --random-input-len "$ISL" --random-output-len "$OSL" \
    --num-prompts $((CONC * 10)) --max-concurrency "$CONC" \
    --output-file "$RESULT_FILENAME.json"
