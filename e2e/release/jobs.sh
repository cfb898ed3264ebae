# The jobs that run while Sluice is upgraded and rolled back, and what is compared of them. All of Flink that runs, and a snapshot, in $namespace.

# troubles: what one wants to see where something is not as it should be
troubles() {
    { [ ! -s jobs.diff ] || cat jobs.diff
      kubectl describe flinkdep,sessionjob,flinksnp -n "$namespace" || true
      kubectl get pods -A -o wide || true
      kubectl logs -n "$system" deployment/sluice-operator --tail=60 || true
      kubectl get events -A --sort-by=.lastTimestamp | tail -30 || true; } 2>&1 | sed 's/^/      | /' >&2
}

# jobs_started: an application with state, a session cluster with a job, and a savepoint as a resource
jobs_started() {
    name=orders
    state_volume "${image[examples]}"
    jars_served "${image[examples]}"
    sed "s#^\( *image:\).*#\1 ${image[examples]}#" "$root/e2e/guides/orders.yaml" | kubectl apply -f - | sed 's/^/      /'
    sed "s#^\( *image:\).*#\1 ${image[examples]}#; s|^\( *jarURI:\).*|\1 $(jars_uri)|" "$root/examples/session.yaml" | kubectl apply -f - | sed 's/^/      /'
    progress() { resource_progress; }
    within 240 "orders RUNNING, STABLE, Ready" is_ready
    progress() { report_progress; }
    within 240 "report RUNNING, STABLE, Ready" report_is_ready
    progress() { :; }
    within 60 "a checkpoint of orders" checkpointed
    snapshot_made first
}
report() { kubectl get sessionjob report -n "$namespace" -o "jsonpath=$1" 2>/dev/null; }
report_progress() { report '{.status.lifecycleState} {range .status.conditions[?(@.type=="Ready")]} · {.reason}: {.message}{end}'; }
report_is_ready() { # at the current generation
    local generation observed ready lifecycle
    read -r generation observed ready lifecycle < <(report \
        '{.metadata.generation} {.status.observedGeneration} {.status.conditions[?(@.type=="Ready")].status} {.status.lifecycleState}')
    [ "$generation $ready $lifecycle" = "$observed True STABLE" ]
}

snapshot_made() { # snapshot_made NAME: of orders
    printf 'apiVersion: flink.apache.org/v1beta1\nkind: FlinkStateSnapshot\nmetadata: {name: %s, namespace: %s}\nspec:\n  jobReference: {kind: FlinkDeployment, name: orders}\n  savepoint: {}\n' \
        "$1" "$namespace" | kubectl apply -f - | sed 's/^/      /'
    snapshot_completed() { [ "$(kubectl get flinksnp "$1" -n "$namespace" -o 'jsonpath={.status.state}')" = COMPLETED ]; }
    within 120 "the snapshot $1" snapshot_completed "$1"
}

# jobs_seen: pods with their uids and restarts; jobs with their ids, states, beginnings and Flink's own count of restarts; the first snapshot
jobs_seen() {
    local id
    kubectl get pods -n "$namespace" -l type=flink-native-kubernetes -o json \
        | jq -r '.items[] | "pod \(.metadata.name) \(.metadata.uid) \(.status.phase), restarts: \([.status.containerStatuses[].restartCount] | add)"' | sort
    for name in orders session; do
        rest /jobs/overview | jq -r --arg name "$name" '.jobs[] | "job of \($name): \(.jid) \(.state) since \(."start-time")"' | sort
        for id in $(rest /jobs/overview | jq -r '.jobs[].jid'); do
            rest "/jobs/$id/metrics?get=numRestarts" | jq -r --arg id "$id" '.[] | "job \($id), \(.id): \(.value)"'
        done
    done
    kubectl get flinksnp first -n "$namespace" -o json | jq -r '"snapshot \(.metadata.name) \(.metadata.uid) \(.status.state) \(.status.path)"'
}
jobs_remembered() {
    within 60 "Flink's counts of restarts" jobs_complete
    sed 's/^/      /' jobs
}
# two pods, a job and its restarts for each cluster, and the snapshot
jobs_complete() { jobs_seen >jobs && [ "$(grep -c '^pod ' jobs)" -ge 4 ] && [ "$(grep -c '^job of ' jobs)" = 2 ] && [ "$(grep -c 'numRestarts: [0-9]' jobs)" = 2 ] && grep -q '^snapshot .*COMPLETED' jobs; }

