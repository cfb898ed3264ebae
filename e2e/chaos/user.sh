# What the user of the run does: edits of the job, and of the session cluster that it runs in, and FlinkStateSnapshots. Sourced by run.

# $job and $cluster are resources as kubectl names them; for an application they are the same one.
declare -A spec=() former=() # what the user has changed of the first spec, of `job` and `cluster`, now and before the last edit
edited=job                   # the one of the last edit
nonce=0
resume_at=""

# edit job|cluster PATCH: refused while nobody can admit it, or the API server is away: a user would see that, and try again or not
edit() {
    local next resource=${!1}
    next=$(jq -nc --argjson one "${spec[$1]:-{\}}" --argjson other "$2" '$one * $other')
    if kubectl patch "$resource" -n "$namespace" --type=merge -p "{\"spec\":$next}" --request-timeout=10s >/dev/null 2>"$work/refused"; then
        former[$1]=${spec[$1]:-{\}}
        spec[$1]=$next
        edited=$1
    else
        refused
    fi
}
refused() { say "refused: $(tail -n 1 "$work/refused" | cut -c1-160)"; }

user_edits() {
    nonce=$((nonce + 1))
    pick config config memory restart savepoint mode back suspend snapshot unsnapshot ${session:+cluster}
    happens "edit: $picked" "the user edits: $picked"
    case $picked in
        config) edit job '{"flinkConfiguration":{"execution.checkpointing.timeout":"'$((600 + nonce))' s"}}' ;;
        memory) pick 1Gi 1100Mi 1200Mi; edit cluster '{"taskManager":{"resource":{"memory":"'"$picked"'"}}}' ;;
        restart) edit job '{"restartNonce":'$nonce'}' ;;
        cluster) edit cluster '{"restartNonce":'$nonce'}' ;;
        savepoint) edit job '{"job":{"savepointTriggerNonce":'$nonce'}}' ;;
        mode) pick savepoint last-state; edit job '{"job":{"upgradeMode":"'"$picked"'"}}' ;;
        back) edit "$edited" "${former[$edited]:-{\}}" ;;
        suspend) edit job '{"job":{"state":"suspended"}}'; resume_at=$((SECONDS + 10 + RANDOM % 30)) ;;
        snapshot) user_asks_for_snapshot ;;
        unsnapshot) user_deletes_snapshot ;;
    esac
}
user_resumes() { happens "edit: resume" "the user edits: resume"; edit job '{"job":{"state":"running"}}'; resume_at=""; }

user_asks_for_snapshot() {
    pick 'savepoint: {disposeOnDelete: true}' 'savepoint: {disposeOnDelete: false, formatType: NATIVE}' 'checkpoint: {}'
    printf 'apiVersion: flink.apache.org/v1beta1\nkind: FlinkStateSnapshot\nmetadata: {name: asked-%s, namespace: %s}\nspec: {jobReference: {kind: %s, name: %s}, %s}\n' \
        "$nonce" "$namespace" "$kind" "$name" "$picked" | kubectl apply -f - --request-timeout=10s >/dev/null 2>"$work/refused" || refused
}
# user_deletes_snapshot: any of them, also those that the operator has made and a job may need
user_deletes_snapshot() {
    local all
    mapfile -t all < <(kubectl get flinksnp -n "$namespace" -o name --request-timeout=10s 2>/dev/null)
    [ ${#all[@]} -gt 0 ] || return 0
    pick "${all[@]}"
    kubectl delete "$picked" -n "$namespace" --wait=false --request-timeout=10s >/dev/null 2>"$work/refused" || refused
}
# user_deletes_jobmanager: as docs/troubleshoot.md says, once it has had no ResourceManager for a minute
lacking_since=""
user_deletes_jobmanager() {
    if ! lacks_resource_manager; then lacking_since=""; return 0; fi
    lacking_since=${lacking_since:-$SECONDS}
    [ $((SECONDS - lacking_since)) -ge 60 ] || return 0
    happens "Flink without a ResourceManager" "the JobManager has no ResourceManager: the user deletes its pod"
    kubectl delete pod -n "$namespace" -l "$(flink_selector jobmanager)" --wait=false --request-timeout=10s >/dev/null 2>&1
    lacking_since=""
}
# lacks_resource_manager: Flink 1.20 may publish every leader but that of its ResourceManager, if the JobManager has stood still while
# the ResourceManager started. The JobManager never asks for a TaskManager then, and renews its lease.
lacks_resource_manager() {
    kubectl get configmap "$name-cluster-config-map" -n "$namespace" -o json 2>/dev/null \
        | jq -e '[.data // {} | keys[] | ltrimstr("org.apache.flink.k8s.leader.")] | index("dispatcher") != null and index("resourcemanager") == null' >/dev/null
}

# user_rescues: as docs/rescue.md says, once a human has been asked for a minute and it is Flink that has forgotten how the job ended, or
# what it was to continue from
asked_since=""
user_rescues() {
    local id state what
    if [ "$(kubectl get "$job" -n "$namespace" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].reason}' 2>/dev/null)" != UpgradeFailed ]; then asked_since=""; return 0; fi
    asked_since=${asked_since:-$SECONDS}
    id=$(job_id)
    [ $((SECONDS - asked_since)) -ge 60 ] || return 0
    logs_kept
    if end_forgotten "$id"; then what="end forgotten by Flink"; elif metadata_deleted "$id"; then what="metadata deleted by Flink"; else return 0; fi
    state=$(find "$(volume)/checkpoints/$id" "$(volume)/savepoints" \( -path '*/chk-*' -o -path "*/savepoint-${id:0:6}-*" \) -name _metadata -printf '%T@ %h\n' | sort -n | tail -n 1)
    state=file:/state/${state#*/flink-state/}
    happens "$what" "$what of job $id: the user names $state"
    kubectl patch "$job" -n "$namespace" --type=merge -p '{"spec":{"job":{"initialSavepointPath":"'"$state"'","savepointRedeployNonce":'"$SECONDS"'}}}' >/dev/null
    asked_since=""
}
# end_forgotten JOB: a session cluster's JobManager that lost its leadership while the job ran, and had it again, lists the job no more once it
# has ended: Flink keeps what it knew of the job then, and drops both when it keeps the end
end_forgotten() {
    [ -n "$(grep -rl "Job $1 reached terminal state SUSPENDED" "$work/pods" | xargs -r grep -lE "Job $1 reached terminal state (CANCELED|FINISHED|FAILED)")" ]
}

# metadata_deleted JOB: Flink deletes the high-availability metadata of a job that it fails to submit, as its storage is full
metadata_deleted() { grep -rqs "Failed to submit job $1" "$work/pods"; }

# user_removes_result: a JobManager that could not write how a job ended, as the storage was full, leaves an empty file, and none starts
# with it. As docs/troubleshoot.md says.
user_removes_result() {
    local empty
    empty=$(find "$(volume)-disk/ha/job-result-store" -name '*.json' -empty -mmin +1 2>/dev/null)
    [ -n "$empty" ] || return 0
    happens "empty result of Flink" "a JobManager has left an empty result: the user removes $(basename "$empty"), and the pod that does not start"
    rm -f $empty
    kubectl delete pod -n "$namespace" -l "$(flink_selector jobmanager)" --wait=false --request-timeout=10s >/dev/null 2>&1
}

# user_helps: what no operator can do
user_helps() { user_deletes_jobmanager; user_rescues; user_removes_result; }
