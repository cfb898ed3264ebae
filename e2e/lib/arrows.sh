# Kills the operator at each arrow of a state machine: as soon as a watch shows that it has stored another state, whatever it does next.
# $work is a folder of the run, $namespace and $system as everywhere. Only for a node on this machine, whose processes can be killed here.

# selecting SELECTOR: as kubectl wants it; of labels, or metadata.name=POD
selecting() { case $1 in metadata.name=*) echo "--field-selector=$1" ;; *) echo "--selector=$1" ;; esac; }

# java_process NAMESPACE SELECTOR: the process of the first pod of that kind, as this machine numbers it
java_process() {
    local id each
    id=$(kubectl get pods -n "$1" "$(selecting "$2")" -o json 2>/dev/null \
        | jq -r '[.items[] | select(.metadata.deletionTimestamp == null) | .status.containerStatuses[0].containerID // "" | sub("^.*//"; "")] | first // ""')
    [ -n "$id" ] || return 1
    for each in $(pgrep java); do
        ! grep -q "$id" "/proc/$each/cgroup" 2>/dev/null || { echo "$each"; return 0; }
    done
    return 1
}

operator_process() { java_process "$system" app.kubernetes.io/component=operator; }

# arrows_from PLURAL FILTER ARROW...: from now on kills the operator at each ARROW, once. FILTER makes an arrow of a resource's JSON, and
# prints nothing where there is none. An arrow that came while the operator was dead already is left for the next time that it comes.
arrows_from() {
    local plural=$1 filter=$2
    shift 2
    printf '%s\n' "$@" >"$work/arrows-wanted"
    touch "$work/arrows-hit" "$work/arrows-seen"
    set -m
    arrows_watched "$plural" "$filter" &
    arrows_job=$!
    set +m
}
arrows_job=""
arrows_end() { [ -z "$arrows_job" ] || kill -- "-$arrows_job" 2>/dev/null || true; arrows_job=""; }

arrows_watched() {
    local process since=0 at name arrow all="/apis/flink.apache.org/v1beta1/namespaces/$namespace/$1" filter known
    local -A last # what was the arrow of a resource last is none any more
    filter=". as \$one | ($2) | \"\(\$one.metadata.name) \(.)\""
    until process=$(operator_process); do sleep 0.2; done
    known=$(kubectl get --raw "$all")
    while read -r name arrow; do last[$name]=$arrow; done < <(jq -r ".items[] | $filter" <<<"$known")
    kubectl get --raw "$all?watch=1&resourceVersion=$(jq -r .metadata.resourceVersion <<<"$known")" \
        | jq --unbuffered -r "select(.type != \"DELETED\") | .object | $filter" \
        | while IFS= read -r arrow; do printf '%s %s\n' "${EPOCHREALTIME//[^0-9]/}" "$arrow"; done \
        | while read -r at name arrow; do
            [ "${last[$name]:-}" != "$arrow" ] || continue
            last[$name]=$arrow
            echo "$arrow" >>"$work/arrows-seen"
            [ "$at" -gt "$since" ] && grep -qxF -- "$arrow" "$work/arrows-wanted" && ! grep -qxF -- "$arrow" "$work/arrows-hit" || continue
            [ -z "${arrows_delay:-}" ] || sleep "$arrows_delay"
            kill -KILL "$process" 2>/dev/null || continue
            echo "$arrow" >>"$work/arrows-hit"
            printf '      [%s] killed %s ms after the watch has shown: %s\n' "$(elapsed)" "$(((${EPOCHREALTIME//[^0-9]/} - at) / 1000))" "$arrow"
            # Another pod, as the kubelet would wait longer and longer before it starts this one again.
            kubectl delete pod -n "$system" -l app.kubernetes.io/component=operator --grace-period=0 --force --wait=false >/dev/null 2>&1
            until process=$(operator_process) && [ -e "/proc/$process" ]; do sleep 0.2; done
            since=${EPOCHREALTIME//[^0-9]/}
        done
}

# arrows_left: those at which the operator was not killed yet
arrows_left() { sort -u "$work/arrows-wanted" | grep -vxF -f "$work/arrows-hit" || true; }
arrows_count() { sort -u "$work/arrows-hit" | wc -l; }

# effects_held RESOURCE...: from now on what the operator writes of them, all but statuses, takes two seconds to come about, so that a kill
# at an arrow is a kill before it. The webhook answers nothing, and is not needed. effects_free ends that.
effects_held() {
    kubectl apply -f - >/dev/null <<END
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: slow-effects}
webhooks:
  - name: slow.effects.example.org
    clientConfig: {url: "https://192.0.2.1/"}
    failurePolicy: Ignore
    timeoutSeconds: 2
    sideEffects: None
    admissionReviewVersions: [v1]
    matchConditions:
      - {name: operator, expression: "request.userInfo.username == 'system:serviceaccount:$system:sluice-operator'"}
    rules:
      - {apiGroups: [flink.apache.org], apiVersions: [v1beta1], operations: [CREATE, UPDATE, DELETE], resources: [$(IFS=,; echo "$*")]}
END
}
effects_free() { kubectl delete validatingwebhookconfiguration slow-effects --ignore-not-found >/dev/null; }
