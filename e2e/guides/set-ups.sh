# What a page of the guides has before its first command. A page names it: <!-- guide: set-up orders -->

# images_named: gives the images the names that the guides use, in archives beside the others, and loads them.
images_named() {
    local name reference tar version
    version=$(sed -n 's/^version: //p' "$root/helm/sluice/Chart.yaml")
    while read -r name reference tar; do
        case $name in
            webhook | operator | autoscaler)
                named "$tar" "sluice/$name:$version" "registry.example.org/sluice/$name:$version"
                image[$name]=sluice/$name:$version
                ;;
            examples)
                named "$tar" sluice/examples:latest registry.example.org/orders:1 registry.example.org/orders:2
                image[$name]=sluice/examples:latest
                ;;
        esac
    done <"$images_folder/images"
    "$root/local/cluster" load "$("$root/local/images" flink-1.20)"
}

# named ARCHIVE NAME...: loads the image of the archive under other names
named() {
    local from=$1 to=$root/target/images/guides/${1##*/} work
    shift
    if [ ! -f "$to" ]; then
        mkdir -p "${to%/*}"
        work=$(mktemp -d "${to%/*}/named.XXXX")
        tar -xf "$from" -C "$work"
        jq -c --args '.[0].RepoTags = ($ARGS.positional | map(if test("^[a-z.]+[.]org/") then . else "docker.io/" + . end))' "$@" <"$work/manifest.json" >"$work/manifest.new"
        mv "$work/manifest.new" "$work/manifest.json"
        tar --create --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" --file "$to.new" manifest.json $(cd "$work" && ls | grep -vxF manifest.json)
        rm -rf "$work"
        rm -f "${to%-*}"-*.tar
        mv "$to.new" "$to"
    fi
    "$root/local/cluster" load "$to"
}

# Nothing of Sluice, as on a new cluster.
set_up_nothing() {
    kubectl delete flinkbgdep,flinksnp,sessionjob,flinkdep --all -A --timeout=120s >/dev/null 2>&1 || true
    helm uninstall sluice -n "$system" --wait >/dev/null 2>&1 || true
    unfinalized
    kubectl get crd -o name | { grep 'flink.apache.org$' || true; } | xargs -r kubectl delete --timeout=60s >/dev/null
    kubectl delete namespace "$system" --ignore-not-found --timeout=120s >/dev/null
    kubectl delete serviceaccount,role,rolebinding flink -n "$namespace" --ignore-not-found >/dev/null
}

# Sluice, and nothing else in the cluster. The values of its chart are in values.yaml.
set_up_sluice() {
    namespace=default
    cp "$root/e2e/guides/values.yaml" "$place/values.yaml"
    sluice_installed "$place/values.yaml"
    sluice_ready
}

# Sluice, and a volume for state.
set_up_volume() {
    set_up_sluice
    state_volume "${image[examples]}"
}

# Sluice, and the job `orders`, which runs and has a checkpoint. Its file is orders.yaml.
set_up_orders() {
    set_up_volume
    cp "$root/e2e/guides/orders.yaml" "$place/orders.yaml"
    kubectl apply -f "$place/orders.yaml"
    within 240 "the job orders" is_ready
    within 60 "a checkpoint of it" checkpointed
}

# The file first.yaml of docs/start.md.
set_up_first_yaml() { "$guide" file docs/start.md first.yaml >"$place/first.yaml"; }

# Sluice, and a web server with the jar of the examples, from which it may fetch jars. session.yaml is the example with that address.
set_up_session() {
    set_up_sluice
    jars_allowed >>"$place/values.yaml"
    sluice_installed "$place/values.yaml"
    sluice_ready
    state_volume "${image[examples]}"
    jars_served "${image[examples]}"
    sed "s|^\( *jarURI:\).*|\1 $(jars_uri)|" "$root/examples/session.yaml" >"$place/session.yaml"
}

# Sluice, and the namespace `team-a`, in which jobs may run. set_up_team_a [OPTION]...: of Helm
set_up_team_a() {
    namespaces_made team-a
    sluice_namespace
    kubectl apply --server-side --force-conflicts --field-manager=helm -f "$root/helm/sluice/crds" >/dev/null
    helm upgrade --install sluice "$root/helm/sluice" -n "$system" -f "$root/e2e/guides/values.yaml" --set 'jobNamespaces={default,team-a}' "$@" --wait
}

# The same, and a job `orders` there, with the autoscaler looking at it. Its state is in its pods and lives no longer than they do.
set_up_team_orders() {
    local namespace=team-a
    set_up_team_a "$@"
    sed '/^  podTemplate:/,/persistentVolumeClaim:/d; s/^  namespace: .*/  namespace: team-a/; s#file:///state/#file:///tmp/#
        s/^  flinkConfiguration:/&\n    job.autoscaler.enabled: "true"/' "$root/e2e/guides/orders.yaml" >"$place/team-orders.yaml"
    kubectl apply -f "$place/team-orders.yaml"
    within 240 "the job orders of team-a" is_ready
}

# The same, and callers of /metrics and /explain need a token. The account `developer` may list the jobs.
set_up_access() {
    set_up_team_orders --set access.authenticate=true
    kubectl create serviceaccount developer -n team-a
    kubectl create rolebinding developer -n team-a --clusterrole=view --serviceaccount=team-a:developer
}

# The job of team-a, and Sluice has been uninstalled.
set_up_no_operator() {
    set_up_team_orders
    helm uninstall sluice -n "$system" --wait
}

# The same, and the job has been deleted, for which there is no operator.
set_up_stuck() {
    set_up_no_operator
    kubectl delete flinkdep orders -n team-a --wait=false
}

# Sluice, and the namespaces of two teams.
set_up_teams() {
    set_up_sluice
    set_up_namespaces
}
set_up_namespaces() { namespaces_made team-a team-b; }
namespaces_made() {
    local each
    for each; do kubectl create namespace "$each" --dry-run=client -o yaml | kubectl apply -f -; done
}

# manifests/ has orders.yaml, my-chart/ is a chart with it, and configuration/ has the operator's configuration.
set_up_manifests() {
    local file
    mkdir -p "$place"/{manifests,configuration,my-chart/templates}
    cp "$place/orders.yaml" "$place/manifests/"
    cp "$place/orders.yaml" "$place/my-chart/templates/"
    printf 'apiVersion: v2\nname: my-chart\nversion: 0.1.0\n' >"$place/my-chart/Chart.yaml"
    for file in $(kubectl get configmap sluice-configuration -n "$system" -o json | jq -r '.data | keys[]'); do
        kubectl get configmap sluice-configuration -n "$system" -o json | jq -r --arg file "$file" '.data[$file]' >"$place/configuration/$file"
    done
}

# tls.crt and tls.key are of a certificate for the webhook.
set_up_certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=sluice-webhook.$system.svc" -addext "subjectAltName=DNS:sluice-webhook.$system.svc" \
        -keyout "$place/tls.key" -out "$place/tls.crt" 2>/dev/null
    kubectl delete secret webhook-certificate -n "$system" --ignore-not-found
}

