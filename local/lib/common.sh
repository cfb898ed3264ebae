# shellcheck shell=bash
# Sourced first by every script here: strict mode, messages, where things are.
set -Eeuo pipefail
shopt -s inherit_errexit nullglob

LOCAL=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
CACHE=${SLUICE_CACHE:-${XDG_CACHE_HOME:-${HOME:?neither SLUICE_CACHE nor HOME is set}/.cache}/sluice}
[[ $CACHE == /* ]] || CACHE=$PWD/$CACHE
export CACHE

# Scripts call one another; the clock is that of the outermost one.
export SLUICE_STARTED=${SLUICE_STARTED:-$EPOCHSECONDS}

# Messages go to stderr: stdout is for the one path a caller asked for.
say() { printf '%4ds  %s\n' $((EPOCHSECONDS - SLUICE_STARTED)) "$*" >&2; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit $((BASH_SUBSHELL ? EXPLAINED : 1))
}

# A failure nobody foresaw still tells where it happened; one that a subshell has explained needs no second line.
EXPLAINED=70
unforeseen() {
    (($1 == EXPLAINED)) || printf 'error: %s, line %s: "%s" failed\n' "${2#"$LOCAL"/}" "$3" "$4" >&2
    exit $((BASH_SUBSHELL ? EXPLAINED : 1))
}
trap 'unforeseen $? "${BASH_SOURCE[0]}" "$LINENO" "$BASH_COMMAND"' ERR

need_root() { ((EUID == 0)) || die "$1 needs root (it makes namespaces and mounts): run it as root, or with sudo -E"; }

# need_disk GIB FOLDER WHAT: refuses to begin what a full disk would cut off in the middle.
need_disk() {
    local free
    mkdir -p "$2" 2>/dev/null || die "cannot write to $2: set SLUICE_CACHE to a folder on another disk"
    free=$(df --output=avail --block-size=1M "$2" | tail -1)
    ((free >= $1 * 1024)) || die "$3 needs $1 GiB free under $2, there are only $((free / 1024)): make room, or set SLUICE_CACHE to a folder on another disk"
}

# started_at PID [ENTER]: the kernel's start time of a process; with it, a pid names one process for ever.
# ENTER is a command that looks where the pid counts.
started_at() {
    local stat fields
    stat=$("${@:2}" cat "/proc/$1/stat" 2>/dev/null) || return 1
    read -ra fields <<<"${stat##*) }" # after the name, which may contain anything: state is field 0, start field 19
    [[ ${fields[0]} != Z ]] && echo "${fields[19]}"
}

# wait_for SECONDS COMMAND...: tries COMMAND until it succeeds.
wait_for() {
    local end=$((EPOCHSECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((EPOCHSECONDS < end)) || return 1
        sleep 0.1
    done
}
