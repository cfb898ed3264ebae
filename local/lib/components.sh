# shellcheck shell=bash disable=SC2153 # TOOLBOX is the folder of their programs
# What a Kubernetes node consists of, in the order in which it starts.
# Inside the node, the state folder is /run/sluice and the API server is on port 6443.

SECRETS=/run/sluice/pki

kubectl() { "$TOOLBOX/kubectl" --kubeconfig "$STATE/kubeconfig" "$@"; }

components_run() {
    local name
    for name in "${DAEMONS[@]}"; do running "$name" || return 1; done
}

node_ready() {
    [[ $(kubectl get node node -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}' 2>/dev/null) == True ]] &&
        inside "$LOCAL/node/dns-answers" 2>/dev/null
}

# The machine's side of the API server's port: SLUICE_PORT, else a free one that is mostly the same each time.
choose_port() {
    [[ ! -s $STATE/port ]] || return 0
    local port=${SLUICE_PORT:-$((20000 + 16#$ID % 10000))}
    while taken "$port"; do
        [[ -z ${SLUICE_PORT:-} ]] || die "port $port on 127.0.0.1 is taken: free it, or choose another SLUICE_PORT"
        port=$((port + 1))
    done
    echo "$port" >"$STATE/port.new"
    mv "$STATE/port.new" "$STATE/port"
}

taken() { (exec {probe}<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start_control_plane() {
    "$LOCAL/node/pki" "$STATE" "$(<"$STATE/port")"
    start_etcd
    start_apiserver
    start_containerd
    start_gateway
    ready apiserver 120 kubectl get --raw /readyz
    say "apiserver: ready on 127.0.0.1:$(<"$STATE/port")"
    start_controllers
}

start_node() {
    import_pause
    start_kubelet
    start_proxy
    start_dns
    ready kubelet 120 kubectl wait node/node --for=condition=Ready --timeout=30s
    say "kubelet: node Ready"
    ready coredns 60 inside "$LOCAL/node/dns-answers"
    say "coredns: answers"
    ready controller-manager 60 kubectl wait serviceaccount/default --for=create --timeout=30s
}

# Data that is gone with the node needs no fsync.
start_etcd() {
    daemon etcd "$TOOLBOX/etcd" --data-dir /run/sluice/etcd --unsafe-no-fsync --log-level warn
}

start_apiserver() {
    local plugins=()
    case ${SLUICE_OWNER_REFERENCES:-enforced} in
    enforced) plugins=(--enable-admission-plugins=OwnerReferencesPermissionEnforcement) ;;
    free) ;;
    *) die "SLUICE_OWNER_REFERENCES is '$SLUICE_OWNER_REFERENCES': set it to 'enforced' or 'free'" ;;
    esac
    install -D -m 644 "$LOCAL/node/audit.yaml" "$STATE/etc/audit.yaml"
    daemon apiserver "$TOOLBOX/kube-apiserver" \
        --etcd-servers=http://127.0.0.1:2379 --advertise-address=10.250.0.1 --service-cluster-ip-range=10.96.0.0/16 \
        --authorization-mode=Node,RBAC --allow-privileged=true --profiling=false \
        "${plugins[@]}" \
        --feature-gates=MutatingAdmissionPolicy=true --runtime-config=admissionregistration.k8s.io/v1beta1=true \
        --audit-policy-file=/run/sluice/etc/audit.yaml --audit-log-path=/run/sluice/log/audit.log \
        --client-ca-file=$SECRETS/ca.crt \
        --tls-cert-file=$SECRETS/apiserver.crt --tls-private-key-file=$SECRETS/apiserver.key \
        --service-account-key-file=$SECRETS/sa.key --service-account-signing-key-file=$SECRETS/sa.key \
        --service-account-issuer=https://kubernetes.default.svc.cluster.local \
        --kubelet-client-certificate=$SECRETS/apiserver-to-kubelet.crt \
        --kubelet-client-key=$SECRETS/apiserver-to-kubelet.key \
        --kubelet-certificate-authority=$SECRETS/ca.crt --kubelet-preferred-address-types=InternalIP \
        --proxy-client-cert-file=$SECRETS/front-proxy.crt --proxy-client-key-file=$SECRETS/front-proxy.key \
        --requestheader-client-ca-file=$SECRETS/ca.crt --requestheader-allowed-names=front-proxy \
        --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
        --requestheader-extra-headers-prefix=X-Remote-Extra-
}

# 127.0.0.1:PORT of the machine -> a socket in the state folder -> the API server in the node's network.
start_gateway() {
    daemon gateway-inner socat UNIX-LISTEN:/run/sluice/api.sock,unlink-early,fork,mode=600 TCP:127.0.0.1:6443
    ENTER=inside_on_host_network daemon gateway \
        socat "TCP-LISTEN:$(<"$STATE/port"),bind=127.0.0.1,fork,reuseaddr" UNIX-CONNECT:/run/sluice/api.sock
    ready gateway 30 taken "$(<"$STATE/port")"
}

start_controllers() {
    daemon controller-manager "$TOOLBOX/kube-controller-manager" --kubeconfig=/run/sluice/controller-manager.kubeconfig \
        --service-account-private-key-file=$SECRETS/sa.key --root-ca-file=$SECRETS/ca.crt \
        --cluster-signing-cert-file=$SECRETS/ca.crt --cluster-signing-key-file=$SECRETS/ca.key \
        --use-service-account-credentials=true --leader-elect=false --profiling=false \
        --flex-volume-plugin-dir=/var/lib/kubelet/volume-plugins
    daemon scheduler "$TOOLBOX/kube-scheduler" --kubeconfig=/run/sluice/scheduler.kubeconfig \
        --leader-elect=false --profiling=false
}

start_containerd() {
    mkdir -p "$STATE/etc/cni"
    install -m 644 "$LOCAL"/node/cni/* "$STATE/etc/cni/"
    install -m 644 "$LOCAL/node/containerd.toml" "$STATE/etc/containerd.toml"
    daemon containerd containerd --config /run/sluice/etc/containerd.toml --log-level warn
    ready containerd 60 images list --quiet
}

images() { inside ctr --namespace k8s.io images "$@"; }

import_pause() {
    local folder
    folder=$(cached pause "$(digest "$LOCAL/kube/pause" "$LOCAL/build/pause" "$LOCAL/lib/image.sh")" 1 \
        "$LOCAL/build/pause" "$TOOLBOX")
    load_image "$folder/pause.tar"
}

# An archive is known by its path, size and time: reading all of it takes as long as half an import.
load_image() {
    local tar mark
    tar=$(realpath "$1")
    mark=$STATE/loaded/$(digest "$(stat --format '%n %s %y' "$tar")")
    if [[ -f $mark ]]; then
        say "load: ${tar##*/} is there"
        return
    fi
    mkdir -p "$STATE/loaded"
    images import - <"$tar" >"$mark.new" 2>>"$STATE/log/load.log" ||
        die "cannot import $tar: $(tail -1 "$STATE/log/load.log" | cut -c1-300)"
    mv "$mark.new" "$mark"
    say "load: ${tar##*/} imported"
}

# unload_images: what a container runs stays with it until it ends. An image has several names, of which one is its digest.
unload_images() {
    local names
    mapfile -t names < <(images list | awk 'NR > 1 && $1 == "localhost/sluice-pause:1" {pause = $3} NR > 1 {digest[$1] = $3}
        END {for (name in digest) if (digest[name] != pause) print name}')
    rm -rf "$STATE/loaded"
    ((${#names[@]} == 0)) || images remove --sync "${names[@]}" >>"$STATE/log/load.log" 2>&1 ||
        die "cannot remove the images: $(tail -1 "$STATE/log/load.log" | cut -c1-300)"
    say "unload: ${#names[@]} names of images removed"
}

start_kubelet() {
    sed "s#@CGROUP@#$CGROUP#" "$LOCAL/node/kubelet.yaml" >"$STATE/etc/kubelet.yaml"
    daemon kubelet "$TOOLBOX/kubelet" --config=/run/sluice/etc/kubelet.yaml --kubeconfig=/run/sluice/kubelet.kubeconfig \
        --hostname-override=node --node-ip=10.250.0.1
}

start_proxy() {
    daemon proxy "$TOOLBOX/kube-proxy" --kubeconfig=/run/sluice/proxy.kubeconfig --hostname-override=node \
        --proxy-mode=iptables --cluster-cidr=10.244.0.0/16 --conntrack-max-per-core=0
}

start_dns() {
    install -m 644 "$LOCAL/node/Corefile" "$STATE/etc/Corefile"
    kubectl apply --server-side --force-conflicts --filename "$LOCAL/node/dns.yaml" >>"$STATE/log/apply.log" 2>&1 ||
        die "cannot create the DNS service: $(tail -1 "$STATE/log/apply.log")"
    daemon coredns "$TOOLBOX/coredns" -conf /run/sluice/etc/Corefile
}

# Not part of the node: what few tests need, and takes minutes to build.
start_metrics() {
    local folder
    folder=$(cached metrics "$(digest "$LOCAL/metrics" "$LOCAL/build/metrics")" 3 "$LOCAL/build/metrics")
    sed "s#@CA@#$(base64 -w0 "$STATE/pki/ca.crt")#" "$LOCAL/node/metrics.yaml" |
        kubectl apply --server-side --force-conflicts --filename - >>"$STATE/log/apply.log" 2>&1 ||
        die "cannot create the metrics API: $(tail -1 "$STATE/log/apply.log")"
    daemon metrics-server "$folder/metrics-server" --kubeconfig=/run/sluice/metrics-server.kubeconfig \
        --authentication-kubeconfig=/run/sluice/metrics-server.kubeconfig \
        --authorization-kubeconfig=/run/sluice/metrics-server.kubeconfig --secure-port=4443 \
        --tls-cert-file=$SECRETS/metrics-server.crt --tls-private-key-file=$SECRETS/metrics-server.key \
        --kubelet-certificate-authority=$SECRETS/ca.crt --kubelet-preferred-address-types=InternalIP \
        --metric-resolution=15s
    ready metrics-server 120 kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes/node
}

# Not part of the node either: a registry, empty, on one port of localhost, on the node and on this machine. Of localhost containerd, helm and
# crane know that it speaks HTTP. Images without a registry in their names, such as flink:1.20, are the node's to pull from it too: as
# library/flink:1.20.
start_registry() {
    local folder port
    folder=$(cached registry "$(digest "$LOCAL/registry" "$LOCAL/build/registry")" 2 "$LOCAL/build/registry")
    if [[ ! -s $STATE/registry-port ]]; then
        port=$((10000 + 16#$ID % 10000))
        while taken "$port"; do port=$((port + 1)); done
        echo "$port" >"$STATE/registry-port"
    fi
    port=$(<"$STATE/registry-port")
    printf '%s\n' 'version: 0.1' 'log: {level: warn}' 'storage: {filesystem: {rootdirectory: /run/sluice/registry}, delete: {enabled: true}}' \
        "http: {addr: 127.0.0.1:$port}" >"$STATE/etc/registry.yaml"
    mkdir -p "$STATE/etc/registries/docker.io"
    printf '%s\n' "server = \"http://localhost:$port\"" "[host.\"http://localhost:$port\"]" '  capabilities = ["pull", "resolve"]' >"$STATE/etc/registries/docker.io/hosts.toml"
    daemon registry "$folder/registry" serve /run/sluice/etc/registry.yaml
    daemon registry-inner socat UNIX-LISTEN:/run/sluice/registry.sock,unlink-early,fork,mode=600 "TCP:127.0.0.1:$port"
    ENTER=inside_on_host_network daemon registry-gateway \
        socat "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" UNIX-CONNECT:/run/sluice/registry.sock
    ready registry 30 registry_answers "$port"
    say "registry: ready on localhost:$port"
}
registry_answers() { curl --silent --fail --max-time 5 "http://127.0.0.1:$1/v2/"; }
