# shellcheck shell=bash

# find_jdk VERSION: prints the folder of a JDK of that version, JAVA_HOME first.
find_jdk() {
    local folder java
    java=$(command -v java || true)
    for folder in "${JAVA_HOME:-/nowhere}" ${java:+"$(dirname "$(dirname "$(realpath "$java")")")"} \
        /usr/lib/jvm/* /usr/local/*jdk* /opt/*jdk* "${HOME:-/nowhere}"/.sdkman/candidates/java/*; do
        if [[ -x $folder/bin/jlink ]] && grep -qs "^JAVA_VERSION=\"$1[.\"]" "$folder/release"; then
            echo "$folder"
            return
        fi
    done
    die "no JDK $1 found: install one (adoptium.net) and set JAVA_HOME to its folder"
}
