# What is seen of one FlinkBlueGreenDeployment, $pair in $namespace, and of its halves.

of_pair() { kubectl get flinkbgdep "$pair" -n "$namespace" -o "jsonpath=$1" 2>/dev/null; }
reason() { of_pair '{.status.conditions[?(@.type=="Ready")].reason}'; }
phase() { of_pair '{.status.transition.phase}'; }
active() { # active COLOR: it is the active half, at the current generation, and runs
    local state ready generation observed
    read -r state ready generation observed < <(of_pair \
        '{.status.blueGreenState} {.status.conditions[?(@.type=="Ready")].status} {.metadata.generation} {.status.observedGeneration}')
    [ "$state $ready $generation" = "ACTIVE_$1 True $observed" ]
}
has_failed() { # at the current generation
    local reason generation observed
    read -r reason generation observed < <(of_pair '{.status.conditions[?(@.type=="Ready")].reason} {.metadata.generation} {.status.observedGeneration}')
    [ "$reason $generation" = "TransitionFailed $observed" ]
}
half() { kubectl get flinkdep "$pair-$1" -n "$namespace" -o "jsonpath=$2" 2>/dev/null; }
half_gone() { [ -z "$(kubectl get flinkdep "$pair-$1" -n "$namespace" --ignore-not-found -o name)" ]; }
half_left_nothing() { [ -z "$(kubectl get flinkdep,deployment,pod,service -n "$namespace" -o name | grep "/$pair-$1\b" || true)" ]; }
jobmanagers() { kubectl get deployment -n "$namespace" -l component=jobmanager -o name | grep -c "$pair-" || true; }
patched() { kubectl patch flinkbgdep "$pair" -n "$namespace" --type=merge -p "$1" 2>/dev/null | sed 's/^/      /'; }
edited() { patched '{"spec":{"template":{"spec":'"$1"'}}}'; }
configured() { # configured KEY=VALUE...: of kubernetes.operator.bluegreen.
    local each all=()
    for each; do all+=("\"kubernetes.operator.bluegreen.${each%%=*}\":\"${each#*=}\""); done
    patched '{"spec":{"configuration":{'"$(IFS=,; echo "${all[*]}")"'}}}'
}
other() { if [ "$1" = blue ]; then echo green; else echo blue; fi; }
event() { kubectl get events -n "$namespace" --field-selector "involvedObject.name=$pair,reason=$1" -o json | jq -r '.items | sort_by(.lastTimestamp // .eventTime) | last | .message // ""'; }
pair_progress() {
    kubectl get flinkbgdep,flinkdep -n "$namespace" -o 'jsonpath={range .items[*]}{.metadata.name} {.status.blueGreenState}{.status.lifecycleState} {.status.transition.phase} {.status.jobStatus.state}; {end}' 2>/dev/null
}
pair_on_timeout() {
    kubectl get flinkbgdep "$pair" -n "$namespace" -o yaml | sed -n '/^status:/,$p' | sed 's/^/      /'
    kubectl get events -n "$namespace" --sort-by=.lastTimestamp | tail -20 | sed 's/^/      /'
    kubectl get flinkdep,pods -n "$namespace" | sed 's/^/      /'
    kubectl logs -n "$system" deployment/sluice-operator --tail=40 2>&1 | sed 's/^/      | /'
}
