# A volume for a job's state, which outlives its pods.

# state_volume IMAGE [OWNER]: empty, and Flink's to write, or OWNER's (USER:GROUP); IMAGE needs nothing but a shell. All Flink resources of
# the namespace, and what the scenario left before, are removed first.
state_volume() {
    # As long as there are jobs, as they delete the files.
    kubectl delete flinksnp --all -n "$namespace" --timeout=60s >/dev/null 2>&1 || true
    kubectl delete sessionjob --all -n "$namespace" --timeout=120s >/dev/null 2>&1 || true
    kubectl delete flinkdep --all -n "$namespace" --timeout=120s >/dev/null 2>&1 || true
    kubectl delete configmap -n "$namespace" -l "app=$name,type=flink-native-kubernetes" >/dev/null 2>&1 || true
    state_volume_made "$@"
}

# state_volume_made IMAGE [OWNER] [FOLDER]: the same, and nothing is removed but a volume of its name. Pods that use it go to the node with FOLDER.
state_volume_made() {
    local node
    node=$(kubectl get nodes -o json | jq -r '[.items[]
        | select((.spec.unschedulable | not) and ([.spec.taints[]? | select(.effect | startswith("No"))] | length == 0))
        | .metadata.labels["kubernetes.io/hostname"]] | first // ""')
    [ -n "$node" ] || fail "no node takes pods: 'kubectl get nodes' says why"
    # Also one that is still on its way out, which would take what is applied here with it.
    kubectl delete pod/flink-state-owner pvc/flink-state -n "$namespace" --ignore-not-found --timeout=60s >/dev/null
    kubectl delete pv/flink-state --ignore-not-found --timeout=60s >/dev/null
    sed "s#/var/lib/flink-state#${3:-/var/lib/flink-state}#; s#NODE#$node#" "$root/e2e/lib/volume.yaml" | kubectl apply -f - >/dev/null
    # A scheduler that tries a pod while its claim is being bound may miss that it is, and look at the pod again after five minutes.
    volume_is_bound() { [ "$(kubectl get pvc flink-state -n "$namespace" -o 'jsonpath={.status.phase}')" = Bound ]; }
    within 120 "the volume's claim" volume_is_bound
    sed "s#IMAGE#$1#; s#9999:9999#${2:-9999:9999}#" "$root/e2e/lib/volume-owner.yaml" | kubectl apply -f - >/dev/null
    volume_is_owned() { [ "$(kubectl get pod flink-state-owner -n "$namespace" -o 'jsonpath={.status.phase}')" = Succeeded ]; }
    within 60 "the volume" volume_is_owned
}

state_volume_gone() {
    kubectl delete pod/flink-state-owner pvc/flink-state -n "$namespace" --ignore-not-found --wait=false >/dev/null
    kubectl delete pv/flink-state --wait=false >/dev/null
}

nothing_left() { [ -z "$(kubectl get deployment,pod,service,configmap -n "$namespace" -o name | grep "/$name\b" || true)" ]; }
