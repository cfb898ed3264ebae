# shellcheck shell=bash
# The programs of a node, each built once.
. "$LOCAL/lib/cache.sh"
. "$LOCAL/lib/go.sh"
. "$LOCAL/versions.sh"

# One folder with all of them, for a PATH, and links to some where tests look for them.
toolbox_folder() {
    local key
    key=$(digest "$LOCAL/kube" "$LOCAL/build/toolbox" "$KUBERNETES_VERSION" "$HELM_VERSION")
    cached toolbox "$key" 5 "$LOCAL/build/toolbox"
}
