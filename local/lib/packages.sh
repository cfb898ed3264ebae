# shellcheck shell=bash
# Programs that come as Debian packages.

# need_packages COMMAND=PACKAGE...: installs the packages whose command is missing, where that is possible.
need_packages() {
    local missing lock log=$CACHE/log/apt.log
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    [[ $EUID == 0 && -n $(command -v apt-get) ]] ||
        die "install these first (named as in Debian): ${missing[*]}"
    mkdir -p "$CACHE/log" "$CACHE/lock"
    exec {lock}>>"$CACHE/lock/apt"
    flock "$lock"
    mapfile -t missing < <(missing_packages "$@") # another run may have installed some
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
    exec {lock}>&-
}

missing_packages() { # COMMAND=PACKAGE...
    local pair
    for pair; do
        [[ -n $(PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%=*}") ]] || echo "${pair#*=}"
    done
}

install_packages() {
    say "installing Debian packages: $*"
    apt_get update >"$log" 2>&1 || true # an old list often suffices; if not, the next line fails
    without_services apt_get install --yes --no-install-recommends "$@" >>"$log" 2>&1 ||
        die "apt-get could not install $* (details: $log)"
}

apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"; }

# Debian starts a package's service on installation. We run our own containerd: the machine's shall stay off.
without_services() {
    local status=0 unit=containerd.service
    if [[ ! -d /run/systemd/system ]] || systemctl cat "$unit" >/dev/null 2>&1; then
        "$@"
        return
    fi
    systemctl --quiet --runtime mask "$unit"
    "$@" || status=$?
    systemctl --quiet --runtime unmask "$unit"
    systemctl --quiet disable "$unit" || true
    return "$status"
}
