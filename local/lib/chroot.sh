# shellcheck shell=bash

# in_root FOLDER COMMAND...: runs COMMAND with FOLDER as its root and nothing of this machine but /proc, by which Java
# finds its libraries. Mounts are in a namespace of their own and end with it.
in_root() {
    local folder=$1 as_root=()
    shift
    ((EUID == 0)) || as_root=(--user --map-root-user)
    mkdir -p "$folder/proc"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$(command -v unshare)" "${as_root[@]}" --mount --pid --fork --kill-child \
        --root="$folder" --mount-proc "$@"
}
