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
images_ready() {
    local name reference tar
    if [ "${CLUSTER:-local}" = current ]; then
        [ -n "${IMAGES:-}" ] || fail "CLUSTER=current needs IMAGES=<registry prefix> of images its nodes can pull (see images/README.md)"
        for name in webhook operator autoscaler examples; do
            image[$name]="$IMAGES/$name:${TAG:-latest}"
        done
        return
    fi
    while read -r name reference tar; do
        image[$name]=$reference
        tars+=("$tar")
    done < <("$root/images/build" || echo "failed - -")
    [ -z "${image[failed]:-}" ] || fail "the images could not be built (see above)"
    "$root/local/cluster" load "${tars[@]}"
}
tars=()
