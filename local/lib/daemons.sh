# shellcheck shell=bash
# The node's long-running programs: started inside its namespaces, known by process id and start time.

DAEMONS=(etcd apiserver controller-manager scheduler containerd kubelet proxy coredns gateway-inner gateway)

# daemon NAME COMMAND...: starts COMMAND inside the node unless it runs already. ENTER says how to get in.
daemon() {
    local name=$1
    shift
    if running "$name"; then return; fi
    rm -f "$STATE/pid/$name"
    "${ENTER:-inside}" setsid --fork "$LOCAL/node/daemon" "$name" "$@" \
        </dev/null >>"$STATE/log/$name.log" 2>&1 {LOCK}>&-
    wait_for 30 test -f "$STATE/pid/$name" || die "$name did not start (details: $STATE/log/$name.log)"
}

# running NAME: prints the process id, as seen inside.
running() {
    local pid start
    [[ -n $HOLDER && -f $STATE/pid/$1 ]] || return 1
    read -r pid start <"$STATE/pid/$1" || return 1
    [[ $(started_at "$pid" inside) == "$start" ]] || return 1
}

# ready NAME SECONDS COMMAND...: waits until COMMAND succeeds, or says why it will not.
ready() {
    local name=$1 end=$((EPOCHSECONDS + $2))
    shift 2
    until "$@" >/dev/null 2>&1; do
        running "$name" || die "$name ended: $(last_words "$name")"
        ((EPOCHSECONDS < end)) || die "$name is not ready yet: $(last_words "$name")"
        sleep 0.1
    done
}

last_words() { echo "$(tail -1 "$STATE/log/$1.log" | cut -c1-300) (details: $STATE/log/$1.log)"; }
