# Faults of a node on this machine, around the job of $name in $namespace, each of which ends by itself.

# later SECONDS COMMAND...: ends a fault in the background; healed waits for all that were begun
later() {
    local seconds=$1
    shift
    set -m
    { sleep "$seconds"; "$@" >/dev/null 2>&1; } &
    healing+=("$!")
    set +m
}
healing=()
healed() { local each; for each in "${healing[@]}"; do wait "$each" 2>/dev/null || true; done; healing=(); }
# abandoned: as healed, at once, for a run that is interrupted
abandoned() {
    local each
    for each in "${healing[@]}"; do kill -- "-$each" 2>/dev/null || true; done
    for each in "${stopped[@]}"; do kill -CONT "$each" 2>/dev/null || true; done
    for each in "${cut[@]}"; do joined "${each%% *}" "${each#* }" 2>/dev/null || true; done
    storage_emptied
}
stopped=()
cut=()

pods_of() { kubectl get pods -n "$1" -l "$2" -o 'jsonpath={.items[*].metadata.name}' 2>/dev/null; }
flink_selector() { echo "app=$name,component=$1"; }

# pod_killed NAMESPACE SELECTOR: without any grace
pod_killed() { kubectl delete pod -n "$1" -l "$2" --grace-period=0 --force --wait=false >/dev/null 2>&1 || true; }

# process_killed NAMESPACE SELECTOR: the kubelet starts its container again
process_killed() { local process; process=$(java_process "$1" "$2") && kill -KILL "$process" 2>/dev/null || true; }

# process_stands_still NAMESPACE SELECTOR SECONDS
process_stands_still() {
    local process
    process=$(java_process "$1" "$2") || return 0
    kill -STOP "$process" 2>/dev/null || return 0
    stopped+=("$process")
    later "$3" kill -CONT "$process"
}

# cut_off NAMESPACE SELECTOR ADDRESS SECONDS: what the pod sends there is lost. In the pod's own network namespace.
cut_off() {
    local process
    process=$(java_process "$1" "$2") || return 0
    nsenter --net="/proc/$process/ns/net" ip route add blackhole "$3" 2>/dev/null || return 0
    cut+=("$process $3")
    later "$4" joined "$process" "$3"
}
joined() { nsenter --net="/proc/$1/ns/net" ip route del blackhole "$2"; }
# An address; empty if there is none, or if the API server does not say
pod_address() { kubectl get pods -n "$1" -l "$2" -o 'jsonpath={range .items[*]}{.status.podIP}{"\n"}{end}' 2>/dev/null | sed -n '/./{p;q;}' || true; }
api_address() { kubectl get service kubernetes -n default -o 'jsonpath={.spec.clusterIP}' 2>/dev/null || true; }

# evicted SELECTOR: by the Eviction API, as a drain does
evicted() {
    local pod
    for pod in $(pods_of "$namespace" "$1"); do
        jq -nc --arg pod "$pod" --arg namespace "$namespace" '{apiVersion: "policy/v1", kind: "Eviction", metadata: {name: $pod, namespace: $namespace}}' \
            | kubectl create --raw "/api/v1/namespaces/$namespace/pods/$pod/eviction" -f - >/dev/null 2>&1 || true
    done
}

# storage_small MEBIBYTES: the folder of the state volume is a file system of its own, of that size, from before its pods start
storage_small() { on_node mount -t tmpfs -o "size=${1}m" tmpfs /var/lib/flink-state; }
storage_gone() { on_node umount -l /var/lib/flink-state 2>/dev/null || true; }
on_node() { local holder; read -r holder _ <"$(dirname "$KUBECONFIG")/holder"; nsenter --mount="/proc/$holder/ns/mnt" -- "$@"; }
# storage_full SECONDS: nothing more can be written
storage_full() {
    on_node sh -c 'fallocate -l "$(df --output=avail -B1 /var/lib/flink-state | tail -n 1)" /var/lib/flink-state/filler' 2>/dev/null || true
    later "$1" storage_emptied
}
storage_emptied() { [ -z "${KUBECONFIG:-}" ] || rm -f "$(volume)/filler" 2>/dev/null || true; }
