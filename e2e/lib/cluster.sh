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

# images_begin FOLDER: builds them beside whatever comes next. They need no cluster, and much of it is waiting for downloads.
images_begin() {
    [ "${CLUSTER:-local}" = local ] || return 0
    images_folder=$1
    setsid "$root/images/build" >"$images_folder/images" 2>"$images_folder/images.log" &
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
    progress() { tail -n 1 "$images_folder/images.log"; }
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
