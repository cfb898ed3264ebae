# shellcheck shell=bash
# Image archives as `docker save` writes them, without Docker.

# pack_image TAR TAG CONFIG FOLDER...: one layer a folder; CONFIG is the JSON of the image's "config".
pack_image() {
    local tar=$1 tag=$2 config=$3 work folder layer machine id layers=() diffs=()
    shift 3
    work=$(mktemp -d "$tar.XXXX")
    for folder; do
        layer=${#layers[@]}.tar
        tar --create --numeric-owner --sort=name --mtime=@0 --one-file-system -C "$folder" --file "$work/$layer" .
        layers+=("\"$layer\"")
        diffs+=("\"sha256:$(sha256sum <"$work/$layer" | cut -d' ' -f1)\"")
    done
    case $(uname -m) in
        x86_64) machine=amd64 ;;
        aarch64) machine=arm64 ;;
        *) machine=$(uname -m) ;;
    esac
    printf '{"architecture":"%s","os":"linux","config":%s,"rootfs":{"type":"layers","diff_ids":[%s]}}' \
        "$machine" "$config" "$(join , "${diffs[@]}")" >"$work/config.json"
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