# jobs_untouched WHEN: they are the same, and process records
jobs_untouched() {
    jobs_same() { jobs_seen >jobs.now && diff jobs jobs.now >jobs.diff; }
    # An answer of Flink may be missing for a moment. What was touched never is the same again.
    within 20 "the jobs as they were before $1" jobs_same
    local records=() each
    for each in orders session; do records+=("$(records_of "$each")"); done
    name=orders
    within 60 "the count of orders" counted
    local counted_before=$count
    more_records() { [ "$(records_of orders)" -gt "${records[0]}" ] && [ "$(records_of session)" -gt "${records[1]}" ] && counted && [ "$count" -gt "$counted_before" ]; }
    within 60 "more records" more_records
    [ "$deviation" = 0 ] || fail "of the records so far $deviation were lost (below zero: counted twice)"
    seen "$1, and the jobs have the same pods, ids and restarts; orders has counted $counted_before and then $count, none lost, none counted twice"
}
records_of() { # records_of CLUSTER: read by all vertices of its job
    local name=$1 id
    id=$(rest /jobs/overview | jq -r '[.jobs[] | select(.state == "RUNNING") | .jid][0] // empty')
    rest "/jobs/$id" | jq '[.vertices[].metrics."read-records"] | add'
}

# savepoints JOB: on record of a job: the last one in its status, and those of FlinkStateSnapshots, as which later releases record what a nonce asks for
savepoints() {
    kubectl get "$(kind_of "$1")" "$1" -n "$namespace" -o 'jsonpath={.status.jobStatus.savepointInfo.lastSavepoint.location}{"\n"}'
    kubectl get flinksnp -n "$namespace" -o json | jq -r --arg job "$1" '.items[] | select(.spec.jobReference.name == $job and .status.state == "COMPLETED") | .status.path'
}
kind_of() { case $1 in report) echo sessionjob ;; *) echo flinkdep ;; esac; }

# jobs_served NUMBER: the operator that runs now carries out what it is asked for, of each kind
jobs_served() {
    local saved saved_report
    name=orders
    saved=$(savepoints orders)
    saved_report=$(savepoints report)
    show kubectl patch flinkdep orders -n "$namespace" --type=merge -p "{\"spec\":{\"job\":{\"savepointTriggerNonce\":$1}}}"
    show kubectl patch sessionjob report -n "$namespace" --type=merge -p "{\"spec\":{\"job\":{\"savepointTriggerNonce\":$1}}}"
    both_saved() { is_ready && report_is_ready && [ "$(savepoints orders)" != "$saved" ] && [ "$(savepoints report)" != "$saved_report" ]; }
    progress() { resource_progress; }
    within 120 "a savepoint of each job" both_saved
    progress() { :; }
    snapshot_made "number-$1"
    seen "a savepoint of each job by its nonce, and one by a FlinkStateSnapshot"
}

# job_upgraded: orders is restarted with its state
job_upgraded() {
    local start counted_before
    name=orders
    start=$(job_start)
    within 60 "the count of orders" counted
    counted_before=$count
    show kubectl patch flinkdep orders -n "$namespace" --type=merge -p '{"spec":{"restartNonce":1}}'
    next_job() { is_ready && tasks_up && [ "$(job_start)" != "$start" ]; }
    progress() { resource_progress; }
    within 240 "orders restarted" next_job
    progress() { :; }
    exactly_once "$counted_before"
}

jobs_gone() {
    jars_gone
    state_volume_gone
}
