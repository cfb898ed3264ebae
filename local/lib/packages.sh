# shellcheck shell=bash
# Programs that come as Debian packages.

# need_packages COMMAND=PACKAGE...: installs the packages whose command is missing, where that is possible.
need_packages() {
    local pair missing=() log=$CACHE/log/apt.log
    for pair; do
        [[ -n $(PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%=*}") ]] || missing+=("${pair#*=}")
    done
    ((${#missing[@]})) || return 0
    [[ $EUID == 0 && -n $(command -v apt-get) ]] ||
        die "install these first (named as in Debian): ${missing[*]}"
    say "installing Debian packages: ${missing[*]}"
    mkdir -p "$CACHE/log"
    apt_get update >"$log" 2>&1 || true # an old list often suffices; if not, the next line fails
    without_services apt_get install --yes --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
        die "apt-get could not install ${missing[*]} (details: $log)"
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
