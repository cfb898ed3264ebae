# shellcheck shell=bash
# The Go toolchain, which builds Kubernetes from its modules.

need_go() {
    local version
    [[ -n $(command -v go) ]] || PATH=$PATH:/usr/local/go/bin
    [[ -n $(command -v go) ]] ||
        die "Go 1.24 or newer is missing: install it from go.dev/dl, or as Debian's golang-1.24-go (backports)"
    version=$(GOTOOLCHAIN=local go env GOVERSION)
    [[ $version =~ ^go1\.(2[4-9]|[3-9][0-9]) ]] ||
        die "Go 1.24 or newer is needed and this is $version: install one from go.dev/dl"
}

# Static, without the paths of this machine. A cache that was set on purpose holds Go's as well, so that an empty
# one means a cold build.
go_environment() {
    export CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS="-trimpath -modcacherw -buildvcs=false"
    if [[ -n ${SLUICE_CACHE:-} ]]; then
        export GOCACHE=$CACHE/go/build GOMODCACHE=$CACHE/go/mod
    fi
}
