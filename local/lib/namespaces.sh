# shellcheck shell=bash
# A node lives in its own process, mount and network namespaces. One process holds them; when it is killed, the kernel
# kills all the others and drops every mount, interface and firewall rule. So nothing on the machine is touched, two
# checkouts do not meet, and there is nothing to tidy up but the cgroups.

# The same checkout with another cache, or another SLUICE_CLUSTER, is another cluster.
ID=$(printf '%s\n' "${LOCAL%/local}" "$CACHE" ${SLUICE_CLUSTER:+"$SLUICE_CLUSTER"} | sha256sum | cut -c1-8)
STATE=$CACHE/clusters/$ID
CGROUP=/sluice-$ID
HOLDER=

# find_holder: sets HOLDER to the process that holds the namespaces, if it lives.
find_holder() {
    local pid start
    HOLDER=
    [[ -f $STATE/holder ]] || return 1
    read -r pid start <"$STATE/holder" || return 1
    [[ $(started_at "$pid") == "$start" ]] || return 1
    HOLDER=$pid
}

inside() {
    nsenter --mount="/proc/$HOLDER/ns/mnt" --pid="/proc/$HOLDER/ns/pid_for_children" --net="/proc/$HOLDER/ns/net" -- "$@"
}

# The same, but with the machine's own network: for the one listener that the machine is to see.
inside_on_host_network() {
    nsenter --mount="/proc/$HOLDER/ns/mnt" --pid="/proc/$HOLDER/ns/pid_for_children" -- "$@"
}

make_namespaces() {
    remove_leftovers
    mkdir -p "$STATE/log" "$STATE/pid"
    chmod 700 "$STATE"
    make_cgroups
    setsid --fork "$LOCAL/node/hold" "$STATE" "$(tracking_cgroup)/cgroup.procs" \
        </dev/null >"$STATE/log/init.log" 2>&1 {LOCK}>&-
    wait_for 30 namespaces_ready ||
        die "the node's namespaces did not come up: $(tail -1 "$STATE/log/init.log") (details: $STATE/log/init.log)"
}

namespaces_ready() { find_holder && [[ -f $STATE/namespaces-ready ]]; }

# Each cgroup v1 hierarchy, or the one of v2.
cgroup_hierarchies() {
    local folder
    if [[ -f /sys/fs/cgroup/cgroup.controllers ]]; then
        echo /sys/fs/cgroup
        return
    fi
    for folder in /sys/fs/cgroup/*; do
        [[ -L $folder || ! -f $folder/cgroup.procs ]] || echo "$folder"
    done
}

# Where the holder is listed, so that it is found even if the state folder was removed by hand.
tracking_cgroup() {
    if [[ -f /sys/fs/cgroup/cgroup.controllers ]]; then
        echo "/sys/fs/cgroup$CGROUP/holder"
    else
        echo "/sys/fs/cgroup/pids$CGROUP"
    fi
}

make_cgroups() {
    local hierarchy file
    for hierarchy in $(cgroup_hierarchies); do
        mkdir -p "$hierarchy$CGROUP"
        for file in cpuset.cpus cpuset.mems; do # v1: empty until written, and then nothing may join
            [[ ! -f $hierarchy/$file ]] || cat "$hierarchy/$file" >"$hierarchy$CGROUP/$file"
        done
        if [[ -f $hierarchy/cgroup.subtree_control ]]; then
            pass_on_controllers "$hierarchy"
            pass_on_controllers "$hierarchy$CGROUP"
        fi
    done
    mkdir -p "$(tracking_cgroup)"
}

pass_on_controllers() {
    local controller
    for controller in $(<"$1/cgroup.controllers"); do
        echo "+$controller" 2>/dev/null >"$1/cgroup.subtree_control" || true
    done
}

# remove_leftovers: ends what is left of a node, running or broken, and removes what it has on the machine.
remove_leftovers() {
    local hierarchy killed
    killed=$(members)
    wait_for 30 end_members || die "processes of the node do not end: $(members | tr '\n' ' ')"
    # shellcheck disable=SC2086 # one word a pid
    wait_for 30 ended $killed || die "the kernel has not yet taken down the node's namespaces: try again"
    for hierarchy in $(cgroup_hierarchies); do
        [[ ! -d $hierarchy$CGROUP ]] || wait_for 10 remove_cgroup "$hierarchy$CGROUP" ||
            die "cannot remove the cgroup $hierarchy$CGROUP"
    done
    rm -rf --one-file-system "$STATE"
}

# The holder and everything in our cgroups.
members() {
    local hierarchy
    {
        if find_holder; then echo "$HOLDER"; fi
        for hierarchy in $(cgroup_hierarchies); do
            [[ ! -d $hierarchy$CGROUP ]] || find "$hierarchy$CGROUP" -name cgroup.procs -exec cat {} + 2>/dev/null || true
        done
    } | sort -un
}

# Succeeds once nobody is left.
end_members() {
    local pids
    pids=$(members)
    [[ -n $pids ]] || return 0
    # shellcheck disable=SC2086 # one word a pid
    kill -KILL $pids 2>/dev/null || true
    return 1
}

# A process leaves its cgroup before its mounts are gone.
ended() {
    local pid
    for pid; do
        if started_at "$pid" >/dev/null; then return 1; fi
    done
}

remove_cgroup() {
    find "$1" -depth -type d -exec rmdir {} + 2>/dev/null || [[ ! -d $1 ]]
}