# --- what happens meanwhile -------------------------------------------------------------------------------------------

# A savepoint of the job `orders` is there, and $path is its path.
set_up_savepoint() {
    kubectl patch flinkdep orders --type=merge -p "{\"spec\":{\"job\":{\"savepointTriggerNonce\":$(date +%s)}}}"
    within 60 "a savepoint" savepoint_is_there
    echo "declare -x path=$(savepoint)" >>"$place/.environment"
}
savepoint() {
    kubectl get flinksnp -n "$namespace" -l job-reference.name=orders,snapshot.type=SAVEPOINT,snapshot.state=COMPLETED \
        --sort-by=.metadata.creationTimestamp -o 'jsonpath={.items[-1:].status.path}'
}
savepoint_is_there() { [ -n "$(savepoint)" ]; }

# The job `orders` has got an image that can't be pulled.
set_up_bad_image() {
    kubectl patch flinkdep orders --type=merge -p '{"spec":{"image":"registry.example.org/orders:3"}}'
    within 180 "an image that can't be pulled" reason_is ImageNotPulled
}
reason_is() { [ "$(field '{.status.conditions[?(@.type=="Ready")].reason}')" = "$1" ]; }

# The job `orders` is gone with all that Kubernetes had of it.
set_up_lost() {
    kubectl delete flinkdep orders --timeout=120s
    kubectl delete configmap -n "$namespace" -l "app=orders,type=flink-native-kubernetes"
}

# Somebody has overwritten the status of the job `orders`.
set_up_status_cut() {
    kubectl patch flinkdep orders --subresource=status --type=merge -p '{"status":{"reconciliationStatus":{"lastReconciledSpec":"{"}}}'
    within 60 "a status that can't be read" reason_is StatusLost
}

# The transition of the pair `orders` has come to its end.
set_up_promoted() { within 240 "the next half in place" promoted; }
promoted() { [ "$(kubectl get flinkbgdep orders -n "$namespace" -o jsonpath='{.status.blueGreenState}')" = ACTIVE_GREEN ]; }

# --- between pages ----------------------------------------------------------------------------------------------------

# page_left: removes what a page has left in the cluster, so that the next one finds none of it.
page_left() {
    local each
    kubectl delete flinkbgdep,flinksnp,sessionjob,flinkdep --all -A --timeout=120s >/dev/null 2>&1 || unfinalized
    kubectl delete configmap --all-namespaces -l type=flink-native-kubernetes >/dev/null 2>&1 || true
    for each in $(kubectl get namespaces -o name | grep -vE '/(default|kube-.*|sluice-system)$'); do kubectl delete "$each" --timeout=120s >/dev/null; done
    kubectl delete pod,pvc,deployment,configmap,secret,networkpolicy,event --all -n "$namespace" --timeout=60s >/dev/null
    kubectl delete pv --all --timeout=60s >/dev/null
}

# unfinalized: without an operator, resources go only without their finalizers.
unfinalized() {
    { kubectl get flinkbgdep,flinksnp,sessionjob,flinkdep -A -o json 2>/dev/null || echo '{"items": []}'; } | jq -r '.items[] | "\(.kind) \(.metadata.name) -n \(.metadata.namespace)"' \
        | while read -r each; do
            # shellcheck disable=SC2086 # kind, name and namespace are words
            kubectl patch $each --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
            # shellcheck disable=SC2086
            kubectl delete $each --ignore-not-found --timeout=30s >/dev/null
        done
}
