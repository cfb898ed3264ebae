# shellcheck shell=bash disable=SC2154 # root, version, registry, result, work and jdk are set by release/make
# What a release has beside the images: the chart, the command line, and what says where all of it is from.

# pack ARCHIVE FOLDER NAME: NAME, which is in FOLDER, with nothing in the archive but names, modes and contents. The time is that which
# images/build gives to all files: what Java keeps of jars holds for jars of one time.
pack() {
    tar --create --numeric-owner --owner=0 --group=0 --sort=name --mtime=@0 --mode=u+rw,go=rX --format=ustar -C "$2" "$3" | gzip -n -9 >"$1"
}

# chart: this tree's chart, with the version, the images by digest, and the registry, as an archive that `helm install` reads
chart() {
    local name folder=$work/chart/sluice
    rm -rf "$work/chart"
    mkdir -p "$work/chart"
    cp -r "$root/helm/sluice" "$work/chart/"
    sed -i -E "s/^(version|appVersion): .*/\1: $version/" "$folder/Chart.yaml"
    for name in webhook operator autoscaler; do
        # the only digest in the section of that name
        sed -i "/^$name:/,/^[a-z]/ s|^    digest: \"\"\$|    digest: $(<"$work/$name.digest")|" "$folder/values.yaml"
    done
    [[ -z $registry ]] || sed -i "s|^  imageRegistry: \"\"\$|  imageRegistry: $registry|" "$folder/values.yaml"
    pack "$result/sluice-$version.tgz" "$work/chart" sluice
    helm lint --quiet --kube-version "$oldest" "$result/sluice-$version.tgz"
    helm show crds "$result/sluice-$version.tgz" >"$result/crds.yaml"
    { echo "# Sluice $version without Helm: kubectl apply --server-side -f crds.yaml, and then this file."
      printf '%s\n' 'apiVersion: v1' 'kind: Namespace' 'metadata: {name: sluice-system}'
      helm template sluice "$result/sluice-$version.tgz" --namespace sluice-system --kube-version "$oldest" --skip-tests; } >"$result/install.yaml"
    # Every pinned digest is in what is installed, and no image goes by its tag.
    for name in webhook operator autoscaler; do
        grep -q "image: .*sluice/$name@$(<"$work/$name.digest")" "$result/install.yaml" || die "the chart does not pin the image of $name"
    done
}
oldest=1.30.0 # the oldest Kubernetes that the chart accepts

# command_line ARCHITECTURE: the runtime of the images, the jars, a class archive, and bin/sluice
command_line() {
    local rootfs name=sluice-$version-linux-$1 folder path emulator=()
    rootfs=$("$LOCAL/images" rootfs "$1")
    [[ $1 == "$machine" ]] || emulator=("$("$LOCAL/images" emulator "$1")" -L "$rootfs")
    folder=$work/$name
    rm -rf "$folder"
    mkdir -p "$folder"/{bin,lib}
    cp -r "$rootfs/opt/java" "$folder/runtime"
    find "$root/cli/target/libs" -name '*.jar' -exec cp -t "$folder/lib" {} +
    cp "$root"/cli/target/sluice-cli-*-SNAPSHOT.jar "$folder/lib/"
    unsigned "$jdk" "$work/unsigned" "$folder/lib"
    cp "$root/LICENSE" "$folder/"
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp "$root/supply/target/libs/*:$root/supply/target/classes" io.sluice.supply.Main make --image cli --version "$version" \
        --maven "$root/cli/target/sbom.json" --jars "$folder/lib" --at lib/ --out "$work/cli.cdx.json" --licences "$folder/THIRD-PARTY" \
        --advisories "$root/supply/known-vulnerabilities.yaml" 2> >(sed '/^SLF4J/d' >&2)
    [[ $1 != "$machine" ]] || mv "$work/cli.cdx.json" "$result/" # the same for all architectures
    # shellcheck disable=SC2016 # $home is the script's own
    path=$(class_path "$folder/lib" '$home/lib/')
    sed -e "s|@VERSION@|$version|" -e "s|@CLASS_PATH@|$path|" -e "s|@CHART@|${registry:+oci://$registry/charts/sluice}|" "$root/release/sluice.sh" >"$folder/bin/sluice"
    chmod 755 "$folder/bin/sluice"
    find "$folder" -exec touch --no-dereference --date=@0 {} +
    class_archive "$folder" "${path//\$home\//}" "${emulator[@]}"
    pack "$result/$name.tar.gz" "$work" "$name"
}

