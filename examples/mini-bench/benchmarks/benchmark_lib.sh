# Shared by the benchmark scripts.

# require_env NAME...: stop where a setting is missing.
require_env() {
    local name
    for name in "$@"; do
        if [[ -z "${!name:-}" ]]; then
            echo "$name is not set" >&2
            exit 1
        fi
    done
}

# wait_until_healthy PORT: return when the server answers, fail after half an hour.
wait_until_healthy() {
    local attempt
    for attempt in $(seq 180); do
        if curl -sf "http://localhost:$1/health" > /dev/null; then
            return 0
        fi
        sleep 10
    done
    return 1
}
