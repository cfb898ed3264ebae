# What the world tells, and what is kept of it. Sourced by run.

jobs_running() { rest /jobs/overview | jq -r '.jobs[] | select(.state == "RUNNING") | .jid'; }
committed_numbers() { find "$(volume)/committed" -name 'part-*' -exec cat {} +; }
committed_more() { [ "$(committed_numbers | sort -n | tail -n 1)" -gt "$1" ]; }
committed_once() { # each number from the first to the last one, and none twice
    local wrong
    wrong=$(committed_numbers | sort -n | awk '{while (next_one < $1) {print "lost " next_one; next_one++; if (++shown == 5) exit} if ($1 < next_one) {print "twice " $1; if (++shown == 5) exit} else next_one = $1 + 1}')
    [ -z "$wrong" ] || fail "not exactly once: $(xargs <<<"$wrong")"
}
# runs_the_last_spec: one job, RUNNING, with the option that was edited last
runs_the_last_spec() {
    local running wanted
    user_helps
    is_ready && job_is_ready && running=$(jobs_running) && [ "$(wc -w <<<"$running")" = 1 ] || return 1
    wanted=$(jq -r '.flinkConfiguration["execution.checkpointing.timeout"] // "600 s" | rtrimstr(" s")' <<<"${spec[job]:-{\}}")
    [ "$(rest "/jobs/$running/checkpoints/config" | jq .timeout)" = "${wanted}000" ]
}
job_is_ready() { # at the current generation
    [ "$(kubectl get "$job" -n "$namespace" -o json 2>/dev/null | jq '.metadata.generation == .status.observedGeneration and .status.lifecycleState == "STABLE"
        and any(.status.conditions[]; .type == "Ready" and .status == "True")')" = true ]
}
# snapshots_at_an_end: each FlinkStateSnapshot is complete or will not be; what is deleted is gone
snapshots_at_an_end() {
    kubectl get flinksnp -n "$namespace" -o json | jq -e 'all(.items[]; .metadata.deletionTimestamp == null
        and ([.status.state] | inside(["COMPLETED", "FAILED", "ABANDONED"])))' >/dev/null
}
# snapshots_are_there: the files of each savepoint that the user has asked for, that is complete and was not deleted
snapshots_are_there() {
    local path count=0
    while read -r path; do
        [ -e "$(volume)/${path#file:/state/}/_metadata" ] || fail "a savepoint is COMPLETED, and there is nothing at $path"
        count=$((count + 1))
    done < <(kubectl get flinksnp -n "$namespace" -o json \
        | jq -r '.items[] | select((.metadata.name | startswith("asked-")) and .spec.savepoint and .status.state == "COMPLETED") | .status.path')
    seen "$count savepoints that the user asked for are where they should be"
}

# logs_kept: those of all containers so far, also of pods that are gone soon, as further names of the same files
logs_kept() {
    mkdir -p "$work/pods"
    cp -aln "$(dirname "$KUBECONFIG")/pods/." "$work/pods/" 2>/dev/null || cp -an "$(dirname "$KUBECONFIG")/pods/." "$work/pods/" 2>/dev/null || true
}
# evidence_kept: of a run that has failed
evidence_kept() {
    local kept=$root/target/chaos/$seed
    [ -n "${KUBECONFIG:-}" ] && [ -e "$work/attempts" ] || return 0
    logs_kept
    rm -rf "$kept"
    mkdir -p "$kept"
    kubectl get flinkdep,sessionjob,flinksnp,pod,configmap -n "$namespace" -o yaml >"$kept/resources.yaml" 2>/dev/null || true
    kubectl get events -A --sort-by=.lastTimestamp >"$kept/events" 2>/dev/null || true
    kubectl get lease,pod -n "$system" -o yaml >"$kept/operator.yaml" 2>/dev/null || true
    cp -a "$work/." "$kept/" 2>/dev/null || true
    find "$(volume)" 2>/dev/null >"$kept/files" || true
    echo "      What was seen is in target/chaos/$seed." >&2
}
