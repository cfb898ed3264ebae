# What Flink tells of each attempt of the job of $name in $namespace: with what it began, and which checkpoints it has completed. Nothing
# of it comes from the operator. $work is a folder of the run.

# attempts_watched: looks three times a second from now on; a line for each answer goes to $work/attempts
attempts_watched() {
    touch "$work/attempts" "$work/attempts-proxy"
    set -m
    kubectl proxy --port=0 >"$work/attempts-proxy" 2>/dev/null &
    attempts_jobs+=($!)
    attempts_looked &
    attempts_jobs+=($!)
    set +m
}
attempts_jobs=()
attempts_end() { local each; for each in "${attempts_jobs[@]}"; do kill -- "-$each" 2>/dev/null || true; done; attempts_jobs=(); }

attempts_looked() {
    local port="" id base
    until port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\)$/\1/p' "$work/attempts-proxy") && [ -n "$port" ]; do sleep 0.1; done
    base="http://127.0.0.1:$port/api/v1/namespaces/$namespace/services/$name-rest:8081/proxy"
    while :; do
        for id in $(curl -fsS --max-time 2 "$base/jobs/overview" 2>/dev/null | jq -r '.jobs[].jid' 2>/dev/null); do
            curl -fsS --max-time 2 "$base/jobs/$id/checkpoints" 2>/dev/null | jq -c --arg id "$id" --argjson at "$(date +%s%3N)" '
                {at: $at, job: $id, completed: .latest.completed.id, from: .latest.restored.id, restored: .latest.restored.restore_timestamp,
                    path: .latest.restored.external_path}' 2>/dev/null >>"$work/attempts" || true
        done
        sleep 0.3
    done
}

# attempts_below: each attempt that began with less than the last completed checkpoint that was seen before it, a line each. Flink gives
# its checkpoints numbers that only grow. Flink answers from a copy that is up to 3 s old, so that an attempt counts as one that
# began with nothing only once it has completed a checkpoint itself.
attempts_below() {
    jq -rs 'reduce .[] as $look ({best: 0, began: {}, below: []};
            ($look.job + " " + ($look.restored // "" | tostring)) as $attempt
            | (if .began | has($attempt) then . else .began[$attempt] = .best end)
            | (if $look.restored then $look.from elif $look.completed then 0 else null end) as $from
            | (if $from != null and $from < .began[$attempt] then .below += ["\($attempt) began with \($from) (\($look.path // "nothing")), and \(.began[$attempt]) was complete"] else . end)
            | .best = ([.best, $look.completed // 0] | max))
        | .below | unique[]' "$work/attempts"
}
attempts_count() { jq -r 'select(.restored) | "\(.job) \(.restored)"' "$work/attempts" | sort -u | wc -l; }
