# What is seen of one FlinkDeployment, $name in $namespace, and of its job.

field() { kubectl get flinkdep "$name" -n "$namespace" -o "jsonpath=$1" 2>/dev/null; }
rest() { kubectl get --raw "/api/v1/namespaces/$namespace/services/$name-rest:8081/proxy$1" 2>/dev/null; }
job_id() { field '{.status.jobStatus.jobId}'; }
job_start() { rest /jobs/overview | jq -r --arg id "$(job_id)" '.jobs[] | select(.jid == $id) | ."start-time"'; }
tasks_up() { rest /jobs/overview | jq -e --arg id "$(job_id)" '.jobs[] | select(.jid == $id) | .tasks.total > 0 and .tasks.running == .tasks.total' >/dev/null; }
jobmanager_pod() { kubectl get pods -n "$namespace" -l "app=$name,component=jobmanager" -o 'jsonpath={.items[*].metadata.uid}'; }
is_ready() { # at the current generation
    local generation observed ready lifecycle
    read -r generation observed ready lifecycle < <(field \
        '{.metadata.generation} {.status.observedGeneration} {.status.conditions[?(@.type=="Ready")].status} {.status.lifecycleState}')
    [ "$generation $ready $lifecycle" = "$observed True STABLE" ]
}
resource_progress() {
    field '{.status.lifecycleState} {.status.jobStatus.state}{range .status.conditions[?(@.type=="Ready")]} · {.reason}: {.message}{end}'
}
on_timeout() {
    { kubectl describe flinkdep "$name" -n "$namespace" || true
      kubectl get pods -A -o wide || true
      kubectl logs -n "$system" deployment/sluice-operator --tail=40 || true
      kubectl logs -n "$system" deployment/sluice-autoscaler --tail=40 || true
      kubectl get events -n "$namespace" --sort-by=.lastTimestamp | tail -15 || true; } 2>&1 | sed 's/^/      | /' >&2
}

autoscaler_asks() { # autoscaler_asks RESOURCE KEY=VALUE...: as the service publishes it
    local resource=$1; shift
    kubectl create configmap "autoscaler-$resource" -n "$namespace" "${@/#/--from-literal=}" --dry-run=client -o yaml \
        | kubectl label --local -f - "app=$resource" component=autoscaler -o yaml | kubectl apply -f - | sed 's/^/      /'
}

# The service would write the same ConfigMap, and forget what it has not asked for itself.
autoscaler_stopped() {
    show kubectl scale deployment/sluice-autoscaler -n "$system" --replicas=0
    within 60 "no pod of the autoscaler left" autoscaler_gone
}
autoscaler_gone() { [ -z "$(kubectl get pods -n "$system" -l app.kubernetes.io/component=autoscaler -o name)" ]; }
autoscaler_started() {
    show kubectl scale deployment/sluice-autoscaler -n "$system" --replicas=1
    within 120 "the autoscaler ready" rolled_out
}

kill_operator() { # kill_operator MOMENT
    say "now, while $1, the operator's pod is killed"
    kubectl delete pod -n "$system" -l app.kubernetes.io/component=operator --grace-period=0 --force --wait=false 2>/dev/null | sed 's/^/      /'
}
