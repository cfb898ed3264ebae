# shellcheck shell=bash
# Image archives as `docker save` writes them, without Docker.

# architecture_here: this machine's, as images name it
architecture_here() {
    case $(uname -m) in
        x86_64) echo amd64 ;;
        aarch64) echo arm64 ;;
        *) uname -m ;;
    esac
}

# pack_image TAR TAG CONFIG FOLDER...: one layer a folder; CONFIG is the JSON of the image's "config". It is for $architecture, or this machine's.
pack_image() {
    local tar=$1 tag=$2 config=$3 work folder layer id layers=() diffs=()
    shift 3
    work=$(mktemp -d "$tar.XXXX")
    for folder; do
        layer=${#layers[@]}.tar
        tar --create --numeric-owner --sort=name --mtime=@0 --one-file-system -C "$folder" --file "$work/$layer" .
        layers+=("\"$layer\"")
        diffs+=("\"sha256:$(sha256sum <"$work/$layer" | cut -d' ' -f1)\"")
    done
    printf '{"architecture":"%s","os":"linux","config":%s,"rootfs":{"type":"layers","diff_ids":[%s]}}' \
        "${architecture:-$(architecture_here)}" "$config" "$(join , "${diffs[@]}")" >"$work/config.json"
    id=$(sha256sum <"$work/config.json" | cut -d' ' -f1)
    mv "$work/config.json" "$work/$id.json"
    printf '[{"Config":"%s.json","RepoTags":["%s"],"Layers":[%s]}]' "$id" "$tag" "$(join , "${layers[@]}")" \
        >"$work/manifest.json"
    tar --create --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" --file "$tar" manifest.json "$id.json" \
        "${layers[@]//\"/}"
    rm -rf "$work"
}

join() {
    local IFS=$1
    shift
    echo "$*"
}
