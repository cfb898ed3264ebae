# A volume for a job's state, which outlives its pods.

# state_volume IMAGE [OWNER]: empty, and Flink's to write, or OWNER's (USER:GROUP); IMAGE needs nothing but a shell. What the scenario left before is removed first.
state_volume() {
    kubectl delete sessionjob --all -n "$namespace" --timeout=120s >/dev/null 2>&1 || true
    kubectl delete flinkdep --all -n "$namespace" --timeout=120s >/dev/null 2>&1 || true
    kubectl delete configmap -n "$namespace" -l "app=$name,type=flink-native-kubernetes" >/dev/null 2>&1 || true
    # Also one that is still on its way out, which would take what is applied here with it.
    kubectl delete pod/flink-state-owner pvc/flink-state -n "$namespace" --ignore-not-found --timeout=60s >/dev/null
    kubectl delete pv/flink-state --ignore-not-found --timeout=60s >/dev/null
    sed "s#IMAGE#$1#; s#9999:9999#${2:-9999:9999}#" "$root/e2e/lib/volume.yaml" | kubectl apply -f - >/dev/null
    volume_is_owned() { [ "$(kubectl get pod flink-state-owner -n "$namespace" -o 'jsonpath={.status.phase}')" = Succeeded ]; }
    within 60 "the volume" volume_is_owned
}

state_volume_gone() {
    kubectl delete pod/flink-state-owner pvc/flink-state -n "$namespace" --wait=false >/dev/null
    kubectl delete pv/flink-state --wait=false >/dev/null
}

nothing_left() { [ -z "$(kubectl get deployment,pod,service,configmap -n "$namespace" -o name | grep "/$name\b" || true)" ]; }
