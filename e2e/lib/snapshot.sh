# What is seen of FlinkStateSnapshots in $namespace, and of those of the job $name.

of_snapshot() { kubectl get flinksnp "$1" -n "$namespace" -o "jsonpath=$2" 2>/dev/null; }
state_is() { [ "$(of_snapshot "$1" '{.status.state}')" = "$2" ]; }
snapshot_gone() { [ -z "$(kubectl get flinksnp "$1" -n "$namespace" --ignore-not-found -o name)" ]; }
snapshot() { # snapshot NAME SPEC
    printf 'apiVersion: flink.apache.org/v1beta1\nkind: FlinkStateSnapshot\nmetadata: {name: %s, namespace: %s}\nspec: %s\n' "$1" "$namespace" "$2" \
        | kubectl apply -f - 2>"$work/warnings" | sed 's/^/      /' || { cat "$work/warnings" >&2; fail "$1 was not made"; }
}
savepoints() { { ls "$(volume)/savepoints" 2>/dev/null || true; } | wc -l; }
file_there() { [ -e "$(volume)/${1#file:/state/}/_metadata" ]; }
file_gone() { [ ! -e "$(volume)/${1#file:/state/}" ]; }
snapshot_event() { kubectl get events -n "$namespace" --field-selector "involvedObject.name=$1,reason=$2" -o 'jsonpath={.items[*].message}'; }
snapshots_progress() { # of the resources, and of snapshots that are not complete
    kubectl get flinkdep,flinksnp -n "$namespace" -o 'jsonpath={range .items[*]}{.metadata.name} {.status.lifecycleState}{.status.state} {.status.conditions[?(@.type=="Ready")].reason}; {end}' \
        | sed 's/[^ ]* COMPLETED [^;]*; //g'
}
