# What fails around the job. Sourced by run.

process_of() { # process_of WORD: sets $where and $which
    case $1 in
        leader | standby) where=$system which=$(operator_pod "$1") ;;
        webhook | autoscaler) where=$system which=app.kubernetes.io/component=$1 ;;
        jobmanager | taskmanager) where=$namespace which=$(flink_selector "$1") ;;
    esac
}
# operator_pod leader|standby: as a selector, by the Lease; of any of the two while nobody says
operator_pod() {
    local leader pods pod
    leader=$(kubectl get lease sluice-operator -n "$system" -o 'jsonpath={.spec.holderIdentity}' --request-timeout=5s 2>/dev/null || true)
    read -ra pods <<<"$(pods_of "$system" app.kubernetes.io/component=operator || true)"
    for pod in "${pods[@]}"; do
        if [ "$1" = leader ] && [ "$pod" = "$leader" ] || [ "$1" = standby ] && [ "$pod" != "$leader" ]; then echo "metadata.name=$pod"; return 0; fi
    done
    echo app.kubernetes.io/component=operator
}

something_fails() {
    local target seconds address
    pick pod pod process process still still cut evict full slow silent apiserver clock
    case $picked in
        pod)
            pick leader leader standby jobmanager jobmanager taskmanager webhook autoscaler; target=$picked
            happens "pod killed: $target" "the $target's pod is killed"
            process_of "$target"; pod_killed "$where" "$which"
            ;;
        process)
            pick leader jobmanager taskmanager; target=$picked
            happens "process killed: $target" "the $target's process is killed"
            process_of "$target"; process_killed "$where" "$which"
            ;;
        still)
            pick leader leader jobmanager taskmanager; target=$picked; dice 30; seconds=$((5 + rolled))
            happens "stands still: $target" "the $target stands still for $seconds s"
            process_of "$target"; process_stands_still "$where" "$which" "$seconds"
            ;;
        cut)
            pick "leader from the JobManager" "leader from the API server" "JobManager from the API server" "TaskManager from the JobManager"; target=$picked; dice 30; seconds=$((5 + rolled))
            happens "cut off: $target" "the $target is cut off for $seconds s"
            case $target in
                *"from the API server") address=$(api_address) ;;
                *) address=$(pod_address "$namespace" "$(flink_selector jobmanager)") ;;
            esac
            process_of "$(tr '[:upper:]' '[:lower:]' <<<"${target%% *}")"
            [ -z "$address" ] || cut_off "$where" "$which" "$address" "$seconds"
            ;;
        evict)
            pick jobmanager taskmanager; target=$picked
            happens "evicted: $target" "the $target is evicted"
            evicted "$(flink_selector "$target")"
            ;;
        full)
            dice 15; seconds=$((5 + rolled))
            happens "storage full" "the storage is full for $seconds s"
            storage_full "$seconds"
            ;;
        slow)
            dice 26; seconds=$((5 + rolled))
            happens "storage slow" "the storage is slow for $seconds s"
            storage_slow "$seconds"
            ;;
        silent)
            dice 26; seconds=$((5 + rolled))
            happens "storage silent" "the storage answers nothing for $seconds s"
            storage_silent "$seconds"
            ;;
        apiserver)
            happens "API server restarted" "the API server restarts"
            "$root/local/cluster" restart apiserver >/dev/null 2>&1 || true
            ;;
        clock)
            pick leader standby; target=$picked; pick -120 -30 -5 +0 +5 +30 +120 +3600; seconds=$picked
            happens "clock steps: $target" "the $target's clock steps to $seconds s"
            process_of "$target"; clock_steps "$where" "$which" "$seconds"
            ;;
    esac
}