# class_archive FOLDER CLASS-PATH [EMULATOR...]: sluice.jsa, the classes of one run as Java has them in memory, by which the next one starts in half
# the time. It is made from the names of the classes, in one order: so it is the same each time, which an AOT cache of JDK 25 is not
# (docs/adr/0065-releases.md). EMULATOR runs the folder's Java where that is for another architecture.
class_archive() {
    local folder=$1 path=$2
    shift 2
    # The classes of a run on this machine are those of a run on any, but for a few of the JDK's own, which Java leaves out where it has none of that name.
    if (($# == 0)); then
        SLUICE_CLASSES=-XX:DumpLoadedClassList=$work/loaded "$folder/bin/sluice" lint "$root"/examples/*.yaml >"$work/training.log" 2>&1 || true
    fi
    # Without comments, numbers, and what the run happened to resolve. A lambda comes after its class.
    sed -E '/^#/d; /^@cp /d; s/ id: [0-9]+$//' "$work/loaded" | LC_ALL=C sort -u >"$work/sorted"
    { grep -v '^@' "$work/sorted"; grep '^@' "$work/sorted"; } >"$work/classes"
    # From the folder, as the archive has the paths of the jars: Java allows for another folder at the front of all of them.
    (cd "$folder" && "$@" runtime/bin/java -Xshare:dump -XX:SharedClassListFile="$work/classes" -XX:SharedArchiveFile=sluice.jsa -XX:+UseSerialGC \
        -XX:TieredStopAtLevel=1 -cp "$path") >>"$work/training.log" 2>&1 || true
    [[ -f $folder/sluice.jsa ]] || { tail -5 "$work/training.log" >&2; die "no class archive for the command line (details: $work/training.log)"; }
    chmod 644 "$folder/sluice.jsa" # Java makes it for its owner alone
}

# notes: what CHANGELOG.md says of the version; a pre-release has the notes of its version
notes() {
    awk -v version="${version%%[-+]*}" '/^## / {on = $2 == version} on && !/^## /' "$root/CHANGELOG.md" >"$work/notes"
    grep -q '[^[:space:]]' "$work/notes" || die "CHANGELOG.md has no section ## ${version%%[-+]*}"
    { echo "# Sluice $version"; cat "$work/notes"; } >"$result/release-notes.md"
}

# provenance: which commit and command the files and images are from, as an in-toto statement with the predicate of SLSA. It has no time
# and no name of a machine, so that another build of the same commit says the same.
provenance() {
    local name
    { (cd "$result" && find . -type f ! -path './images/*' ! -name provenance.json -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum) \
        | jq -R 'capture("^(?<digest>[0-9a-f]+)  (?<name>.*)$") | {name, digest: {sha256: .digest}}'
      for name in "${images[@]}"; do
          jq -n --arg name "${registry:+$registry/}sluice/$name" --arg digest "$(cut -d: -f2 "$work/$name.digest")" '{$name, digest: {sha256: $digest}}'
      done; } | jq -s --sort-keys --arg version "$version" --arg registry "$registry" --arg commit "$commit" --arg source "${SLUICE_SOURCE:-}" \
        --arg jdk "$(sed -n 's/^IMPLEMENTOR_VERSION="\(.*\)"/\1/p' "$jdk/release")" --arg go "$(GOTOOLCHAIN=local go env GOVERSION)" --arg machine "$machine" '{
            _type: "https://in-toto.io/Statement/v1", subject: ., predicateType: "https://slsa.dev/provenance/v1",
            predicate: {
                buildDefinition: {
                    buildType: "urn:sluice:release:make:v1",
                    externalParameters: {command: ("make release VERSION=" + $version + (if $registry == "" then "" else " REGISTRY=" + $registry end)),
                        version: $version, registry: $registry},
                    internalParameters: {jdk: $jdk, go: $go, architecture: $machine},
                    resolvedDependencies: [({digest: {gitCommit: $commit}} + if $source == "" then {name: "sluice"} else {uri: ("git+" + $source)} end)]},
                runDetails: {builder: {id: "urn:sluice:release:make"}}}}' >"$result/provenance.json"
}

# sums: the digest of every file, for `sha256sum --check`
sums() { (cd "$result" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS); }
