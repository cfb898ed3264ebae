# shellcheck shell=bash
# Things that take long to build are kept, each in a folder named after what went into it:
#   $CACHE/<name>-<hash of its inputs>/     complete, because it is renamed into place when it is
#   $CACHE/tmp/<name>.<pid>/                being built, or left by a run that was killed
#   $CACHE/log/<name>.log                   what the last build said

# digest FILE-OR-WORD...: a short hash of files' contents and of words.
digest() {
    local input
    for input; do
        if [[ -d $input ]]; then
            (cd "$input" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
        elif [[ -f $input ]]; then
            sha256sum <"$input"
        else
            echo "$input"
        fi
    done | sha256sum | cut -c1-12
}

# cached NAME KEY GIB COMMAND...: prints the folder of an entry. When it is missing, COMMAND FOLDER fills it.
cached() {
    local name=$1 gib=$3 entry=$CACHE/$1-$2
    shift 3
    if [[ -d $entry ]]; then
        touch "$entry" # in use: see below
    else
        build_entry "$name" "$entry" "$gib" "$@"
    fi
    echo "$entry"
}

# The lock is inherited by what COMMAND starts: if this script is killed, the next one waits for the orphans
# before it clears away what they were writing.
build_entry() {
    local name=$1 entry=$2 gib=$3 lock beat temp log=$CACHE/log/$1.log
    shift 3
    need_disk "$gib" "$CACHE" "building $name"
    mkdir -p "$CACHE/tmp" "$CACHE/log" "$CACHE/lock"
    exec {lock}>>"$CACHE/lock/$name"
    flock --nonblock "$lock" || { say "$name: another run is building it, waiting"; flock "$lock"; }
    if [[ ! -d $entry ]]; then
        rm -rf --one-file-system "$CACHE/tmp/$name".*
        temp=$CACHE/tmp/$name.$$
        mkdir "$temp"
        say "$name: building (log: $log)"
        exec {beat}> >(still_building "$name" "$log" {lock}>&- >&2)
        "$@" "$temp" >"$log" 2>&1 </dev/null {beat}>&- || build_failed "$name" "$temp" "$log"
        exec {beat}>&-
        mv --no-target-directory "$temp" "$entry"
        say "$name: built, $(du -sh "$entry" | cut -f1)"
        # What it replaces may serve another checkout, unless nobody has asked for it for long.
        find "$CACHE" -maxdepth 1 -name "$name-*" -mtime +14 -exec rm -rf --one-file-system {} +
    fi
    exec {lock}>&-
}

# still_building NAME LOG: a line every ten seconds until its input ends, so that nobody takes a long build for one that hangs.
still_building() {
    local status line
    while true; do
        status=0
        read -rt 10 _ || status=$?
        ((status > 128)) || return 0 # no timeout: the input has ended
        line=$(tail -n 1 "$2" 2>/dev/null | tr -cd '[:print:]' | cut -c1-100) || true
        say "$1: still building${line:+: $line}"
    done
}

build_failed() {
    local name=$1 temp=$2 log=$3
    rm -rf --one-file-system "$temp"
    if grep '^error: ' "$log" | grep -v ', line [0-9]' >&2; then exit "$EXPLAINED"; fi
    tail -5 "$log" | sed 's/^/       | /' >&2
    if grep -qiE 'no space left' "$log"; then
        die "$name: the disk is full under $CACHE: make room, or set SLUICE_CACHE to a folder on another disk"
    elif grep -qiE 'no such host|dial tcp|i/o timeout|TLS handshake timeout|could not resolve|(failure|error) resolving|name resolution|connection (refused|timed out)|NewConnectionError|from versions: none|could not connect|network is unreachable' "$log"; then
        die "$name: a package registry cannot be reached (proxy settings? details: $log)"
    fi
    die "$name: the build failed (details: $log)"
}
