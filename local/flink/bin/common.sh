# shellcheck shell=bash disable=SC2034 # JVM and DYNAMIC are read by the scripts
# What Flink's start scripts have in common. The official ones are not part of the package that the jars come from;
# these take the same arguments and environment and leave out what runs in no container.
set -euo pipefail

FLINK_HOME=${FLINK_HOME:-/opt/flink}
export FLINK_CONF_DIR=${FLINK_CONF_DIR:-$FLINK_HOME/conf}
export FLINK_LIB_DIR=${FLINK_LIB_DIR:-$FLINK_HOME/lib} FLINK_OPT_DIR=${FLINK_OPT_DIR:-$FLINK_HOME/opt}
export FLINK_PLUGINS_DIR=${FLINK_PLUGINS_DIR:-$FLINK_HOME/plugins} FLINK_BIN_DIR=$FLINK_HOME/bin
JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java

# flink-dist last: what a user puts beside it wins.
class_path() {
    local jar jars='' dist=''
    while IFS= read -r jar; do
        if [[ ${jar##*/} == flink-dist* ]]; then dist=$jar; else jars+=$jar:; fi
    done < <(find "$FLINK_LIB_DIR" ! -type d -name '*.jar' | sort)
    echo "$jars$dist"
}

# utils COMMAND ARGUMENT...: what Flink itself makes of its configuration.
utils() {
    local all
    all=$("$JAVA" -XX:TieredStopAtLevel=1 \
        -classpath "$FLINK_BIN_DIR/bash-java-utils.jar:$(ls "$FLINK_LIB_DIR"/flink-dist*.jar)" \
        org.apache.flink.runtime.util.bash.BashJavaUtils "$1" --configDir "$FLINK_CONF_DIR" "${@:2}" 2>&1) ||
        { echo "$all" >&2; echo "Flink cannot use the configuration in $FLINK_CONF_DIR" >&2; exit 1; }
    sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p' <<<"$all"
}

# java_options ROLE: what the configuration adds to the JVM's options. Where it is nested YAML only Flink reads it for
# certain, which costs the start of a JVM.
java_options() {
    local all key value
    grep -qs opts "$FLINK_CONF_DIR"/{config,flink-conf}.yaml || return 0
    if grep -qs '^env:' "$FLINK_CONF_DIR"/{config,flink-conf}.yaml; then
        all=$(utils UPDATE_AND_GET_FLINK_CONFIGURATION -flatten)
    else
        all=$(cat "$FLINK_CONF_DIR"/{config,flink-conf}.yaml 2>/dev/null || true)
    fi
    for key in env.java.default-opts.all "env.java.default-opts.$1" env.java.opts.all env.java.opts "env.java.opts.$1"; do
        value=$(sed -n "s/^${key//./\\.}: *//p" <<<"$all")
        if [[ $value =~ ^\'(.*)\'$ || $value =~ ^\"(.*)\"$ ]]; then value=${BASH_REMATCH[1]}; fi
        echo -n "$value "
    done
}

logging() {
    local name=$1 file=$FLINK_CONF_DIR/log4j-console.properties
    [[ -f $file ]] || file=$FLINK_HOME/default-log4j-console.properties
    LOGGING=("-Dlog.file=${FLINK_LOG_DIR:-$FLINK_HOME/log}/flink-$name-$HOSTNAME.log"
        "-Dlog4j.configuration=file:$file" "-Dlog4j.configurationFile=file:$file"
        "-Dlogback.configurationFile=file:$FLINK_CONF_DIR/logback-console.xml")
}

# run_java NAME ROLE JVM-OPTIONS MAIN-CLASS ARGUMENT...: becomes Flink.
run_java() {
    local name=$1 jvm=$3 options
    options="$(java_options "$2") ${FLINK_ENV_JAVA_OPTS:-} ${JVM_ARGS:-}"
    shift 3
    logging "$name"
    # shellcheck disable=SC2086 # options are words
    exec "$JAVA" $jvm $options "${LOGGING[@]}" -classpath "$(class_path):$FLINK_CONF_DIR" "$@"
}

# jobmanager_memory ARGUMENT...: sets JVM and DYNAMIC, which tells Flink what was computed.
jobmanager_memory() {
    local result
    result=$(utils GET_JM_RESOURCE_PARAMS "$@")
    JVM=$(sed -n 1p <<<"$result")
    DYNAMIC=$(sed -n 2p <<<"$result")
}
