# shellcheck shell=bash
# The programs of a node, each built once.
. "$LOCAL/lib/cache.sh"
. "$LOCAL/lib/go.sh"
. "$LOCAL/versions.sh"

kube_folder() {
    local key
    key=$(digest "$LOCAL/kube" "$LOCAL/build/kube" "$KUBERNETES_VERSION")
    cached kube "$key" 5 "$LOCAL/build/kube"
}

coredns_folder() {
    cached coredns "$(digest "$LOCAL/build/go-tool" "$COREDNS_VERSION")" 2 \
        "$LOCAL/build/go-tool" github.com/coredns/coredns "$COREDNS_VERSION" ""
}

helm_folder() {
    cached helm "$(digest "$LOCAL/build/go-tool" "$HELM_VERSION")" 2 \
        "$LOCAL/build/go-tool" helm.sh/helm/v3/cmd/helm "$HELM_VERSION" \
        "-X helm.sh/helm/v3/internal/version.version=v$HELM_VERSION"
}

# One folder with all of them, for a PATH.
toolbox_folder() {
    local kube coredns helm
    kube=$(kube_folder)
    coredns=$(coredns_folder)
    helm=$(helm_folder)
    cached toolbox "$(digest "${kube##*/}" "${coredns##*/}" "${helm##*/}" "$LOCAL/build/toolbox")" 1 \
        "$LOCAL/build/toolbox" "$kube" "$coredns" "$helm"
}
