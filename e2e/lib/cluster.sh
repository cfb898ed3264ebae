# Which cluster a run uses. Nobody's own cluster or kubeconfig is touched unless CLUSTER=current says so.

cluster_ready() {
    case "${CLUSTER:-local}" in
        local)
            "$root/local/need" jq=jq mvn=maven || exit 1
            toolbox=$("$root/local/toolbox") || exit 1
            export PATH="$toolbox:$PATH"
            "$root/local/cluster" up || exit 1
            KUBECONFIG=$("$root/local/cluster" kubeconfig)
            export KUBECONFIG
            ;;
        current)
            command -v kubectl >/dev/null && command -v helm >/dev/null \
                || fail "CLUSTER=current needs kubectl and helm on the PATH"
            kubectl version >/dev/null 2>&1 \
                || fail "the cluster of context '$(kubectl config current-context 2>/dev/null)' does not answer: check it with 'kubectl version'"
            say "context $(kubectl config current-context)"
            ;;
        *) fail "CLUSTER is '${CLUSTER}': use local (a cluster of our own) or current (the current kubectl context)" ;;
    esac
}

# Images by name, as `name image:tag`: built here and loaded into the local cluster, or named by IMAGES= and TAG=.
declare -A image

# images_begin FOLDER [NAME]...: builds those, or all, beside whatever comes next. They need no cluster, and much of it is
# waiting for downloads.
images_begin() {
    [ "${CLUSTER:-local}" = local ] || return 0
    images_folder=$1
    shift
    setsid "$root/images/build" "$@" >"$images_folder/images" 2>"$images_folder/images.log" &
    images_job=$!
}
images_folder=""
images_job=""

# images_abandon: what images_begin started ends with the run that wanted it.
images_abandon() { [ -z "$images_job" ] || kill -- "-$images_job" 2>/dev/null || true; }

images_ready() {
    local name reference tar tars=()
    if [ "${CLUSTER:-local}" = current ]; then
        [ -n "${IMAGES:-}" ] || fail "CLUSTER=current needs IMAGES=<registry prefix> of images its nodes can pull (see images/README.md)"
        for name in webhook operator autoscaler examples; do
            image[$name]="$IMAGES/$name:${TAG:-latest}"
        done
        return
    fi
    progress() { images_progress; }
    images_built() { ! kill -0 "$images_job" 2>/dev/null; }
    within 1800 "the images" images_built
    progress() { :; }
    wait "$images_job" || { cat "$images_folder/images.log" >&2; fail "the images could not be built (see above)"; }
    images_job=""
    while read -r name reference tar; do
        image[$name]=$reference
        tars+=("$tar")
    done <"$images_folder/images"
    "$root/local/cluster" load "${tars[@]}"
}

# images_progress: the last line of the build, and which module Maven is at while it makes the jars
images_progress() {
    local line
    line=$(tail -n 1 "$images_folder/images.log")
    if [[ $line == *maven.log* ]]; then
        line+=": $(sed -n 's/.*Building Sluice :: \(.*[^ ]\)  *[^ ]*SNAPSHOT.*\[\([0-9]*\)\/\([0-9]*\)\].*/\1, \2 of \3/p' "$root/target/images/maven.log" | tail -n 1)"
    fi
    echo "$line"
}

# helm_sluice COMMAND CHART VALUES [OPTION]...: what a user types, with those images
system=sluice-system
helm_sluice() {
    local command=$1 chart=$2 values=$3 set=() component output
    for component in webhook operator autoscaler; do
        set+=(--set "$component.image.repository=${image[$component]%:*}" --set "$component.image.tag=${image[$component]##*:}")
    done
    configuration_before=$(configuration_stored)
    fingerprint_before=""
    # Without a configuration there is no release, though pods of a former one may not have ended yet.
    [ -z "$configuration_before" ] || fingerprint_before=$(fingerprints | sed -n 1p)
    # shellcheck disable=SC2086 # a command and its option
    output=$(helm $command sluice "$chart" -n "$system" -f "$values" "${set[@]}" "${@:4}" 2>&1) || { echo "$output" >&2; fail "helm $command failed"; }
    say "helm $command sluice (chart $(sed -n 's/^version: //p' "$chart/Chart.yaml"), $(basename "$values")) -n $system"
}

# sluice_namespace: a namespace for the chart that admits nothing below `restricted`
sluice_namespace() {
    kubectl create namespace "$system" --dry-run=client -o yaml | kubectl apply -f - >/dev/null
    kubectl label namespace "$system" pod-security.kubernetes.io/enforce=restricted --overwrite >/dev/null
}

# sluice_installed VALUES: this checkout's chart with those images, whatever was there before
sluice_installed() {
    sluice_namespace
    kubectl apply --server-side --force-conflicts --field-manager=helm -f "$root/helm/sluice/crds" >/dev/null
    helm_sluice "upgrade --install" "$root/helm/sluice" "$1"
}
# sluice_gone: the release, what runs in the cluster, and the CRDs are removed
sluice_gone() {
    kubectl delete flinkdep,sessionjob,flinksnp --all -A --timeout=180s >/dev/null 2>&1 || true
    helm uninstall sluice -n "$system" --wait >/dev/null 2>&1 || true
    kubectl get crd -o name | { grep 'flink.apache.org$' || true; } | xargs -r kubectl delete --timeout=60s >/dev/null
    kubectl delete namespace "$system" --ignore-not-found --timeout=120s >/dev/null
}
configuration_stored() { kubectl get configmap -n "$system" sluice-configuration -o 'jsonpath={.data}' 2>/dev/null || true; }

# sluice_ready: waits until its three Deployments are rolled out, and use the configuration that was installed
sluice_ready() {
    within 180 "three Deployments ready" rolled_out
    if [ "$(configuration_stored)" != "$configuration_before" ]; then
        # The kubelet looks at a mounted ConfigMap once a minute, or when something about the pod changes. One may go meanwhile.
        kubectl annotate pods -n "$system" -l app.kubernetes.io/instance=sluice "e2e/configuration=$(date +%s)" --overwrite >/dev/null 2>&1 || true
        within 120 "the new configuration in use" reconfigured
    fi
}
reconfigured() {
    local now
    now=$(fingerprints)
    [ "$(wc -l <<<"$now")" -ge 3 ] && [ "$(sort -u <<<"$now" | wc -l)" = 1 ] && [ "$(sed -n 1p <<<"$now")" != "$fingerprint_before" ]
}
# fingerprints: of the configuration that each process uses, a line each
fingerprints() {
    local pod
    for pod in $(kubectl get pods -n "$system" -l app.kubernetes.io/instance=sluice --field-selector=status.phase=Running -o 'jsonpath={.items[*].metadata.name}' 2>/dev/null); do
        kubectl get --raw "/api/v1/namespaces/$system/pods/$pod:8080/proxy/metrics" 2>/dev/null | sed -n 's/^sluice_configuration_info{fingerprint="\([^"]*\)".*/\1/p' || true
    done
}
rolled_out() {
    kubectl rollout status -n "$system" deployment/sluice-webhook deployment/sluice-operator deployment/sluice-autoscaler --timeout=1s \
        >/dev/null 2>&1
}
