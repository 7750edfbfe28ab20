#!/usr/bin/env bash
source "$(dirname "$0")/../benchmark_lib.sh"

require_env MODEL TP CONC DURATION PORT RESULT_FILENAME

vllm serve "$MODEL" --port "$PORT" \
    --tensor-parallel-size "$TP" \
    --enable-auto-tool-choice --tool-call-parser hermes > server.log 2>&1 &

wait_until_healthy "$PORT" || exit 1

trace-replay --model "$MODEL" --url "http://localhost:$PORT" \
    --concurrency "$CONC" --seconds "$DURATION" \
    --output "$RESULT_FILENAME.json"
