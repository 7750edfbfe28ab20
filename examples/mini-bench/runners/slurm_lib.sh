# Shared by the launchers of Slurm clusters.

# squash_path IMAGE: where the imported container of an image lies.
squash_path() {
    printf '/containers/%s.sqsh' "$(echo "$1" | sed 's/[^A-Za-z0-9.-]/_/g')"
}

# import_squash IMAGE FILE: import the container unless it is there.
import_squash() {
    if [[ ! -f "$2" ]]; then
        enroot import -o "$2" "docker://$1"
    fi
}

# collect_results DIR: copy what the job measured to where the workflow looks for it.
collect_results() {
    local file
    for file in "$1"/results_*.json; do
        cp "$file" "$GITHUB_WORKSPACE/${RESULT_FILENAME}_$(basename "$file")"
    done
}
