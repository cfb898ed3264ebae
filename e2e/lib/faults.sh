# Faults of a node on this machine, around the job of $name in $namespace, each of which ends by itself. SELECTOR is one of labels, or
# metadata.name=POD.

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

pods_of() { kubectl get pods -n "$1" "$(selecting "$2")" -o 'jsonpath={.items[*].metadata.name}' 2>/dev/null; }
flink_selector() { echo "app=$name,component=$1"; }

# pod_killed NAMESPACE SELECTOR: without any grace
pod_killed() { kubectl delete pod -n "$1" "$(selecting "$2")" --grace-period=0 --force --wait=false >/dev/null 2>&1 || true; }

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
pod_address() { kubectl get pods -n "$1" "$(selecting "$2")" -o 'jsonpath={range .items[*]}{.status.podIP}{"\n"}{end}' 2>/dev/null | sed -n '/./{p;q;}' || true; }
api_address() { kubectl get service kubernetes -n default -o 'jsonpath={.spec.clusterIP}' 2>/dev/null || true; }

# evicted SELECTOR: by the Eviction API, as a drain does
evicted() {
    local pod
    for pod in $(pods_of "$namespace" "$1"); do
        jq -nc --arg pod "$pod" --arg namespace "$namespace" '{apiVersion: "policy/v1", kind: "Eviction", metadata: {name: $pod, namespace: $namespace}}' \
            | kubectl create --raw "/api/v1/namespaces/$namespace/pods/$pod/eviction" -f - >/dev/null 2>&1 || true
    done
}

# In the node's processes too: umount looks into /proc
on_node() { local spaces; spaces=$(node_namespaces); nsenter --mount="$spaces/mnt" --pid="$spaces/pid_for_children" -- "$@"; }
node_namespaces() { local holder; read -r holder _ <"$(dirname "$KUBECONFIG")/holder"; echo "/proc/$holder/ns"; }

# storage_small MEBIBYTES: the folder of the state volume is a file system of its own, of that size, from before its pods start. One process
# serves it ($storage_process), so that it is as slow as that one is.
storage_small() {
    "$root/local/need" bindfs=bindfs || exit 1
    on_node mkdir -p "$storage_disk" /var/lib/flink-state
    on_node mount -t tmpfs -o "size=${1}m" tmpfs "$storage_disk"
    setsid nsenter --mount="$(node_namespaces)/mnt" -- bindfs -f "$storage_disk" /var/lib/flink-state </dev/null >/dev/null 2>&1 &
    storage_process=$!
    disown "$storage_process" # not to be told of each time that it is stopped
    storage_served() { on_node mountpoint -q /var/lib/flink-state; }
    within 20 "the small file system" storage_served
}
storage_disk=/var/lib/flink-state-disk
storage_process=""
storage_gone() {
    [ -z "$storage_process" ] || kill -CONT "$storage_process" 2>/dev/null || true
    while on_node umount -l /var/lib/flink-state 2>/dev/null; do :; done # all that runs before this one have left
    while on_node umount -l "$storage_disk" 2>/dev/null; do :; done
}
# storage_full SECONDS: nothing more can be written
storage_full() {
    on_node sh -c "fallocate -l \"\$(df --output=avail -B1 $storage_disk | tail -n 1)\" $storage_disk/filler" 2>/dev/null || true
    later "$1" storage_emptied
}
storage_emptied() { [ -z "${KUBECONFIG:-}" ] || on_node rm -f "$storage_disk/filler" 2>/dev/null || true; }
# storage_silent SECONDS: it answers nothing, and whoever has asked waits
storage_silent() { stopped+=("$storage_process"); kill -STOP "$storage_process"; later "$1" kill -CONT "$storage_process"; }
# storage_slow SECONDS: it answers for 20 ms of each half second
storage_slow() { stopped+=("$storage_process"); later 0 storage_slowed "$1"; }
storage_slowed() {
    local ends=$((SECONDS + $1))
    while [ $SECONDS -lt $ends ]; do
        kill -STOP "$storage_process"
        sleep 0.48
        kill -CONT "$storage_process"
        sleep 0.02
    done
}

# clocks_values: lines for the section of a process in the chart's values with which its clock can be stepped. clocks_ready makes what they
# name. (Debian's libfaketime does not do: a Java process that it runs in waits for nothing any more, and turns in circles.)
clocks_values() {
    cat <<END
  env:
    - {name: LD_PRELOAD, value: /clock/clock.so}
    - {name: CLOCK_FILE, value: /tmp/clock}
  volumes: [{name: clock, configMap: {name: clock}}]
  volumeMounts: [{name: clock, mountPath: /clock, readOnly: true}]
END
}
clocks_ready() {
    "$root/local/need" gcc=build-essential || exit 1
    gcc -O2 -Wall -Wextra -shared -fPIC -o "$work/clock.so" "$root/e2e/lib/clock.c"
    kubectl create configmap clock -n "$system" --from-file="$work/clock.so" --dry-run=client -o yaml | kubectl apply --server-side -f - >/dev/null
}
# clock_steps NAMESPACE SELECTOR SECONDS: so far is its clock from that of the node from now on, with a sign
clock_steps() {
    local process
    process=$(java_process "$1" "$2") || return 0
    { printf '%-15s' "$3" 1<>"/proc/$process/root/tmp/clock"; } 2>/dev/null || true
}
